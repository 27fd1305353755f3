import Foundation

/// An X display for one test: Xvfb on a free number, with the window manager openbox.
///
/// ```swift
/// let display = try await VirtualDisplay.start()
/// let window = try await TextWindow.start(.gtkEntry, on: display, title: "Letter")
/// …
/// await display.end()
/// ```
///
/// Display and window manager end with ``end()``, or when the value is no longer used.
public final class VirtualDisplay: Sendable {
    /// The display's name, such as `:99`.
    public let name: String
    /// Holds the window manager's configuration; windows put their files there.
    let folder: TemporaryFolder
    private let server: Program
    private let windowManager: Program?
    /// Prints the properties of the root window whenever they change: the list of windows among them.
    private let rootWatch: Program?

    /// The variables that lead a program to this display, and to nothing of the user's own desktop.
    public var environment: [String: String] {
        [
            "DISPLAY": name, "XAUTHORITY": folder.file("no-authority"), "GDK_BACKEND": "x11",
            "NO_AT_BRIDGE": "1", "GSETTINGS_BACKEND": "memory", "LC_ALL": "C.UTF-8",
        ]
    }

    /// Starts Xvfb and waits until it serves; then the window manager, and waits until it manages.
    ///
    /// - Parameters:
    ///   - size: in pixels.
    ///   - hasWindowManager: false for a bare display.
    public static func start(
        size: (width: Int, height: Int) = (1280, 800), hasWindowManager: Bool = true
    ) async throws -> VirtualDisplay {
        let folder = try TemporaryFolder("display")
        // Without -r a key whose release is late, as on a machine that stalls for a moment, would be repeated.
        let server = try Program.start(
            "Xvfb",
            [
                "-displayfd", "1", "-noreset", "-r", "-nolisten", "tcp",
                "-screen", "0", "\(size.width)x\(size.height)x24",
            ])
        // The number comes when the server accepts clients.
        let line = try await server.waitForLine(on: .output, "the number of the display") { Int($0) != nil }
        let name = ":" + line.text
        guard hasWindowManager else { return VirtualDisplay(name, folder, server, nil, nil) }
        let display = ["DISPLAY": name, "XAUTHORITY": folder.file("no-authority")]
        // The watch is there before the window manager, so nothing is missed. It watches all properties: xprop
        // cannot watch one by a name that the server does not know yet. The keyboard rules are always there.
        let watch = try Program.start("xprop", ["-root", "-spy", "-notype"], environment: display)
        try await watch.waitForLine(containing: "_XKB_RULES_NAMES")
        let configuration = try folder.write(openboxConfiguration, to: "openbox.xml")
        let manager = try Program.start(
            "openbox", ["--sm-disable", "--config-file", configuration],
            // For other languages it would read a long list of composed characters first.
            environment: display.merging(["LC_ALL": "C", "XDG_CACHE_HOME": folder.path]) { $1 })
        do {
            // The list of windows is the last thing that openbox announces.
            try await watch.waitForLine(matching: "^_NET_CLIENT_LIST:")
        } catch let error as ProgramError {
            throw ProgramError.notStarted(program: "openbox", reason: "\(error)\n\(manager.errors)")
        }
        return VirtualDisplay(name, folder, server, manager, watch)
    }

    private init(
        _ name: String, _ folder: TemporaryFolder, _ server: Program, _ windowManager: Program?,
        _ rootWatch: Program?
    ) {
        self.name = name
        self.folder = folder
        self.server = server
        self.windowManager = windowManager
        self.rootWatch = rootWatch
    }

    /// Waits until the window manager manages a window, or no longer does.
    ///
    /// A watch on the window itself would sometimes come too late: xprop reads a property before it asks to be
    /// notified of its changes.
    func waitUntil(window: Int, isManaged: Bool) async throws {
        guard let rootWatch else { return }
        let id = "0x" + String(window, radix: 16)
        let what = "window \(id) in the list of windows: \(isManaged)"
        try await rootWatch.waitForLine(what) { _ in
            let list = rootWatch.lines.last { $0.text.hasPrefix("_NET_CLIENT_LIST:") }
            let ids = list?.text.split { " ,".contains($0) } ?? []
            return ids.contains(Substring(id)) == isManaged
        }
    }

    /// Waits until an input method serves the display's X programs.
    func waitForInputMethod(named name: String) async throws {
        try await rootWatch?.waitForLine(matching: "^XIM_SERVERS.*@server=\(name)")
    }

    /// It serves no client until ``goOn()``: requests wait.
    public func stop() { server.signal(SIGSTOP) }
    public func goOn() { server.signal(SIGCONT) }

    /// Ends the window manager and the display.
    public func end() async {
        await rootWatch?.end()
        await windowManager?.end()
        await server.end()
        folder.remove()
    }

    /// Runs xdotool on this display and returns its output.
    @discardableResult
    public func xdotool(_ arguments: String...) async throws -> String {
        try await Program.run("xdotool", arguments, environment: environment)
    }

    /// Writes a picture of the whole screen; the kind is taken from the file's name (`.png`).
    public func screenshot(to path: String) async throws {
        try await Program.run("import", ["-window", "root", path], environment: environment)
    }

    /// Sets the keyboard layout by `setxkbmap`, such as `de` or `us,ru`.
    public func setLayout(_ layout: String, variant: String = "") async throws {
        let arguments = ["-layout", layout] + (variant.isEmpty ? [] : ["-variant", variant])
        try await Program.run("setxkbmap", arguments, environment: environment)
    }

    /// No key bindings, so that every key reaches the windows; a new window gets the focus.
    private static let openboxConfiguration = """
        <?xml version="1.0" encoding="UTF-8"?>
        <openbox_config xmlns="http://openbox.org/3.4/rc">
          <focus><focusNew>yes</focusNew><followMouse>no</followMouse></focus>
          <placement><policy>Smart</policy></placement>
          <desktops><number>1</number><popupTime>0</popupTime></desktops>
          <keyboard><rebindOnMappingNotify>no</rebindOnMappingNotify></keyboard>
          <mouse><context name="Client">
            <mousebind button="Left" action="Press">
              <action name="Focus"/><action name="Raise"/>
            </mousebind>
          </context></mouse>
        </openbox_config>
        """
}

/// Presses a key on a display as a user would: from outside, through XTest. Names are X keysyms, such as `F9`.
public func pressKey(_ name: String, on display: VirtualDisplay) async throws {
    try await display.xdotool("keydown", name)
}

/// Releases a key that ``pressKey(_:on:)`` holds.
public func releaseKey(_ name: String, on display: VirtualDisplay) async throws {
    try await display.xdotool("keyup", name)
}

/// Presses and releases a key, in one message to the server: however busy the machine is, it is not held.
public func tapKey(_ name: String, on display: VirtualDisplay) throws {
    try KeyTap.tap(name, on: display.name)
}

/// Presses a key for a short time, measured by the server.
///
/// - Parameter milliseconds: how long it is held at least.
/// - Returns: how long it was held at most, by the clock of this process.
public func holdKey(
    _ name: String, on display: VirtualDisplay, milliseconds: UInt32
) throws -> Duration {
    let began = ContinuousClock.now
    try KeyTap.tap(name, on: display.name, holdingFor: milliseconds)
    return began.duration(to: .now)
}
