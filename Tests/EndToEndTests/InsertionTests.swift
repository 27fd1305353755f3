import Desktop
import DictationShared
import DictationSystem
import Foundation
import TestSupport
import Testing

/// Where a text goes, and how, by settings and by the user's word: real agents, real windows.
@Suite("Inserting", .serialized, .timeLimit(.minutes(5)))
struct InsertionTests {
    private func insert(_ text: String, on desk: Desk) async throws -> DictationState {
        let added = try desk.store.add(text: text, locale: "en-US")
        return try await desk.waitForDictation(added.id) { $0.isSettled }
    }

    @Test("in a terminal a newline is a space, unless the profile says Return")
    func newline() async throws {
        let desk = try await Desk.set()
        let window = try await TextWindow.start(.xterm, on: desk.display, title: "Shell")
        let inserter = try await desk.startInserter()
        _ = try await insert("rm -rf x\necho y", on: desk)
        try await window.waitForText(equal: "rm -rf x echo y")
        try desk.folder.write("[[profile]]\nclass = \"xterm\"\nnewline = \"return\"\n", to: "settings.toml")
        try await inserter.waitForLine(containing: "settings read")
        try tapKey("space", on: desk.display)
        _ = try await insert("a\nb", on: desk)
        try await window.waitForText { $0 == "rm -rf x echo y a\nb" || $0 == "rm -rf x echo y a\rb" }
        await desk.end(inserter)
    }

    @Test(
        "Enter behind a text is pressed, whatever inserts the text", arguments: ["type", "paste", "xdotool"])
    func enter(method: String) async throws {
        let desk = try await Desk.set()
        try desk.folder.write(
            """
            [[profile]]
            class = "xterm"
            method = "\(method)"
            newline = "space"
            press-enter = true
            """,
            to: "settings.toml")
        let window = try await TextWindow.start(.xterm, on: desk.display, title: "Shell")
        let inserter = try await desk.startInserter()
        let state = try await insert("echo one\ntwo\n", on: desk)
        #expect(state.delivery == .inserted)
        #expect(state.insertedCount == 13)
        let way: InsertionWay = method == "type" ? .keys : InsertionWay(rawValue: method) ?? .file
        #expect(state.route == InsertionRoute(way, isConfirmed: way != .xdotool))
        try await window.waitForText(equal: "echo one two\n")
        await desk.end(inserter)
    }

    @Test(
        "an editor that indents lines gets them as they are, and gives them back", arguments: [true, false])
    func indented(isTyped: Bool) async throws {
        let desk = try await Desk.set()
        if isTyped {
            try desk.folder.write("[[profile]]\nclass = \"gedit\"\nmethod = \"type\"\n", to: "settings.toml")
        }
        let window = try await TextWindow.start(.gedit, on: desk.display, title: "Notes")
        let inserter = try await desk.startInserter()
        #expect(try await insert("  one", on: desk).delivery == .inserted)
        try await window.waitForText(equal: "  one")
        #expect(try await insert("\n• two\n• three", on: desk).delivery == .inserted)
        // A profile that asks for keys gets their indentation as well.
        let indentation = isTyped ? "  " : ""
        try await window.waitForText(equal: "  one\n\(indentation)• two\n\(indentation)• three")
        if !isTyped {
            _ = try await desk.dictstate("undo")
            try await window.waitForText(equal: "  one")
            #expect(try await insert("\n  four", on: desk).delivery == .inserted)
            try await window.waitForText(equal: "  one\n  four")
            let refused = try desk.start("dictstate", "undo")
            #expect(try await refused.waitForExit().code == 1)
            #expect(refused.errors.contains("whole steps of indentation"))
            #expect(window.text == "  one\n  four")
        }
        await desk.end(inserter)
    }

    @Test("by the policy “hold” a text waits for the user's word")
    func hold() async throws {
        let desk = try await Desk.set()
        try desk.folder.write("[insert]\npolicy = \"hold\"\n", to: "settings.toml")
        let window = try await TextWindow.start(.gtkEntry, on: desk.display, title: "Letter")
        let inserter = try await desk.startInserter()
        let state = try await insert("Hello.", on: desk)
        #expect(state.delivery == .held(.bySetting))
        _ = try await desk.dictstate("insert")
        try await window.waitForText(equal: "Hello.")
        // That needs a separate command.
        let file = try desk.folder.write(" Given.", to: "given.txt")
        _ = try await desk.dictstate("insert", "--file", file)
        try await window.waitForText(equal: "Hello. Given.")
        _ = try await desk.dictstate("insert", "--raw", "\(state.id)")
        try await window.waitForText(equal: "Hello. Given. Hello.")
        await desk.end(inserter)
    }

