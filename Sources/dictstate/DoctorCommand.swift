import ArgumentParser
import DictationProgram
import DictationSettings
import DictationShared
import DictationSystem
import Foundation
import Glibc

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check everything that dictation needs, and say what to do.",
        discussion: """
            Checks the settings, the dictionary, the group folder and its permissions, the disk, the locks, inotify, the \
            agents; and with host-agent check the display, its keyboard, the hotkey, the level of the microphone, the \
            recognizer and its model. Exit code 0: no error (warnings do not count).
            """)

    @OptionGroup var output: OutputOptions

    func run() throws {
        var findings: [Finding] = []
        let tell = { (finding: Finding) in
            findings.append(finding)
            try print(finding)
        }
        let file = SettingsFile.standard()
        let settings = try Examination.settings(file)
        try tell(settings)
        try tell(Examination.dictionary(DictionaryFile(beside: file)))
        do {
            for finding in Examination.group(try Session.folder()) { try tell(finding) }
        } catch let refusal as AppGroup.Refusal {
            try tell(Finding("folder", .problem, "\(refusal)"))
        } catch is SettingsError {
            // It has been reported already.
        }
        // A wrong hotkey is reported already.
        for finding in try Examination.host() where finding.finding != settings.finding { try tell(finding) }
        let problems = findings.count { $0.verdict == .problem }
        let warnings = findings.count { $0.verdict == .warning }
        if !output.json {
            Swift.print(
                problems + warnings == 0
                    ? "\nNo problems found."
                    : "\n\(problems.counted("problem")), \(warnings.counted("warning")).")
        }
        if problems > 0 { throw ExitStatus.failed.exitCode }
    }

    private func print(_ finding: Finding) throws {
        if output.json {
            try JSONLine.print(finding)
            return
        }
        let mark =
            switch finding.verdict {
            case .ok: "ok     "
            case .warning: "warning"
            case .problem: "PROBLEM"
            }
        let name = finding.name.padding(toLength: 13, withPad: " ", startingAt: 0)
        let indent = "\n" + String(repeating: " ", count: 23)
        Swift.print("\(mark)  \(name) \(finding.finding.displaySafe.replacing("\n", with: indent))")
        if let advice = finding.advice { Swift.print(indent.dropFirst() + "→ \(advice.displaySafe)") }
        // Some take their time: findings are shown as they come.
        try StandardStreams.flushOutput()
    }
}

/// The checks of `dictstate doctor` itself, each a finding.
enum Examination {
    static func settings(_ file: SettingsFile) throws -> Finding {
        do {
            let loaded = try file.load()
            let keys = try loaded.checkKeys()
            if let problem = keys?.problem { return refused(problem.finding) }
            if !loaded.warningLines.isEmpty {
                return Finding(
                    "settings", .warning, loaded.warningLines.joined(separator: "\n"),
                    // A note says itself what to do.
                    advice: loaded.warnings.isEmpty
                        ? nil : "Correct the file: dictstate settings edit. The rest of it takes effect.")
            }
            // About the file; whether the key is free is a separate finding.
            if let warning = keys?.hotkeyWarning {
                return Finding("settings", .warning, warning.finding, advice: warning.advice)
            }
            return Finding(
                "settings", .ok, loaded.exists ? loaded.file : "\(loaded.file): no file, all defaults")
        } catch let error as SettingsError {
            return refused("\(error)")
        }
    }

    private static func refused(_ problem: String) -> Finding {
        Finding(
            "settings", .problem, problem,
            advice: "Correct the file: dictstate settings edit. Running agents keep the last good settings.")
    }

    static func dictionary(_ file: DictionaryFile) -> Finding {
        do {
            let loaded = try file.load()
            guard loaded.warnings.isEmpty else {
                return Finding(
                    "dictionary", .warning, loaded.warningLines.joined(separator: "\n"),
                    advice: "Correct the file. The rest of it takes effect.")
            }
            let isEmpty = loaded.values == DictionarySettings()
            return Finding("dictionary", .ok, isEmpty ? "\(file.path): no words yet" : file.path)
        } catch {
            return Finding(
                "dictionary", .problem, "\(error)",
                advice:
                    "Correct the file. Running agents keep the last good dictionary; an agent that starts has none."
            )
        }
    }

