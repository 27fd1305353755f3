import Desktop
import DictationShared
import Foundation
import TestSupport
import Testing

/// Changes of a selected text by a language model: real agents, real windows, a server on this machine in the place of the
/// model.
@Suite("Transforms", .serialized, .timeLimit(.minutes(5)))
struct TransformTests {
    private struct Office {
        let letter: LetterDesk
        let model: LoopbackModel
        let host: Program
        var desk: Desk { letter.desk }
        var window: TextWindow { letter.window }

        static func open(
            _ kind: TextWindow.Kind, settings: (LoopbackModel) -> String = { $0.settings }
        ) async throws -> Office {
            let model = try LoopbackModel()
            let letter = try await LetterDesk(kind, settings: settings(model))
            return Office(letter: letter, model: model, host: try await letter.desk.startHost())
        }

        func insert(_ text: String) async throws {
            let added = try desk.store.add(text: text, locale: "en-US")
            _ = try await desk.waitForDictation(added.id) { $0.isSettled }
            try await window.waitForText { $0.hasSuffix(text) }
        }

        /// Selects this many characters before the caret.
        func select(_ count: Int) async throws {
            for _ in 0..<count { try await desk.display.xdotool("key", "shift+Left") }
        }

        func transform(_ words: String...) async throws -> String {
            try await Program.run(
                BuildFolder.program("dictstate"), ["transform"] + words, environment: desk.environment)
        }

        /// - Returns: why not.
        func refused(_ words: String, _ place: SourceLocation = #_sourceLocation) async throws -> String {
            try await letter.refused("transform", words, place)
        }

        func waitFor(_ text: String, _ place: SourceLocation = #_sourceLocation) async throws {
            try await letter.waitFor(text, place)
        }

        func close() async {
            model.stop()
            await desk.end(host, letter.inserter)
        }
    }

    @Test(
        "the selection is replaced, and undo puts it back; the clipboard stays",
        arguments: [TextWindow.Kind.gtkText, .gtkEntry, .qtText, .chromium].filter(\.isInstalled))
    func kinds(kind: TextWindow.Kind) async throws {
        let office = try await Office.open(kind)
        let copied = try await office.desk.display.copy("precious")
        defer { copied.signal(SIGTERM) }
        try await office.insert("Dear all, see you 👋 bald.")
        try await office.select(15)
        office.model.says("We meet soon, Grüße!")
        #expect(try await office.transform("make", "it", "polite").contains("replaced the selection"))
        try await office.waitFor("Dear all, We meet soon, Grüße!")
        var asked = office.model.asked.stream.makeAsyncIterator()
        let question = try #require(await asked.next())
        #expect(question.contains("make it polite"))
        #expect(question.contains("see you 👋 bald.") && !question.contains("Dear all"))
        let state = try #require(try office.desk.store.history(limit: 1).first)
        #expect(state.rawText == "make it polite" && state.cleanedText == "We meet soon, Grüße!")
        let log = "\(state.route as Any)\n\(copied.errors)\n\(office.letter.inserter.errors)"
        #expect(state.delivery == .inserted && state.route?.way == .paste, "\(log)")
        #expect(try await office.desk.display.clipboardText() == "precious", "\(log)")
        let intents = try await office.desk.waitForAnswers()
        #expect(!"\(intents)".contains("see you"))
        #expect(try await office.desk.dictstate("undo").contains("put back 15 characters"))
        try await office.waitFor("Dear all, see you 👋 bald.")
        #expect(try office.desk.store.dictation(state.id)?.delivery == .held(.undone))
        #expect(try await office.desk.display.clipboardText() == "precious")
        await office.close()
    }

    @Test(
        "lines and tabs come as they are, in the place of lines and tabs",
        arguments: [TextWindow.Kind.gtkText, .gedit, .qtText])
    func lines(kind: TextWindow.Kind) async throws {
        let office = try await Office.open(kind)
        try await office.insert("one two")
        try await office.desk.display.xdotool("key", "ctrl+a")
        office.model.says("```\n- one\n\t- two\n    - three\n```")
        _ = try await office.transform("as a list")
        try await office.waitFor("- one\n\t- two\n    - three")
        try await office.desk.display.xdotool("key", "ctrl+a")
        office.model.says("one\u{1b}[0m \u{202e}two")
        _ = try await office.transform("as a line")
        try await office.waitFor("one[0m two")
        await office.close()
    }

