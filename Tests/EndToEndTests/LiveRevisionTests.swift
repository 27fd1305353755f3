import DictationShared
import Foundation
import TestSupport
import Testing

/// Text that is mended while somebody speaks: the real inserter, real windows; the test says what a host would hear.
@Suite("Text that is mended while one speaks", .serialized, .timeLimit(.minutes(5)))
struct LiveRevisionTests {
    private struct Scene {
        let letter: LetterDesk
        let id: DictationID
        var desk: Desk { letter.desk }
        var window: TextWindow { letter.window }

        init(_ kind: TextWindow.Kind, settings: String) async throws {
            letter = try await LetterDesk(kind, settings: settings)
            id = try letter.desk.store.begin(target: nil, engine: "test", locale: "en-US").id
            try letter.desk.store.apply(.recordingStarted, to: id)
        }

        /// The words that a host has heard so far.
        @discardableResult
        func hear(_ text: String) async throws -> DictationState {
            try desk.store.apply(.regrown(text), to: id)
            return try await desk.waitForDictation(id) { $0.isBegun && $0.growth == .open && !isWaiting($0) }
        }

        private func isWaiting(_ state: DictationState) -> Bool {
            state.revisedText != nil || !state.remainder.isEmpty
        }

        /// - Returns: how it is in the end.
        func end(with text: String) async throws -> DictationState {
            try desk.store.apply(
                .recognized(.init(rawText: text, cleanedText: text, mayBeMended: true)), to: id)
            return try await desk.waitForDictation(id) { $0.isSettled }
        }

        func waitFor(_ text: String, _ place: SourceLocation = #_sourceLocation) async throws {
            try await letter.waitFor(text, place)
        }

        func close() async { await desk.end(letter.inserter) }
    }

    private static let everywhere = "[[profile]]\nclass = \"*\"\nlive-revise = true\n"

    @Test(
        "other words come in the place of those that were typed, in each kind of window",
        arguments: [TextWindow.Kind.xterm, .gtkText, .gtkEntry, .qtText, .chromium].filter(\.isInstalled))
    func kinds(kind: TextWindow.Kind) async throws {
        let scene = try await Scene(kind, settings: Self.everywhere)
        try await scene.hear("Grüße, I went two")
        try await scene.waitFor("Grüße, I went two")
        try await scene.hear("Grüße, I went to the")
        try await scene.waitFor("Grüße, I went to the")
        try await scene.hear("Grüße, I want")
        try await scene.waitFor("Grüße, I want")
        let state = try await scene.end(with: "Grüße, you want to meet on Monday.")
        #expect(state.delivery == .inserted && state.wrongCommits == 0)
        #expect(state.cleanedText == "Grüße, you want to meet on Monday.")
        try await scene.waitFor(state.cleanedText)
        // All of it is one insertion, and nothing else was there.
        _ = try await scene.desk.dictstate("undo")
        try await scene.waitFor("")
        await scene.close()
    }

    @Test("the user's own key, or a click, ends it: what follows is joined to what is there")
    func touched() async throws {
        let scene = try await Scene(.gtkText, settings: Self.everywhere)
        try await scene.hear("I went two")
        try await scene.waitFor("I went two")
        try await scene.desk.display.xdotool("key", "x")
        try await scene.waitFor("I went twox")
        let joined = try await scene.hear("I went to the")
        #expect(joined.cleanedText == "I went two the")
        try await scene.waitFor("I went twox the")
        // Only the words that were typed after the key may be mended again.
        try await scene.hear("You went to a")
        try await scene.waitFor("I went twox a")
        let state = try await scene.end(with: "You went to a store.")
        #expect(state.delivery == .inserted)
        try await scene.waitFor("I went twox a store.")
        await scene.close()
    }

    @Test("no more than 60 characters are taken back, and no newline")
    func reach() async throws {
        let scene = try await Scene(.gtkText, settings: Self.everywhere)
        let long = "We meet on Monday at the place that you all know and then we go on to the other place"
        try await scene.hear(long)
        try await scene.hear(
            long.replacing("Monday", with: "Tuesday").replacing("other place", with: "next place and"))
        try await scene.waitFor(long.replacing("other place", with: "next place and"))
        let first = long.replacing("other place", with: "next place and")
        try await scene.hear(first + "\nThen")
        let state = try await scene.end(with: first.replacing("place and", with: "place\nTen."))
        #expect(state.delivery == .inserted)
        #expect(state.cleanedText.hasPrefix(first + "\nThen"))
        try await scene.waitFor(state.cleanedText)
        await scene.close()
    }

    private enum Refusal: String, CaseIterable {
        case unknownWindow = "[insert]\nlive-revise = true\n"
        case off = ""
        case profile =
            "[insert]\nlive-revise = true\n[[profile]]\nclass = \"*\"\nlive-revise = false\n"
        case ibus = "[[profile]]\nclass = \"*\"\nlive-revise = true\nmethod = \"ibus\"\n"
    }

