import DictationSystem
import Foundation

/// A GNOME desktop for one test: mutter without a screen, on its own session bus, with the accessibility bus.
///
/// ```swift
/// let desktop = try await MutterDesktop.start()
/// let window = try await MutterWindow.start(.gtk4, on: desktop, title: "Letter")
/// …
/// await desktop.end()
/// ```
public final class MutterDesktop: Sendable {
    /// The variables that lead a program to this desktop, and to nothing of the user's own.
    public let environment: [String: String]
    /// Where its session bus is.
    public var bus: String { session.address }
    /// The user: presses keys, and prints which window has the focus.
    let seat: Program
    let folder: TemporaryFolder
    private let session: SessionBus
    private let system: SessionBus?
    private let compositor: Program

    /// The whole GNOME Shell, which is not installed on all machines.
    public static let hasShell = FileManager.default.isExecutableFile(atPath: "/usr/bin/gnome-shell")

    /// - Parameters:
    ///   - isShell: GNOME Shell in the place of mutter alone.
    ///   - hasX11: whether XWayland is there.
    ///   - session: what the programs have in their environment that the session bus starts.
    public static func start(
        isShell: Bool = false, hasX11: Bool = false, session: [String: String] = [:]
    ) async throws -> MutterDesktop {
        let folder = try TemporaryFolder("mutter")
        var environment = [
            "XDG_RUNTIME_DIR": folder.path, "HOME": folder.path, "XDG_CONFIG_HOME": folder.file("config"),
            "XDG_CACHE_HOME": folder.file("cache"), "LC_ALL": "C.UTF-8", "GSETTINGS_BACKEND": "memory",
            "XDG_CURRENT_DESKTOP": "GNOME", "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent/bus",
            // Without a graphics processor, GTK 4 would compile its shaders for each window.
            "GSK_RENDERER": "cairo",
        ]
        let bus = try await SessionBus.start(with: environment.merging(session) { $1 })
        environment.merge(bus.environment) { $1 }
        // The shell does not start without a system bus.
        let system = isShell ? try await SessionBus.start(with: environment) : nil
        if let system { environment["DBUS_SYSTEM_BUS_ADDRESS"] = system.address }
        let compositor = try Program.start(
            isShell ? "gnome-shell" : "mutter",
            ["--headless", "--wayland", "--wayland-display=wayland-trial", "--virtual-monitor", "1280x800"]
                + (hasX11 ? [] : ["--no-x11"]) + (isShell ? ["--unsafe-mode"] : []), environment: environment)
        try await compositor.waitForLine(
            containing: isShell ? "GNOME Shell started at" : "Using Wayland display name")
        environment["WAYLAND_DISPLAY"] = "wayland-trial"
        if hasX11 {
            let line = try await compositor.waitForLine(containing: "Using public X11 display ").text
            let name = line.split(separator: " ").first { $0.hasPrefix(":") }
            environment["DISPLAY"] = name.map { String($0.prefix { $0 != "," }) }
            environment["XAUTHORITY"] = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                .first { $0.hasPrefix(".mutter-Xwaylandauth") }.map(folder.file)
        }
        // Debian's own Python is the one that has GLib.
        let seat = try Program.start(
            "/usr/bin/python3", ["-u", repositoryFile("Tests/TestSupport/mutter-seat.py")],
            environment: environment)
        try await seat.waitForLine(containing: "serving")
        return MutterDesktop(folder, bus, system, compositor, seat, environment)
    }

    private init(
        _ folder: TemporaryFolder, _ session: SessionBus, _ system: SessionBus?, _ compositor: Program,
        _ seat: Program, _ environment: [String: String]
    ) {
        self.folder = folder
        self.session = session
        self.system = system
        self.compositor = compositor
        self.seat = seat
        self.environment = environment
    }

    /// Waits until the window with this title, and no other, has the focus, as its program shows it, by any line from that
    /// number on.
    func waitForFocus(of title: String, from line: Int) async throws {
        try await seat.waitForLine(from: line, "the focus of “\(title)”") { $0 == "active \(title)" }
    }

    /// Presses or releases a key of the user's.
    public func key(_ keysym: UInt32, isDown: Bool) async throws {
        try await Program.run(
            "dbus-send",
            [
                "--session", "--print-reply", "--dest=trial.Seat", "/trial/seat",
                "trial.Seat.\(isDown ? "press" : "release")", "uint32:\(keysym)",
            ], environment: environment)
    }

