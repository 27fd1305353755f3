import Desktop
import DesktopWayland
import DictationHost
import DictationService
import DictationSettings
import DictationShared
import DictationSystem
import Foundation

enum SetupAgents {
    /// The program that starts the agents with the session.
    private enum Starter: String {
        /// systemd's manager of the user's services, with our units installed.
        case systemd
        /// The desktop's autostart, with our file installed.
        case autostart
        /// Nothing: the programs are not installed.
        case nobody
    }

    /// The variables that lead a program of the service manager to the session. The last two name its compositor.
    static let sessionVariables = [
        "DISPLAY", "XAUTHORITY", "WAYLAND_DISPLAY", "XDG_CURRENT_DESKTOP", "SWAYSOCK",
        "HYPRLAND_INSTANCE_SIGNATURE",
    ]
    private static let units = ["host-agent.service", "insert-agent.service"]

    static func look() async -> SetupFlow.Look {
        let starter = await starter()
        let missing = missingRoles
        if missing.isEmpty { return .outcome(outcome(starter)) }
        if DisplaySession.current().isNone {
            return .outcome(
                SetupFlow.Outcome(
                    kind: .missing, text: "there is no desktop here to start them on",
                    command: "dictstate setup agents, from a terminal of the desktop"))
        }
        let names = missing.map(\.rawValue).joined(separator: " and ")
        let what =
            switch starter {
            case .systemd: "start \(names) now, and with every session (systemd)"
            case .autostart: "start \(names) now; the desktop's autostart starts them with every session"
            case .nobody: "start \(names) now, until you log out"
            }
        return .question(
            SetupFlow.Question(text: "", choices: [SetupFlow.Choice(value: starter.rawValue, label: what)]))
    }

    static func take(_ value: String, _ context: SetupWalk.Context) async -> SetupFlow.Outcome {
        let starter = Starter(rawValue: value) ?? .nobody
        if starter == .systemd {
            let names = Self.sessionVariables.filter {
                ProcessInfo.processInfo.environment[$0] != nil
            }
            if !names.isEmpty { _ = await run("systemctl", ["--user", "import-environment"] + names) }
            // This is a new try, independent of earlier failures.
            _ = await run("systemctl", ["--user", "reset-failed"] + units)
            // Units of Type=notify: this returns when they are ready.
            if let problem = await run("systemctl", ["--user", "enable", "--now"] + units) {
                return SetupFlow.Outcome(
                    kind: .missing, text: "systemd could not start them: \(problem)",
                    command: "journalctl --user -u host-agent -u insert-agent -e")
            }
            return outcome(starter)
        }
        for role in missingRoles {
            context.show("starting \(role.rawValue)")
            if let problem = await DetachedAgent.start(role) {
                return SetupFlow.Outcome(
                    kind: .missing, text: "\(role.rawValue) does not start: \(problem)",
                    command: role.rawValue)
            }
        }
        return outcome(starter, log: DetachedAgent.logFolder.path(percentEncoded: false))
    }

    /// - Parameter log: the folder of their logs, if these are not in the journal.
    private static func outcome(_ starter: Starter, log: String? = nil) -> SetupFlow.Outcome {
        let how =
            switch starter {
            case .systemd where startsNothingElse, .autostart where startsNothingElse: howInCompositor
            case .systemd: "systemd starts them with every session"
            case .autostart: "the desktop's autostart starts them with every session"
            case .nobody:
                "until you log out; to start them with every session, install them (sudo make install)"
            }
        let logs = log.map { ". Their logs are in \($0)" } ?? ""
        return SetupFlow.Outcome(kind: .set, text: "host-agent and insert-agent run; \(how)\(logs)")
    }

    /// A compositor that starts neither systemd's target of graphical sessions nor the desktop's autostart.
    private static var compositor: CompositorConfiguration? {
        DisplaySession.current().compositor?.name.flatMap { CompositorConfiguration(of: $0) }
    }

    private static var startsNothingElse: Bool { compositor != nil }

    private static var howInCompositor: String {
        compositor?.isIncluded == true
            ? "the file of the key bindings starts them with every session"
            : "dictstate setup bindings makes the compositor start them with every session"
    }

    /// The roles without a running agent.
    static var missingRoles: [AgentRole] {
        guard let group = try? AppGroup(folder: AppGroup.folder(named: SetupSteps.settings.group.folder))
        else {
            return AgentRole.allCases
        }
        return AgentRole.allCases.filter { (try? RoleLock.holder(of: $0, in: group)) == nil }
    }

    private static func starter() async -> Starter {
        if await run("systemctl", ["--user", "cat"] + units) == nil { return .systemd }
        let folders = ProcessInfo.processInfo.environment["XDG_CONFIG_DIRS"] ?? "/etc/xdg"
        let isInstalled = ([UserFolder.configuration.path()] + folders.split(separator: ":").map(String.init))
            .contains { FileManager.default.fileExists(atPath: "\($0)/autostart/voicedictation.desktop") }
        return isInstalled ? .autostart : .nobody
    }

    /// - Returns: why it failed; nil if it did not.
    private static func run(_ program: String, _ arguments: [String]) async -> String? {
        let child = ChildProcess(
            program: program, arguments: arguments, limit: .seconds(60),
            errors: .taken)
        do {
            _ = try await child.run()
            return nil
        } catch { return "\(error)" }
    }
}
