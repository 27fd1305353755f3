import CleanupChoices
import DictationHost
import DictationSettings
import DictationShared
import DictationSpeech
import DictationText
import Foundation
import Glibc

/// Speaks a folder of recordings in real time, and measures when words would be typed during speech, and how
/// many of them differ from the text without it. The words are followed to the instant at which they are
/// given to insert-agent; `dictation-bench insert` measures what follows.
struct LiveBenchmark {
    let recognizer: any SpeechRecognizer
    let mode: LiveInsertion
    /// As `insert.live-revise`.
    let mayRevise: Bool
    let progress: (String) -> Void

    struct Report: Encodable {
        let engine: String
        let live: String
        let mayRevise: Bool
        let recordings: Int
        let seconds: Double
        /// From the end of a word to the instant at which it is released for the last time, in ms; of words
        /// that were released before the end and stay.
        let delay: SpeechBenchmark.Report.Delay?
        /// Percentage of all words that are released before the recording ends.
        let early: Double
        /// The same of recordings over ``LiveBenchmark/long`` seconds.
        let earlyOfLong: Double
        /// Per cent of these words that the text without live typing has otherwise.
        let wrong: Double
        /// Per cent of all words that are removed again, whole or in part.
        let removed: Double
        /// Per cent.
        let wordErrorRate: Double
        let wordErrorRateWithout: Double
        /// Processor time of the whole process for a second of sound.
        let processorTime: Double
        let processorTimeWithout: Double
    }

    /// Seconds.
    static let long = 8.0
    /// As in host-agent.
    private static let pause = Duration.milliseconds(600)

    private struct Take {
        var seconds = 0.0
        var raw = ""
        var cleaned = ""
        /// Released before the end, and still in the final text.
        var early = ""
        var removedWords = 0
        var delays: [Double] = []
        var processor = 0.0
    }

    func run(_ items: [SpeechBenchmark.Item]) async throws -> Report {
        var (live, without): ([Take], [Take]) = ([], [])
        for isLive in [false, true] {
            let input = PacedRecording(isPaced: isLive)
            let session = SpeechSession(recognizer: recognizer, input: input)
            if isLive { session.endpointing.pause = Self.pause }
            try await session.prepare()
            for (number, item) in items.enumerated() {
                progress("\(number + 1) of \(items.count): \(item.file)")
                let take = try await speak(item, session, input, isLive: isLive)
                if isLive { live.append(take) } else { without.append(take) }
            }
        }
        return report(items, live, without)
    }

    private func report(_ items: [SpeechBenchmark.Item], _ live: [Take], _ without: [Take]) -> Report {
        func share(_ part: Int, _ whole: Int) -> Double { 100 * Double(part) / Double(max(1, whole)) }
        func early(_ takes: [Take]) -> Double {
            share(takes.reduce(0) { $0 + $1.early.wordCount }, takes.reduce(0) { $0 + $1.cleaned.wordCount })
        }
        func errorRate(_ texts: [String]) -> Double {
            let said = items.map { SpokenWords.normalized($0.reference) }
            let errors = zip(texts, said).map {
                EditDistance.between(SpokenWords.normalized($0), $1)
            }
            return share(errors.reduce(0, +), said.reduce(0) { $0 + $1.count })
        }
        let seconds = live.reduce(0) { $0 + $1.seconds }
        let wrong = zip(live, without).reduce(0) { $0 + LiveJoin($1.0.early, $1.1.cleaned).wrongWords }
        return Report(
            engine: recognizer.engine, live: mode.rawValue, mayRevise: mayRevise, recordings: items.count,
            seconds: seconds,
            delay: .init(live.flatMap(\.delays)), early: early(live),
            earlyOfLong: early(live.filter { $0.seconds > Self.long }),
            wrong: share(wrong, live.reduce(0) { $0 + $1.early.wordCount }),
            removed: share(
                live.reduce(0) { $0 + $1.removedWords }, live.reduce(0) { $0 + $1.cleaned.wordCount }),
            wordErrorRate: errorRate(live.map { LiveJoin($0.early, $0.cleaned).text }),
            wordErrorRateWithout: errorRate(without.map(\.cleaned)),
            processorTime: live.reduce(0) { $0 + $1.processor } / max(seconds, 0.001),
            processorTimeWithout: without.reduce(0) { $0 + $1.processor } / max(seconds, 0.001))
    }

    private func speak(
        _ item: SpeechBenchmark.Item, _ session: SpeechSession, _ input: PacedRecording, isLive: Bool
    ) async throws -> Take {
        let samples = try item.samples()
        input.load(samples)
        var take = Take()
        take.seconds = SpeechAudio.duration(ofSamples: samples.count) / .seconds(1)
        let (cleaner, before, began) = (TextCleaner(), Self.processorSeconds, ContinuousClock.now)
        var live = isLive ? LiveText(mode, mayRevise: mayRevise) : nil
        var results: [TranscriptionResult] = []
        var words: [TimedWord]? = []
        var typed = TypedWords()
        for try await result in session.startTranscribing(live: isLive ? mode : .off) {
            if result.isFinal {
                results.append(result)
                words = result.timedWords.flatMap { new in words.map { $0 + new } }
            }
            let heard = HeardText(
                final: Transcript(results: results).plainText, words: words ?? [],
                tentative: result.isFinal ? "" : result.plainText, end: result.range.upperBound)
            let wait = live?.wait ?? 0
            let settled = live?.take(heard) { $0.settled(by: cleaner, wait: wait) }
            if let settled, input.finishedAt == nil {
                typed.take(settled, at: began.duration(to: .now) / .seconds(1), mayRevise: mayRevise)
            }
        }
        take.processor = Self.processorSeconds - before
        take.raw = Transcript(results: results).plainText
        take.cleaned = (words?.isEmpty == false ? cleaner.clean(words ?? []) : cleaner.clean(take.raw)).text
        typed.end(with: take.cleaned, mayRevise: mayRevise)
        (take.early, take.removedWords) = (typed.text, typed.removedWords)
        take.delays = typed.delays(after: Self.ends(of: take.cleaned, in: results))
        return take
    }

    /// The ends of the words of a cleaned text, in seconds: those of the words as they were heard, by their
    /// number; if an engine knows no times of words, each takes the part of its segment that its letters are.
    private static func ends(of cleaned: String, in results: [TranscriptionResult]) -> [Double] {
        let heard = results.flatMap { result -> [(word: String, end: Double)] in
            let words = result.plainText.split(whereSeparator: \.isWhitespace).map(String.init)
            if let timed = result.timedWords, timed.count == words.count {
                return timed.map { ($0.text, $0.end) }
            }
            let letters = Double(words.reduce(0) { $0 + $1.count })
            let (start, length) = (
                result.range.lowerBound, result.range.upperBound - result.range.lowerBound
            )
            var so = 0.0
            return words.map { word in
                so += Double(word.count)
                return (word, start + length * so / max(1, letters))
            }
        }
        // The clean-up leaves out words, which moves those after them: each word is looked up again in its
        // order.
        var next = 0
        return cleaned.split(whereSeparator: \.isWhitespace).map { word in
            let bare = word.lowercased().filter(\.isLetter)
            let found = heard[min(next, heard.count)...].prefix(6).firstIndex {
                $0.word.lowercased().filter(\.isLetter) == bare
            }
            let place = found ?? min(next, max(0, heard.count - 1))
            next = place + 1
            return heard.indices.contains(place) ? heard[place].end : 0
        }
    }

    /// Processor time that this process has used, of all its threads.
    private static var processorSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