    @Test(
        "nothing is removed if the window is not known, or the settings do not say so",
        arguments: Refusal.allCases)
    private func refused(refusal: Refusal) async throws {
        let scene = try await Scene(.gtkText, settings: refusal.rawValue)
        try await scene.hear("I went two")
        try await scene.hear("I went to the")
        let state = try await scene.end(with: "I went to the store.")
        #expect(state.delivery == .inserted && state.cleanedText == "I went two the store.")
        #expect(state.wrongCommits == 1)
        try await scene.waitFor("I went two the store.")
        await scene.close()
    }

    @Test("in a terminal, which is known, the setting alone is enough")
    func terminal() async throws {
        let scene = try await Scene(.xterm, settings: "[insert]\nlive-revise = true\n")
        try await scene.hear("I went two")
        try await scene.hear("I went to the")
        let state = try await scene.end(with: "I went to the store.")
        #expect(state.cleanedText == "I went to the store.")
        try await scene.waitFor("I went to the store.")
        await scene.close()
    }

    @Test("if BackSpace may take a character apart, nothing of it is removed")
    func composed() async throws {
        let scene = try await Scene(.gtkText, settings: Self.everywhere)
        try await scene.hear("We go 👩‍👧 two")
        try await scene.hear("We know the")
        let state = try await scene.end(with: "We know them.")
        #expect(state.delivery == .inserted && state.cleanedText.hasPrefix("We go 👩‍👧 two"))
        try await scene.waitFor(state.cleanedText)
        await scene.close()
    }

    @Test(
        "BackSpaces that a window reads late, when insert-agent was killed meanwhile, are counted: nothing is missing"
    )
    func readLate() async throws {
        let scene = try await Scene(.gtkText, settings: Self.everywhere)
        let (desk, id) = (scene.desk, scene.id)
        try await scene.hear("I went two")
        try await scene.waitFor("I went two")
        scene.window.signal(SIGSTOP)
        try desk.store.apply(.regrown("I want to"), to: id)
        try await desk.waitForDictation(id) { $0.heldGrowth == .notResponding }
        try await desk.kill(scene.letter.inserter)
        scene.window.signal(SIGCONT)
        let next = try await desk.startInserter()
        // Its host is dead as well, by then.
        let left = try await desk.waitForDictation(id) { $0.status == .error && $0.insertedCount < 10 }
        #expect(left.insertedCount == 3)
        try await scene.waitFor("I w")
        try desk.store.apply(
            .recognized(.init(rawText: "", cleanedText: "I want to go.", held: .recovered)), to: id)
        _ = try await desk.dictstate("insert", "\(id)")
        let state = try await desk.waitForDictation(id) { $0.delivery == .inserted }
        try await scene.waitFor(state.cleanedText)
        await desk.end(next)
    }

    @Test("a cancel after BackSpaces leaves as much as the window has")
    func cancelled() async throws {
        let scene = try await Scene(.gtkText, settings: Self.everywhere + "pace = 1000\n")
        let first = "Dear Anna, we meet on Monday at the place that you all know"
        try await scene.hear(first)
        // Two keys for each accented letter: the text that is typed between two reads of the store is shorter
        // than the replaced one.
        let second = "Dear " + String(repeating: "e\u{301}e\u{301} ", count: 30)
        try scene.desk.store.apply(.regrown(second), to: scene.id)
        try await scene.window.waitForText { $0.hasPrefix("Dear e\u{301}") }
        try scene.desk.store.apply(.cancelled, to: scene.id)
        let state = try await scene.desk.waitForDictation(scene.id) { $0.isSettled }
        #expect(state.status == .cancelled && second.hasPrefix(state.cleanedText))
        #expect(state.insertedCount == state.cleanedText.count && state.insertedCount < first.count)
        try await scene.waitFor(state.cleanedText)
        await scene.close()
    }

    @Test("a host hears other words, and in the end the window has the recognizer's last ones")
    func spoken() async throws {
        let desk = try await Desk.set(.speaks("casting.wav"))
        try desk.folder.write(
            "[insert]\nlive = \"words\"\n" + Self.everywhere, to: "settings.toml")
        let window = try await TextWindow.start(.gtkText, on: desk.display, title: "Letter")
        let host = try await desk.startHost()
        let inserter = try await desk.startInserter()
        _ = try await desk.dictstate("start")
        _ = try await desk.waitForDictation { $0.isBegun && ($0.status == .recording || !$0.isUnfinished) }
        // All of it, and the silence after it.
        try await desk.speak(seconds: 6)
        _ = try await desk.dictstate("stop")
        let state = try await desk.waitForDictation { $0.isSettled }
        #expect(state.delivery == .inserted)
        try await window.waitForText(equal: state.cleanedText)
        await desk.end(host, inserter)
    }
}
