import DictationSystem
import Foundation
import GRDB
import GRDBSQLite
import Logging

/// The store that both processes share: every read sees the newest commit of any process, every write is one
/// transaction that either follows the table of transitions or changes nothing.
///
/// All calls are synchronous and take microseconds; those that write may wait for the lock of another writer. Actors
/// that call them run on a ``ThreadExecutor``.
public final class StateStore: Sendable {
    public let group: AppGroup
    let bell: RevisionBell
    private let database: DatabasePool
    private let lock: FileLock

    /// How sure a commit must be.
    enum Durability {
        /// Survives the death of any process; the newest commits may be lost when the power fails.
        case process
        /// Survives a power failure as well: the commit waits for the disk.
        case power
    }

    /// Opens the store of a group, making or migrating it where needed.
    ///
    /// - Throws: ``StoreError``, ``SystemError``, or GRDB's `DatabaseError`.
    public init(group: AppGroup) throws {
        self.group = group
        bell = try RevisionBell(path: group.revision.path)
        let lock = try FileLock(path: group.storeLock.path)
        // Two processes that open a new file at once must not both make its tables.
        try lock.lock()
        defer { lock.unlock() }
        self.lock = lock
        database = try Self.open(group.database.path)
    }

    private static func open(_ path: String) throws -> DatabasePool {
        var configuration = Configuration()
        configuration.label = "dictation"
        // Writers queue at the lock and never meet; only SQLite's own recovery after a crash can make one wait.
        configuration.busyMode = .timeout(5)
        configuration.maximumReaderCount = 2
        configuration.prepareDatabase { db in
            // What was deleted leaves no trace in the file.
            try db.execute(sql: "PRAGMA secure_delete = ON")
            // Checkpoints are made when nothing waits for a commit, not in the middle of a dictation.
            try db.execute(sql: "PRAGMA wal_autocheckpoint = 0")
            // Otherwise each UPDATE gives and takes 64 KiB for a journal of its own: a third of a commit's time.
            try db.execute(sql: "PRAGMA temp_store = MEMORY")
            var keep: CInt = 1
            // The -wal and -shm files stay when the last process closes: a reader never finds them half made.
            sqlite3_file_control(db.sqliteConnection, nil, SQLITE_FCNTL_PERSIST_WAL, &keep)
        }
        do {
            // SQLite gives its other files the mode of this one: make it private before SQLite makes it at all.
            _ = try Descriptor.opening("open \(path)") {
                Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            }
            let pool = try DatabasePool(path: path, configuration: configuration)
            try pool.writeWithoutTransaction { db in
                let applicationID = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
                let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") ?? 0
                if tables == 0 {
                    try db.execute(sql: "PRAGMA application_id = \(AppGroupConstants.databaseApplicationID)")
                } else if applicationID != AppGroupConstants.databaseApplicationID {
                    throw StoreError.foreignDatabase(path: path)
                }
                if try StoreSchema.migrator.hasBeenSuperseded(db) { throw StoreError.newerSchema(path: path) }
            }
            try StoreSchema.migrator.migrate(pool)
            return pool
        } catch let error as DatabaseError {
            throw StoreError.unusable(path: path, reason: error.message ?? "\(error)")
        }
    }

    // MARK: - Reading

    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try database.read(body)
    }

    /// The newest commit; 0 for an empty store.
    public func revision() throws -> Revision {
        try read { try Self.revision($0) }
    }

    static func revision(_ db: Database) throws -> Revision {
        try db.cachedStatement(sql: "SELECT revision FROM counter").fetchRevision() ?? 0
    }

    // MARK: - Writing

    /// What a write may do. The revision is taken when the first row changes: a write that changes nothing rings no
    /// bell.
    final class Transaction {
        let db: Database
        private(set) var taken: Revision?

        init(_ db: Database) { self.db = db }

        func revision() throws -> Revision {
            if let taken { return taken }
            let next = try db.cachedStatement(
                sql: "UPDATE counter SET revision = revision + 1 RETURNING revision"
            ).fetchRevision()
            guard let next else {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the counter is gone")
            }
            taken = next
            return next
        }
    }

    /// Carries out one transaction: queues for the lock, commits, rings the bell, gives the lock back.
    func write<Value>(
        durability: Durability = .process, _ body: (Transaction) throws -> Value
    ) throws -> Value {
        try database.writeWithoutTransaction { db in
            try lock.lock()
            defer { lock.unlock() }
            // GRDB sets NORMAL when it opens a connection in WAL mode, which syncs nothing at a commit.
            if durability == .power { try db.execute(sql: "PRAGMA synchronous = FULL") }
            defer { if durability == .power { try? db.execute(sql: "PRAGMA synchronous = NORMAL") } }
            let transaction = Transaction(db)
            var value: Value?
            try db.inTransaction(.immediate) {
                value = try body(transaction)
                return .commit
            }
            // The commit stands whether or not the bell can be rung, and readers look at the store in any case.
            if let revision = transaction.taken { try? bell.ring(revision) }
            guard let value else { throw DatabaseError(resultCode: .SQLITE_INTERNAL) }
            return value
        }
    }

    /// Moves what was committed from the -wal file into the database. To be called when this process waits for
    /// nothing; other processes read and write meanwhile.
    public func checkpoint() throws {
        try database.writeWithoutTransaction { db in
            do {
                _ = try db.checkpoint(.passive)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                // Another process makes a checkpoint at this moment, which is as good.
            }
        }
    }
}

extension Statement {
    /// The single integer of the first row, without GRDB's conversions.
    func fetchRevision() throws -> Revision? {
        try Revision.fetchOne(self)
    }
}
