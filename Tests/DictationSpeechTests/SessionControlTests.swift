import DictationSpeech
import Foundation
import Synchronization
import Testing

/// The further abilities of a session while it listens. Serialized, so that a small machine keeps up.
@Suite("Steering a session", .serialized, .timeLimit(.minutes(5)))
struct SessionControlTests {
    @Test("speech in a pause is not heard, and the times continue without a gap")
    func pausing() async throws {
        let folder = try Folder()
        let file = folder.url.appending(path: "kept.wav")
        let session = SpeechSession(input: Microphones.input(speaking: Recording.short.url))
        let (beforePause, afterPause) = (Once(), Once())
        let expected = Mutex(0)
        let isGapless = Mutex(true)
        // On a busy machine more than that is heard before the pause begins: the words after it are counted
        // again.
        let isResumed = Atomic(false)
        let resumption = Mutex<Double?>(nil)
        let stream = session.startTranscribing(recording: file) { chunk in
            let fits = expected.withLock { next in
                defer { next = chunk.position + chunk.samples.count }
                return next == chunk.position
            }
            if !fits { isGapless.withLock { $0 = false } }
            if chunk.time >= 2.5 { beforePause.happen() }
            guard isResumed.load(ordering: .acquiring) else { return }
            let begin = resumption.withLock { begin in
                if begin == nil { begin = chunk.time }
                return begin ?? chunk.time
            }
            if chunk.time >= begin + 3 { afterPause.happen() }
        }
        await beforePause.wait()
        session.pauseTranscribing()
        #expect(session.status == .paused)
        #expect(!session.isSpeechDetected)
        session.pauseTranscribing()
        session.resumeTranscribing()
        session.resumeTranscribing()
        isResumed.store(true, ordering: .releasing)
        #expect(session.status == .transcribing)
        await afterPause.wait()
        session.finishRecording(tail: .zero)
        let outcome = try await Outcome(stream)
        #expect(outcome.error == nil)
        // The device speaks from the beginning whenever it is opened.
        #expect(outcome.text.components(separatedBy: "surpassed").count == 3, "heard: \(outcome.text)")
        #expect(isGapless.withLock { $0 })
        let kept = try AudioFile.samples(of: file).count
        #expect(kept == expected.withLock { $0 })
    }

    @Test("an utterance keeps its recognizer; the next one has another, and the old one is released")
    func replacing() async throws {
        let folder = try Folder()
        var old: SherpaRecognizer? = Engines.recognizer(.streaming)
        weak let released = old
        let session = SpeechSession(
            recognizer: try #require(old),
            input: Microphones.input(speaking: try ToneModel.write("hello there", in: folder)),
            voiceDetection: .loudness)
        old = nil
        session.keepLoaded = .seconds(3600)
        let heard = Once()
        let first = session.startTranscribing { if $0.time > 2.5 { heard.happen() } }
        await heard.wait()
        let sphinx = SpeechPipeline(recognizer: PocketSphinxRecognizer())
        try await sphinx.prepare()
        session.use(sphinx)
        #expect(session.engine == "pocketsphinx" && released != nil)
        session.finishRecording(tail: .zero)
        #expect(try await Outcome(first).text == "hello there")
        let second = session.startTranscribing()
        await session.stopTranscribing(tail: .zero)
        _ = try await Outcome(second)
        // Its own thread may be the last that lets go of it.
        while released != nil { await Task.yield() }
        session.use(SpeechPipeline(recognizer: PocketSphinxRecognizer(), locale: "de-DE"))
        let third = try await Outcome(session.startTranscribing())
        guard case .unsupportedLocale("de-DE", _, _) = third.error else {
            Issue.record("\(String(describing: third.error))")
            return
        }
    }

