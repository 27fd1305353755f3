import Desktop
import DictationSettings
import DictationSystem
import DictationText
import Testing

@testable import DictationHost

@Suite("The part of the screen that is read")
struct ScreenReaderTests {
    private struct Selection: SelectionReading {
        let selected: SelectedText
        func selectedText(in window: WindowInfo) -> SelectedText { selected }
    }

    /// A program that does not report its selection.
    private struct Hanging: SelectionReading {
        func selectedText(in window: WindowInfo) async throws -> SelectedText {
            try await pause(for: .seconds(600))
            return .nothing
        }
    }

    struct Row: CustomTestStringConvertible, Sendable {
        var windowClass = "Editor"
        var title = "Zabrowski – Editor"
        var context = SpeechContext.selection
        var selected = SelectedText.text("Ask Lindqvist")
        let terms: [String]
        var testDescription: String { "\(windowClass), \(title), \(context), \(selected)" }
    }

    @Test(
        "is what the settings say, and nothing next to passwords or on private pages",
        arguments: [
            Row(terms: ["Zabrowski", "Lindqvist"]), Row(context: .window, terms: ["Zabrowski"]),
            Row(context: .off, terms: []), Row(selected: .elsewhere, terms: ["Zabrowski"]),
            Row(selected: .nothing, terms: ["Zabrowski"]), Row(selected: .unreadable, terms: ["Zabrowski"]),
            Row(windowClass: "KeePassXC", terms: []), Row(windowClass: "Bitwarden", terms: []),
            Row(windowClass: "firefox", title: "Zabrowski — Mozilla Firefox Private Browsing", terms: []),
            Row(windowClass: "Google-chrome", title: "Zabrowski - Google Chrome (Incognito)", terms: []),
        ])
    func rows(row: Row) async {
        let window = WindowInfo(id: 1, windowClass: row.windowClass, title: row.title)
        let reader = ScreenReader(selections: Selection(selected: row.selected))
        #expect(await reader.terms(in: window, language: .english) { _ in row.context } == row.terms)
        #expect(await reader.terms(in: nil, language: .english) { _ in row.context }.isEmpty)
    }

    @Test("a program that hangs delays nothing")
    func hanging() async {
        let window = WindowInfo(id: 1, windowClass: "Editor", title: "Zabrowski")
        let reader = ScreenReader(selections: Hanging())
        #expect(await reader.terms(in: window, language: .english) { _ in .selection } == ["Zabrowski"])
    }

    /// Of a Wayland session.
    private struct Native: FocusReading, SelectionReading {
        func focusedWindow() -> WindowInfo? {
            WindowInfo(id: WindowInfo.firstNativeID, windowClass: "foot", title: "Zabrowski")
        }
        func selectedText(in window: WindowInfo) -> SelectedText { .text("native Lindqvist") }
    }

    @Test("if no X11 window has the focus, it is a native one, with what is selected there")
    func native() async {
        let x11 = Selection(selected: .text("Quillerby"))
        let reader = ScreenReader(selections: x11, native: Native())
        #expect(
            await reader.terms(in: nil, language: .english) { _ in .selection } == ["Zabrowski", "Lindqvist"])
        let window = WindowInfo(id: 1, windowClass: "Editor", title: "Letter")
        #expect(await reader.terms(in: window, language: .english) { _ in .selection } == ["Quillerby"])
    }
}
