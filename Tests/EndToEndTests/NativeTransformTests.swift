import Desktop
import DictationShared
import Foundation
import TestSupport
import Testing

/// Changes of a text that is selected in a native window of a Wayland session: real agents, real windows, a server on this
/// machine in the place of the model.
@Suite("Transforms in native windows", .serialized, .timeLimit(.minutes(5)))
struct NativeTransformTests {
    private struct Office {
        let session: NativeWindowTests.Session
        let window: WaylandWindow
        let keyboard: WaylandKeyboard
        let model: LoopbackModel
        let inserter: Program
        let host: Program

        /// - Parameter settings: besides those of the model.
        static func open(_ kind: WaylandWindow.Kind, settings: String = "") async throws -> Office {
            let session = try await NativeWindowTests.Session(hasX11: false)
            let model = try LoopbackModel()
            try session.desk.folder.write(model.settings + settings, to: "settings.toml")
            // Before the window, which knows it then.
            let keyboard = try await WaylandKeyboard.connect(to: session.desktop)
            let inserter = try await session.start("insert-agent")
            let host = try await session.start("host-agent")
            let window = try await WaylandWindow.start(kind, on: session.desktop, title: "Letter")
            return Office(
                session: session, window: window, keyboard: keyboard, model: model, inserter: inserter,
                host: host)
        }

        var store: StateStore { session.desk.store }

        func insert(_ text: String) async throws {
            let id = try store.add(text: text, locale: "en-US", isExact: true).id
            let state = try await session.desk.waitForDictation(id) { $0.isSettled }
            try #require(state.delivery == .inserted)
            try await window.waitForText(endingIn: text)
        }

        /// Selects this many characters before the caret.
        func select(_ count: Int) async throws {
            try await keyboard.tap("left", with: "shift", times: count)
            try await waitForSelection(of: String(window.text.suffix(count)))
        }

        func selectAll() async throws {
            try await keyboard.tap("a", with: "ctrl")
            try await waitForSelection(of: window.text)
        }

        /// Waits until other programs see the selection: the window makes it some time after the key.
        private func waitForSelection(of text: String) async throws {
            let watch = try Program.start(
                "wl-paste", ["--primary", "--watch", "cat"], environment: session.desktop.environment)
            try await watch.waitForOutput("the selected text") { $0.hasSuffix(text) }
            await watch.end()
        }

        func transform(_ words: String) throws -> Program {
            try Program.start(
                BuildFolder.program("dictstate"), ["transform", words], environment: session.environment)
        }

        func transformed(_ words: String, _ place: SourceLocation = #_sourceLocation) async throws {
            let program = try transform(words)
            let code = try await program.waitForExit().code
            #expect(code == 0, "\(program.errors)", sourceLocation: place)
        }

        /// - Returns: why not.
        func refused(_ words: String, _ place: SourceLocation = #_sourceLocation) async throws -> String {
            let program = try transform(words)
            #expect(try await program.waitForExit().code == 1, sourceLocation: place)
            return program.errors
        }

        func close() async {
            model.stop()
            await keyboard.end()
            await window.end()
            await session.end(host, inserter)
        }
    }

    private static let editors = WaylandWindow.Kind.native.filter { $0 != .foot }

    @Test(
        "the selection is replaced, with everything on the clipboard put back; undo is exact, or refused",
        arguments: editors)
    func kinds(kind: WaylandWindow.Kind) async throws {
        let office = try await Office.open(kind)
        let copied = try await office.session.desktop.copy("precious", "--type", "image/x-test")
        try await office.insert("Dear all, see you Grüße bald.")
        try await office.select(19)
        office.model.says("We meet soon, 世界!")
        try await office.transformed("make it polite")
        try await office.window.waitForText(equal: "Dear all, We meet soon, 世界!")
        var asked = office.model.asked.stream.makeAsyncIterator()
        let question = try #require(await asked.next())
        #expect(question.contains("make it polite"))
        #expect(question.contains("see you Grüße bald.") && !question.contains("Dear all"))
        let state = try #require(try office.store.history(limit: 1).first)
        #expect(state.rawText == "make it polite" && state.cleanedText == "We meet soon, 世界!")
        #expect(state.delivery == .inserted && state.route?.way == .paste)
        #expect(try await office.session.desktop.clipboardText("--type", "image/x-test") == "precious")
        // Nothing of the selected text stays in the store.
        let intents = try await office.session.desk.waitForAnswers()
        #expect(!"\(intents)".contains("see you"))
        let undo = try await office.session.dictstate("undo")
        if try await undo.exitCode == 0 {
            #expect(undo.output.contains("put back 19 characters"))
            try await office.window.waitForText(equal: "Dear all, see you Grüße bald.")
            #expect(try office.store.dictation(state.id)?.delivery == .held(.undone))
        } else {
            // Qt 5 and Chromium do not show what is before the caret, and a busy machine may have answered too late.
            #expect(undo.errors.contains("cannot be seen"), "\(undo.errors)")
            #expect(office.window.text == "Dear all, We meet soon, 世界!")
        }
        #expect(try await office.session.desktop.clipboardText("--type", "image/x-test") == "precious")
        // An empty clipboard is empty afterward.
        await copied.end()
        try await Program.run("wl-copy", ["--clear"], environment: office.session.desktop.environment)
        #expect(try await office.session.desktop.clipboardText("--list-types") == "")
        try await office.keyboard.tap("end")
        try await office.select(1)
        office.model.says("?")
        try await office.transformed("ask")
        try await office.window.waitForText(endingIn: "?")
        #expect(try await office.session.desktop.clipboardText("--list-types") == "")
        await office.close()
    }

