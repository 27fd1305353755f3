import Foundation
import GRDB

/// Removing dictations: at the user's word, because enough are kept, or because they were private.
///
/// The recording goes first, then the row: a recording without a row would be taken for one that a crash left, and
/// come back.
extension StateStore {
    /// Which dictations are to be forgotten.
    public enum Forgetting: Equatable, Sendable {
        case one(DictationID)
        case all
        /// Those that began before a time.
        case before(Date)
    }

    /// What was forgotten.
    public struct Forgotten: Equatable, Sendable {
        public internal(set) var ids: [DictationID] = []
        /// How many of them had a text that was not typed to its end.
        public internal(set) var undelivered = 0
        /// What an agent works on, which stays.
        public internal(set) var refused: [ForgetRefused] = []
    }

    /// Removes dictations with their recordings, so that nothing of them is left in the group's files.
    ///
    /// What an agent records, recognises or types at this moment stays; where its agent is dead, it is removed as well.
    ///
    /// - Throws: ``ForgetRefused`` where one dictation is asked for and stays; ``StoreError``. After
    ///   ``StoreError/tracesLeft(path:)`` the dictations are gone, and the next ``scrub()`` removes what is left.
    @discardableResult
    public func forget(_ what: Forgetting, at now: Date = Date()) throws -> Forgotten {
        let isAlive = { (role: AgentRole) in try RoleLock.holder(of: role, in: self.group) != nil }
        let forgotten = try write(durability: .power) { transaction in
            let db = transaction.db
            let found = try Self.rows(what, db)
            if case .one(let id) = what, found.isEmpty { throw StoreError.noSuchDictation(id) }
            var forgotten = Forgotten()
            for row in found {
                if let work = row.work, try isAlive(work.role) {
                    forgotten.refused.append(ForgetRefused(id: row.id, work: work))
                } else {
                    forgotten.ids.append(row.id)
                    if row.isUndelivered { forgotten.undelivered += 1 }
                }
            }
            if case .one = what, let refusal = forgotten.refused.first { throw refusal }
            if what == .all { removeAudio(except: Set(forgotten.refused.map(\.id))) }
            try remove(forgotten.ids, at: now, transaction)
            return forgotten
        }
        if !forgotten.ids.isEmpty { try scrub() }
        return forgotten
    }

    /// Removes the oldest of the dictations that are done, as far as more are kept than should be.
    ///
    /// - Returns: what was removed. Its traces go with the next ``scrub()``.
    @discardableResult
    public func applyRetention(_ retention: Retention, at now: Date = Date()) throws -> [DictationID] {
        guard try !read({ try Self.superfluous(retention, at: now, $0) }).isEmpty else { return [] }
        return try write(durability: .power) { transaction in
            let ids = try Self.superfluous(retention, at: now, transaction.db)
            try remove(ids, at: now, transaction)
            return ids
        }
    }

    /// Removes the private dictations that are done.
    ///
    /// - Returns: what was removed. Its traces go with the next ``scrub()``.
    @discardableResult
    public func removeFinishedPrivate(at now: Date = Date()) throws -> [DictationID] {
        guard try !read({ try Self.finishedPrivate($0) }).isEmpty else { return [] }
        return try write(durability: .power) { transaction in
            let ids = try Self.finishedPrivate(transaction.db)
            try remove(ids, at: now, transaction)
            return ids
        }
    }

    /// Removes what is of use only for a short time: word of removed dictations, and intents that were answered.
    public func expire(at now: Date = Date()) throws {
        let latest = DictationRow.milliseconds(now.addingTimeInterval(-Self.timeToHear))
        let isExpired = """
            SELECT EXISTS (SELECT 1 FROM removal WHERE removed_at < :latest)
                OR EXISTS (SELECT 1 FROM intent WHERE phase IN ('done', 'refused') AND timestamp < :latest)
            """
        let arguments: StatementArguments = ["latest": latest]
        guard try read({ try Bool.fetchOne($0, sql: isExpired, arguments: arguments) }) == true else {
            return
        }
        try write { transaction in
            let db = transaction.db
            try db.execute(
                sql: "DELETE FROM intent WHERE phase IN ('done', 'refused') AND timestamp < :latest",
                arguments: arguments)
            let newest = try Revision.fetchOne(
                db, sql: "SELECT max(revision) FROM removal WHERE removed_at < :latest", arguments: arguments)
            guard let newest else { return }
            try transaction.set(.unknownRemovals, newest)
            try db.execute(sql: "DELETE FROM removal WHERE revision <= ?", arguments: [newest])
        }
    }

    /// Seconds for which word of a removal stays, and the answer to an intent: far more than a reader needs that runs
    /// at all. One that was stopped for longer reads everything anew.
    private static let timeToHear: TimeInterval = 600

