import DictationSettings
import DictationShared
import DictationSpeech
import DictationSystem
import DictationText
import Foundation
import Logging
import TestSupport
import Testing

@testable import DictationHost

@Suite("The fate of a recording that a host finds")
struct LeftoverTests {
    @Test(
        "is decided by the store's word and the attempts so far",
        arguments: [
            (nil, 0, .recognize(hasRow: false)), (nil, 2, .recognize(hasRow: false)), (nil, 3, .keep),
            (.failed(.hostDied(hasSound: true)), 0, .recognize(hasRow: true)),
            (.failed(.hostDied(hasSound: true)), 3, .keep),
            (.failed(.recoveryFailed(reason: "x", attempts: 1, recording: "y")), 2, .recognize(hasRow: true)),
            (.failed(.recoveryFailed(reason: "x", attempts: 3, recording: "y")), 3, .keep),
            (.failed(.noWords(recording: "y")), 0, .keep),
            (.failed(.init(code: .noVoice, message: "", kept: "y")), 0, .keep),
            (.failed(.noSpeech), 0, .remove), (.failed(.scratched), 0, .remove),
            (.failed(.init(code: .modelMissing, message: "")), 0, .recognize(hasRow: true)),
            (.failed(.init(code: .serverFailed, message: "")), 0, .recognize(hasRow: true)),
            (.failed(.init(code: .engineMissing, message: "")), 2, .recognize(hasRow: true)),
            (.failed(.init(code: .engineUnfit, message: "")), 0, .recognize(hasRow: true)),
            (.failed(.init(code: .modelUnusable, message: "")), 0, .recognize(hasRow: true)),
            (.failed(.init(stored: "moon-in-the-way", message: "")), 0, .keep),
            (.failed(.init(code: .microphoneLost, message: "")), 0, .keep),
            (.recording, 0, .keep), (.ready(.pending), 0, .keep), (.ready(.claimed(by: .current)), 0, .keep),
            (.ready(.held(.focusMoved)), 0, .keep), (.ready(.inserted), 0, .deliver),
            (.ready(.discarded), 0, .remove), (.cancelled, 0, .remove),
        ] as [(DictationState.Phase?, Int, Leftover)])
    func decision(phase: DictationState.Phase?, attempts: Int, expected: Leftover) {
        #expect(Leftover(phase: phase, attempts: attempts) == expected)
    }
}

@Suite("Recovering what an earlier host left", .timeLimit(.minutes(2)))
struct LeftoverRecoveryTests {
    /// A group with one recording of real speech, and a host that died.
    private final class Crash: Sendable {
        let folder: TemporaryFolder
        let store: StateStore
        let id: DictationID
        var audio: AudioFolder { store.group.audioFiles }

        init(hasRow: Bool = true, samples: Int = 16_000) throws {
            folder = try TemporaryFolder("recovery")
            store = try StateStore(
                group: AppGroup(folder: URL(filePath: folder.file("group"), directoryHint: .isDirectory)))
            id = DictationID()
            if hasRow {
                try store.begin(id, target: nil, engine: "test", locale: "en-US")
                try store.apply(.recordingStarted, to: id)
            }
            let writer = try WaveFileWriter(url: store.group.audio(of: id))
            try writer.append((0..<samples).map { Int16(8000 * sin(Double($0) / 10)) })
        }

        /// Recovers as a host does at its start; the child is a shell script.
        func start(_ script: String) async throws -> DictationState? {
            let recovery = recovery(script)
            try store.resolveEarlierHost()
            await recovery.recover(recovery.takeStock())
            return try store.dictation(id)
        }

        /// - Parameter retentions: of recordings, the present one first.
        func recovery(_ script: String, retentions: [AudioRetention] = [.never]) -> LeftoverRecovery {
            LeftoverRecovery(
                store: store, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
                cleaner: { _, _ in TextCleaner() }, recognizer: ChildRecognizerTests.shell(script),
                limits: { retentions.map { .init(count: .all, days: .all, recordings: $0) } },
                engine: "test", locale: "en-US")
        }