    @Test(
        "by the policy “origin” a text goes to the window in which it was spoken: it waits for it, or gets it",
        arguments: ["wait", "activate"])
    func origin(away: String) async throws {
        let desk = try await Desk.set()
        try desk.folder.write(
            "[insert]\npolicy = \"origin\"\norigin-away = \"\(away)\"\n", to: "settings.toml")
        let letter = try await TextWindow.start(.gtkText, on: desk.display, title: "Letter")
        let other = try await TextWindow.start(.gtkEntry, on: desk.display, title: "Other")
        let inserter = try await desk.startInserter()
        let id = try Self.speak("Hello.", into: letter, on: desk)
        if away == "wait" {
            try await inserter.waitForLine(containing: "waits for the window Letter")
            #expect(try desk.store.dictation(id)?.delivery == .pending)
            try await letter.focus()
        }
        let state = try await desk.waitForDictation(id) { $0.isSettled }
        #expect(state.delivery == .inserted)
        try await letter.waitForText(equal: "Hello.")
        #expect(other.text.isEmpty)
        await desk.end(inserter)
    }

    /// A dictation that was begun while the window had the focus.
    private static func speak(_ text: String, into window: TextWindow, on desk: Desk) throws -> DictationID {
        let begun = try desk.store.begin(
            target: WindowInfo(id: UInt64(window.id), windowClass: "", title: window.title, pid: nil),
            engine: "test", locale: "en-US")
        return try desk.store.apply(.recognized(.init(rawText: text, cleanedText: text)), to: begun.id).id
    }

    @Test("a text that waits for its window is held when that is closed, and the next one is typed")
    func originGone() async throws {
        let desk = try await Desk.set()
        try desk.folder.write(
            "[insert]\npolicy = \"origin\"\norigin-away = \"wait\"\n", to: "settings.toml")
        let letter = try await TextWindow.start(.gtkText, on: desk.display, title: "Letter")
        let other = try await TextWindow.start(.gtkEntry, on: desk.display, title: "Other")
        let inserter = try await desk.startInserter()
        let first = try Self.speak("Hello.", into: letter, on: desk)
        try await inserter.waitForLine(containing: "waits for the window Letter")
        let second = try Self.speak("There.", into: other, on: desk)
        await letter.end()
        let held = try await desk.waitForDictation(first) { $0.isSettled }
        #expect(held.delivery == .held(.focusMoved))
        try await desk.waitForDictation(second) { $0.delivery == .inserted }
        try await other.waitForText(equal: "There.")
        await desk.end(inserter)
    }

    @Test("undo removes what was typed last, and nothing once something was typed there since")
    func undo() async throws {
        let desk = try await Desk.set()
        let window = try await TextWindow.start(.gtkText, on: desk.display, title: "Letter")
        let inserter = try await desk.startInserter()
        let state = try await insert("Grüße an alle.", on: desk)
        try await window.waitForText(equal: "Grüße an alle.")
        #expect(try await desk.dictstate("undo").contains("removed 14 characters"))
        try await window.waitForText(equal: "")
        #expect(try desk.store.dictation(state.id)?.delivery == .held(.undone))
        // It can be restored, and then it is the last one.
        _ = try await desk.dictstate("insert")
        try await window.waitForText(equal: "Grüße an alle.")
        try tapKey("x", on: desk.display)
        try await window.waitForText(equal: "Grüße an alle.x")
        let refused = try desk.start("dictstate", "undo")
        #expect(try await refused.waitForExit().code == 1)
        #expect(refused.errors.contains("something was typed or clicked"))
        #expect(window.text == "Grüße an alle.x")
        await desk.end(inserter)
    }

    @Test("in an application that corrects words, only what was pasted is undone, edited or selected")
    func corrected() async throws {
        let desk = try await Desk.set()
        try desk.folder.write(
            "[[profile]]\nclass = \"libreoffice-writer\"\nmethod = \"type\"\n", to: "settings.toml")
        let window = try await TextWindow.start(.gtkEntry, on: desk.display, title: "Letter")
        // The class is all that insert-agent knows of an application.
        try await desk.display.xdotool("set_window", "--class", "libreoffice-writer", "\(window.id)")
        let inserter = try await desk.startInserter()
        #expect(try await insert("1/2 of it.", on: desk).route?.way == .keys)
        try await window.waitForText(equal: "1/2 of it.")
        for command in [
            ["undo"], ["edit", "select that"], ["edit", "scratch that"], ["edit", "all caps that"],
        ] {
            let refused = try Program.start(
                BuildFolder.program("dictstate"), command, environment: desk.environment)
            #expect(try await refused.waitForExit().code == 1)
            #expect(refused.errors.contains("corrects typed words"), "\(command): \(refused.errors)")
        }
        #expect(window.text == "1/2 of it.")
        try desk.folder.write("# The defaults.\n", to: "settings.toml")
        try await inserter.waitForLine(containing: "settings read")
        #expect(try await insert("All of it.", on: desk).route?.way == .paste)
        try await window.waitForText(equal: "1/2 of it. All of it.")
        _ = try await desk.dictstate("undo")
        try await window.waitForText(equal: "1/2 of it.")
        await desk.end(inserter)
    }

