import CleanupChoices
import DictationService
import DictationSpeech
import Foundation
import Glibc

/// Speaks a folder of recordings into a session, and measures what comes back and when.
struct SpeechBenchmark {
    let recognizer: any SpeechRecognizer
    let isPaced: Bool
    let progress: (String) -> Void

    /// A recording and its words.
    struct Item {
        let file: String
        let reference: String
        let samples: () throws -> [Int16]
    }

    struct Report: Encodable {
        struct File: Encodable {
            let file: String
            let seconds: Double
            let words: Int
            let errors: Int
            let text: String
            /// From the onset of speech to the first words, in ms; nil if there were none before the end, or if
            /// the sound was not paced.
            let firstPartial: Double?
            /// From the last sample to the last word, in ms; nil if the sound was not paced.
            let final: Double?
        }
        struct Delay: Encodable {
            let p50: Double
            let p95: Double

            init?(_ milliseconds: [Double]) {
                guard let p50 = milliseconds.nearest(toRank: 0.5),
                    let p95 = milliseconds.nearest(toRank: 0.95)
                else { return nil }
                (self.p50, self.p95) = (p50, p95)
            }
        }
        let engine: String
        let seconds: Double
        /// Percent.
        let wordErrorRate: Double
        /// Processor time of the whole process for a second of sound.
        let realTimeFactor: Double
        /// ms.
        let load: Double
        /// KiB, when all is done.
        let residentKiB: Int
        let firstPartial: Delay?
        let final: Delay?
        let files: [File]
    }

    /// Reads `transcripts.tsv`: a line a recording, its name first, then what is said, separated by tabs; further
    /// columns and the headline are ignored.
    static func items(in folder: URL) throws -> [Item] {
        let table = folder.appending(path: "transcripts.tsv")
        guard let text = try? String(contentsOf: table, encoding: .utf8) else {
            throw CommandProblem(
                status: .failed, message: "There is no table \(table.path) of recordings and their words.")
        }
        let items = text.split(separator: "\n").compactMap { line -> Item? in
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard columns.count >= 2, columns[0] != "file" else { return nil }
            let url = folder.appending(path: columns[0])
            return Item(file: columns[0], reference: columns[1]) { try AudioFile.samples(of: url) }
        }
        guard !items.isEmpty else {
            throw CommandProblem(status: .failed, message: "\(table.path) names no recording.")
        }
        return items
    }

    func run(_ items: [Item]) async throws -> Report {
        let input = PacedRecording(isPaced: isPaced)
        let session = SpeechSession(recognizer: recognizer, input: input)
        let clock = ContinuousClock()
        let load = try await clock.measure { try await session.prepare() }
        let before = Self.processorSeconds
        var files: [Report.File] = []
        for (number, item) in items.enumerated() {
            progress("\(number + 1) of \(items.count): \(item.file)")
            files.append(try await speak(item, session, input))
        }
        let seconds = files.map(\.seconds).reduce(0, +)
        let words = files.map(\.words).reduce(0, +)
        return Report(
            engine: recognizer.engine, seconds: seconds,
            wordErrorRate: 100 * Double(files.map(\.errors).reduce(0, +)) / Double(max(1, words)),
            realTimeFactor: (Self.processorSeconds - before) / max(seconds, 0.001),
            load: load / .milliseconds(1),
            residentKiB: ProcessUsage(of: getpid())?.resident ?? 0,
            firstPartial: .init(files.compactMap(\.firstPartial)), final: .init(files.compactMap(\.final)),
            files: files)
    }

    private func speak(
        _ item: Item, _ session: SpeechSession, _ input: PacedRecording
    ) async throws -> Report.File {
        let samples = try item.samples()
        input.load(samples)
        let began = ContinuousClock.now
        var first: ContinuousClock.Instant?
        var text = ""
        for try await result in session.startTranscribing() {
            if !result.plainText.isEmpty { first = first ?? .now }
            if result.isFinal { text += result.plainText + " " }
        }
        let ended = ContinuousClock.now
        let onset = Self.onset(of: samples)
        let said = SpokenWords.normalized(item.reference)
        let early = first.flatMap { instant in (input.finishedAt ?? ended) > instant ? instant : nil }
        return Report.File(
            file: item.file, seconds: SpeechAudio.duration(ofSamples: samples.count) / .seconds(1),
            words: said.count, errors: EditDistance.between(SpokenWords.normalized(text), said),
            text: text.trimmingCharacters(in: .whitespaces),
            firstPartial: isPaced ? early.map { (began + onset).duration(to: $0) / .milliseconds(1) } : nil,
            final: isPaced ? input.finishedAt.map { $0.duration(to: ended) / .milliseconds(1) } : nil)
    }

    /// When somebody begins to speak, by loudness alone.
    private static func onset(of samples: [Int16]) -> Duration {
        var level = SpeechLevel()
        level.add(samples)
        // Within 25 dB of the speech's own level, as speech is counted elsewhere.
        let threshold = (level.decibels ?? 0) - 25
        let frame = SpeechAudio.sampleRate / 50
        let first = stride(from: 0, to: samples.count - frame, by: frame).first {
            AudioLevel(samples[$0..<$0 + frame]).rms >= threshold
        }
        return SpeechAudio.duration(ofSamples: first ?? 0)
    }

    /// Processor time that this process has used, of all its threads.
    private static var processorSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
