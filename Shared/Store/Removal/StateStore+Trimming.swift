import Foundation
import GRDB

/// Limits the history, in slices: no writer waits for longer than one of them.
extension StateStore {
    /// Removes the oldest of the finished dictations, down to the limit. Makes checkpoints, so it is
    /// for a separate connection (``init(besides:)``).
    ///
    /// - Parameter mayGoOn: called before each slice; a dictation that begins comes first. The rest is
    ///   removed the next time.
    /// - Returns: what was removed. Its traces go with the next ``scrub(largest:)``.
    @discardableResult
    public func applyRetention(
        _ retention: Retention, at now: Date = Date(), while mayGoOn: () throws -> Bool = { true }
    ) throws -> [DictationID] {
        let superfluous = try read { try Self.superfluous(retention, at: now, $0) }
        guard !superfluous.isEmpty, try mayGoOn() else { return [] }
        // A recording without a row would look like one that a crash left: the recordings go first.
        removeAudio(of: Set(superfluous))
        var removed: [DictationID] = []
        var rest = superfluous[...]
        var slice = SliceSize()
        var sliceCount = 0
        while !rest.isEmpty, try mayGoOn() {
            let ids = rest.prefix(slice.rows)
            rest = rest.dropFirst(slice.rows)
            try letOthersGoFirst()
            var began = ContinuousClock.now
            // The last one waits for the disk, and with it all those before.
            removed += try write(durability: rest.isEmpty ? .power : .process, for: .tidying) {
                transaction in
                // After the queue for the lock.
                began = .now
                return try Self.remove(ids, at: now, transaction)
            }
            slice.adapt(to: began.duration(to: .now))
            sliceCount += 1
            if sliceCount % Self.slicesPerCheckpoint == 0 { try moveLogIntoDatabase() }
        }
        return removed
    }

    /// A checkpoint brings the -wal file to the disk, and a write to that file has to wait for it: so there is little in it
    /// each time.
    private static let slicesPerCheckpoint = 4

    /// Removes those that are still done: the user may have asked for one of them since.
    private static func remove(
        _ ids: ArraySlice<DictationID>, at now: Date, _ transaction: Transaction
    ) throws -> [DictationID] {
        let db = transaction.db
        let done = try ids.filter { id in
            var row = try DirectStatement(
                "SELECT 1 FROM dictation WHERE id = ? AND \(DictationRow.isDoneAndLetGo)", db)
            try row.bind(id.description)
            return try row.step()
        }
        guard !done.isEmpty else { return [] }
        let revision = try transaction.revision(of: .removals)
        for id in done {
            try remove(id, db)
            try note(removalOf: id, revision, at: now, db)
        }
        try transaction.set(.traces, revision)
        return done
    }

    private static func superfluous(
        _ retention: Retention, at now: Date, _ db: Database
    ) throws -> [DictationID] {
        var numbers: Set<Int64> = []
        func take(_ sql: String, _ argument: Int64) throws {
            var rows = try DirectStatement(sql, db)
            try rows.bind(argument)
            while try rows.step() { numbers.insert(rows.integer(0)) }
        }
        // The index of finished dictations answers both.
        if let count = retention.count {
            try take(
                "SELECT spoken FROM dictation WHERE \(DictationRow.isDoneAndLetGo) ORDER BY spoken DESC LIMIT -1 OFFSET ?",
                Int64(count))
        }
        if let days = retention.days {
            try take(
                "SELECT spoken FROM dictation WHERE \(DictationRow.isDoneAndLetGo) AND timestamp < ?",
                DictationRow.milliseconds(now) - Int64(days) * 86_400_000)
        }
        return try numbers.sorted().compactMap { number in
            var row = try DirectStatement("SELECT id FROM dictation WHERE spoken = ?", db)
            try row.bind(number)
            return try row.step() ? DictationID(trusted: row.text(0)) : nil
        }
    }

    /// Removes short-lived rows: records of removed dictations, and answered intents.
    public func expire(at now: Date = Date()) throws {
        let latest = DictationRow.milliseconds(now.addingTimeInterval(-Self.timeToHear))
        while try read({ try Self.isAnyExpired(before: latest, $0) }) {
            try write(for: .tidying) { transaction in
                let db = transaction.db
                var intents = try DirectStatement(
                    """
                    DELETE FROM intent WHERE id IN (SELECT id FROM intent
                        WHERE phase IN ('done', 'refused') AND timestamp < ? LIMIT ?)
                    """, db)
                try intents.bind(latest)
                try intents.bind(Self.mostExpired)
                try intents.run()
                // In the order of the revisions: a reader that has seen the newest of these has seen the others.
                let newest = try Revision.fetchOne(
                    db,
                    sql: """
                        SELECT max(revision) FROM (SELECT revision FROM removal WHERE removed_at < ?
                            ORDER BY revision LIMIT ?)
                        """, arguments: [latest, Self.mostExpired])
                guard let newest else { return }
                try transaction.set(.unknownRemovals, newest)
                var removals = try DirectStatement("DELETE FROM removal WHERE revision <= ?", db)
                try removals.bind(newest)
                try removals.run()
            }
        }
    }

    private static func isAnyExpired(before latest: Int64, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (SELECT 1 FROM removal WHERE removed_at < :latest)
                    OR EXISTS (SELECT 1 FROM intent WHERE phase IN ('done', 'refused') AND timestamp < :latest)
                """, arguments: ["latest": latest]) == true
    }

    /// Rows in one slice: about a millisecond.
    private static let mostExpired = 256

    /// Seconds for which word of a removal stays, and the answer to an intent: far more than a reader needs that runs
    /// at all. One that was stopped for longer reads everything again.
    private static let timeToHear: TimeInterval = 600
}

/// How many rows are removed under one hold of the lock: a pure value, without a clock.
struct SliceSize: Equatable {
    /// Of a slice with its commit. Ten milliseconds is what a dictation may be delayed by, and on a busy machine a slice
    /// takes many times as long.
    static let goal = Duration.milliseconds(1)
    private static let most = 256

    private(set) var rows = 8

    /// - Parameter duration: what a slice of that size took.
    mutating func adapt(to duration: Duration) {
        let perRow = max(duration / .nanoseconds(1), 1) / Double(rows)
        let wanted = Int(Self.goal / .nanoseconds(1) / perRow)
        // By steps: one slow slice, or a quick one, says little.
        rows = min(max(wanted, rows / 2, 1), rows * 2, Self.most)
    }
}

/// How many finished dictations are kept; nil sets no limit.
public struct Retention: Equatable, Sendable {
    public var count: Int?
    /// Days since they began.
    public var days: Int?

    public init(count: Int?, days: Int?) {
        self.count = count
        self.days = days
    }
}
