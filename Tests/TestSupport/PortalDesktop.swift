import Foundation

/// A session bus with a real xdg-desktop-portal, and behind it a desktop that the test controls.
///
/// ```swift
/// let desktop = try await PortalDesktop.start(.given)
/// try await desktop.press("dictate", at: 1_000)
/// …
/// await desktop.end()
/// ```
public final class PortalDesktop: Sendable {
    /// The answer to the question for keys.
    public enum Answer: String, Sendable {
        case given
        /// The user agrees, and chooses no key.
        case keyless
        case denied
        /// The user thinks about it until ``answer()``.
        case later
        /// When the session is made, as KDE before 6.2 does.
        case early
    }

    /// Where the session bus is.
    public let environment: [String: String]
    /// Prints its requests.
    public let desktop: Program
    private let bus: SessionBus
    private let folder: TemporaryFolder

    /// - Parameter delay: how long the portal takes to start, in seconds.
    public static func start(_ answer: Answer, delay: Int? = nil) async throws -> PortalDesktop {
        let folder = try TemporaryFolder("portal")
        try folder.write(
            """
            [portal]
            DBusName=org.freedesktop.impl.portal.desktop.trial
            Interfaces=org.freedesktop.impl.portal.GlobalShortcuts
            UseIn=trial
            """, to: "trial.portal")
        // The bus starts the portal when it is called, and gives it its own environment.
        let bus = try await SessionBus.start(
            with: [
                "XDG_DESKTOP_PORTAL_DIR": folder.path, "XDG_CURRENT_DESKTOP": "trial", "HOME": folder.path,
                "XDG_RUNTIME_DIR": folder.path, "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent/bus",
            ],
            slow: delay.map {
                .init(
                    name: "org.freedesktop.portal.Desktop", program: "/usr/libexec/xdg-desktop-portal",
                    seconds: $0)
            })
        // Debian's own Python is the one that has GLib.
        let desktop = try Program.start(
            "/usr/bin/python3",
            ["-u", repositoryFile("Tests/TestSupport/portal-backend.py"), answer.rawValue],
            environment: bus.environment)
        try await desktop.waitForLine(containing: "serving")
        return PortalDesktop(folder, bus, desktop)
    }

    private init(
        _ folder: TemporaryFolder, _ bus: SessionBus, _ desktop: Program
    ) {
        self.folder = folder
        self.bus = bus
        self.desktop = desktop
        environment = bus.environment
    }

    /// - Parameters:
    ///   - shortcut: its name, as the program has given it.
    ///   - time: the desktop's, in milliseconds.
    public func press(_ shortcut: String, at time: Int) async throws {
        try await tell("press", "string:\(shortcut)", "uint64:\(time)")
    }

    public func release(_ shortcut: String, at time: Int) async throws {
        try await tell("release", "string:\(shortcut)", "uint64:\(time)")
    }

    /// The user agrees.
    public func answer() async throws { try await tell("answer") }

    /// The user chooses another key.
    public func change(to trigger: String) async throws { try await tell("change", "string:\(trigger)") }

    /// The user takes the keys away.
    public func close() async throws { try await tell("close") }

    /// Sends the portal a signal. If it ends, the bus starts another one when it is called again.
    public func signalPortal(_ signal: Int32) async throws {
        let answer = try await Program.run(
            "dbus-send",
            [
                "--session", "--print-reply=literal", "--dest=org.freedesktop.DBus", "/",
                "org.freedesktop.DBus.GetConnectionUnixProcessID", "string:org.freedesktop.portal.Desktop",
            ], environment: environment)
        guard let pid = answer.split(separator: " ").last.flatMap({ Int32($0.trimmed) }) else {
            throw ProgramError.notStarted(program: "xdg-desktop-portal", reason: answer)
        }
        kill(pid, signal)
    }

    private func tell(_ method: String, _ arguments: String...) async throws {
        try await Program.run(
            "dbus-send",
            [
                "--session", "--print-reply", "--dest=org.freedesktop.impl.portal.desktop.trial", "/trial",
                "trial.Desktop.\(method)",
            ] + arguments, environment: environment)
    }

    /// The portal ends with its bus.
    public func end() async {
        await desktop.end()
        await bus.end()
        // The bus has started the portal, and that further services.
        LeftProcesses(withVariable: "XDG_RUNTIME_DIR", value: folder.path).end()
    }
}

extension Substring {
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
