import DictationSystem
import Foundation

/// A window of a real application, whose received text the test can read.
public final class TextWindow: Sendable {
    /// Which application.
    public enum Kind: String, CaseIterable, Sendable {
        /// A terminal: all typed text arrives character by character; Return arrives as a newline.
        case xterm
        /// A single-line entry of GTK 3: a newline is not accepted.
        case gtkEntry = "gtk3-line"
        /// A multi-line text view of GTK 3.
        case gtkText = "gtk3"
        /// The text view of gedit, by whose class it goes: it indents a line that is begun by Return as the one before.
        case gedit = "gtk3-gedit"
        /// A multi-line text edit of Qt 5.
        case qtText = "qt5"
        /// A text area in a page of Chromium.
        case chromium

        public var isInstalled: Bool { self != .chromium || Chromium.isInstalled }
    }

    public let kind: Kind
    public let title: String
    /// The X window, in decimal.
    public let id: Int
    private let display: VirtualDisplay
    private let application: Program
    /// Where the text arrives: the application itself, or the reader of the pipe that it writes to.
    private let source: Program
    /// The process that reads the window's events.
    private let reader: Int32
    /// The folder of a browser's profile.
    private let profile: URL?

    /// Starts the application and waits until its window is managed and has the focus, in its input method as well.
    ///
    /// - Parameter inputMethod: the input method that it uses; nil for none.
    public static func start(
        _ kind: Kind, on display: VirtualDisplay, title: String, inputMethod: InputMethodDaemon? = nil
    ) async throws -> TextWindow {
        let news = inputMethod?.news ?? 0
        let environment =
            inputMethod?.environment
            ?? display.environment.merging(["GTK_IM_MODULE": "gtk-im-context-simple"]) { $1 }
        let window =
            switch kind {
            case .xterm: try await startXterm(on: display, title: title, environment)
            case .gtkEntry, .gtkText, .gedit, .qtText, .chromium:
                try await startScript(kind, on: display, title: title, environment)
            }
        try await display.waitUntil(window: window.id, isManaged: true)
        try await window.focus()
        try await inputMethod?.waitForField(since: news)
        return window
    }

    private init(
        _ kind: Kind, _ title: String, id: Int, _ display: VirtualDisplay, _ application: Program,
        _ source: Program, reader: Int32? = nil, profile: URL? = nil
    ) {
        self.kind = kind
        self.title = title
        self.id = id
        self.display = display
        self.application = application
        self.source = source
        self.reader = reader ?? application.processID
        self.profile = profile
    }

    /// All text that the window has now (for the terminal: all that it ever received).
    public var text: String { Self.text(of: kind, in: source.lines, output: source.output) }

    /// Waits until the window's text fulfils `matches`, and returns it.
    @discardableResult
    public func waitForText(
        within limit: Duration = Program.defaultLimit, where matches: (String) -> Bool
    ) async throws -> String {
        try await waitForText(within: limit, "the awaited text", where: matches)
    }

    /// Waits until the window's text is `expected`.
    public func waitForText(
        equal expected: String, within limit: Duration = Program.defaultLimit
    ) async throws {
        try await waitForText(within: limit, "its text", equal: expected) { $0 == expected }
    }

    /// Waits until a text view of GTK shows these words of an input method, which are not part of its text.
    public func waitForPreedit(equal expected: String) async throws {
        let isShown: Bool? = await source.transcript.wait(within: Program.defaultLimit) { contents in
            WindowScript.preedit(in: contents.lines.output) == expected ? true : nil
        }
        if isShown == true { return }
        try Task.checkCancellation()
        throw TextWindowError(
            window: "\(kind.rawValue) '\(title)'", awaited: "the preedit '\(expected)'", text: text,
            errors: application.errors)
    }

    /// When the newest change of the text arrived in the test's process.
    public var lastChange: ContinuousClock.Instant? { source.lastOutputArrival }

    /// The state of the application, and its stderr: for the report of a failure.
    public var state: String {
        let end = application.transcript.contents.status.map { "it has ended: \($0)" } ?? "it is running"
        return "\(kind.rawValue) '\(title)', \(end)\n\(application.errors)"
    }

