import DictationSpeech
import Foundation
import TestSupport
import Testing

/// A real PulseAudio server between the voice and the session, as on most desktops. If the machine hangs for
/// a moment, the server leaves a gap in the sound: a word or two may be heard wrong then.
@Suite("A session on a sound server", .serialized, .timeLimit(.minutes(5)))
struct SoundServerTests {
    /// Speaks a recording to its end, and returns the heard sound.
    private func dictate(
        _ recording: URL, _ session: SpeechSession, _ server: SoundServer
    ) async throws -> Outcome {
        let heard = Observed(0.0)
        let stream = session.startTranscribing { chunk in heard.change { $0 = chunk.time } }
        await wait(for: heard, toBe: 0.1)
        let speaker = try await server.speak(recording)
        #expect(try await speaker.waitForExit().code == 0)
        // The last sound that was played is still on its way.
        await wait(for: heard, toBe: heard.value + 0.5)
        session.finishRecording()
        return try await Outcome(stream)
    }

    /// Speaks four seconds of a recording, until something happens to the server, and checks whether they were heard.
    private func dictate(
        _ session: SpeechSession, _ server: SoundServer, until happens: () async throws -> Void
    ) async throws {
        let heard = Observed(0.0)
        // Without the gaps of a busy machine.
        let spoken = Observed(0.0)
        let stream = session.startTranscribing { chunk in
            heard.change { $0 = chunk.time }
            if chunk.level.rms > AudioLevel.floor { spoken.change { $0 += chunk.duration / .seconds(1) } }
        }
        await wait(for: heard, toBe: 0.1)
        let speaker = try await server.speak(Recording.demo.url)
        await wait(for: spoken, toBe: 4)
        try await happens()
        let outcome = try await Outcome(stream)
        guard case .microphoneLost = outcome.error else {
            Issue.record("expected a lost microphone, got \(String(describing: outcome.error))")
            return
        }
        // In four seconds a dozen words are said; the last one is cut.
        let count = outcome.text.split(separator: " ").count
        let said = try Recording.demo.reference().split(separator: " ").prefix(count).joined(separator: " ")
        #expect(count >= 6, "\(outcome.text)")
        #expect(wordErrorRate(outcome.text, reference: said) <= 0.4, "\(outcome.text)")
        await speaker.end()
    }

    /// Waits until this many seconds of sound have come.
    private func wait(for heard: Observed<Double>, toBe seconds: Double) async {
        let isHeard: Bool? = await heard.wait(within: Program.defaultLimit) { $0 >= seconds ? true : nil }
        #expect(isHeard == true, "\(heard.value) s of sound came, and not \(seconds)")
    }

    @Test("speech becomes text")
    func spokenWordsBecomeText() async throws {
        let server = try await SoundServer.start()
        let session = SpeechSession(input: Microphones.input(device: server.microphone))
        let outcome = try await dictate(Recording.demo.url, session, server)
        #expect(outcome.error == nil)
        let wrong = wordErrorRate(outcome.text, reference: try Recording.demo.reference())
        #expect(wrong <= 0.4, "\(outcome.text)")
        await server.end()
    }

    @Test("a balanced microphone in a stereo input is heard, though its channels cancel each other out")
    func oppositePhase() async throws {
        let folder = try Folder()
        let stereo = folder.url.appending(path: "balanced.wav")
        _ = try await Program.run("sox", [Recording.demo.url.path, stereo.path, "remix", "1", "1i"])
        let (file, one) = (try AudioFile.samples(of: stereo), try AudioFile.samples(of: Recording.demo.url))
        #expect(file == one)
        let server = try await SoundServer.start(channels: 2)
        let session = SpeechSession(input: Microphones.input(device: server.microphone))
        let outcome = try await dictate(stereo, session, server)
        #expect(outcome.error == nil)
        let wrong = wordErrorRate(outcome.text, reference: try Recording.demo.reference())
        #expect(wrong <= 0.4, "\(outcome.text)")
        await server.end()
    }

    @Test("a server that dies: the words until then are kept, and the next one is found")
    func killed() async throws {
        let server = try await SoundServer.start()
        let session = SpeechSession(input: Microphones.input(device: server.microphone))
        try await dictate(session, server) { try await server.kill() }
        // The same device, and no server: reported at once.
        let error = try await Outcome(session.startTranscribing()).error
        #expect("\(error.map(String.init(describing:)) ?? "")".contains("the sound server does not run"))
    }

