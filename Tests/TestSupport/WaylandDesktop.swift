import Foundation
import Glibc

/// A Wayland desktop of the test's own: sway without a screen, with XWayland.
///
/// ```swift
/// let desktop = try await WaylandDesktop.start()
/// let window = try await WaylandWindow.start(.foot, on: desktop, title: "Letter")
/// …
/// await desktop.end()
/// ```
///
/// It has no keyboard until a program makes a virtual one, and windows that were there before get none of its first keys.
public final class WaylandDesktop: Sendable {
    /// What leads a program to this desktop, and to nothing of the user's own.
    public let environment: [String: String]
    /// The absolute path of the compositor's socket.
    public let socket: String
    let folder: TemporaryFolder
    private let compositor: Program
    /// Prints a line of JSON for each change of a window or of the focus.
    let windows: Program

    public static func start() async throws -> WaylandDesktop {
        let folder = try TemporaryFolder("wayland")
        let configuration = try folder.write(
            """
            output HEADLESS-1 resolution 1280x800
            focus_follows_mouse no
            xwayland enable
            exec sh -c 'echo "session $WAYLAND_DISPLAY $DISPLAY $SWAYSOCK"'
            """, to: "sway.conf")
        let base = [
            "XDG_RUNTIME_DIR": folder.path, "HOME": folder.path, "LC_ALL": "C.UTF-8", "NO_AT_BRIDGE": "1",
            "GSETTINGS_BACKEND": "memory",
        ]
        // sway refuses to be root: in a user namespace it sees another number.
        let asUser = geteuid() == 0 ? ["unshare", "--user", "--map-user=1000", "--map-group=1000"] : []
        let command = asUser + ["sway", "-c", configuration]
        let compositor = try Program.start(
            command[0], Array(command.dropFirst()),
            environment: base.merging([
                "WLR_BACKENDS": "headless", "WLR_LIBINPUT_NO_DEVICES": "1", "WLR_RENDERER": "pixman",
            ]) { $1 })
        let line = try await compositor.waitForLine(containing: "session ").text.split(separator: " ")
        guard line.count == 4 else {
            throw ProgramError.notStarted(program: "sway", reason: compositor.output + compositor.errors)
        }
        let environment = base.merging([
            "WAYLAND_DISPLAY": String(line[1]), "DISPLAY": String(line[2]), "SWAYSOCK": String(line[3]),
        ]) { $1 }
        let windows = try Program.start(
            "swaymsg", ["-t", "subscribe", "-m", "-r", "[\"window\"]"], environment: environment)
        return WaylandDesktop(folder, compositor, windows, environment)
    }

    private init(
        _ folder: TemporaryFolder, _ compositor: Program, _ windows: Program, _ environment: [String: String]
    ) {
        self.folder = folder
        self.compositor = compositor
        self.windows = windows
        self.environment = environment
        socket = folder.file(environment["WAYLAND_DISPLAY"] ?? "")
    }

    /// Waits until a window with this title has got the focus, in any line from that number on.
    func waitForFocus(of title: String, from line: Int) async throws {
        try await windows.waitForLine(from: line, "the focus of “\(title)”") {
            $0.contains("\"change\": \"focus\"") && $0.contains("\"name\": \"\(title)\"")
        }
    }

    /// A command of sway's.
    public func sway(_ command: String) async throws {
        try await Program.run("swaymsg", [command], environment: environment)
    }

    public func end() async {
        await windows.end()
        await compositor.end()
    }
}

/// A terminal on a Wayland desktop, whose received text the test can read.
public final class WaylandWindow: Sendable {
    public enum Kind: Sendable {
        /// It speaks Wayland itself.
        case foot
        /// It speaks X11, to XWayland.
        case xterm
    }

    public let title: String
    private let desktop: WaylandDesktop
    private let application: Program
    private let reader: Program

    /// Starts it, and waits until its window has the focus.
    public static func start(
        _ kind: Kind = .foot, on desktop: WaylandDesktop, title: String
    ) async throws -> WaylandWindow {
        let pipe = desktop.folder.file("terminal-\(UUID().uuidString)")
        guard mkfifo(pipe, 0o600) == 0 else {
            throw ProgramError.notStarted(program: "\(kind)", reason: String(cString: strerror(errno)))
        }
        let reader = try Program.start("cat", [pipe])
        let seen = desktop.windows.lines.count
        // Bytes as they are typed: no line buffering, no signals, no flow control.
        let script = """
            stty -icanon -echo -isig -ixon -iexten min 1 time 0
            exec 3>"$0"
            echo ready >&3
            exec cat >&3
            """
        let application =
            switch kind {
            case .foot:
                try Program.start(
                    "foot", ["--title", title, "--override", "locked-title=yes", "sh", "-c", script, pipe],
                    environment: desktop.environment.merging(["DISPLAY": ""]) { $1 })
            case .xterm:
                try Program.start(
                    "xterm",
                    ["-u8", "-T", title, "-xrm", "*allowTitleOps: false", "-e", "sh", "-c", script, pipe],
                    environment: desktop.environment)
            }
        try await reader.waitForLine(containing: "ready")
        try await desktop.waitForFocus(of: title, from: seen)
        return WaylandWindow(title, desktop, application, reader)
    }

    private init(_ title: String, _ desktop: WaylandDesktop, _ application: Program, _ reader: Program) {
        self.title = title
        self.desktop = desktop
        self.application = application
        self.reader = reader
    }

    /// All text that it ever received.
    public var text: String { Self.received(reader.output) }

    private static func received(_ output: String) -> String {
        output.firstIndex(of: "\n").map { String(output[output.index(after: $0)...]) } ?? ""
    }

    /// Waits until it has received a text.
    public func waitForText(equal expected: String) async throws {
        try await reader.waitForOutput("the text “\(expected)”") { Self.received($0) == expected }
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
        await reader.end()
    }
}
