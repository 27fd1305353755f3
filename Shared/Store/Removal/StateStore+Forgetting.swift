import Foundation
import GRDB

/// Removing dictations: at the user's request, because enough are kept, or because they were private.
///
/// The recording goes first, then the row: a recording without a row would look like one that a crash left, and
/// be recovered.
extension StateStore {
    /// The dictations to forget.
    public enum Forgetting: Equatable, Sendable {
        case one(DictationID)
        case all
        /// Those that began before a time.
        case before(Date)
    }

    public struct Forgotten: Equatable, Sendable {
        public internal(set) var ids: [DictationID] = []
        /// How many of them had a text that was not typed to its end.
        public internal(set) var undelivered = 0
        /// Those that an agent works on, which stay.
        public internal(set) var refused: [ForgetRefused] = []
    }

    /// Removes dictations with their recordings, so that nothing of them is left in the group's files.
    ///
    /// A dictation that an agent records, recognizes or types at this moment stays; if its agent is dead, it
    /// is removed.
    ///
    /// - Throws: ``ForgetRefused`` if one dictation is asked for and stays; ``StoreError``. After
    ///   ``StoreError/tracesLeft(path:)`` the dictations are gone, and the next ``scrub()`` removes what is left.
    @discardableResult
    public func forget(_ what: Forgetting, at now: Date = Date()) throws -> Forgotten {
        let isAlive = { (role: AgentRole) in try RoleLock.holder(of: role, in: self.group) != nil }
        let (forgotten, hasForgottenCommands) = try write(durability: .power) { transaction in
            let db = transaction.db
            let found = try Self.rows(what, db)
            if case .one(let id) = what, found.isEmpty { throw StoreError.noSuchDictation(id) }
            var forgotten = Forgotten()
            for row in found {
                if let work = try row.works.first(where: { try isAlive($0.role) }) {
                    forgotten.refused.append(ForgetRefused(id: row.id, work: work))
                } else {
                    forgotten.ids.append(row.id)
                    if row.isUndelivered { forgotten.undelivered += 1 }
                }
            }
            if case .one = what, let refusal = forgotten.refused.first { throw refusal }
            if what == .all { removeAudio(except: Set(forgotten.refused.map(\.id))) }
            try remove(forgotten.ids, at: now, transaction)
            return (forgotten, try forgetWrittenCommands(transaction))
        }
        if !forgotten.ids.isEmpty || hasForgottenCommands { try scrub() }
        return forgotten
    }

    /// Removes the words of all commands that were written (`dictstate edit`) and answered. They belong to no dictation, and
    /// both the command and its answer may quote any.
    ///
    /// - Returns: whether there were any.
    private func forgetWrittenCommands(_ transaction: Transaction) throws -> Bool {
        try transaction.db.execute(
            sql: """
                UPDATE intent SET options = NULL, outcome = NULL
                    WHERE action = 'edit' AND phase IN ('done', 'refused')
                        AND (options IS NOT NULL OR outcome IS NOT NULL)
                """)
        guard transaction.db.changesCount > 0 else { return false }
        try transaction.set(.traces, transaction.revision(of: .removals))
        return true
    }

    /// Removes the private dictations that are done.
    ///
    /// - Returns: what was removed. The next ``scrub()``.
    @discardableResult
    public func removeFinishedPrivate(at now: Date = Date()) throws -> [DictationID] {
        guard try !read({ try Self.finishedPrivate($0) }).isEmpty else { return [] }
        return try write(durability: .power, for: .tidying) { transaction in
            let ids = try Self.finishedPrivate(transaction.db)
            try remove(ids, at: now, transaction)
            return ids
        }
    }

    /// More dictations than that are not named one by one when they are removed together: readers read the
    /// rest again.
    private static let mostNamed = 100

    private func remove(_ ids: [DictationID], at now: Date, _ transaction: Transaction) throws {
        guard !ids.isEmpty else { return }
        let db = transaction.db
        removeAudio(of: Set(ids))
        let revision = try transaction.revision(of: .removals)
        for id in ids { try Self.remove(id, db) }
        if ids.count > Self.mostNamed {
            try transaction.set(.unknownRemovals, revision)
            try db.execute(sql: "DELETE FROM removal")
        } else {
            for id in ids { try Self.note(removalOf: id, revision, at: now, db) }
        }
        try transaction.set(.traces, revision)
    }

