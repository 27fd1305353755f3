import Foundation
import TestSupport

@testable import DesktopIBus

/// A text field of a real application that is connected to IBus.
struct TextField {
    enum Kind: String, CaseIterable {
        case xterm, gtk4, chromium
        case gtk = "gtk3"
        case qt = "qt5"

        var isInstalled: Bool { self != .chromium || Chromium.isInstalled }
        /// Whether it shows IBus what is before the caret.
        var confirms: Bool { [.gtk, .gtk4, .qt].contains(self) }
    }

    let kind: Kind
    let title: String
    private let display: VirtualDisplay
    private let inputMethod: InputMethodDaemon
    private let folder: TemporaryFolder
    private let program: Program?
    private let terminal: TextWindow?

    /// Starts the application, and waits until it has the focus.
    static func start(
        _ kind: Kind, on display: VirtualDisplay, _ inputMethod: InputMethodDaemon, title: String
    ) async throws -> TextField {
        let folder = try TemporaryFolder("field")
        let news = inputMethod.news
        if kind == .xterm {
            let terminal = try await TextWindow.start(
                .xterm, on: display, title: title, inputMethod: inputMethod)
            return TextField(
                kind: kind, title: title, display: display, inputMethod: inputMethod, folder: folder,
                program: nil, terminal: terminal)
        }
        let environment = inputMethod.environment.merging([
            "TMPDIR": folder.path, "TELL_PREEDIT": "1",
        ]) { $1 }
        let program = try Program.start(
            "/usr/bin/python3", ["-u", WindowScript.path, kind.rawValue, title, folder.path],
            environment: environment)
        let field = TextField(
            kind: kind, title: title, display: display, inputMethod: inputMethod, folder: folder,
            program: program, terminal: nil)
        try await field.focus(since: news)
        // The window manager has set the focus; a toolkit must have seen it.
        try await program.waitForLine(containing: "ready")
        return field
    }

    /// Gives it the focus, which another window has.
    func focus() async throws { try await focus(since: inputMethod.news) }

    private func focus(since news: Int) async throws {
        // A window of Chromium that goes at the same moment is an error for it.
        _ = try? await display.xdotool(
            "search", "--sync", "--onlyvisible", "--name", "^\(title)$", "windowactivate", "--sync")
        try await inputMethod.waitForField(since: news)
    }

    var text: String {
        guard let program else { return terminal?.text ?? "" }
        return WindowScript.text(in: program.output.split(separator: "\n"))
    }

    /// Waits until it shows these words as its preedit.
    func waitForPreedit(equal expected: String) async throws {
        try await program?.waitForOutput("the preedit “\(expected)”") { output in
            WindowScript.preedit(in: output.split(separator: "\n")) == expected
        }
    }

    /// Waits until it has exactly this text.
    func waitForText(equal expected: String) async throws {
        if let terminal { return try await terminal.waitForText(equal: expected) }
        try await program?.waitForOutput("the text “\(expected.prefix(200))”") {
            WindowScript.text(in: $0.split(separator: "\n")).unicodeScalars.elementsEqual(
                expected.unicodeScalars)
        }
    }

    /// Sends a signal to the application.
    func signal(_ number: Int32) { program?.signal(number) }

    func end() async {
        await program?.end()
        await terminal?.end()
        // Chromium's children outlive it for a moment, and write into its folder.
        LeftProcesses(naming: URL(fileURLWithPath: folder.path)).end()
    }
}
