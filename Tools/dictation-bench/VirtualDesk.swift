import DictationService
import DictationShared
import DictationSystem
import Foundation
import Glibc
import TestSupport

/// Programs from the system's PATH.
enum Tool {
    /// - Throws: ``CommandProblem`` naming the first that is missing.
    static func require(_ names: [String]) throws {
        for name in names where Executable.find(name) == nil {
            throw CommandProblem(
                status: .failed, message: "\(name) is missing: packaging/install-dependencies --test")
        }
    }

    /// Whether it ends with 0.
    static func runs(_ program: String, _ arguments: [String]) -> Bool {
        (try? StartedProcess(program, arguments, errors: .nothing))?.reap() == .exited(0)
    }
}

/// A display of the benchmark's own, with a window manager, and the agents next to this program.
class VirtualDesk {
    /// The display of the windows.
    enum Display {
        /// An X server without a screen.
        case x11
        /// A Wayland compositor without a screen, with XWayland.
        case wayland
        /// GNOME's compositor without a screen, with the accessibility bus.
        case gnome
    }

    let display: Display
    private var processes: [StartedProcess] = []
    /// Their outputs, open for as long as they run: not all of it is read.
    private var outputs: [Descriptor] = []
    let folder: URL
    let interruption: Interruption
    private(set) var environment: [String: String]
    let store: StateStore

    /// For a program's start, or an answer; generous, on machines that are busy.
    static let patience: Duration = .seconds(60)
    /// For a program's end; the browser writes its profile.
    static let endPatience: Duration = .seconds(10)

    /// End it with ``end()``, also when ``start()`` fails.
    ///
    /// - Parameters:
    ///   - settings: of the agents.
    ///   - added: to the environment of all started programs.
    init(
        folder: URL, interruption: Interruption, settings: String, display: Display = .x11,
        environment added: [String: String] = [:]
    )
        throws
    {
        self.display = display
        self.folder = folder
        self.interruption = interruption
        let group = folder.appendingPathComponent("group", isDirectory: true)
        store = try StateStore(group: AppGroup(folder: group))
        environment = ProcessInfo.processInfo.environment
        for name in ["XMODIFIERS", "GTK_IM_MODULE", "QT_IM_MODULE"] { environment[name] = nil }
        let file = folder.appendingPathComponent("settings.toml")
        environment.merge([
            "VOICEDICTATION_GROUP": group.path, "LC_ALL": "C.UTF-8", "NO_AT_BRIDGE": "1",
            "VOICEDICTATION_SETTINGS": file.path, "GDK_BACKEND": "x11", "QT_QPA_PLATFORM": "xcb",
            // The figures are of the same recognizer, no matter what is installed.
            "VOICEDICTATION_SPEECH_ENGINE": "pocketsphinx",
        ]) { $1 }
        environment.merge(added) { $1 }
        try Data(settings.utf8).write(to: file)
    }

    func start() throws {
        switch display {
        case .x11: try startX11()
        case .wayland: try startWayland()
        case .gnome: try startGNOME()
        }
    }

    /// Starts the display and the window manager.
    private func startX11() throws {
        let number = try start(
            "Xvfb", ["-displayfd", "1", "-noreset", "-nolisten", "tcp", "-screen", "0", "1280x800x24"],
            until: "", on: .output
        ).firstLine
        environment["DISPLAY"] = ":" + number
        let configuration = folder.appendingPathComponent("openbox.xml")
        try Data(Self.windowManager.utf8).write(to: configuration)
        try start(
            "openbox", ["--config-file", configuration.path, "--startup", "echo ready"], until: "ready",
            on: .output)
    }

