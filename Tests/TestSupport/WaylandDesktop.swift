import DictationSystem
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
    /// The variables that lead a program to this desktop, and to nothing of the user's own.
    public let environment: [String: String]
    /// The absolute path of the compositor's socket.
    public let socket: String
    /// The path of sway's configuration file.
    public let configuration: String
    let folder: TemporaryFolder
    private let compositor: Program
    /// Prints a line of JSON for each change of a window or of the focus.
    let windows: Program

    /// - Parameter programs: what the programs have in their environment that the compositor itself starts.
    public static func start(with programs: [String: String] = [:]) async throws -> WaylandDesktop {
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
            environment: base.merging(programs) { $1 }.merging([
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
        return WaylandDesktop(folder, compositor, windows, environment, configuration: configuration)
    }

    private init(
        _ folder: TemporaryFolder, _ compositor: Program, _ windows: Program, _ environment: [String: String],
        configuration: String
    ) {
        self.configuration = configuration
        self.folder = folder
        self.compositor = compositor
        self.windows = windows
        self.environment = environment
        socket = folder.file(environment["WAYLAND_DISPLAY"] ?? "")
    }

    /// Waits until a window with this title has the focus, by any line from that number on.
    func waitForFocus(of title: String, from line: Int) async throws {
        try await windows.waitForLine(from: line, "the focus of “\(title)”") {
            // Some windows get their title when they have the focus already.
            ($0.contains("\"change\": \"focus\"") || $0.contains("\"change\": \"title\""))
                && $0.contains("\"focused\": true") && $0.contains("\"name\": \"\(title)\"")
        }
    }

    /// Waits until a window with this title has been closed.
    public func waitForClose(of title: String) async throws {
        try await windows.waitForLine(from: 0, "the end of “\(title)”") {
            $0.contains("\"change\": \"close\"") && $0.contains("\"name\": \"\(title)\"")
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