    /// More dictations than that are not named one by one when they are removed: readers read anew what is left.
    private static let mostNamed = 100

    private func remove(_ ids: [DictationID], at now: Date, _ transaction: Transaction) throws {
        guard !ids.isEmpty else { return }
        let db = transaction.db
        removeAudio(of: Set(ids))
        let revision = try transaction.revision(of: .removals)
        for id in ids {
            let arguments: StatementArguments = [id.description]
            try db.execute(
                sql: "DELETE FROM live WHERE spoken = (SELECT spoken FROM dictation WHERE id = ?)",
                arguments: arguments)
            try db.execute(sql: "DELETE FROM dictation WHERE id = ?", arguments: arguments)
        }
        if ids.count > Self.mostNamed {
            try transaction.set(.unknownRemovals, revision)
            try db.execute(sql: "DELETE FROM removal")
        } else {
            for id in ids {
                try db.execute(
                    sql: "INSERT INTO removal (revision, id, removed_at) VALUES (?, ?, ?)",
                    arguments: [revision, id.description, DictationRow.milliseconds(now)])
            }
        }
        try transaction.set(.traces, revision)
    }

    static func removals(since revision: Revision, _ db: Database) throws -> [DictationID] {
        try String.fetchAll(
            db, sql: "SELECT id FROM removal WHERE revision > ? ORDER BY revision, rowid",
            arguments: [revision]
        ).map(DictationID.init(trusted:))
    }

    // MARK: - Which

    /// ``DictationState/isDone``, of a row.
    private static let isDone = """
        (delivery IN ('inserted', 'discarded') OR status = 'cancelled'
            OR (status = 'error' AND error_kept IS NULL))
        """

    private static func superfluous(
        _ retention: Retention, at now: Date, _ db: Database
    ) throws -> [DictationID] {
        var ids: [String] = []
        if let count = retention.count {
            ids += try String.fetchAll(
                db, sql: "SELECT id FROM dictation WHERE \(isDone) ORDER BY spoken DESC LIMIT -1 OFFSET ?",
                arguments: [count])
        }
        if let days = retention.days {
            ids += try String.fetchAll(
                db, sql: "SELECT id FROM dictation WHERE \(isDone) AND timestamp < ?",
                arguments: [DictationRow.milliseconds(now) - Int64(days) * 86_400_000])
        }
        return Set(ids).map(DictationID.init(trusted:))
    }

    private static func finishedPrivate(_ db: Database) throws -> [DictationID] {
        try String.fetchAll(db, sql: "SELECT id FROM dictation WHERE private AND \(isDone)")
            .map(DictationID.init(trusted:))
    }

    private struct FoundRow {
        let id: DictationID
        let work: ForgetRefused.Work?
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
                "SELECT id, status, delivery, \(isDone) FROM dictation WHERE \(condition.sql) ORDER BY spoken",
            arguments: condition.arguments)
        return rows.map { row in
            FoundRow(
                id: DictationID(trusted: row[0]),
                work: ForgetRefused.Work(status: row[1], delivery: row[2]),
                isUndelivered: row[1] == DictationStatus.ready.rawValue && row[3] == false)
        }
    }

    // MARK: - Recordings

    private func removeAudio(of ids: Set<DictationID>) { removeAudio { ids.contains($0) } }

    private func removeAudio(except ids: Set<DictationID>) { removeAudio { !ids.contains($0) } }

    /// Every file of a dictation is named after it.
    private func removeAudio(where isUnwanted: (DictationID) -> Bool) {
        let folder = group.audioFolder
        // The host may give a file another name while this looks; it does so once.
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

/// How much is kept of what is done; nil sets no limit.
public struct Retention: Equatable, Sendable {
    /// Dictations.
    public var count: Int?
    /// Days since they began.
    public var days: Int?

    public init(count: Int?, days: Int?) {
        self.count = count
        self.days = days
    }
}

/// Why a dictation is not forgotten: an agent works on it.
public struct ForgetRefused: Error, Equatable, Sendable, CustomStringConvertible {
    public enum Work: Equatable, Sendable {
        case recording, recognising, typing

        init?(status: String, delivery: String?) {
            switch (DictationStatus(rawValue: status), delivery) {
            case (.starting, _), (.recording, _): self = .recording
            case (.processing, _): self = .recognising
            case (.ready, "claimed"): self = .typing
            default: return nil
            }
        }

        var role: AgentRole {
            switch self {
            case .recording, .recognising: .host
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
        case .recognising:
            "dictation \(id) is being recognised, and stays. Wait for its text, or: dictstate cancel"
        case .typing:
            "dictation \(id) is being typed, and stays. Forget it when that is done"
        }
    }
}