    @Test("a paused session can be stopped, and canceled", arguments: [true, false])
    func endingAPause(isCancelled: Bool) async throws {
        let session = SpeechSession(input: Microphones.input(speaking: Recording.demo.url))
        let heard = Once()
        let stream = session.startTranscribing { if $0.time > 1 { heard.happen() } }
        await heard.wait()
        session.pauseTranscribing()
        if isCancelled { session.cancel() } else { await session.stopTranscribing() }
        #expect(try await Outcome(stream).error == nil)
        #expect(session.status == .idle)
        session.resumeTranscribing()
        #expect(session.status == .idle)
    }

    @Test("a recording ends by itself after a silence that follows speech, if that is set")
    func autoStop() async throws {
        let session = SpeechSession(
            input: Microphones.input(speaking: Recording.short.url),
            endpointing: Endpointing(silence: .seconds(1)))
        let outcome = try await Outcome(session.startTranscribing())
        #expect(outcome.error == nil)
        #expect(outcome.text.contains("surpassed"))
        #expect(session.status == .idle)
    }

    @Test("speech and loudness are reported while they last")
    func monitoring() async throws {
        let session = SpeechSession(
            input: Microphones.input(speaking: Recording.short.url),
            endpointing: Endpointing(silence: .seconds(1)))
        let activity = Task { [stream = session.speechDetectionStream] in
            var seen: [Bool] = []
            for await isSpeech in stream {
                seen.append(isSpeech)
                if seen.contains(true), !isSpeech { break }
            }
            return seen
        }
        let levels = Task { [stream = session.volumeStream] in
            var seen: [AudioLevel] = []
            for await level in stream {
                seen.append(level)
                if seen.count == 30 { break }
            }
            return seen
        }
        _ = try await Outcome(session.startTranscribing())
        #expect(await activity.value == [false, true, false])
        let seen = await levels.value
        #expect(seen.allSatisfy { $0.rms <= $0.peak && $0.peak <= 0 })
        #expect(!session.isSpeechDetected)
        session.configureVoiceActivation(sensitivity: .low)
    }

    @Test("a long segment becomes final in the middle, with times that fit, and no word is lost")
    func longSegment() async throws {
        let session = SpeechSession(
            // The cuts do not depend on the load of the machine.
            input: AudioFileInput(url: Recording.demo.url),
            endpointing: Endpointing(silence: .seconds(1), longestSegment: .seconds(2)))
        let outcome = try await Outcome(session.startTranscribing())
        #expect(outcome.results.count >= 2)
        // Words at a cut may suffer: there was no pause.
        let wrong = wordErrorRate(outcome.text, reference: try Recording.demo.reference())
        #expect(wrong <= 0.4, "\(outcome.text) (\(session.overruns) overruns)")
        let ranges = outcome.results.map(\.range)
        #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound + 0.05 })
        #expect(try #require(ranges.last).upperBound > 4)
    }

    @Test("a file is given segment by segment, with its progress")
    func fileProgress() async throws {
        let progress = Mutex<[Double]>([])
        let session = SpeechSession()
        var text = ""
        for try await result in session.streamTranscription(
            from: Recording.demo.url, onProgress: { part in progress.withLock { $0.append(part) } })
        {
            #expect(result.isFinal)
            text += result.plainText + " "
        }
        #expect(wordErrorRate(text, reference: try Recording.demo.reference()) <= 0.2)
        let parts = progress.withLock { $0 }
        #expect(parts.first == 0 && parts.last == 1)
        #expect(parts.count > 10 && zip(parts, parts.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test("letting go of a file's stream ends its recognition, and the session serves the next one")
    func fileCancelled() async throws {
        let session = SpeechSession()
        let began = Once()
        let task = Task {
            for try await _ in session.streamTranscription(
                from: Recording.universe.url, onProgress: { _ in began.happen() })
            {}
        }
        await began.wait()
        task.cancel()
        try await task.value
        #expect(try await session.transcribe(audioFile: Recording.short.url).plainText.contains("surpassed"))
    }
}
