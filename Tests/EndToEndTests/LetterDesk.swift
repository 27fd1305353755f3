import TestSupport
import Testing

/// A desk with the window of a letter, and the inserter that types into it.
struct LetterDesk {
    let desk: Desk
    let window: TextWindow
    let inserter: Program

    init(_ kind: TextWindow.Kind, settings: String) async throws {
        desk = try await Desk.set()
        try desk.folder.write(settings, to: "settings.toml")
        window = try await TextWindow.start(kind, on: desk.display, title: "Letter")
        inserter = try await desk.startInserter()
    }

    /// Waits until exactly this is there, BackSpaces applied.
    func waitFor(_ text: String, _ place: SourceLocation = #_sourceLocation) async throws {
        do {
            try await window.waitForText { $0.applyingBackSpaces == text }
        } catch {
            Issue.record("“\(window.text.applyingBackSpaces)” instead of “\(text)”", sourceLocation: place)
            throw error
        }
    }

    /// Runs a `dictstate` command that must fail.
    ///
    /// - Returns: its message.
    func refused(
        _ command: String, _ words: String, _ place: SourceLocation = #_sourceLocation
    ) async throws -> String {
        let program = try desk.start("dictstate", command, words)
        #expect(try await program.waitForExit().code == 1, sourceLocation: place)
        return program.errors
    }
}