        /// Recognizes as a user asks for it; the child is a shell script.
        func recognize(
            _ script: String, _ options: Intent.RecognitionOptions = .init()
        ) async throws
            -> Intent.Phase
        {
            try await RequestedRecognition(
                store: store, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
                recognizer: ChildRecognizerTests.shell(script), atWork: RecordingsAtWork(),
                cleaner: { _, _ in TextCleaner() }, locale: { "en-US" }
            ).run(id, options) { _ in }
        }

        var hasAudio: Bool { FileManager.default.fileExists(atPath: audio.recording(of: id).path) }
    }

    private static let words = #"echo '{"seconds":1,"speechSeconds":1,"text":"hello there"}'"#
    private static let silence = #"echo '{"seconds":1,"speechSeconds":0,"text":""}'"#
    private static let murmur = #"echo '{"seconds":1,"speechSeconds":1,"text":""}'"#

    @Test("offers the text as held, with its notice; the sound stays until it is delivered")
    func held() async throws {
        let crash = try Crash()
        let state = try #require(try await crash.start(Self.words))
        #expect(state.delivery == .held(.recovered))
        #expect(state.cleanedText == "Hello there.")
        #expect(state.notice == .recovered(crash.id, after: .hostDied))
        #expect(crash.hasAudio)
        #expect(crash.audio.attempts(at: crash.id) == 0)
        // The next start has nothing more to do.
        #expect(try await crash.start("kill -SEGV $$") == state)
    }