    @Test("a terminal's selection is refused, and so is an impossible request; the text stays as it is")
    func refusals() async throws {
        let terminal = try await Office.open(.xterm)
        #expect(try await terminal.refused("shorter").contains("in the terminal “Letter” cannot be replaced"))
        #expect(try terminal.desk.store.history(limit: 10).isEmpty)
        await terminal.close()
        let office = try await Office.open(.gtkText)
        office.model.says("No.")
        try await office.insert("One two.")
        #expect(try await office.refused("shorter").contains("no text is selected in “Letter”"))
        try await office.desk.display.xdotool("key", "ctrl+a")
        let answers: [(steps: [LoopbackServer.Step], reason: String)] = [
            ([.answer(500)], "500"),
            ([.send(LoopbackModel.head + LoopbackModel.event("One"))], "broke off"),
            ([.send(LoopbackModel.head + LoopbackModel.event("One", "length"))], "stopped before the end"),
            ([.send(LoopbackModel.head + LoopbackModel.event("", "stop"))], "is empty"),
            ([.send(LoopbackModel.head + LoopbackModel.event("One two.", "stop"))], "changed nothing"),
            (
                [
                    .send(
                        LoopbackModel.head + LoopbackModel.event(String(repeating: "a", count: 9_000), "stop")
                    )
                ], "too long"
            ),
        ]
        for (steps, reason) in answers {
            office.model.does(steps)
            let errors = try await office.refused("shorter")
            #expect(errors.contains("The selected text was not changed"))
            #expect(errors.contains(reason), "\(errors)")
        }
        try await office.waitFor("One two.")
        try office.desk.folder.write("# The defaults.\n", to: "settings.toml")
        try await office.host.waitForLine(containing: "settings read")
        #expect(try await office.refused("shorter").contains("dictstate settings set polish.endpoint"))
        await office.close()
        let confidential = try await Office.open(.gtkEntry) {
            $0.settings + "[[profile]]\ntitle = \"Letter\"\nstyle = \"verbatim\"\n"
        }
        #expect(try await confidential.refused("shorter").contains("sends nothing to a language model"))
        await confidential.close()
    }

    @Test("one that cannot be is refused while something is recorded, too, and the recording continues")
    func refusedWhileRecording() async throws {
        let office = try await Office.open(.gtkText, settings: { _ in "" })
        _ = try await office.desk.dictstate("start")
        #expect(try await office.refused("make it shorter").contains("no language model is configured"))
        #expect(try await office.desk.dictstate("cancel").hasPrefix("canceled"))
        await office.close()
    }

    @Test("a text that is no longer selected when the answer comes is not replaced: the answer is held")
    func changed() async throws {
        let office = try await Office.open(.gtkText)
        let other = try await TextWindow.start(.gtkEntry, on: office.desk.display, title: "Other")
        try await office.window.focus()
        try await office.insert("One two.")
        try await office.select(4)
        office.model.does([
            .send(LoopbackModel.head + LoopbackModel.event("Three.")), .silence(.seconds(2)),
            .send(LoopbackModel.event("", "stop")),
        ])
        var asked = office.model.asked.stream.makeAsyncIterator()
        let first = try office.desk.start("dictstate", "transform", "next")
        _ = await asked.next()
        try await office.desk.display.xdotool("key", "shift+Left")
        #expect(try await first.waitForExit().code == 1)
        #expect(first.errors.contains("another text is selected"))
        let held = try #require(try office.desk.store.newestHeld())
        #expect(held.delivery == .held(.notReplaced) && held.cleanedText == "Three.")
        let second = try office.desk.start("dictstate", "transform", "next")
        _ = await asked.next()
        try await office.desk.display.xdotool("key", "Right")
        #expect(try await second.waitForExit().code == 1)
        #expect(second.errors.contains("no longer selected"))
        try await office.select(4)
        let third = try office.desk.start("dictstate", "transform", "next")
        _ = await asked.next()
        try await other.focus()
        #expect(try await third.waitForExit().code == 1)
        #expect(third.errors.contains("no longer focused"))
        try await office.waitFor("One two.")
        #expect(other.text.isEmpty)
        await office.close()
    }

