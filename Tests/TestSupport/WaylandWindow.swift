import DictationSystem
import Foundation
import Glibc

/// A window of a real application on a Wayland desktop, whose received text the test can read.
public final class WaylandWindow: Sendable {
    public enum Kind: String, CaseIterable, Sendable {
        /// A terminal that speaks Wayland itself.
        case foot
        /// A multi-line text view of GTK 3, as a native window.
        case gtk3
        /// A multi-line text view of GTK 4.
        case gtk4
        /// A multi-line text field of Qt 5, which knows no input methods of Wayland.
        case qt5
        /// A text field in a page of Chromium, as a native window.
        case chromium
        /// A terminal that speaks X11, to XWayland.
        case xterm
        /// A multi-line text view of GTK 3 that speaks X11.
        case gtk3OnX11 = "gtk3-x11"

        /// The applications that speak Wayland themselves and are installed.
        public static let native = allCases.filter { !$0.isX11 && $0.isInstalled }

        public var isInstalled: Bool { self != .chromium || Chromium.isInstalled }

        fileprivate var isX11: Bool { self == .xterm || self == .gtk3OnX11 }

        fileprivate var isTerminal: Bool { self == .foot || self == .xterm }
    }

    public let kind: Kind
    public let title: String
    private let desktop: WaylandDesktop
    private let application: Program
    /// Where the text arrives: the application itself, or the reader of the pipe that it writes to.
    private let source: Program

    /// Starts it, and waits until its window has the focus.
    public static func start(
        _ kind: Kind = .foot, on desktop: WaylandDesktop, title: String
    ) async throws -> WaylandWindow {
        let seen = desktop.windows.lines.count
        let (application, source) =
            kind.isTerminal
            ? try startTerminal(kind, on: desktop, title: title)
            : try startEditor(kind, on: desktop, title: title)
        try await source.waitForLine(containing: "ready", on: .output)
        try await desktop.waitForFocus(of: title, from: seen)
        return WaylandWindow(kind, title, desktop, application, source)
    }

    private static func startTerminal(
        _ kind: Kind, on desktop: WaylandDesktop, title: String
    ) throws -> (Program, Program) {
        let pipe = desktop.folder.file("terminal-\(UUID().uuidString)")
        guard mkfifo(pipe, 0o600) == 0 else {
            throw ProgramError.notStarted(program: "\(kind)", reason: String(cString: strerror(errno)))
        }
        let reader = try Program.start("cat", [pipe])
        // Bytes as they are typed: no line buffering, no signals, no flow control.
        let script = """
            stty -icanon -echo -isig -ixon -iexten min 1 time 0
            exec 3>"$0"
            echo ready >&3
            exec cat >&3
            """
        let command = ["sh", "-c", script, pipe]
        let application =
            kind == .foot
            ? try Program.start(
                "foot", ["--title", title, "--override", "locked-title=yes"] + command,
                environment: desktop.environment.merging(["DISPLAY": ""]) { $1 })
            : try Program.start(
                "xterm", ["-u8", "-T", title, "-xrm", "*allowTitleOps: false", "-e"] + command,
                environment: desktop.environment)
        return (application, reader)
    }

    private static func startEditor(
        _ kind: Kind, on desktop: WaylandDesktop, title: String
    ) throws -> (Program, Program) {
        let toolkit = kind == .gtk3OnX11 ? Kind.gtk3.rawValue : kind.rawValue
        // Debian's own Python is the one that has GTK and Qt.
        let program = try Program.start(
            "/usr/bin/python3",
            [WindowScript.path, toolkit, title, desktop.folder.file("window-\(UUID().uuidString)")],
            environment: desktop.environment.merging(
                kind.isX11
                    ? ["WAYLAND_DISPLAY": "", "GDK_BACKEND": "x11", "GTK_IM_MODULE": "gtk-im-context-simple"]
                    : [
                        "DISPLAY": "", "GDK_BACKEND": "wayland", "QT_QPA_PLATFORM": "wayland",
                        // As a desktop's settings would say; without them ibus is chosen if its module is
                        // installed.
                        "GTK_IM_MODULE": "wayland",
                    ]
            ) { $1 })
        return (program, program)
    }

