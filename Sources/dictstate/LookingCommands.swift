import ArgumentParser
import DictationProgram
import DictationSettings
import DictationShared
import DictationSystem
import Foundation

struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show the newest dictation, and which agents run.")

    @OptionGroup var output: FormatOptions

    func run() throws {
        try Session.run { session in
            if let format = output.chosen, ![.plain, .json].contains(format) {
                print(try session.statusBar().line(format))
                return
            }
            let host = try RoleLock.holder(of: .host, in: session.group)
            let inserter = try RoleLock.holder(of: .inserter, in: session.group)
            let newest = try session.store.history(limit: 1).first
            let problem: String?
            do {
                // A host that runs has keys, but they may be those from before the file got wrong ones.
                problem = try SettingsFile.standard().load().hotkeyProblem()
            } catch let error as SettingsError {
                problem = "\(error)"
            }
            let damaged = DamagedStore.all(in: session.group)
            if output.chosen == .json {
                try JSONLine.print(
                    StatusJSON(
                        status: (newest.map { $0.isUnfinished ? $0.status : .idle } ?? .idle).rawValue,
                        revision: try session.store.revision(), group: session.group.folder.path,
                        hostAgent: .init(running: host != nil, pid: host?.pid),
                        insertAgent: .init(running: inserter != nil, pid: inserter?.pid),
                        settingsError: problem,
                        damagedStores: damaged.map { .init(path: $0.path, story: $0.story) },
                        dictation: newest.map(DictationJSON.init)))
                return
            }
            print("host-agent    \(Self.describe(host))")
            print("insert-agent  \(Self.describe(inserter))")
            if let problem {
                let lines = problem.displaySafe.split(separator: "\n").joined(separator: "\n              ")
                print("settings      \(lines)\n              Running agents keep the last good ones.")
            }
            let held = try session.heldCount()
            if held > 0 {
                print("held          \(held); type the newest one with: dictstate insert")
            }
            for store in damaged {
                print("moved aside   \(store.path)\n              \(store.story)".displaySafe)
            }
            print(newest.map { "\n" + Description.details($0) } ?? "\nNothing was dictated yet.")
        }
    }

    private static func describe(_ holder: RoleLock.Holder?) -> String {
        guard let holder else { return "not running" }
        return "running" + (holder.pid.map { " (process \($0))" } ?? "")
    }

    private struct StatusJSON: Encodable {
        struct Damaged: Encodable {
            let path: String
            let story: String
        }
        struct Agent: Encodable {
            let running: Bool
            let pid: Int32?
        }
        let status: String
        let revision: Revision
        let group: String
        let hostAgent: Agent
        let insertAgent: Agent
        /// The error in the settings file; nil for none.
        let settingsError: String?
        let damagedStores: [Damaged]
        let dictation: DictationJSON?
    }
}

struct ShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show everything about one dictation.")

    @Argument(help: "Its identifier, or the end of it, as the history shows it.")
    var id: String

    @OptionGroup var output: OutputOptions

    func run() throws {
        try Session.run { session in
            let state = try session.dictation(named: id)
            if output.json {
                try JSONLine.print(DictationJSON(state: state))
            } else {
                print(Description.details(state))
            }
        }
    }
}

extension Session {
    /// How many of the newest texts wait for the user's word.
    func heldCount() throws -> Int {
        try store.history(limit: Self.recent).count { if case .held = $0.delivery { true } else { false } }
    }

    /// More than a day's dictations.
    private static let recent = 100

    func statusBar() throws -> StatusBar {
        StatusBar(
            newest: try store.history(limit: 1).first, held: try heldCount(),
            hostRuns: try RoleLock.holder(of: .host, in: group) != nil,
            inserterRuns: try RoleLock.holder(of: .inserter, in: group) != nil)
    }
}
