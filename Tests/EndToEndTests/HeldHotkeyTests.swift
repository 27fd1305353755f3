import DictationShared
import Foundation
import TestSupport
import Testing

/// A held text goes where the user is, and not into the terminal that a command is typed into.
@Suite("Inserting what is held", .serialized, .timeLimit(.minutes(5)))
struct HeldHotkeyTests {
    @Test("the key types the newest held text, once; with nothing held it types nothing")
    func key() async throws {
        let desk = try await Desk.set()
        try desk.folder.write("[insert]\npolicy = \"hold\"\n", to: "settings.toml")
        let keyboard = try UserKeyboard(of: desk.display.name)
        let window = try await TextWindow.start(.gtkText, on: desk.display, title: "Letter")
        let inserter = try await desk.startInserter()
        func press() throws {
            try keyboard.press("Shift_L")
            try keyboard.press("F9")
            try keyboard.release("F9")
        }
        try press()
        try await inserter.waitForLine(containing: "no text is held")
        try keyboard.release("Shift_L")
        let text = try desk.store.add(text: "Hello there, ABC and é.", locale: "en-US")
        try await desk.waitForDictation(text.id) { $0.delivery == .held(.bySetting) }
        // Shift stays down while it is typed.
        try press()
        try await desk.waitForDictation(text.id) { $0.delivery == .inserted }
        try await window.waitForText(equal: "Hello there, ABC and é.")
        try keyboard.release("Shift_L")
        #expect(window.text == "Hello there, ABC and é.")
        await desk.end(inserter)
    }

    @Test(
        "a key that another program has is told, and texts are typed all the same; another one is taken at once"
    )
    func taken() async throws {
        let desk = try await Desk.set()
        try desk.folder.write("[insert]\nheld-hotkey = \"shift+F9\"\n", to: "settings.toml")
        let keyboard = try UserKeyboard(of: desk.display.name)
        let window = try await TextWindow.start(.gtkText, on: desk.display, title: "Letter")
        let host = try await desk.startHost("--hotkey", "shift+F9")
        let inserter = try await desk.startInserter()
        try await inserter.waitForLine(containing: "the hotkey shift+F9 is taken")
        let text = try desk.store.add(text: "One.", locale: "en-US")
        try await desk.waitForDictation(text.id) { $0.delivery == .inserted }
        try desk.folder.write("[insert]\nheld-hotkey = \"F8\"\npolicy = \"hold\"\n", to: "settings.toml")
        try await inserter.waitForLine(containing: "held texts are typed by F8")
        let held = try desk.store.add(text: "Two.", locale: "en-US")
        try await desk.waitForDictation(held.id) { $0.delivery == .held(.bySetting) }
        try keyboard.press("F8")
        try keyboard.release("F8")
        try await desk.waitForDictation(held.id) { $0.delivery == .inserted }
        try await window.waitForText(equal: "One. Two.")
        await desk.end(host, inserter)
    }

    @Test("a countdown leaves time to change to the window that is meant")
    func countdown() async throws {
        let desk = try await Desk.set()
        try desk.folder.write("[insert]\npolicy = \"hold\"\n", to: "settings.toml")
        let first = try await TextWindow.start(.gtkText, on: desk.display, title: "Terminal")
        let inserter = try await desk.startInserter()
        let text = try desk.store.add(text: "Hello there.", locale: "en-US")
        try await desk.waitForDictation(text.id) { $0.delivery == .held(.bySetting) }
        let insertion = try desk.start("dictstate", "insert", "--after", "5")
        let second = try await TextWindow.start(.gtkText, on: desk.display, title: "Letter")
        #expect(try await insertion.waitForExit().code == 0)
        try await second.waitForText(equal: "Hello there.")
        #expect(first.text.isEmpty)
        await desk.end(inserter)
    }
}
