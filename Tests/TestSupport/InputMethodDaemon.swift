import DictationSystem
import Foundation

/// A real IBus on a display, with its own session bus and settings.
public final class InputMethodDaemon: Sendable {
    /// The environment for programs that use it, and for ours.
    public let environment: [String: String]
    private let folder: TemporaryFolder
    /// Of IBus's own bus.
    private let address: String
    /// The session's, if it was started for this.
    private let bus: Program?
    private let daemon: Program
    /// Prints a line for each text field that gets the focus.
    private let focus: Program

    /// Starts it with the engine `xkb:us::eng`, and waits until it serves X programs, too.
    public static func start(on display: VirtualDisplay) async throws -> InputMethodDaemon {
        let folder = try TemporaryFolder("ibus")
        let bus = try Program.start(
            "dbus-daemon",
            ["--session", "--nofork", "--print-address=1", "--address=unix:path=\(folder.file("bus"))"])
        let address = try await bus.waitForLine(on: .output, "the bus's address") { $0.hasPrefix("unix:") }
        let environment = display.environment.merging([
            "DBUS_SESSION_BUS_ADDRESS": address.text, "HOME": folder.path, "XDG_CONFIG_HOME": folder.path,
            "XDG_CACHE_HOME": folder.path, "GTK_IM_MODULE": "ibus", "QT_IM_MODULE": "ibus",
            "XMODIFIERS": "@im=ibus",
        ]) { $1 }
        let daemon = try startDaemon(["--xim"], environment, folder)
        do {
            try await display.waitForInputMethod(named: "ibus")
        } catch let error as ProgramError {
            throw ProgramError.notStarted(program: "ibus-daemon", reason: "\(error)\n\(daemon.errors)")
        }
        return try await start(environment, folder, bus, daemon)
    }

    /// Starts it on a GNOME desktop without a shell, which would start it itself.
    public static func start(on desktop: MutterDesktop) async throws -> InputMethodDaemon {
        let environment = desktop.environment
        guard let settings = environment["XDG_CONFIG_HOME"] else {
            throw ProgramError.notStarted(
                program: "ibus-daemon", reason: "the desktop has no folder for settings")
        }
        let addresses = settings + "/ibus/bus"
        try FileManager.default.createDirectory(atPath: addresses, withIntermediateDirectories: true)
        // It does not report that it is ready, but writes its address into a file then.
        let isWritten = Observed(false)
        let news = try FolderNews(of: addresses, for: .closedAfterWriting) { _ in
            isWritten.change { $0 = true }
        }
        let folder = try TemporaryFolder("ibus")
        let daemon = try startDaemon([], environment, folder)
        let served: Bool? = await isWritten.wait(within: .seconds(60)) { $0 ? true : nil }
        withExtendedLifetime(news) {}
        if served == nil {
            throw ProgramError.notStarted(program: "ibus-daemon", reason: daemon.errors)
        }
        return try await start(environment, folder, nil, daemon)
    }

    /// Arguments of `sh` that run the daemon. It ends as soon as the thread ends that has started it (`PR_SET_PDEATHSIG`),
    /// and threads of a test's pool come and go; the shell has one that stays.
    public static func shellArguments(_ options: [String] = []) -> [String] {
        ["-c", "ibus-daemon \"$@\"; exit $?", "sh", "--panel=disable", "--emoji-extension=disable"] + options
    }

    /// Its children have this variable in their environment as well.
    private static let mark = "VOICEDICTATION_TEST_IBUS"

    private static func startDaemon(
        _ options: [String], _ environment: [String: String], _ folder: TemporaryFolder
    ) throws -> Program {
        try Program.start(
            "sh", shellArguments(options), environment: environment.merging([mark: folder.path]) { $1 })
    }

    private static func start(
        _ environment: [String: String], _ folder: TemporaryFolder, _ bus: Program?, _ daemon: Program
    ) async throws -> InputMethodDaemon {
        let address = try await Program.run("ibus", ["address"], environment: environment)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let script = repositoryFile("Tests/TestSupport/ibus-focus.py")
        // Debian's own Python is the one that knows D-Bus.
        let focus = try Program.start(
            "/usr/bin/python3",
            ["-u", script, address], environment: environment)
        try await focus.waitForLine(containing: "focus")
        let started = InputMethodDaemon(environment, folder, address, bus, daemon, focus)
        try await started.choose("xkb:us::eng")
        return started
    }

    private init(
        _ environment: [String: String], _ folder: TemporaryFolder, _ address: String, _ bus: Program?,
        _ daemon: Program, _ focus: Program
    ) {
        self.environment = environment
        self.folder = folder
        self.address = address
        self.bus = bus
        self.daemon = daemon
        self.focus = focus
    }

    /// Chooses an engine, as the user does. On an X display it sets the keyboard layout of the engine, too.
    public func choose(_ engine: String) async throws {
        if environment["DISPLAY"] != nil {
            try await Program.run("ibus", ["engine", engine], environment: environment)
            return
        }
        try await Program.run(
            "dbus-send",
            [
                "--bus=\(address)", "--print-reply", "--dest=org.freedesktop.IBus",
                "/org/freedesktop/IBus", "org.freedesktop.IBus.SetGlobalEngine", "string:\(engine)",
            ])
    }

    /// The engine that applications use; nil if there is none.
    public func engine() async throws -> String? {
        do {
            return try await Program.run("ibus", ["engine"], environment: environment)
                .trimmingCharacters(in: .whitespacesAndNewlines)
        } catch is ProgramError {
            return nil
        }
    }

    /// How many messages about the focus IBus has sent so far, for ``waitForField(since:)``.
    public var news: Int { focus.lines.count }

    /// Waits until a text field has the focus in IBus: an application tells IBus after it has got the focus itself.
    ///
    /// - Parameter news: ``news`` from before the field was to get the focus. IBus reports nothing about a
    ///   program that has ended since: its field would pass for the one that is awaited.
    public func waitForField(since news: Int) async throws { try await waitForField(since: news, true) }

    /// Waits until no text field has the focus, as with a window that is connected to no input method.
    ///
    /// - Parameter news: ``news`` from before a text field was to lose the focus.
    public func waitForNoField(since news: Int) async throws { try await waitForField(since: news, false) }

    private func waitForField(since news: Int, _ isThere: Bool) async throws {
        let seen: Bool? = await focus.transcript.wait(within: Program.defaultLimit) { contents in
            guard let last = contents.lines.dropFirst(news).last(where: { $0.text.contains("focus") })
            else { return nil }
            // The first context is IBus's own, for when no field has the focus.
            let isField = last.text.hasPrefix("focus ") && !last.text.hasSuffix("/InputContext_1")
            return isField == isThere ? true : nil
        }
        if seen == true { return }
        try Task.checkCancellation()
        throw ProgramError.timeLimit(
            program: "IBus", awaited: "\(isThere ? "a" : "no") text field with the focus",
            limit: Program.defaultLimit, output: focus.output, errors: focus.errors)
    }

    /// Sends a signal to it, and to its children.
    public func signal(_ number: Int32) {
        LeftProcesses(withVariable: Self.mark, value: folder.path).signal(number)
    }

    public func end() async {
        await focus.end()
        await daemon.end()
        // It has a process group of its own, and 1.5.27 may hang when it is stopped.
        LeftProcesses(withVariable: Self.mark, value: folder.path).end()
        await bus?.end()
    }
}