    /// Removes the rows of one dictation.
    static func remove(_ id: DictationID, _ db: Database) throws {
        for sql in [
            // The words of a command, and the selected text in one that was not carried out. The requester
            // does not wait for the answer.
            "DELETE FROM intent WHERE action IN ('edit', 'replace') AND dictation = ?",
            "DELETE FROM unfinished_dictation WHERE spoken = (SELECT spoken FROM dictation WHERE id = ?)",
            "DELETE FROM signature WHERE spoken = (SELECT spoken FROM dictation WHERE id = ?)",
            "DELETE FROM dictation WHERE id = ?",
        ] {
            var statement = try DirectStatement(sql, db)
            try statement.bind(id.description)
            try statement.run()
        }
    }

    /// Leaves word of a removal for readers that hold the dictation.
    static func note(
        removalOf id: DictationID, _ revision: Revision, at now: Date, _ db: Database
    ) throws {
        var statement = try DirectStatement(
            "INSERT INTO removal (revision, id, removed_at) VALUES (?, ?, ?)", db)
        try statement.bind(revision)
        try statement.bind(id.description)
        try statement.bind(DictationRow.milliseconds(now))
        try statement.run()
    }

    static func removals(since revision: Revision, _ db: Database) throws -> [DictationID] {
        try String.fetchAll(
            db, sql: "SELECT id FROM removal WHERE revision > ? ORDER BY revision, rowid",
            arguments: [revision]
        ).map(DictationID.init(trusted:))
    }

    // MARK: - Which

    private static func finishedPrivate(_ db: Database) throws -> [DictationID] {
        try String.fetchAll(
            db, sql: "SELECT id FROM dictation WHERE private AND \(DictationRow.isDoneAndLetGo)"
        )
        .map(DictationID.init(trusted:))
    }

    private struct FoundRow {
        let id: DictationID
        /// Whether living agents work on it. A text that is typed while it is spoken has two at work, and its
        /// typist may be the last of them.
        let works: [ForgetRefused.Work]
        let isUndelivered: Bool
    }

    private static func rows(_ what: Forgetting, _ db: Database) throws -> [FoundRow] {
        let condition: (sql: String, arguments: StatementArguments) =
            switch what {
            case .one(let id): ("id = ?", [id.description])
            case .all: ("1", [])
            case .before(let date): ("timestamp < ?", [DictationRow.milliseconds(date)])
            }
        let rows = try Row.fetchAll(
            db,
            sql:
                """
                SELECT id, status, delivery, \(DictationRow.isDoneAndLetGo), \(DictationRow.isGrowthClaimed)
                    FROM dictation WHERE \(condition.sql) ORDER BY spoken
                """,
            arguments: condition.arguments)
        return rows.map { row in
            let work = ForgetRefused.Work(status: row[1], delivery: row[2])
            let typing: ForgetRefused.Work? = row[4] == true ? .typing : nil
            return FoundRow(
                id: DictationID(trusted: row[0]), works: [work, typing].compactMap(\.self),
                isUndelivered: row[1] == DictationStatus.ready.rawValue && row[3] == false)
        }
    }

    // MARK: - Recordings

    func removeAudio(of ids: Set<DictationID>) { removeAudio { ids.contains($0) } }

    private func removeAudio(except ids: Set<DictationID>) { removeAudio { !ids.contains($0) } }

    /// Every file of a dictation is named after it.
    private func removeAudio(where isUnwanted: (DictationID) -> Bool) {
        let folder = group.audioFolder
        // The host may rename a file during this; it does so once.
        for _ in 0..<3 {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            let unwanted = names.filter { name in
                DictationID(String(name.prefix(36))).map(isUnwanted) ?? false
            }
            if unwanted.isEmpty { return }
            for name in unwanted { unlink(folder.appendingPathComponent(name).path) }
        }
    }
}

/// Why a dictation is not forgotten: an agent works on it.
public struct ForgetRefused: Error, Equatable, Sendable, CustomStringConvertible {
    public enum Work: Equatable, Sendable {
        case recording, recognizing, typing

        init?(status: String, delivery: String?) {
            switch (DictationStatus(rawValue: status), delivery) {
            case (.starting, _), (.recording, _): self = .recording
            case (.processing, _): self = .recognizing
            case (.ready, "claimed"): self = .typing
            default: return nil
            }
        }

        var role: AgentRole {
            switch self {
            case .recording, .recognizing: .host
            case .typing: .inserter
            }
        }
    }

    public let id: DictationID
    public let work: Work

    public init(id: DictationID, work: Work) {
        self.id = id
        self.work = work
    }

    public var description: String {
        switch work {
        case .recording:
            "dictation \(id) is being recorded, and stays. End it first: dictstate stop, or dictstate cancel"
        case .recognizing:
            "dictation \(id) is being recognized, and stays. Wait for its text, or: dictstate cancel"
        case .typing:
            "dictation \(id) is being typed, and stays. Forget it when that is done"
        }
    }
}
