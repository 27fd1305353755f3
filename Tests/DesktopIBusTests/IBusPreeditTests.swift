import Desktop
import DictationSystem
import TestSupport
import Testing

@testable import DesktopIBus

/// Through a real IBus, in real applications.
@Suite("Words shown by IBus while they may still change", .serialized, .timeLimit(.minutes(5)))
struct IBusPreeditTests {
    typealias Desk = IBusTypingTests.Desk

    @Test(
        "words are shown and replaced, are no part of the text, and make way for it",
        arguments: TextField.Kind.allCases.filter(\.confirms))
    func shown(kind: TextField.Kind) async throws {
        let desk = try await Desk.start()
        try await desk.inputMethod.choose("xkb:us:intl:eng")
        let field = try await TextField.start(kind, on: desk.display, desk.inputMethod, title: "Letter")
        #expect(try await desk.type("Dear Ann, ") == .ended(.typed(10)))
        for words in ["the", "the café", "they café’s 日本 👩‍💻"] {
            await desk.preedit.show(words)
            try await field.waitForPreedit(equal: words)
        }
        try await field.waitForText(equal: "Dear Ann, ")
        // The user's own keys go to the application during that time.
        try await desk.display.xdotool("key", "x")
        try await field.waitForText(equal: "Dear Ann, x")
        await desk.preedit.show("they café’s")
        #expect(try await desk.type("The cafés.") == .ended(.typed(10)))
        try await field.waitForText(equal: "Dear Ann, xThe cafés.")
        try await field.waitForPreedit(equal: "")
        #expect(try await desk.inputMethod.engine() == "xkb:us:intl:eng")
        // And again.
        await desk.preedit.show("more")
        try await field.waitForPreedit(equal: "more")
        await desk.preedit.hide()
        try await field.waitForPreedit(equal: "")
        #expect(field.text == "Dear Ann, xThe cafés.")
        #expect(try await desk.inputMethod.engine() == "xkb:us:intl:eng" && !desk.hasNote)
        await field.end()
        await desk.end()
    }

    @Test("words leave a field that loses the focus, and go with it")
    func focusMoves() async throws {
        let desk = try await Desk.start()
        let other = try await TextField.start(.gtk4, on: desk.display, desk.inputMethod, title: "Other")
        let field = try await TextField.start(.gtk, on: desk.display, desk.inputMethod, title: "Letter")
        await desk.preedit.show("some words")
        try await field.waitForPreedit(equal: "some words")
        try await other.focus()
        try await field.waitForPreedit(equal: "")
        await desk.preedit.show("some words more")
        try await other.waitForPreedit(equal: "some words more")
        await desk.preedit.hide()
        try await other.waitForPreedit(equal: "")
        #expect(field.text.isEmpty && other.text.isEmpty)
        #expect(try await desk.inputMethod.engine() == "xkb:us::eng" && !desk.hasNote)
        await field.end()
        await other.end()
        await desk.end()
    }

    @Test(
        "without a text field, without a daemon, and after an engine that the user chooses meanwhile, nothing is shown"
    )
    func nothing() async throws {
        let desk = try await Desk.start()
        await desk.preedit.show("nowhere")
        #expect(try await desk.inputMethod.engine() == "xkb:us::eng" && !desk.hasNote)
        let field = try await TextField.start(.gtk4, on: desk.display, desk.inputMethod, title: "Letter")
        await desk.preedit.show("some words")
        try await field.waitForPreedit(equal: "some words")
        try await desk.inputMethod.choose("xkb:us:intl:eng")
        try await field.waitForPreedit(equal: "")
        await desk.preedit.show("some words more")
        await desk.preedit.hide()
        #expect(try await desk.inputMethod.engine() == "xkb:us:intl:eng" && !desk.hasNote)
        #expect(field.text.isEmpty)
        await desk.preedit.show("again")
        await desk.inputMethod.end()
        await desk.preedit.show("gone")
        await desk.preedit.hide()
        #expect(field.text.isEmpty)
        await field.end()
        await desk.display.end()
    }
}