    /// Starts the compositor.
    private func startWayland() throws {
        let runtime = folder.appendingPathComponent("run")
        try FileManager.default.createDirectory(
            at: runtime, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        let configuration = folder.appendingPathComponent("sway.conf")
        try Data(Self.compositor.utf8).write(to: configuration)
        environment.merge([
            "XDG_RUNTIME_DIR": runtime.path, "GDK_BACKEND": "wayland", "QT_QPA_PLATFORM": "wayland",
        ]) { $1 }
        environment["DISPLAY"] = nil
        // sway refuses to be root: in a user namespace it sees another number.
        let asUser = geteuid() == 0 ? ["unshare", "--user", "--map-user=1000", "--map-group=1000"] : []
        let command =
            ["WLR_BACKENDS=headless", "WLR_LIBINPUT_NO_DEVICES=1", "WLR_RENDERER=pixman"] + asUser
            + ["sway", "-c", configuration.path]
        let session = try start("env", command, until: "session ", on: .output).firstLine.split(
            separator: " ")
        guard session.count == 4 else {
            throw CommandProblem(status: .failed, message: "sway did not start.")
        }
        for (name, value) in zip(["WAYLAND_DISPLAY", "DISPLAY", "SWAYSOCK"], session.dropFirst()) {
            environment[name] = String(value)
        }
    }

    /// Starts a session bus, the compositor, and a user who has a keyboard.
    private func startGNOME() throws {
        let runtime = folder.appendingPathComponent("run")
        try FileManager.default.createDirectory(
            at: runtime, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        environment.merge([
            "XDG_RUNTIME_DIR": runtime.path, "HOME": runtime.path, "GDK_BACKEND": "wayland",
            "QT_QPA_PLATFORM": "wayland", "XDG_CURRENT_DESKTOP": "GNOME", "GSETTINGS_BACKEND": "memory",
            "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent/bus", "GTK_IM_MODULE": "wayland",
        ]) { $1 }
        for name in ["DISPLAY", "NO_AT_BRIDGE"] { environment[name] = nil }
        environment["DBUS_SESSION_BUS_ADDRESS"] = try start(
            "dbus-daemon", ["--session", "--nofork", "--print-address=1"], until: "unix:", on: .output
        ).firstLine
        let name = "wayland-bench"
        try start(
            "mutter",
            [
                "--headless", "--wayland", "--no-x11", "--wayland-display=\(name)", "--virtual-monitor",
                "1280x800",
            ], until: "Using Wayland display name", on: .errors)
        environment["WAYLAND_DISPLAY"] = name
        try start(
            "/usr/bin/python3", ["-u", repositoryFile("Tests/TestSupport/mutter-seat.py")], until: "serving",
            on: .output)
    }

    private static let compositor = """
        output HEADLESS-1 resolution 1280x800
        focus_follows_mouse no
        xwayland enable
        exec sh -c 'echo "session $WAYLAND_DISPLAY $DISPLAY $SWAYSOCK"'

        """

    /// The settings that `xrdb` would put there: the desktop's own, for all programs on it.
    func setResources(_ resources: String) throws {
        let arguments = [
            "-display", environment["DISPLAY"] ?? "", "-root", "-f", "RESOURCE_MANAGER", "8s", "-set",
            "RESOURCE_MANAGER", resources,
        ]
        guard let xprop = Executable.find("xprop"), Tool.runs(xprop.path, arguments) else {
            throw CommandProblem(status: .failed, message: "xprop cannot write the display's resources.")
        }
    }

    private static let windowManager = """
        <?xml version="1.0"?><openbox_config xmlns="http://openbox.org/3.4/rc">
        <focus><focusNew>yes</focusNew><followMouse>no</followMouse></focus>
        <keyboard><rebindOnMappingNotify>no</rebindOnMappingNotify></keyboard></openbox_config>
        """

    /// Starts the agent of this name, the one next to this program, and waits until it is ready.
    ///
    /// - Returns: its process.
    @discardableResult
    func startAgent(_ name: String) throws -> Int32 {
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appendingPathComponent(name).path
        guard access(program, X_OK) == 0 else {
            throw CommandProblem(
                status: .failed, message: "\(program) is not there. Build it: swift build -c release")
        }
        return try start(program, ["--log-level", "notice"], until: "\(name) is ready", on: .errors).pid
    }

    private enum Stream { case output, errors }

    /// - Parameter news: waits for a line that has this in it, or for the first one if it is empty.
    @discardableResult
    private func start(
        _ program: String, _ arguments: [String], until news: String, on stream: Stream
    ) throws -> (pid: Int32, firstLine: String) {
        let (reading, writing) = try Descriptor.pipe()
        let process = try StartedProcess(
            program, arguments, environment: environment,
            output: stream == .output ? .descriptor(writing) : .nothing,
            errors: stream == .errors ? .descriptor(writing) : .nothing)
        processes.append(process)
        outputs.append(reading)
        var line = ""
        repeat {
            line = try self.line(from: reading.raw, of: program)
        } while !news.isEmpty && !line.contains(news)
        return (process.id, line)
    }

    private func line(from descriptor: Int32, of program: String) throws -> String {
        var line: [UInt8] = []
        while line.last != 0x0a {
            var byte: UInt8 = 0
            guard try !interruption.wait(for: [descriptor], until: .now + Self.patience).isEmpty,
                try retryingInterrupted("read", { read(descriptor, &byte, 1) }) == 1
            else { throw CommandProblem(status: .failed, message: "\(program) did not start.") }
            line.append(byte)
        }
        return String(decoding: line.dropLast(), as: UTF8.self)
    }

    /// Runs a program to its end; does not wait for processes that it leaves in the background (as xclip
    /// does).
    func run(_ program: String, _ arguments: [String], input: String? = nil) throws {
        let process = try StartedProcess(
            program, arguments, environment: environment,
            input: try input.map { .descriptor(try Descriptor.memoryFile(holding: $0)) } ?? .nothing,
            errors: .nothing)
        do {
            let ended = try ProcessEnd(of: process.id)
            if try interruption.wait(for: [ended.raw], until: .now + Self.patience).isEmpty {
                throw CommandProblem(status: .failed, message: "\(program) does not end.")
            }
        } catch {
            end(process)
            throw error
        }
        process.reap()
    }

    // MARK: The end

    func end() {
        if display == .x11, let display = environment["DISPLAY"]?.dropFirst() {
            // An X server that has to be killed leaves these. When it has ended, the next one may have its number.
            for path in ["/tmp/.X\(display)-lock", "/tmp/.X11-unix/X\(display)"] { unlink(path) }
        }
        for process in processes.reversed() { end(process) }
        if display == .gnome, let runtime = environment["XDG_RUNTIME_DIR"] {
            // The session bus has started others.
            LeftProcesses(withVariable: "XDG_RUNTIME_DIR", value: runtime).end()
        }
    }

    func end(_ process: StartedProcess) {
        process.signal(SIGTERM)
        if !process.waitUntilEnded(until: .now + Self.endPatience) { process.signal(SIGKILL) }
        process.reap()
    }
}