    @Test("lines come as they are, in the place of lines", arguments: editors)
    func lines(kind: WaylandWindow.Kind) async throws {
        let office = try await Office.open(kind)
        try await office.insert("one\n two\n  three")
        try await office.selectAll()
        office.model.says("```\n- one\n    - two\n```")
        try await office.transformed("as a list")
        try await office.window.waitForText(equal: "- one\n    - two")
        var asked = office.model.asked.stream.makeAsyncIterator()
        let question = try #require(await asked.next())
        #expect(question.contains(#"one\n two\n  three"#), "\(question)")
        await office.close()
    }

    @Test("terminals and profiles that want no model are refused, and so is what is not selected")
    func refusals() async throws {
        let terminal = try await Office.open(.foot)
        terminal.model.says("No.")
        #expect(try await terminal.refused("shorter").contains("in the terminal “Letter” cannot be replaced"))
        #expect(terminal.window.text == "")
        await terminal.close()
        let office = try await Office.open(
            .gtk3, settings: "[[profile]]\ntitle = \"Secret\"\nstyle = \"verbatim\"\n")
        office.model.says("No.")
        #expect(try await office.refused("shorter").contains("no text is selected in “Letter”"))
        // The selection of another window is not mistaken for this one's.
        let elsewhere = try await office.session.desktop.copy("a secret of another window", "--primary")
        try await office.insert("One two.")
        #expect(try await office.refused("shorter").contains("no text is selected in “Letter”"))
        await elsewhere.end()
        let secret = try await WaylandWindow.start(.gtk3, on: office.session.desktop, title: "Secret")
        try await office.keyboard.tap("a")
        try await secret.waitForText(equal: "a")
        try await office.keyboard.tap("a", with: "ctrl")
        #expect(try await office.refused("shorter").contains("sends nothing to a language model"))
        // The selection is still that of the other window.
        try await office.window.focus()
        #expect(try await office.refused("shorter").contains("no text is selected in “Letter”"))
        try await secret.focus()
        await secret.end()
        #expect(office.window.text == "One two.")
        // Without insert-agent, which reads the windows.
        await office.inserter.end()
        _ = try office.store.submit(.transform(.init(instruction: "shorter")))
        let alone = try await office.session.desk.waitForDictation {
            $0.error?.message.contains("insert-agent is not running") == true
        }
        #expect(alone.status == .error)
        await office.close()
    }

    @Test("a text that is no longer selected when the answer comes is not replaced: the answer is held")
    func changed() async throws {
        let office = try await Office.open(.gtk4)
        try await office.insert("One two.")
        try await office.select(4)
        office.model.does([
            .send(LoopbackModel.head + LoopbackModel.event("Three.")), .silence(.seconds(2)),
            .send(LoopbackModel.event("", "stop")),
        ])
        var asked = office.model.asked.stream.makeAsyncIterator()
        let first = try office.transform("next")
        _ = await asked.next()
        try await office.keyboard.tap("left", with: "shift")
        #expect(try await first.waitForExit().code == 1)
        #expect(first.errors.contains("another text is selected"), "\(first.errors)")
        let held = try #require(try office.store.newestHeld())
        #expect(held.delivery == .held(.notReplaced) && held.cleanedText == "Three.")
        // Another window.
        let second = try office.transform("next")
        _ = await asked.next()
        let other = try await WaylandWindow.start(.gtk4, on: office.session.desktop, title: "Other")
        #expect(try await second.waitForExit().code == 1)
        #expect(second.errors.contains("no longer focused"), "\(second.errors)")
        await other.end()
        // An inserter that was started again does not know the window.
        let third = try office.transform("next")
        _ = await asked.next()
        await office.inserter.end()
        let next = try await office.session.start("insert-agent")
        #expect(try await third.waitForExit().code == 1)
        #expect(third.errors.contains("no longer knows the window"), "\(third.errors)")
        try await office.window.waitForText(equal: "One two.")
        await next.end()
        await office.close()
    }

    @Test("words said while a bound key is held are the instruction; a key with its own needs none")
    func spoken() async throws {
        let model = try LoopbackModel()
        model.hears("translate to German")
        let office = try await Office.open(
            .gtk3,
            settings: """
                [speech]
                engine = "remote"
                [remote]
                address = "\(model.address)"
                [transform]
                hotkey = "F8"
                [[hotkey]]
                key = "F7"
                transform = "make this shorter"

                """)
        let setup = try await office.session.dictstate("setup", "--yes", "bindings")
        #expect(try await setup.exitCode == 0, "\(setup.output)\(setup.errors)")
        try await office.insert("One two.")
        try await office.select(4)
        office.model.says("zwei.")
        try await office.keyboard.press("F8")
        let begun = try await office.session.desk.waitForDictation { $0.status == .recording }
        try await office.session.desk.speak(seconds: 1)
        try await office.keyboard.release("F8")
        let state = try await office.session.desk.waitForDictation(begun.id) { $0.isSettled }
        #expect(state.delivery == .inserted && state.rawText == "translate to German")
        try await office.window.waitForText(equal: "One zwei.")
        try await office.select(5)
        office.model.says("2.")
        try await office.keyboard.tap("F7")
        let fixed = try await office.session.desk.waitForDictation {
            $0.isSettled && $0.options.transform == .fixed("make this shorter")
        }
        #expect(fixed.delivery == .inserted && fixed.rawText == "make this shorter")
        try await office.window.waitForText(equal: "One 2.")
        model.stop()
        await office.close()
    }
}