    @Test("Escape, dictstate cancel and Ctrl-C give the model up")
    func cancelled() async throws {
        let office = try await Office.open(.gtkText) { $0.settings + "[log]\nlevel = \"debug\"\n" }
        try await office.insert("One two.")
        try await office.select(4)
        office.model.does([.send(LoopbackModel.head + LoopbackModel.event("Three.")), .hang])
        var asked = office.model.asked.stream.makeAsyncIterator()
        for way in 0..<3 {
            let command = try office.desk.start("dictstate", "transform", "next")
            _ = await asked.next()
            switch way {
            case 0:
                try await office.host.waitForLine(containing: "Escape cancels from now on")
                try tapKey("Escape", on: office.desk.display)
            case 1: _ = try await office.desk.dictstate("cancel")
            default: command.signal(SIGINT)
            }
            #expect(try await command.waitForExit().code == 1)
            #expect(command.errors.contains("Canceled"))
            #expect(try office.desk.store.history(limit: 1).first?.status == .cancelled)
        }
        // Escape did not reach the window: the text is still selected.
        office.model.says("three.")
        _ = try await office.transform("next")
        try await office.waitFor("One three.")
        await office.close()
    }

    @Test("the words that are said while the key is held are the instruction")
    func spoken() async throws {
        let office = try await Office.open(.gtkText) {
            $0.settings
                + "[transform]\nhotkey = \"F8\"\n[speech]\nengine = \"remote\"\n[remote]\naddress = \"\($0.address)\"\n"
        }
        let desk = office.desk
        try await office.insert("One two.")
        try await office.select(4)
        office.model.hears("translate to German")
        office.model.says("zwei.")
        try await desk.display.xdotool("keydown", "F8")
        let begun = try await desk.waitForDictation { $0.status == .recording }
        try await desk.speak(seconds: 1)
        try await desk.display.xdotool("keyup", "F8")
        let state = try await desk.waitForDictation(begun.id) { $0.isSettled }
        #expect(state.delivery == .inserted && state.rawText == "translate to German")
        try await office.waitFor("One zwei.")
        // The same by commands; the second one ends the recording. Nothing of a private one stays.
        try await office.select(5)
        office.model.hears("translate to English")
        office.model.says("two!")
        _ = try await office.transform("--private")
        try await desk.speak(seconds: 1)
        _ = try await office.transform("--private")
        try await office.waitFor("One two!")
        // If nothing is selected, the user need not speak.
        try await desk.display.xdotool("key", "Right")
        try await desk.display.xdotool("keydown", "F8")
        let failed = try await desk.waitForDictation(since: state.revision) { $0.status == .error }
        try await desk.display.xdotool("keyup", "F8")
        #expect(failed.error?.code == "not-transformed")
        #expect(failed.error?.message.contains("no text is selected") == true)
        await office.close()
    }

    @Test("any number of keys: one with its own instruction needs no speech")
    func keys() async throws {
        let office = try await Office.open(.gtkText) {
            $0.settings
                + "[[hotkey]]\nkey = \"shift+F8\"\ntransform = \"translate to German\"\nprivate = true\n"
                + "[[hotkey]]\nkey = \"F8\"\ntransform = \"make this shorter\"\n"
        }
        let desk = office.desk
        try await office.insert("One two.")
        try await office.select(4)
        office.model.says("2.")
        try tapKey("F8", on: desk.display)
        let state = try await desk.waitForDictation { $0.isSettled && $0.options.transform != nil }
        #expect(state.delivery == .inserted && state.rawText == "make this shorter")
        #expect(state.options == StartOptions(hotkey: "F8", transform: .fixed("make this shorter")))
        try await office.waitFor("One 2.")
        // Held for long, and by a command, it is the same.
        try await office.select(2)
        office.model.says("zwei.")
        try await desk.display.xdotool("keydown", "shift+F8")
        var asked = office.model.asked.stream.makeAsyncIterator()
        #expect(await asked.next()?.contains("make this shorter") == true)
        #expect(await asked.next()?.contains("translate to German") == true)
        try await desk.display.xdotool("keyup", "shift+F8")
        try await office.waitFor("One zwei.")
        try await office.select(5)
        office.model.says("3.")
        _ = try await desk.dictstate("toggle", "--hotkey", "F8")
        try await office.waitFor("One 3.")
        let refused = try desk.start("dictstate", "start", "--hotkey", "F7")
        #expect(try await refused.waitForExit().code == 1)
        await office.close()
    }
}