    /// Sends a signal to the process that reads its events, as long as that runs.
    public func signal(_ number: Int32) {
        if application.isRunning { kill(reader, number) }
    }

    /// Gives the window the focus, and returns when it has it.
    public func focus() async throws {
        try await display.xdotool("windowactivate", "--sync", String(id))
    }

    /// Closes the window by ending its application.
    public func end() async {
        await application.end()
        await source.end()
        if let profile {
            LeftProcesses(naming: profile).end()
            try? FileManager.default.removeItem(at: profile)
        }
        // The next window may get the same number. If the display has ended before, there is nothing to wait
        // for.
        try? await display.waitUntil(window: id, isManaged: false)
    }

    @discardableResult
    private func waitForText(
        within limit: Duration, _ what: String, equal expected: String? = nil, where matches: (String) -> Bool
    ) async throws -> String {
        let seen = await source.transcript.wait(within: limit) { contents in
            let text = Self.text(of: kind, in: contents.lines, output: contents.outputText)
            return matches(text) ? text : nil
        }
        if let seen { return seen }
        try Task.checkCancellation()
        throw TextWindowError(
            window: "\(kind.rawValue) '\(title)'", awaited: what, expected: expected, text: text,
            errors: application.errors)
    }

    private static func text(of kind: Kind, in lines: [OutputLine], output: String) -> String {
        switch kind {
        case .xterm:
            // The first line names the window.
            output.firstIndex(of: "\n").map { String(output[output.index(after: $0)...]) } ?? ""
        case .gtkEntry, .gtkText, .gedit, .qtText, .chromium:
            WindowScript.text(in: lines.output)
        }
    }
}

extension TextWindow {
    private static func startXterm(
        on display: VirtualDisplay, title: String, _ environment: [String: String]
    ) async throws -> TextWindow {
        let pipe = display.folder.file("xterm-\(UUID().uuidString)")
        guard mkfifo(pipe, 0o600) == 0 else {
            throw ProgramError.notStarted(program: "xterm", reason: String(cString: strerror(errno)))
        }
        let reader = try Program.start("cat", [pipe])
        // Bytes as they are typed: no line buffering, no signals, no flow control; shown by tee.
        let script = """
            stty -icanon -echo -isig -ixon -iexten min 1 time 0
            exec 3>"$0"
            echo "$WINDOWID" >&3
            exec tee /dev/fd/3
            """
        let xterm = try Program.start(
            "xterm",
            [
                "-u8", "-T", title, "-geometry", "100x24", "-xrm", "*allowTitleOps: false", "-e", "sh", "-c",
                script, pipe,
            ],
            environment: environment)
        let line = try await reader.waitForLine("the window of xterm") { Int($0) != nil }
        return TextWindow(.xterm, title, id: Int(line.text) ?? 0, display, xterm, reader)
    }

    private static func startScript(
        _ kind: Kind, on display: VirtualDisplay, title: String, _ environment: [String: String]
    ) async throws -> TextWindow {
        let folder = URL(
            fileURLWithPath: display.folder.file("window-\(UUID().uuidString)"), isDirectory: true)
        // Debian's own Python is the one that has GTK and Qt.
        let program = try Program.start(
            "/usr/bin/python3", [WindowScript.path, kind.rawValue, title, folder.path],
            environment: environment.merging(["TELL_PREEDIT": "1"]) { $1 })
        let line = try await program.waitForLine(on: .output, "the window of \(kind.rawValue)") {
            $0.hasPrefix("window ")
        }
        let numbers = line.text.split(separator: " ").compactMap { Int($0) }
        guard numbers.count == 2, let reader = Int32(exactly: numbers[1]) else {
            throw ProgramError.notStarted(program: kind.rawValue, reason: "it says “\(line.text)”")
        }
        return TextWindow(
            kind, title, id: numbers[0], display, program, program, reader: reader,
            profile: kind == .chromium ? folder : nil)
    }
}
