import GRDB
import GRDBSQLite
import Synchronization

/// One connection to the database: GRDB's, and beside GRDB's queue a shorter way for the few statements that run with each
/// partial result: its commit, and the reading of it in every other process.
///
/// GRDB hands each access to a dispatch queue, and finds a cached statement by its text. After a sleep, when nothing of
/// that is in the processor's caches, it takes a fifth of a commit. Both ways go through one lock, so that they never
/// meet.
final class StoreDatabase: Sendable {
    private let queue: DatabaseQueue
    /// Nil once it is closed.
    private let live: Mutex<LiveStatements?>

    init(_ queue: DatabaseQueue) {
        self.queue = queue
        let statements = queue.inDatabase { db in
            // They tell GRDB's observers of commits, of which there are none here, and insist on GRDB's queue.
            sqlite3_commit_hook(db.sqliteConnection, nil, nil)
            sqlite3_rollback_hook(db.sqliteConnection, nil, nil)
            return LiveStatements(db)
        }
        live = Mutex(statements)
    }

    /// Runs `body` on GRDB's queue.
    func inDatabase<Value: Sendable>(_ body: (Database) throws -> Value) throws -> Value {
        try live.withLock { _ in try queue.inDatabase(body) }
    }

    /// Runs `body` with the live statements, on the caller's thread.
    ///
    /// - Throws: ``StoreFault/replaced`` once the connection is closed; what `body` throws.
    func withLiveStatements<Value: Sendable>(
        _ body: (inout LiveStatements) throws -> Value
    ) throws -> Value {
        try live.withLock { live in
            guard var statements = live.take() else { throw StoreFault.replaced }
            defer { live = statements }
            return try body(&statements)
        }
    }

    /// - Throws: `DatabaseError` when it cannot be closed yet; it is closed when its last user lets go of it.
    func close() throws {
        try live.withLock { live in
            live = nil
            try queue.close()
        }
    }
}

/// The statements that carry a partial result from one process to another, ten times a second; each is prepared when it
/// is needed for the first time.
/// They are used under the lock of their ``StoreDatabase`` alone.
struct LiveStatements {
    private let connection: SQLiteConnection?
    private var prepared = [PreparedStatement?](repeating: nil, count: Query.allCases.count)

    enum Query: Int, CaseIterable {
        case begin, commit, rollBack
        /// See ``DictationRow``.
        case unfinishedSince, newestRevision, updateUnfinished

        fileprivate var sql: String {
            switch self {
            case .begin: "BEGIN IMMEDIATE"
            case .commit: "COMMIT"
            case .rollBack: "ROLLBACK"
            case .unfinishedSince: DictationRow.unfinishedSince
            case .newestRevision: Newest.newest
            case .updateUnfinished: DictationRow.updateUnfinished
            }
        }
    }

    fileprivate init(_ db: Database) { connection = db.sqliteConnection }

    /// - Throws: GRDB's `DatabaseError`.
    mutating func statement(_ query: Query) throws -> DirectStatement {
        let statement = try prepared[query.rawValue] ?? PreparedStatement(query.sql, connection)
        prepared[query.rawValue] = statement
        return DirectStatement(statement)
    }

    mutating func newestRevision() throws -> Revision {
        let row = try statement(.newestRevision)
        return try row.step() ? row.integer(0) : 0
    }

    /// Carries out one transaction, which `body` may refuse.
    ///
    /// - Parameter body: returns nil where nothing is to be committed.
    /// - Returns: what `body` returned.
    mutating func commit<Value>(_ body: (inout LiveStatements) throws -> Value?) throws -> Value? {
        try statement(.begin).run()
        do {
            guard let value = try body(&self) else {
                try statement(.rollBack).run()
                return nil
            }
            try statement(.commit).run()
            return value
        } catch {
            // SQLite has ended it already after some errors; then there is nothing left to do.
            try? statement(.rollBack).run()
            throw error
        }
    }
}