    private init(
        _ kind: Kind, _ title: String, _ desktop: WaylandDesktop, _ application: Program, _ source: Program
    ) {
        self.kind = kind
        self.title = title
        self.desktop = desktop
        self.application = application
        self.source = source
    }

    /// The text that the window has now (for a terminal: all that it ever received).
    public var text: String { Self.text(of: kind, in: source.lines, output: source.output) }

    private static func text(of kind: Kind, in lines: [OutputLine], output: String) -> String {
        if kind.isTerminal {
            // The first line says that it is ready.
            return output.firstIndex(of: "\n").map { String(output[output.index(after: $0)...]) } ?? ""
        }
        return WindowScript.text(in: lines.output)
    }

    /// Waits until it has received a text.
    public func waitForText(
        equal expected: String, within limit: Duration = Program.defaultLimit
    ) async throws {
        let kind = kind
        let seen: Bool? = await source.transcript.wait(within: limit) { contents in
            Self.text(of: kind, in: contents.lines, output: contents.outputText) == expected ? true : nil
        }
        if seen == true { return }
        try Task.checkCancellation()
        throw TextWindowError(
            window: "\(kind.rawValue) '\(title)'", awaited: "its text", expected: expected, text: text,
            errors: application.errors)
    }

    /// Waits until the received text has this end.
    public func waitForText(endingIn end: String) async throws {
        try await waitForText("a text that ends in '\(end)'") { $0.hasSuffix(end) }
    }

    /// Waits until it has received this many characters.
    public func waitForText(ofAtLeast count: Int) async throws {
        try await waitForText("\(count) characters") { $0.count >= count }
    }

    private func waitForText(_ awaited: String, where matches: (String) -> Bool) async throws {
        let kind = kind
        let seen: Bool? = await source.transcript.wait(within: Program.defaultLimit) { contents in
            matches(Self.text(of: kind, in: contents.lines, output: contents.outputText)) ? true : nil
        }
        if seen == true { return }
        try Task.checkCancellation()
        throw TextWindowError(
            window: "\(kind.rawValue) '\(title)'", awaited: awaited, text: text, errors: application.errors)
    }

    /// How often it has got the keyboard, so far; for a window that is not a terminal.
    public var keyboardCount: Int { Self.count("ready", in: source.lines) }

    private static func count(_ word: String, in lines: [OutputLine]) -> Int {
        lines.count { $0.stream == .output && $0.text == word }
    }

    /// Waits until it has got the keyboard again.
    public func waitForKeyboard(after count: Int) async throws {
        try await wait(for: "ready", after: count)
    }

    /// Waits until it knows that it has lost the keyboard as often as it has got it; for Qt, which tells nothing of a loss that
    /// it sees only together with the next gain.
    public func waitForLoss() async throws { try await wait(for: "left", after: keyboardCount - 1) }

    private func wait(for word: String, after count: Int) async throws {
        let seen: Bool? = await source.transcript.wait(within: Program.defaultLimit) { contents in
            Self.count(word, in: contents.lines) > count ? true : nil
        }
        if seen == true { return }
        try Task.checkCancellation()
        throw TextWindowError(
            window: "\(kind.rawValue) '\(title)'", awaited: "the keyboard", text: text,
            errors: application.errors)
    }

    /// Gives it the focus, and returns when it has it.
    public func focus() async throws {
        let seen = desktop.windows.lines.count
        try await desktop.sway("[title=\"^\(title)$\"] focus")
        try await desktop.waitForFocus(of: title, from: seen)
    }

    /// Sends a signal to its application.
    public func signal(_ number: Int32) { application.signal(number) }

    public func end() async {
        await application.end()
        await source.end()
    }
}
