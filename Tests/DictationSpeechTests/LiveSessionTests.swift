import DictationSpeech
import Foundation
import Synchronization
import TestSupport
import Testing

/// Real speech through a real ALSA device, in real time. Serialized, so that a small machine keeps up.
@Suite("A session on a microphone", .serialized, .timeLimit(.minutes(5)))
struct LiveSessionTests {
    /// Records until the microphone has given `seconds` of sound, counted in its own frames.
    private func transcribe(
        with session: SpeechSession, seconds: Double, recording: URL? = nil
    ) async throws -> Outcome {
        let stream = session.startTranscribing(
            recording: recording, onAudio: finishing(session, after: seconds))
        return try await Outcome(stream)
    }

    /// Ends the recording once: a frame that is already queued must not end the next utterance.
    private func finishing(
        _ session: SpeechSession, after seconds: Double
    ) -> @Sendable (AudioChunk) -> Void {
        let isDone = Mutex(false)
        return { [weak session] chunk in
            guard chunk.time >= seconds,
                !isDone.withLock({ done in
                    defer { done = true }
                    return done
                })
            else { return }
            session?.finishRecording(tail: .zero)
        }
    }

    @Test(
        "speech becomes text, with volatile words before, and times and confidence on the final ones")
    func spokenWordsBecomeText() async throws {
        let session = SpeechSession(input: Microphones.input(speaking: Recording.demo.url))
        try await session.prepare()
        let outcome = try await transcribe(with: session, seconds: 6)
        #expect(outcome.error == nil)
        #expect(wordErrorRate(outcome.text, reference: try Recording.demo.reference()) <= 0.2)
        #expect(outcome.volatileCount > 0)
        let words = outcome.results.flatMap { result in
            result.text.runs.compactMap { $0[AudioTimeRangeAttribute.self] }
        }
        #expect(words.count >= 10)
        #expect(zip(words, words.dropFirst()).allSatisfy { $0.lowerBound <= $1.lowerBound })
        let range = try #require(words.first)
        #expect((0.2...1.0).contains(range.lowerBound), "the first word begins after 0.4 s of silence")
    }

    @Test("every frame is on disk, the first one too, and bit for bit")
    func everyFrameIsOnDisk() async throws {
        let folder = try Folder()
        let file = folder.url.appending(path: "kept.wav")
        let session = SpeechSession(input: Microphones.input(speaking: Recording.short.url))
        _ = try await transcribe(with: session, seconds: 2.5, recording: file)
        let kept = try AudioFile.samples(of: file)
        let spoken = try AudioFile.samples(of: Recording.short.url)
        let count = min(kept.count, spoken.count)
        #expect(count >= 2 * SpeechAudio.sampleRate)
        #expect(kept.prefix(count).elementsEqual(spoken.prefix(count)))
    }

    @Test(
        "a microphone that is pulled out: the words until then are kept, the error says so, and the next press works"
    )
    func unpluggedMicrophone() async throws {
        let input = Microphones.input(speaking: Recording.demo.url, unplugAfter: 4000)
        let folder = try Folder()
        let file = folder.url.appending(path: "kept.wav")
        let session = SpeechSession(input: input)
        let outcome = try await Outcome(session.startTranscribing(recording: file))
        guard case .microphoneLost(_, _, let seconds) = outcome.error else {
            Issue.record("expected a lost microphone, got \(String(describing: outcome.error))")
            return
        }
        #expect(seconds > 3 && seconds < 4.5)
        #expect(outcome.text.contains("block books"))
        let kept = Double(try AudioFile.samples(of: file).count) / Double(SpeechAudio.sampleRate)
        #expect(abs(kept - seconds) < 0.1)
        // It is plugged in again by then. However late the sound is read, its end at four seconds is further away than the buffer.
        let next = try await transcribe(with: session, seconds: 1.5)
        #expect(next.error == nil && !next.text.isEmpty)
    }

    @Test(
        "a microphone that hangs in a call: the words until then are kept, the error says so, and the next press works"
    )
    func hangingMicrophone() async throws {
        let input = Microphones.input(speaking: Recording.demo.url, hangAfter: 4000)
        let folder = try Folder()
        let file = folder.url.appending(path: "kept.wav")
        let session = SpeechSession(input: input)
        let outcome = try await Outcome(session.startTranscribing(recording: file))
        guard case .microphoneLost(_, let reason, _) = outcome.error else {
            Issue.record("expected a lost microphone, got \(String(describing: outcome.error))")
            return
        }
        #expect(reason == "it stopped answering, and can be opened again")
        #expect(outcome.text.contains("block books"))
        #expect(try AudioFile.samples(of: file).count >= 3 * SpeechAudio.sampleRate)
        let next = try await transcribe(with: session, seconds: 1.5)
        #expect(next.error == nil && !next.text.isEmpty)
    }

    @Test(
        "a recognizer that fails on what a lost microphone has recorded is named: the sound is worth another attempt"
    )
    func unpluggedAndRefused() async throws {
        let server = try LoopbackServer { _ in [.answer(401)] }
        let recognizer = RemoteRecognizer(
            RemoteConfiguration(
                address: server.address("/v1"), model: "large", key: .none, locale: "en-US",
                timeLimit: .seconds(20)), fallback: nil)
        let session = SpeechSession(
            recognizer: recognizer,
            input: Microphones.input(speaking: Recording.demo.url, unplugAfter: 4000))
        let outcome = try await Outcome(session.startTranscribing())
        guard case .serverFailed = outcome.error else {
            Issue.record("expected a server that failed, got \(String(describing: outcome.error))")
            return
        }
        #expect(!server.requests.isEmpty)
    }

