import ArgumentParser
import DictationProgram
import DictationSettings
import DictationShared
import DictationSystem
import Foundation
import Glibc

/// The beginning of every command: the group and its store.
struct Session {
    let group: AppGroup
    let store: StateStore
    /// The reported problem of the store; a failing call throws the same.
    private let said: FirstFailure

    init(_ group: AppGroup, _ store: StateStore, said: FirstFailure = FirstFailure()) {
        self.group = group
        self.store = store
        self.said = said
    }

    init() throws {
        let group = try AppGroup(folder: Self.folder())
        let said = FirstFailure()
        let store = try StateStore(group: group, for: .looking) { notice in
            Complaint.say("\(notice)")
            if case .trouble(let error) = notice { said.set(error) }
            guard case .waitsForLock(let wait) = notice else { return }
            // A person waits for this program. The thread that waits for the lock cannot be called back.
            if wait.isHopeless { Self.giveUp() }
            Complaint.say("Waiting up to 10 s more for it.")
        }
        self.init(group, store, said: said)
    }

    /// Brings into order what an agent left that died: until then the store says that it still works on it.
    func resolveWhatTheDeadLeft() throws {
        do {
            try store.resolveDeadInserter()
            try store.resolveDeadHost()
        } catch let error as StoreError where error.isTransient {
            // The store cannot be written now, and that was reported; its contents can still be shown.
        }
    }

    /// The folder of the group that is meant.
    ///
    /// - Throws: `SettingsError` where that cannot be known; `AppGroup.Refusal`.
    static func folder() throws -> URL {
        // The environment overrides the settings: then they need not be read.
        if ProcessInfo.processInfo.environment[AppGroupConstants.environmentVariable]?.isEmpty == false {
            return try AppGroup.defaultFolder()
        }
        let file = SettingsFile.standard()
        // A file with an error elsewhere still says where the group is.
        if let settings = file.loadWhatCanBeRead() {
            return try AppGroup.folder(named: settings.values.group.folder)
        }
        // One that is no TOML, as while it is being edited, could mean any group. Where agents work in the usual one, that
        // is it: what is being recorded there can be stopped.
        let usual = try AppGroup.defaultFolder()
        return hasAgents(usual) ? usual : try AppGroup.folder(named: file.load().values.group.folder)
    }

    private static func hasAgents(_ folder: URL) -> Bool {
        guard FileManager.default.fileExists(atPath: folder.path), let group = try? AppGroup(folder: folder)
        else { return false }
        return AgentRole.allCases.contains { (try? RoleLock.holder(of: $0, in: group)) != nil }
    }

    /// The settings, as far as they can be read; the agents report their errors.
    var settings: Settings { SettingsFile.standard().loadWhatCanBeRead()?.values ?? Settings() }

    /// Runs a command, and turns its error into a message and an exit code.
    static func run(_ body: (Session) throws -> Void) throws {
        var said: FirstFailure?
        do {
            let session = try Session()
            said = session.said
            try session.resolveWhatTheDeadLeft()
            try body(session)
        } catch let error as StoreError where said?.get() as? StoreError == error {
            throw ExitStatus(shared: error).exitCode
        } catch {
            throw Complaint.say(why: error)
        }
    }

    private static func giveUp() {
        Complaint.say("Given up; nothing was changed. Try again when the lock is free.")
        fflush(nil)
        _exit(ExitStatus.tryAgainLater.rawValue)
    }

    /// The newest dictation whose recognized text is known.
    func newestRaw() throws -> DictationState? {
        try store.history(limit: 100).first { !$0.rawText.isEmpty }
    }

    /// The dictation that an argument names: a whole identifier, or the end of one that only one dictation has.
    func dictation(named name: String) throws -> DictationState {
        if let id = DictationID(name) {
            guard let state = try store.dictation(id) else { throw StoreError.noSuchDictation(id) }
            return state
        }
        // The ends differ if the beginnings, which are times, are the same.
        let found = try store.dictations(endingIn: name.lowercased())
        guard let state = try found.first.flatMap({ try store.dictation($0) }) else {
            throw CommandProblem(
                status: .nothingThere, message: "There is no dictation “\(name)”. See dictstate history.")
        }
        guard found.count == 1 else {
            throw CommandProblem(
                status: .wrongUsage, message: "\(found.count) dictations end in \(name). Give more of it.")
        }
        return state
    }

    /// - Throws: what to do if no agent of a role runs.
    func requireAgent(_ role: AgentRole) throws { try group.requireAgent(role) }
}

extension AppGroup {
    /// - Throws: what to do if no agent of a role runs.
    func requireAgent(_ role: AgentRole) throws {
        guard try RoleLock.holder(of: role, in: self) != nil else {
            throw CommandProblem(
                status: .nothingThere,
                message: "No \(role.rawValue) is running. Start it: \(role.rawValue), or "
                    + "systemctl --user start \(role.rawValue)")
        }
    }
}