    @Test("“copy” leaves the text on the clipboard, and says so; “paste” puts back what was there")
    func clipboard() async throws {
        let desk = try await Desk.set()
        try desk.folder.write("[insert]\nmethod = \"paste\"\n", to: "settings.toml")
        let window = try await TextWindow.start(.gtkText, on: desk.display, title: "Letter")
        let inserter = try await desk.startInserter()
        let owner = try await desk.display.copy("my own")
        let state = try await insert("Grüße 👋🏽 und so weiter.", on: desk)
        #expect(state.delivery == .inserted)
        try await window.waitForText(equal: "Grüße 👋🏽 und so weiter.")
        #expect(try await desk.display.clipboardText() == "my own")
        try desk.folder.write("[insert]\nmethod = \"copy\"\n", to: "settings.toml")
        try await inserter.waitForLine(containing: "settings read")
        let copied = try await insert("For you to paste.", on: desk)
        #expect(copied.delivery == .inserted)
        #expect(copied.error?.code == "copied")
        #expect(try await desk.display.clipboardText() == "For you to paste.")
        #expect(window.text == "Grüße 👋🏽 und so weiter.")
        await desk.end(inserter, owner)
    }

    @Test("a window that does not take the paste gets the text typed, and the state says so")
    func fallBack() async throws {
        let desk = try await Desk.set()
        // No entry of GTK pastes by that key.
        try desk.folder.write(
            "[insert]\nmethod = \"paste\"\n[[profile]]\nclass = \"*\"\npaste-key = \"ctrl+shift+v\"\n",
            to: "settings.toml")
        let window = try await TextWindow.start(.gtkEntry, on: desk.display, title: "Letter")
        let inserter = try await desk.startInserter()
        let state = try await insert("One.", on: desk)
        #expect(state.delivery == .inserted)
        #expect(state.error?.code == "method-fallback")
        try await window.waitForText(equal: "One.")
        try desk.folder.write("[insert]\nmethod = \"xdotool\"\n", to: "settings.toml")
        try await inserter.waitForLine(containing: "settings read")
        #expect(try await insert("Two.", on: desk).delivery == .inserted)
        try await window.waitForText(equal: "One. Two.")
        await desk.end(inserter)
    }

    @Test("a text that xdotool types stops when it is canceled; the rest is held, and can be typed")
    func cancelledXdotool() async throws {
        let desk = try await Desk.set()
        try desk.folder.write("[insert]\nmethod = \"xdotool\"\n", to: "settings.toml")
        let window = try await TextWindow.start(.gtkEntry, on: desk.display, title: "Letter")
        let inserter = try await desk.startInserter()
        let text = String(repeating: "The quick brown fox. ", count: 40)
        let added = try desk.store.add(text: text, locale: "en-US")
        try await window.waitForText { $0.count > 60 }
        _ = try await desk.dictstate("cancel")
        let state = try await desk.waitForDictation(added.id) { $0.isSettled }
        #expect(state.delivery == .held(.interrupted))
        #expect(state.insertedCount > 0 && state.insertedCount < text.count)
        try await window.waitForText(equal: String(text.prefix(state.insertedCount)))
        await desk.end(inserter)
    }

    @Test("a trailing space comes behind a text of which all was typed while it was spoken")
    func trailingSpace() async throws {
        let desk = try await Desk.set()
        try desk.folder.write("[[profile]]\nclass = \"*\"\ntrailing-space = true\n", to: "settings.toml")
        // This process plays the host-agent.
        let role = try RoleLock(.host, in: desk.group)
        let window = try await TextWindow.start(.gtkEntry, on: desk.display, title: "Letter")
        let inserter = try await desk.startInserter()
        let words = "We meet at noon."
        for all in [words, "\(words) \(words)"] {
            let id = try desk.store.begin(target: nil, engine: "test", locale: "en-US").id
            try desk.store.apply(.recordingStarted, to: id)
            try desk.store.apply(.grown(words), to: id)
            try await desk.waitForDictation(id) { $0.growth == .open && $0.insertedCount == words.count }
            try desk.store.apply(.recognized(.init(rawText: words, cleanedText: words)), to: id)
            #expect(try await desk.waitForDictation(id) { $0.isSettled }.delivery == .inserted)
            try await window.waitForText(equal: all + " ")
        }
        withExtendedLifetime(role) {}
        await desk.end(inserter)
    }
}