    @Test(
        "a server that is started again: the words until then are kept, and each press after it is heard, also into a microphone that was kept open",
        arguments: zip([false, true], [SIGTERM, SIGKILL]))
    func restarted(isKeptOpen: Bool, by signal: Int32) async throws {
        let server = try await SoundServer.start()
        let microphone = Microphones.input(device: server.microphone)
        let session = SpeechSession(
            input: isKeptOpen ? WarmInput(microphone, keepOpen: { .seconds(600) }) : microphone)
        try await dictate(session, server) { try await server.restart(by: signal) }
        // Again, without a listener.
        for _ in 0..<2 {
            let next = try await dictate(Recording.short.url, session, server)
            #expect(next.error == nil)
            #expect(wordErrorRate(next.text, reference: try Recording.short.reference()) < 1)
            try await server.restart(by: signal)
        }
        await server.end()
    }

    @Test(
        "a server that hangs in the middle is told within seconds; when it answers again, so does the session"
    )
    func stopped() async throws {
        let server = try await SoundServer.start()
        let session = SpeechSession(input: Microphones.input(device: server.microphone))
        let firstSound = Once()
        let stream = session.startTranscribing { _ in firstSound.happen() }
        await firstSound.wait()
        server.stop()
        let began = ContinuousClock.now
        let outcome = try await Outcome(stream)
        // The device's end takes half a minute: the test does not wait for that.
        #expect(began.duration(to: .now) < .seconds(25))
        guard case .microphoneSilent = outcome.error else {
            Issue.record("expected a silent microphone, got \(String(describing: outcome.error))")
            return
        }
        server.goOn()
        let again = Once()
        let next = session.startTranscribing { _ in again.happen() }
        await again.wait()
        session.cancel()
        #expect(try await Outcome(next).error == nil)
        await server.end()
    }

    @Test("a server that stalls for a second is waited for")
    func stalled() async throws {
        let server = try await SoundServer.start()
        let session = SpeechSession(input: Microphones.input(device: server.microphone))
        let heard = Observed(0.0)
        // Before the last sound: what counts as its absence began no sooner.
        let began = ContinuousClock.now
        let stream = session.startTranscribing { chunk in heard.change { $0 = chunk.time } }
        let end = Task {
            let error = try await Outcome(stream).error
            return (error: error, after: began.duration(to: .now))
        }
        await wait(for: heard, toBe: 0.1)
        server.stop()
        // The stall itself, not a wait for something.
        try await Task.sleep(for: .seconds(1))
        let before = heard.value
        server.goOn()
        let isBack: Bool? = await heard.wait(within: .seconds(20)) { $0 > before ? true : nil }
        session.finishRecording()
        let (error, after) = try await end.value
        if case .microphoneSilent = error {
            // The machine itself stood still, for longer than a microphone is waited for.
            #expect(after > .seconds(2))
        } else {
            #expect(isBack == true && error == nil)
        }
        await server.end()
    }

    @Test("a server that hangs from the beginning does not hang the session")
    func hangsAtOpening() async throws {
        let server = try await SoundServer.start()
        server.stop()
        let session = SpeechSession(input: Microphones.input(device: server.microphone))
        let error = try await Outcome(session.startTranscribing()).error
        #expect("\(error.map(String.init(describing:)) ?? "")".contains("did not answer within"))
        await server.end()
    }

    @Test("a source that the server does not have is reported")
    func missingSource() async throws {
        let server = try await SoundServer.start()
        let device = ALSAConfiguration.device(ofSoundServer: server.address, source: "nosuchsource")
        let error = try await Outcome(
            SpeechSession(input: Microphones.input(device: device)).startTranscribing()
        ).error
        guard case .noMicrophone = error else {
            Issue.record("expected no microphone, got \(String(describing: error))")
            return
        }
        await server.end()
    }
}

@Suite("A microphone that serves one program at a time", .timeLimit(.minutes(2)))
struct BusyMicrophoneTests {
    @Test(
        "in use for long, the responsible process is reported; freed in time, it is waited for",
        arguments: [true, false])
    func busy(isFreed: Bool) async throws {
        let folder = try TemporaryFolder("busy")
        let input = Microphones.input(
            speaking: Recording.short.url, lock: folder.file("lock"),
            retryPolicy: isFreed ? .untilFree : .openingDevice)
        let first = input.start()
        for try await _ in first.chunks { break }
        let second = input.start()
        if isFreed { first.stop(tail: .zero) }
        do {
            for try await _ in second.chunks { break }
            #expect(isFreed)
        } catch let error as SpeechSessionError {
            #expect(!isFreed)
            #expect("\(error)".contains("another program uses it"))
        }
        first.stop(tail: .zero)
        second.stop(tail: .zero)
    }
}