    @Test(
        "a store that cannot be written at the start costs later texts nothing: the rows are ended as soon as it can"
    )
    func endedLate() async throws {
        let crash = try Crash()
        let keeper = DictationKeeper(store: crash.store)
        let earlier = EarlierHost(
            in: crash.store, ours: { keeper.begun },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let (late, telling) = AsyncStream<Void>.makeStream()
        let writer = try await ForeignWriter.start(on: crash.store.group)
        earlier.end { telling.finish() }
        #expect(try crash.store.dictation(crash.id)?.status == .recording)
        // A dictation that this host begins during recovery is not a leftover.
        let id = DictationID()
        try keeper.begin(id, target: nil, engine: "test", locale: "en-US")
        await writer.letGo()
        for await _ in late {}
        #expect(try crash.store.dictation(crash.id)?.error?.knownCode == .hostDied)
        try keeper.apply(.recordingStarted, to: id)
        #expect(try keeper.apply(.processingStarted(recording: 1), to: id).status == .processing)
        let recovery = crash.recovery(Self.words)
        await recovery.recover(recovery.takeStockAgain())
        #expect(try crash.store.dictation(crash.id)?.delivery == .held(.recovered))
    }

    @Test(
        "the sound of a delivered text is kept while the settings have just changed, and one of them would keep it",
        arguments: [
            ([.never], false), ([.never, .days(7)], true), ([.days(7), .never], true),
            ([.never, .never], false), ([.days(7)], true),
        ] as [([AudioRetention], Bool)])
    func justChanged(retentions: [AudioRetention], isKept: Bool) throws {
        let crash = try Crash()
        try crash.store.apply(.recognized(.init(rawText: "a", cleanedText: "A.")), to: crash.id)
        try crash.store.apply(.claimed(by: .current), to: crash.id)
        let state = try crash.store.apply(.inserted(milliseconds: 1), to: crash.id)
        crash.recovery("", retentions: retentions).clearUp(state)
        #expect(!crash.hasAudio)
        #expect((crash.audio.existingRecording(of: crash.id) != nil) == isKept)
    }

    @Test("a recognizer that crashes each time ends neither the host nor the recording, and is left in peace")
    func crashLoop() async throws {
        let crash = try Crash()
        for attempt in 1...Leftover.attemptLimit {
            let state = try #require(try await crash.start("kill -SEGV $$"))
            let failure = try #require(state.error)
            #expect(failure.knownCode == .recoveryFailed)
            #expect(failure.message.contains("crashed (signal 11)"))
            #expect(failure.message.contains("not tried again") == (attempt == Leftover.attemptLimit))
            #expect(failure.kept?.contains(crash.audio.recording(of: crash.id).path) == true)
        }
        let last = try crash.store.dictation(crash.id)
        #expect(try await crash.start(Self.words) == last, "it is not tried a fourth time")
        #expect(crash.hasAudio)
    }

    private static let off = #"echo '{"failure":"server-failed","message":"It is off."}'"#

    @Test("a recognizer that is missing costs no attempt; when it is back, the recording is recognized")
    func missingRecognizer() async throws {
        let crash = try Crash()
        try crash.store.apply(.failed(.init(code: .engineMissing, message: "Not there.")), to: crash.id)
        for _ in 0...Leftover.attemptLimit {
            let state = try #require(try await crash.start(Self.off))
            #expect(state.error?.knownCode == .serverFailed)
            #expect(state.error?.kept?.contains(crash.audio.recording(of: crash.id).path) == true)
        }
        let recovery = crash.recovery(Self.words)
        #expect(await recovery.recover(recovery.takeStockAgain()) == false)
        let state = try #require(try crash.store.dictation(crash.id))
        #expect(state.delivery == .held(.recovered))
        #expect(state.notice == .recovered(crash.id, after: .serverFailed))
    }

    @Test("a recording that begins later and has no row yet does not count as a leftover")
    func beginning() async throws {
        let crash = try Crash(hasRow: false)
        let recovery = crash.recovery(Self.words)
        #expect(await recovery.recover(recovery.takeStockAgain()) == false)
        #expect(try crash.store.dictation(crash.id) == nil)
    }

    @Test("asked for, a failed dictation gets the text, held")
    func askedForFailed() async throws {
        let crash = try Crash()
        try crash.store.apply(.failed(.noWords(recording: "x")), to: crash.id)
        let answer = try await crash.recognize(Self.words)
        guard case .done(_, dictation: crash.id) = answer else { throw TestFailure("\(answer)") }
        let state = try #require(try crash.store.dictation(crash.id))
        #expect(state.delivery == .held(.recognizedAgain) && state.cleanedText == "Hello there.")
    }

    @Test("asked for, a dictation with a text keeps it; the new one is its own, and private as the old one")
    func askedForText() async throws {
        let crash = try Crash()
        try crash.store.apply(
            .recognized(.init(rawText: "yellow hair", cleanedText: "Yellow hair.", held: .focusMoved)),
            to: crash.id)
        let answer = try await crash.recognize(Self.words)
        guard case .done(_, dictation: let new?) = answer else { throw TestFailure("\(answer)") }
        #expect(new != crash.id)
        let (old, state) = (try crash.store.dictation(crash.id), try crash.store.dictation(new))
        #expect(old?.cleanedText == "Yellow hair." && old?.delivery == .held(.focusMoved))
        #expect(state?.cleanedText == "Hello there." && state?.delivery == .held(.recognizedAgain))
        #expect(state?.notice == .recognizedAgain(from: crash.id))
        #expect(crash.hasAudio)
    }

    @Test("asked for, a recording that is gone or gives no words is refused, and nothing changes")
    func askedForNothing() async throws {
        let crash = try Crash()
        try crash.store.apply(.failed(.noWords(recording: "x")), to: crash.id)
        let before = try crash.store.dictation(crash.id)
        for script in [Self.silence, Self.off, "kill -SEGV $$"] {
            guard case .refused = try await crash.recognize(script) else { throw TestFailure(script) }
        }
        crash.audio.remove(crash.id)
        #expect(
            try await crash.recognize(Self.words) == .refused(RequestedRecognition.recordingIsGone))
        #expect(try crash.store.dictation(crash.id) == before)
    }

