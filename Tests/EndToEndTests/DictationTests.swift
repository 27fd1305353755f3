import DictationShared
import DictationSystem
import Foundation
import TestSupport
import Testing

/// The main job, on real parts: a microphone speaks, a key is pressed, a window has the text.
@Suite("Dictating", .serialized, .timeLimit(.minutes(5)))
struct DictationTests {
    @Test(
        "hold the key and speak: the window has what the store says",
        arguments: [TextWindow.Kind.xterm, .gtkEntry])
    func hold(kind: TextWindow.Kind) async throws {
        let desk = try await Desk.set(.speaks("demo.wav"))
        let window = try await TextWindow.start(kind, on: desk.display, title: "Letter")
        let host = try await desk.startHost()
        let inserter = try await desk.startInserter()
        try await pressKey("F9", on: desk.display)
        try await desk.speak(seconds: 6.5)
        try await releaseKey("F9", on: desk.display)
        let state = try await desk.waitForDictation { $0.isSettled }
        #expect(state.delivery == .inserted)
        #expect(state.target?.title == "Letter")
        #expect(state.rawText.contains("block books"))
        #expect(state.cleanedText.hasSuffix("."))
        #expect(state.insertedCount == state.cleanedText.count)
        try await window.waitForText(equal: state.cleanedText)
        let json = try await desk.dictstate("--json")
        #expect(json.contains("\"delivery\":\"inserted\""))
        #expect(json.contains("\"insertedBy\":\"keys\"") && json.contains("\"confirmed\":true"))
        await desk.end(host, inserter)
        #expect(try await host.waitForExit().code == 0)
        #expect(try await inserter.waitForExit().code == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: desk.group.audioFolder.path).isEmpty)
    }

    @Test("tap to start, tap to stop; a second dictation follows the first")
    func tap() async throws {
        let desk = try await Desk.set()
        let window = try await TextWindow.start(.xterm, on: desk.display, title: "Letter")
        let host = try await desk.startHost()
        let inserter = try await desk.startInserter()
        for _ in 0..<2 {
            try tapKey("F9", on: desk.display)
            try await desk.speak(seconds: 3)
            try tapKey("F9", on: desk.display)
        }
        let first = try await desk.waitForDictation { $0.isSettled }
        let second = try await desk.waitForDictation { $0.isSettled && $0.id > first.id }
        #expect(first.delivery == .inserted)
        #expect(second.delivery == .inserted)
        // Spoken one after the other, they have a space between them as two sentences do.
        try await window.waitForText(equal: first.cleanedText + " " + second.cleanedText)
        await desk.end(host, inserter)
    }

    @Test("Escape throws away what was said, and is an ordinary key again afterward")
    func escape() async throws {
        let desk = try await Desk.set()
        let window = try await TextWindow.start(.gtkEntry, on: desk.display, title: "Letter")
        let host = try await desk.startHost("--log-level", "debug")
        let inserter = try await desk.startInserter()
        try tapKey("F9", on: desk.display)
        try await desk.waitForDictation { $0.status == .recording }
        try await host.waitForLine(containing: "Escape cancels from now on")
        try tapKey("Escape", on: desk.display)
        let state = try await desk.waitForDictation { $0.isSettled }
        #expect(state.status == .cancelled)
        try tapKey("a", on: desk.display)
        try await window.waitForText(equal: "a")
        await desk.end(host, inserter)
    }

    @Test("told to end while the key is held, the host commits what was said, and ends")
    func endWhileHeld() async throws {
        let desk = try await Desk.set()
        let host = try await desk.startHost()
        try await pressKey("F9", on: desk.display)
        try await desk.speak(seconds: 3)
        host.signal(SIGTERM)
        #expect(try await host.exitCode == 0)
        let state = try #require(try desk.store.history(limit: 1).first)
        #expect(state.status == .ready && !state.cleanedText.isEmpty)
        await desk.end()
    }

    @Test("an inserter that comes late types what waits, once")
    func lateInserter() async throws {
        let desk = try await Desk.set()
        let window = try await TextWindow.start(.xterm, on: desk.display, title: "Letter")
        let host = try await desk.startHost()
        try await pressKey("F9", on: desk.display)
        try await desk.speak(seconds: 3)
        try await releaseKey("F9", on: desk.display)
        let ready = try await desk.waitForDictation { $0.status == .ready }
        #expect(ready.delivery == .pending)
        let inserter = try await desk.startInserter()
        try await window.waitForText(equal: ready.cleanedText)
        try await desk.waitForDictation(ready.id) { $0.delivery == .inserted }
        try await desk.kill(inserter)
        let next = try await desk.startInserter()
        _ = try await desk.dictstate("insert", "--again", "\(ready.id)")
        try await window.waitForText(equal: ready.cleanedText + ready.cleanedText)
        await desk.end(host, next)
    }