    /// Turns assistive technology on or off, as the desktop's settings do. It is on at first.
    public func setAccessibility(isOn: Bool) async throws {
        try await Program.run(
            "dbus-send",
            [
                "--session", "--print-reply", "--dest=org.a11y.Bus", "/org/a11y/bus",
                "org.freedesktop.DBus.Properties.Set", "string:org.a11y.Status", "string:IsEnabled",
                "variant:boolean:\(isOn)",
            ], environment: environment)
    }

    public func end() async {
        await seat.end()
        await compositor.end()
        await session.end()
        await system?.end()
        // The accessibility bus was started by the session bus.
        LeftProcesses(withVariable: "XDG_RUNTIME_DIR", value: folder.path).end()
    }
}

/// A window of a real application on that desktop, whose text the test can read.
public final class MutterWindow: Sendable {
    public enum Toolkit: String, CaseIterable, Sendable { case gtk3, gtk4, qt5 }

    public enum Field: String, CaseIterable, Sendable {
        case view
        /// A field of one line.
        case line
        /// A line with room for five characters.
        case full
        /// A view that cannot be edited.
        case locked
        case password
        /// A terminal that shows what it gets (GTK 3 only).
        case terminal
        /// A view that stops while it takes its third text (GTK 4 only).
        case hanging
        /// A view that puts a “)” after a text with “(” (GTK 4 only).
        case closing
    }

    private let program: Program

    /// Starts it, and waits until its window has the focus.
    ///
    /// - Parameters:
    ///   - inputMethod: what its text fields are connected to; nil leaves that to the compositor.
    ///   - isHidden: it shows nothing to assistive technology (GTK 3 only).
    public static func start(
        _ toolkit: Toolkit, _ field: Field = .view, on desktop: MutterDesktop, title: String,
        inputMethod: InputMethodDaemon? = nil, isHidden: Bool = false
    ) async throws -> MutterWindow {
        let seen = desktop.seat.lines.count
        let news = inputMethod?.news
        // Debian's own Python is the one that has GTK and Qt.
        let program = try Program.start(
            "/usr/bin/python3",
            [
                repositoryFile("Tests/TestSupport/accessible-window.py"), toolkit.rawValue, field.rawValue,
                title,
            ],
            environment: desktop.environment.merging([
                "DISPLAY": "", "GDK_BACKEND": "wayland", "QT_QPA_PLATFORM": "wayland",
                "GTK_IM_MODULE": inputMethod == nil ? "wayland" : "ibus",
                "NO_AT_BRIDGE": isHidden ? "1" : "0",
            ]) { $1 })
        try await program.waitForLine(containing: "ready", on: .output)
        if !isHidden { try await desktop.waitForFocus(of: title, from: seen) }
        if let news { try await inputMethod?.waitForField(since: news) }
        return MutterWindow(program)
    }

    private init(_ program: Program) { self.program = program }

    public var text: String { Self.text(in: program.output) }

    private static func text(in output: String) -> String {
        let last = output.split(separator: "\n").last { $0.hasPrefix("\"") }
        return last.flatMap { try? JSONDecoder().decode(String.self, from: Data($0.utf8)) } ?? ""
    }

    /// Waits until it has exactly this text.
    public func waitForText(equal expected: String) async throws {
        try await program.waitForOutput("the text “\(expected.prefix(200))”") {
            Self.text(in: $0).unicodeScalars.elementsEqual(expected.unicodeScalars)
        }
    }

    /// Waits until its text ends so.
    public func waitForText(endingIn end: String) async throws {
        try await program.waitForOutput("a text that ends in “\(end)”") { Self.text(in: $0).hasSuffix(end) }
    }

    /// Waits until its text has this many characters.
    public func waitForText(ofAtLeast count: Int) async throws {
        try await program.waitForOutput("a text of \(count) characters") { Self.text(in: $0).count >= count }
    }

    /// Waits until something is selected in it (a view only).
    public func waitForSelection() async throws {
        try await program.waitForLine(containing: "selected", on: .output)
    }

    /// Sends a signal to its application.
    public func signal(_ number: Int32) { program.signal(number) }

    public func end() async { await program.end() }
}
