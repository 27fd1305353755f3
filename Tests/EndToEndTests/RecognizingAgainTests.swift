import DictationShared
import Foundation
import Synchronization
import TestSupport
import Testing

/// A recording is never a dead end: a server that was off, and any complaint about the first text.
@Suite("Recognizing a recording again", .serialized, .timeLimit(.minutes(5)))
struct RecognizingAgainTests {
    private static func answer(_ text: String) throws -> [LoopbackServer.Step] {
        [.answer(200, [:], try JSONEncoder().encode(["text": text]))]
    }

    private static func dictate(at desk: Desk) async throws -> DictationState {
        let seen = try desk.store.revision()
        _ = try await desk.dictstate("start")
        try await desk.speak(seconds: 2)
        _ = try await desk.dictstate("stop")
        return try await desk.waitForDictation(since: seen) { $0.isSettled }
    }

    @Test("a recording that a server failed on is recognized when it answers again, and on request")
    func serverIsBack() async throws {
        let heard = Mutex<String?>(nil)
        let server = try LoopbackServer { _ in
            heard.withLock { $0 }.flatMap { try? Self.answer($0) } ?? [.answer(400)]
        }
        defer { server.stop() }
        let desk = try await Desk.set()
        try desk.folder.write(
            "[speech]\nengine = \"remote\"\n[remote]\naddress = \"\(server.address("/v1"))\"\nfallback = \"none\"\n"
                + "[insert]\npolicy = \"hold\"\n[audio]\nkeep = \"20 recordings\"\n", to: "settings.toml")
        let host = try await desk.startHost()
        let inserter = try await desk.startInserter()
        let failed = try await Self.dictate(at: desk)
        #expect(failed.error?.knownCode == .serverFailed)
        heard.withLock { $0 = "hello there" }
        let next = try await Self.dictate(at: desk)
        #expect(next.cleanedText == "Hello there.")
        let recovered = try await desk.waitForDictation(failed.id) { $0.status == .ready }
        #expect(recovered.delivery == .held(.recovered) && recovered.cleanedText == "Hello there.")
        // The user wants another text of it.
        heard.withLock { $0 = "good morning" }
        let said = try await desk.dictstate("recognize", failed.id.description)
        #expect(said.contains("the new text is held") && said.contains("“Good morning.”"))
        let newest = try #require(try desk.store.history(limit: 1).first)
        #expect(newest.cleanedText == "Good morning." && newest.delivery == .held(.recognizedAgain))
        #expect(try desk.store.dictation(failed.id)?.cleanedText == "Hello there.")
        // With another engine than in the settings.
        let other = try await desk.dictstate(
            "recognize", failed.id.description, "--engine", "pocketsphinx", "--json")
        #expect(other.contains(#""engine":"pocketsphinx""#))
        // One that was discarded has no recording.
        _ = try await desk.dictstate("discard", failed.id.description)
        let gone = try desk.start("dictstate", "recognize", failed.id.description)
        #expect(try await gone.waitForExit().code == 1)
        #expect(gone.errors.contains("its recording is gone"))
        await desk.end(host, inserter)
    }

    @Test(
        "a server that fails in the middle loses no word: what is typed stays, and the rest comes of the recording"
    )
    func serverFailsInTheMiddle() async throws {
        /// The server's result for this sound, and for the next; nil: it fails.
        let heard = Mutex<(now: String?, next: String?)>(("hello there", nil))
        let server = try LoopbackServer { _ in
            let text = heard.withLock { heard in
                defer { heard.now = heard.next }
                return heard.now
            }
            return text.flatMap { try? Self.answer($0) } ?? [.answer(400)]
        }
        defer { server.stop() }
        let desk = try await Desk.set(LiveTests.sentences())
        try desk.folder.write(
            "[speech]\nengine = \"remote\"\n[remote]\naddress = \"\(server.address("/v1"))\"\nfallback = \"none\"\n",
            to: "settings.toml")
        let window = try await TextWindow.start(.gtkText, on: desk.display, title: "Letter")
        let host = try await desk.startHost()
        let inserter = try await desk.startInserter()
        _ = try await desk.dictstate("start", "--live")
        let failed = try await desk.waitForDictation { $0.isSettled }
        #expect(failed.error?.knownCode == .serverFailed)
        let audio = desk.group.audio(of: failed.id)
        #expect(failed.error?.kept?.contains(audio.path) == true)
        #expect(FileManager.default.fileExists(atPath: audio.path))
        let typed = String(failed.cleanedText.prefix(failed.insertedCount))
        #expect("Hello there. ".hasPrefix(typed))
        // The next dictation shows that the server is back.
        heard.withLock { $0 = ("good morning", "hello there my old friend") }
        _ = try await desk.dictstate("start")
        try await desk.speak(seconds: 2)
        _ = try await desk.dictstate("stop")
        let recovered = try await desk.waitForDictation(failed.id) { $0.status == .ready }
        #expect(recovered.delivery == .held(.recovered))
        #expect(recovered.cleanedText.hasPrefix(typed) && recovered.cleanedText.hasSuffix("my old friend."))
        #expect(recovered.insertedCount == typed.count)
        try await desk.waitForDictation { $0.rawText == "good morning" && $0.delivery == .inserted }
        try await window.waitForText { $0.hasPrefix(typed) && $0.hasSuffix("Good morning.") }
        await desk.end(host, inserter)
    }
}