    /// The folder, its rights and file system, the store, its lock, the disk, and the agents.
    static func group(_ folder: URL) -> [Finding] {
        let group: AppGroup
        do {
            group = try AppGroup(folder: folder)
        } catch {
            // It says what to do as well.
            return [Finding("folder", .problem, "\(error)")]
        }
        var findings = [writing(into: group)]
        // First: opening the store would wait for it.
        findings.append(lock(of: group))
        if findings.last?.verdict == .ok { findings += store(group) }
        findings.append(watching(group))
        findings.append(disk(group))
        findings += AgentRole.allCases.map { agent($0, group) }
        return findings
    }

    private static func writing(into group: AppGroup) -> Finding {
        do {
            try group.requireWritable()
            return Finding("folder", .ok, group.folder.path)
        } catch {
            return Finding("folder", .problem, "\(error)")
        }
    }

    private static func lock(of group: AppGroup) -> Finding {
        // A commit takes the lock for less than a millisecond: one that is held at three looks is held for long.
        let holders = (0..<3).map { _ in LockHolder.all(of: group.storeLock.path) }
        guard let holder = holders.last?.first, holders.allSatisfy({ $0.contains(holder) }) else {
            return Finding("store's lock", .ok, "nobody holds it")
        }
        return Finding("store's lock", .problem, "held by \(holder)", advice: holder.advice)
    }

    private static func store(_ group: AppGroup) -> [Finding] {
        do {
            let store = try StateStore(group: group)
            let held = try store.history(limit: 100).count {
                if case .held = $0.delivery { true } else { false }
            }
            let damaged = DamagedStore.all(in: group).map { damaged in
                Finding(
                    "store", .warning, "\(damaged.path) was moved aside: \(damaged.story)",
                    advice: "Check whether you need anything in it, then delete it.")
            }
            let texts =
                held == 0
                ? Finding("store", .ok, "revision \(try store.revision())")
                : Finding(
                    "store", .warning, "\(held.counted("text")) held",
                    advice: "dictstate insert types the newest one, dictstate discard ID discards one.")
            return damaged + [texts]
        } catch {
            return [Finding("store", .problem, "\(error)")]
        }
    }

    private static func watching(_ group: AppGroup) -> Finding {
        do {
            try StateWatcher.check(group)
            return Finding("inotify", .ok, "the store can be watched")
        } catch {
            // It says what to do as well.
            return Finding("inotify", .problem, "\(error)")
        }
    }

    /// Bytes. An hour of sound has 115 MB; the store itself needs far less.
    private static let littleSpace = 200_000_000
    /// Bytes. Half a minute of sound.
    private static let noSpace = 1_000_000

    private static func disk(_ group: AppGroup) -> Finding {
        var system = statvfs()
        guard statvfs(group.folder.path, &system) == 0 else {
            return Finding(
                "disk", .warning, "the free space is unknown: \(String(cString: strerror(errno)))")
        }
        let free = Int(system.f_bavail) * Int(system.f_frsize)
        let text = "\(free / 1_000_000) MB free"
        return free >= littleSpace
            ? Finding("disk", .ok, text)
            : Finding(
                "disk", free >= noSpace ? .warning : .problem, text,
                advice: "Free some space: without space for the sound nothing is recorded.")
    }

    private static func agent(_ role: AgentRole, _ group: AppGroup) -> Finding {
        guard let holder = try? RoleLock.holder(of: role, in: group) else {
            return Finding(
                role.rawValue, .warning, "does not run",
                advice: "Start it: \(role.rawValue), or systemctl --user start \(role.rawValue)")
        }
        let process = "runs" + (holder.pid.map { " (process \($0))" } ?? "")
        // As the kernel writes it.
        let program = holder.pid.flatMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\($0)/exe")
        }
        guard program?.hasSuffix(" (deleted)") == true else { return Finding(role.rawValue, .ok, process) }
        return Finding(
            role.rawValue, .warning, "\(process), and its program was replaced or removed since",
            advice: "Start it again: systemctl --user restart \(role.rawValue)")
    }

    /// The findings of host-agent, which knows the display, the microphone and the recognizer.
    static func host() throws -> [Finding] {
        let check = try HostCheck(["--display", "--microphone", "--engine"])
        return check.findings.isEmpty
            ? [Finding("host-agent", .problem, check.failure, advice: check.advice)] : check.findings
    }
}