    @Test("a loud sound that is no voice is no text, and the recording is kept: the user may have whispered")
    func noVoice() async throws {
        let desk = try await Desk.set(.gusts)
        let host = try await desk.startHost()
        _ = try await desk.dictstate("start")
        try await desk.speak(seconds: 2)
        _ = try? await desk.dictstate("stop")
        let state = try await desk.waitForDictation { $0.isSettled }
        #expect(state.error?.code == "no-voice")
        #expect(FileManager.default.fileExists(atPath: desk.group.audio(of: state.id).path))
        await desk.end(host)
    }

    @Test("a voice for which the recognizer has only a tag is no text, and the recording is kept")
    func voiceWithoutWords() async throws {
        let server = try LoopbackServer { _ in [.answer(200, [:], Data(#"{"text":"[BLANK_AUDIO]"}"#.utf8))] }
        defer { server.stop() }
        let desk = try await Desk.set()
        try desk.folder.write(
            "[speech]\nengine = \"remote\"\n[remote]\naddress = \"\(server.address("/v1"))\"\n",
            to: "settings.toml")
        let host = try await desk.startHost()
        _ = try await desk.dictstate("start")
        try await desk.speak(seconds: 2)
        _ = try? await desk.dictstate("stop")
        let state = try await desk.waitForDictation { $0.isSettled }
        #expect(state.error?.code == "no-words")
        #expect(FileManager.default.fileExists(atPath: desk.group.audio(of: state.id).path))
        await desk.end(host)
    }

    @Test("silence is no text: nothing is typed, and the state says why")
    func silence() async throws {
        let desk = try await Desk.set(.silent)
        let window = try await TextWindow.start(.xterm, on: desk.display, title: "Letter")
        let host = try await desk.startHost()
        let inserter = try await desk.startInserter()
        try await pressKey("F9", on: desk.display)
        try await desk.speak(seconds: 1)
        try await releaseKey("F9", on: desk.display)
        let state = try await desk.waitForDictation { $0.isSettled }
        #expect(state.error == .noSpeech)
        try tapKey("a", on: desk.display)
        try await window.waitForText(equal: "a")
        await desk.end(host, inserter)
    }

    @Test("dictstate starts and stops, and types any text")
    func commands() async throws {
        let desk = try await Desk.set()
        let window = try await TextWindow.start(.gtkText, on: desk.display, title: "Letter")
        let host = try await desk.startHost("--no-hotkey")
        let inserter = try await desk.startInserter()
        #expect(try await desk.dictstate("start").contains("recording"))
        try await desk.speak(seconds: 3)
        #expect(try await desk.dictstate("toggle").contains("stopped"))
        let spoken = try await desk.waitForDictation { $0.isSettled }
        try await window.waitForText(equal: spoken.cleanedText)
        let text = " Grüße, “世界” — 👩‍👩‍👧 ½\n"
        let file = try desk.folder.write(text, to: "text.txt")
        #expect(
            try await desk.dictstate("insert", "--file", file).contains("inserted \(text.count) characters"))
        try await window.waitForText(equal: spoken.cleanedText + text)
        #expect(try await desk.dictstate("history").contains(spoken.cleanedText))
        #expect(
            try await desk.dictstate("show", String(spoken.id.description.suffix(8))).contains("pocketsphinx")
        )
        await desk.end(host, inserter)
    }

    @Test("dictstate types what comes out of a pipe, as a shell's <(command) is")
    func pipe() async throws {
        let desk = try await Desk.set()
        let window = try await TextWindow.start(.gtkText, on: desk.display, title: "Letter")
        let inserter = try await desk.startInserter()
        let path = desk.folder.file("pipe")
        try #require(mkfifo(path, 0o600) == 0)
        let asking = try desk.start("dictstate", "insert", "--file", path)
        // Returns once there is a reader.
        let writing = try FileHandle(forWritingTo: URL(filePath: path))
        try writing.write(contentsOf: Data("From a pipe.".utf8))
        try writing.close()
        #expect(try await asking.waitForExit().code == 0)
        try await window.waitForText(equal: "From a pipe.")
        await desk.end(inserter)
    }
}