    @Test("a dictation that has not ended is not recognized again")
    func askedForTooEarly() async throws {
        let crash = try Crash()
        guard case .refused = try await crash.recognize(Self.words) else { throw TestFailure("not refused") }
        #expect(try crash.store.dictation(crash.id)?.status == .recording)
    }

    @Test("a recognizer that is well again recovers what crashed before")
    func secondAttempt() async throws {
        let crash = try Crash()
        _ = try await crash.start("kill -SEGV $$")
        #expect(try await crash.start(Self.words)?.delivery == .held(.recovered))
    }

    @Test("hosts that die while they recover count as attempts too")
    func dyingHosts() async throws {
        let crash = try Crash()
        for _ in 0..<Leftover.attemptLimit { crash.audio.noteAttempt(at: crash.id) }
        #expect(try await crash.start(Self.words)?.error?.knownCode == .hostDied)
        #expect(crash.hasAudio)
    }

    @Test("a recording that the store does not know is offered all the same")
    func orphan() async throws {
        let crash = try Crash(hasRow: false)
        let state = try #require(try await crash.start(Self.words))
        #expect(state.delivery == .held(.recovered))
        #expect(abs(state.timestamp.timeIntervalSince(crash.id.date)) < 0.01)
    }

    @Test("silence is removed, what may be speech is kept", arguments: [true, false])
    func withoutWords(isSilence: Bool) async throws {
        let crash = try Crash()
        let state = try #require(try await crash.start(isSilence ? Self.silence : Self.murmur))
        #expect(state.error?.code == (isSilence ? "no-speech" : "no-words"))
        #expect(crash.hasAudio == !isSilence)
    }

    @Test("a recording without a sample is nothing", arguments: [true, false])
    func empty(hasRow: Bool) async throws {
        let crash = try Crash(hasRow: hasRow, samples: 0)
        let state = try await crash.start(Self.words)
        #expect(state?.error == (hasRow ? .hostDied(hasSound: false) : nil))
        #expect(!crash.hasAudio)
    }

    @Test(
        "one that no recognizer takes keeps no other from being recognized",
        arguments: ["unsupported-locale", "server-failed"])
    func refused(failure: String) async throws {
        let crash = try Crash()
        // They ask for another language, are newer, and are tried first.
        let others = try (0..<3).map { _ in
            let id = DictationID()
            try crash.store.begin(
                id, target: nil, engine: "test", locale: "de-DE", options: .init(locale: "de-DE"))
            try crash.store.apply(.recordingStarted, to: id)
            try WaveFileWriter(url: crash.store.group.audio(of: id)).append(
                [Int16](repeating: 1_000, count: 16_000))
            return id
        }
        let asked = crash.folder.file("asked")
        let script = """
            case "$*" in *de-DE*) echo >> '\(asked)'; echo '{"failure":"\(failure)","message":"No."}';; *) \(Self.words);; esac
            """
        #expect(try await crash.start(script)?.delivery == .held(.recovered))
        for id in others { #expect(try crash.store.dictation(id)?.status == .error) }
        // A server may refuse one sound and take the next.
        let count = try String(contentsOfFile: asked, encoding: .utf8).count
        #expect(count == (failure == "server-failed" ? 2 : 1))
    }

    @Test("a host that ends while it recovers tries again at its next start, with all attempts left")
    func interrupted() async throws {
        let crash = try Crash()
        let started = try NamedPipe()
        let task = Task { try await crash.start("echo > \(started.path); exec sleep 1000") }
        _ = await started.text()
        #expect(crash.audio.attempts(at: crash.id) == 1)
        task.cancel()
        _ = try await task.value
        #expect(crash.audio.attempts(at: crash.id) == 0)
        #expect(try await crash.start(Self.words)?.delivery == .held(.recovered))
    }
}

private struct TestFailure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
