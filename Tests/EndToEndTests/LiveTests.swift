import DictationShared
import DictationSystem
import Foundation
import TestSupport
import Testing

/// Text that is typed while somebody speaks: real sound, a real recognizer, real windows.
@Suite("Text while one speaks", .serialized, .timeLimit(.minutes(10)))
struct LiveTests {
    /// Sentences with a pause after each, and then silence.
    ///
    /// - Parameter pause: seconds; longer than a busy machine needs for the work in it.
    static func sentences(pause: Double = 2) throws -> Desk.Microphone {
        // No room is without any sound.
        var generator = SeededGenerator(seed: 3)
        let silence = (0..<Int(pause * 16_000)).map { _ in Int16.random(in: -20...20, using: &generator) }
        let all = try ["short.wav", "calligraphy.wav"].flatMap { name in
            let file = try Data(contentsOf: URL(filePath: Desk.recording(name)))
            return file.dropFirst(44).withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) } + silence
        }
        return .plays(all)
    }

    private struct Scene {
        let desk: Desk
        let window: TextWindow
        let host: Program
        let inserter: Program

        init(_ microphone: Desk.Microphone, settings: String = "") async throws {
            desk = try await Desk.set(microphone)
            try desk.folder.write(settings, to: "settings.toml")
            window = try await TextWindow.start(.gtkText, on: desk.display, title: "Letter")
            host = try await desk.startHost()
            inserter = try await desk.startInserter()
        }

        /// The dictation, when some of it is typed and it is still being recorded.
        func typedEarly() async throws -> DictationState {
            try await desk.waitForDictation { $0.isBegun && ($0.status == .recording || !$0.isUnfinished) }
        }
    }

    @Test("words from before a pause are in the window while the recording continues")
    func segments() async throws {
        let scene = try await Scene(Self.sentences())
        _ = try await scene.desk.dictstate("start", "--live")
        let early = try await scene.typedEarly()
        #expect(early.status == .recording)
        let typed = String(early.cleanedText.prefix(early.insertedCount))
        try await scene.window.waitForText { $0.hasPrefix(typed) }
        let json = try await scene.desk.dictstate("--json")
        #expect(json.contains("\"live\":{") && json.contains("\"typed\":\"\(typed)"))
        // The second sentence.
        let later = try await scene.desk.waitForDictation(early.id) { $0.insertedCount > early.insertedCount }
        #expect(later.status == .recording)
        _ = try await scene.desk.dictstate("stop")
        let state = try await scene.desk.waitForDictation(early.id) { $0.isSettled }
        #expect(state.delivery == .inserted)
        #expect(state.cleanedText.hasPrefix(typed) && state.cleanedText.hasSuffix("."))
        try await scene.window.waitForText(equal: state.cleanedText)
        // An undo treats all of it as one insertion.
        #expect(try await scene.desk.dictstate("undo").contains("\(state.cleanedText.count) characters"))
        try await scene.window.waitForText(equal: "")
        await scene.desk.end(scene.host, scene.inserter)
    }

    @Test("word by word, what is certain is in the window before a pause")
    func words() async throws {
        let scene = try await Scene(.speaks("casting.wav"), settings: "[insert]\nlive = \"words\"\n")
        _ = try await scene.desk.dictstate("start")
        let early = try await scene.typedEarly()
        #expect(early.status == .recording)
        _ = try await scene.desk.dictstate("stop")
        let state = try await scene.desk.waitForDictation(early.id) { $0.isSettled }
        #expect(state.delivery == .inserted)
        let typed = String(early.cleanedText.prefix(early.insertedCount))
        #expect(state.cleanedText.hasPrefix(typed))
        try await scene.window.waitForText(equal: state.cleanedText)
        await scene.desk.end(scene.host, scene.inserter)
    }

    private enum Key: CaseIterable {
        case tapped, held, heldWithControl
        var modifier: String? { self == .heldWithControl ? "Control_L" : nil }
    }

    @Test(
        "tapped or held, the hotkey lets the words flow; with a modifier held, they wait until it is released",
        arguments: Key.allCases)
    private func hotkey(key: Key) async throws {
        let settings =
            "[insert]\nlive = \"segments\"\n[host]\nhotkey = \"\(key.modifier == nil ? "" : "ctrl+")F9\"\n"
        let scene = try await Scene(Self.sentences(), settings: settings)
        let keyboard = try UserKeyboard(of: scene.desk.display.name)
        try key.modifier.map(keyboard.press)
        try keyboard.press("F9")
        switch key {
        case .tapped:
            try keyboard.release("F9")
            let early = try await scene.typedEarly()
            #expect(early.status == .recording)
            try keyboard.press("F9")
        case .held:
            let early = try await scene.typedEarly()
            #expect(early.status == .recording)
            try await scene.window.waitForText {
                $0.hasPrefix(String(early.cleanedText.prefix(early.insertedCount)))
            }
            // The user's own keys go nowhere.
            try keyboard.press("x")
            try keyboard.release("x")
        case .heldWithControl:
            // Until well into the second sentence.
            try await scene.desk.speak(seconds: 8)
            let held = try #require(try scene.desk.store.unfinished().last)
            #expect(held.status == .recording && held.insertedCount == 0 && !held.partialText.isEmpty)
            #expect(scene.window.text.isEmpty)
        }
        try keyboard.release("F9")
        try key.modifier.map(keyboard.release)
        let state = try await scene.desk.waitForDictation { $0.isSettled }
        #expect(state.delivery == .inserted)
        try await scene.window.waitForText(equal: state.cleanedText)
        // Nothing of the user's came into the window: all of it can be undone.
        _ = try await scene.desk.dictstate("undo")
        try await scene.window.waitForText(equal: "")
        await scene.desk.end(scene.host, scene.inserter)
    }

    @Test(
        "where the focus moves the typing stops, what follows is held, and one command puts it where the cursor is"
    )
    func focusMoves() async throws {
        let scene = try await Scene(Self.sentences(pause: 6))
        _ = try await scene.desk.dictstate("start", "--live")
        let early = try await scene.typedEarly()
        let other = try await TextWindow.start(.xterm, on: scene.desk.display, title: "Other")
        let held = try await scene.desk.waitForDictation(early.id) { $0.heldGrowth != nil || $0.isSettled }
        #expect(held.heldGrowth == .focusMoved && held.status == .recording)
        let watched = try await scene.desk.dictstate("--json")
        #expect(watched.contains("\"heldReason\":\"focus-moved\""))
        _ = try await scene.desk.dictstate("insert")
        let further = try await scene.desk.waitForDictation(early.id) {
            $0.insertedCount > held.insertedCount
        }
        #expect(further.growth == .open || further.isGrowthClaimed)
        _ = try await scene.desk.dictstate("stop")
        let state = try await scene.desk.waitForDictation(early.id) { $0.isSettled }
        #expect(state.delivery == .inserted)
        let first = String(state.cleanedText.prefix(held.insertedCount))
        try await scene.window.waitForText(equal: first)
        try await other.waitForText(equal: String(state.cleanedText.dropFirst(first.count)))
        await scene.desk.end(scene.host, scene.inserter)
    }

    @Test(
        "killed while somebody speaks, neither agent loses a word or has one typed twice",
        arguments: [true, false])
    func killed(isHost: Bool) async throws {
        let scene = try await Scene(Self.sentences())
        let desk = scene.desk
        _ = try await desk.dictstate("start", "--live")
        let early = try await scene.typedEarly()
        try await desk.kill(isHost ? scene.host : scene.inserter)
        let next = isHost ? try await desk.startHost() : try await desk.startInserter()
        if !isHost {
            let held = try #require(try desk.store.dictation(early.id))
            #expect(held.heldGrowth == .inserterDied && held.insertedCount >= early.insertedCount)
            _ = try await desk.dictstate("stop")
        }
        let state = try await desk.waitForDictation(early.id) { $0.delivery?.heldReason != nil }
        #expect(state.delivery == .held(isHost ? .recovered : .inserterDied))
        let typed = String(state.cleanedText.prefix(state.insertedCount))
        #expect(!typed.isEmpty)
        try await scene.window.waitForText(equal: typed)
        _ = try await desk.dictstate("insert", "\(early.id)")
        let done = try await desk.waitForDictation(early.id) { $0.isSettled && $0.delivery == .inserted }
        try await scene.window.waitForText(equal: done.cleanedText)
        await desk.end(next, isHost ? scene.inserter : scene.host)
    }

    @Test("canceled, the recording is over, and what was typed stays")
    func cancelled() async throws {
        let scene = try await Scene(Self.sentences())
        _ = try await scene.desk.dictstate("start", "--live")
        let early = try await scene.typedEarly()
        _ = try await scene.desk.dictstate("cancel")
        let state = try await scene.desk.waitForDictation(early.id) { $0.isSettled }
        #expect(state.status == .cancelled && state.isBegun)
        #expect(state.cleanedText.count == state.insertedCount)
        try await scene.window.waitForText(equal: state.cleanedText)
        await scene.desk.end(scene.host, scene.inserter)
    }

    @Test("undone in the middle, the words that follow are held")
    func undone() async throws {
        let scene = try await Scene(Self.sentences(pause: 6))
        _ = try await scene.desk.dictstate("start", "--live")
        let early = try await scene.typedEarly()
        _ = try await scene.desk.dictstate("undo")
        try await scene.window.waitForText(equal: "")
        _ = try await scene.desk.dictstate("stop")
        let state = try await scene.desk.waitForDictation(early.id) { $0.isSettled }
        #expect(state.delivery == .held(.undone) && state.insertedCount == 0)
        #expect(scene.window.text.isEmpty)
        await scene.desk.end(scene.host, scene.inserter)
    }

    @Test("a profile may say so for its windows alone, or that nothing is typed early there")
    func profile() async throws {
        let scene = try await Scene(
            Self.sentences(),
            settings: "[insert]\nlive = \"words\"\n[[profile]]\ntitle = \"Letter\"\nlive = \"off\"\n")
        _ = try await scene.desk.dictstate("start")
        try await scene.desk.speak(seconds: 8)
        let spoken = try #require(try scene.desk.store.unfinished().last)
        #expect(spoken.growth == nil && !spoken.partialText.isEmpty)
        _ = try await scene.desk.dictstate("stop")
        let state = try await scene.desk.waitForDictation { $0.isSettled }
        try await scene.window.waitForText(equal: state.cleanedText)
        await scene.desk.end(scene.host, scene.inserter)
    }
}