    @Test("a session hears on over an overrun, and says that there was one")
    func overrunInASession() async throws {
        let session = SpeechSession(
            input: Microphones.input(speaking: Recording.demo.url, overrunAfter: 500))
        let outcome = try await transcribe(with: session, seconds: 6)
        #expect(outcome.error == nil && outcome.text.contains("block books"))
        // A machine that stalls for a moment adds its own.
        #expect(session.overruns >= 1)
    }

    @Test("a device whose first sound comes seconds after it was opened is waited for")
    func lateSound() async throws {
        // A headset changes its profile in about 2 s; an open microphone that falls silent is dropped after
        // the same time.
        let capture = Microphones.input(speaking: Recording.short.url, late: 3_000).start()
        var samples = 0
        for try await chunk in capture.chunks {
            samples += chunk.samples.count
            if samples > SpeechAudio.sampleRate { capture.stop(tail: .zero) }
        }
        #expect(samples > SpeechAudio.sampleRate)
    }

    @Test("an overrun is survived and counted")
    func overrunIsSurvived() async throws {
        let capture = Microphones.input(speaking: Recording.short.url, overrunAfter: 500).start()
        var samples = 0
        for try await chunk in capture.chunks {
            #expect(chunk.position == samples)
            samples += chunk.samples.count
            if samples > SpeechAudio.sampleRate { capture.stop(tail: .zero) }
        }
        #expect(capture.overruns >= 1)
        #expect(samples > SpeechAudio.sampleRate)
    }

    @Test("one session serves utterance after utterance, a new one while the last one is being finished")
    func utterancesOverlap() async throws {
        let session = SpeechSession(input: Microphones.input(speaking: Recording.short.url))
        let first = session.startTranscribing(onAudio: finishing(session, after: 2.3))
        #expect(try await Outcome(session.startTranscribing()).error == .alreadyTranscribing)
        // The stopping state is the moment at which the next utterance may begin.
        for await status in session.statusStream where status == .stopping || status == .idle { break }
        let second = session.startTranscribing(onAudio: finishing(session, after: 2.3))
        let outcomes = [try await Outcome(first), try await Outcome(second)]
        for outcome in outcomes {
            #expect(outcome.error == nil)
            #expect(wordErrorRate(outcome.text, reference: try Recording.short.reference()) <= 0.5)
        }
        await session.stopTranscribing()
        #expect(session.status == .idle)
    }

    @Test("cancelling ends the stream without words and without an error")
    func cancelling() async throws {
        let session = SpeechSession(input: Microphones.input(speaking: Recording.demo.url))
        let stream = session.startTranscribing { [weak session] chunk in
            if chunk.time >= 1 { session?.cancel() }
        }
        let outcome = try await Outcome(stream)
        #expect(outcome.error == nil)
        #expect(outcome.results.isEmpty)
    }

    @Test("a microphone of another rate is converted, and its time does not drift")
    func otherRate() async throws {
        let folder = try Folder()
        let (source, kept) = (folder.url.appending(path: "44k.wav"), folder.url.appending(path: "kept.wav"))
        let writer = try WaveFileWriter(url: source, sampleRate: 44_100)
        let tone = (0..<44_100 * 2).map { Int16(8000 * sin(Double($0) * 2 * .pi * 440 / 44_100)) }
        try writer.append(tone)
        let capture = Microphones.input(speaking: source).start()
        let copy = try WaveFileWriter(url: kept)
        for try await chunk in capture.chunks {
            try copy.append(chunk.samples)
            if chunk.time >= 1.5 { capture.stop(tail: .zero) }
        }
        // 440 Hz cross zero upwards 440 times a second, if the rate is right.
        let second = try AudioFile.samples(of: kept)[4000..<20_000]
        let crossings = zip(second, second.dropFirst()).filter { $0 < 0 && $1 >= 0 }.count
        #expect((439...441).contains(crossings))
    }

    @Test("a missing microphone is reported with advice", arguments: ["nosuchdevice", "hw:31,0"])
    func missingMicrophone(device: String) async throws {
        let session = SpeechSession(input: Microphones.input(device: device))
        let error = try await Outcome(session.startTranscribing()).error
        guard case .noMicrophone(device, _) = error else {
            Issue.record("expected a missing microphone, got \(String(describing: error))")
            return
        }
        #expect("\(String(describing: error))".isEmpty == false)
        await session.stopTranscribing()
        #expect(session.status == .idle)
    }

    @Test("a recognizer that cannot start ends the recording at once, and what was recorded is kept")
    func missingModel() async throws {
        var model = PocketSphinxModel.debianEnglish
        model.dictionary = "/nonexistent/words.dict"
        let folder = try Folder()
        let file = folder.url.appending(path: "kept.wav")
        let session = SpeechSession(
            recognizer: PocketSphinxRecognizer(model: model),
            input: Microphones.input(speaking: Recording.demo.url))
        let outcome = try await Outcome(session.startTranscribing(recording: file))
        guard case .modelMissing = outcome.error else {
            Issue.record("expected a missing model, got \(String(describing: outcome.error))")
            return
        }
        #expect(FileManager.default.fileExists(atPath: file.path))
    }
}
