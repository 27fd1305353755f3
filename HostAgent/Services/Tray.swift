import DictationBus
import DictationService
import DictationSettings
import DictationShared
import DictationSystem
import Foundation
import Glibc
import Logging

/// The item in the desktop's tray: shows what ``TrayFlow`` decides, and carries out what the user chooses there.
struct Tray {
    private let context: AgentContext
    private let tray: StatusTray
    /// Nil until the newest dictations could be read.
    private var flow: TrayFlow?

    init(_ context: AgentContext, notices: DesktopNotices) {
        self.context = context
        let choices = TrayChoices(context, notices)
        tray = StatusTray(logger: context.logger) { choices.carryOut($0) }
        show()
    }

    mutating func handle(_ changes: ChangeSet) {
        flow?.handle(changes)
        show()
    }

    /// Shows it as the settings are now.
    mutating func show() {
        let settings = context.settings.current.notices
        guard settings.showsTray else { return tray.show(nil) }
        if flow == nil, let history = try? context.store.history(limit: TrayFlow.count) {
            flow = TrayFlow(history: history)
        }
        if let flow { tray.show(flow.item(showsText: settings.showsText)) }
    }

    func stop() { tray.stop() }
}

/// Carries out the user's choices in the tray: gives an intent, as a command does, or starts a program.
private struct TrayChoices: Sendable {
    /// How long the check may take: it listens to the microphone and loads the model.
    private static let patience: Duration = .seconds(60)
    /// The key of its notification.
    private static let key = "doctor"

    private let context: AgentContext
    private let notices: DesktopNotices

    init(_ context: AgentContext, _ notices: DesktopNotices) {
        self.context = context
        self.notices = notices
    }

    func carryOut(_ name: String) {
        guard let action = TrayFlow.Action(rawValue: name) else { return }
        do {
            if let intent = action.intent {
                _ = try context.store.submit(intent)
            } else if action == .settings {
                try openSettings()
            } else {
                check()
            }
        } catch {
            context.logger.error("the choice in the tray cannot be carried out: \(error)")
            notices.show(DesktopNotice(summary: "The action failed", body: "\(error)"), as: Self.key)
        }
    }

    private func openSettings() throws {
        let file = SettingsFile.standard()
        try file.beginWithExample()
        let command = Self.opener + ["xdg-open", file.path]
        let opener = try? StartedProcess(command[0], Array(command.dropFirst()), output: .inherited)
        // On some desktops this process is the editor itself, and ends with it.
        startThread(named: "settings-editor") { [notices] in
            guard opener?.reap() != .exited(0) else { return }
            notices.show(
                DesktopNotice(
                    summary: "No program opens the settings",
                    body: "Edit \(file.path), or use “dictstate settings edit” in a terminal."), as: Self.key)
        }
    }

    /// An editor that a service has started would end with it, and have its limits: one that generates code
    /// at run time, as those in a browser's engine do, does not even start. So the service manager starts it,
    /// apart from this agent.
    private static var opener: [String] {
        // If the service manager has started this process (systemd.exec(5)).
        guard ProcessInfo.processInfo.environment["SYSTEMD_EXEC_PID"] == "\(getpid())" else { return [] }
        // xdg-open leaves the editor running.
        return [
            "systemd-run", "--user", "--quiet", "--collect", "--wait", "--property=KillMode=process", "--",
        ]
    }

    private func check() {
        notices.show(DesktopNotice(summary: "Checking dictation…", body: "", isTransient: true), as: Self.key)
        let doctor = ChildProcess(
            program: InstalledProgram.path("dictstate"), arguments: ["doctor", "--json"],
            limit: Self.patience)
        Task { [notices, context] in
            let (lines, line) = AsyncStream.makeStream(of: String.self)
            do {
                _ = try await doctor.run { line.yield($0) }
            } catch ChildProcess.Failure.failed {
                // Something is wrong: the findings say what.
            } catch {
                context.logger.error("dictstate doctor \(error)")
            }
            line.finish()
            var findings: [Finding] = []
            for await line in lines {
                if let finding = try? JSONDecoder().decode(Finding.self, from: Data(line.utf8)) {
                    findings.append(finding)
                }
            }
            notices.show(DesktopNotice(findings: findings), as: Self.key)
        }
    }
}

extension DesktopNotice {
    /// The notification about the findings of the check.
    fileprivate init(findings: [Finding]) {
        let wrong = findings.filter { $0.verdict != .ok }
        let summary =
            findings.isEmpty
            ? "The check failed"
            : wrong.isEmpty ? "No problems found" : "Dictation: \(wrong.count.counted("finding"))"
        let lines = wrong.map { "\($0.name): \($0.finding)" + ($0.advice.map { "\n→ \($0)" } ?? "") }
        self.init(
            summary: summary,
            body: findings.isEmpty ? "In a terminal: dictstate doctor" : lines.joined(separator: "\n"))
    }
}
