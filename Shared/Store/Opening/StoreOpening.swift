import CLinux
import DictationSystem
import Foundation
import GRDB
import GRDBSQLite

/// Opens the database of a group, and replaces one that cannot be used by a new one. Called under the
/// store's lock.
///
/// Should this process die in between, or the disk be full, the next one continues from there: the bell is
/// ended before the first file is moved, the note next to the old store is written when everything was copied
/// from it, then the new one gets its version, and a new bell comes last.
struct StoreOpening {
    struct Result {
        let database: DatabaseQueue
        let movedAside: [DamagedStore]
    }

    let group: AppGroup
    let onLongWait: @Sendable (LockWait) -> Void

    func open(trust: StoreConnection.Trust) throws -> Result {
        let path = group.database.path
        var moved: [DamagedStore] = []
        if let begun = try cutOff() {
            moved.append(begun)
            return Result(database: try fresh(&moved), movedAside: moved)
        }
        switch try StoreFile.inspect(path) {
        case .absent, .begun, .ours: break
        case .newer: throw StoreError.newerSchema(path: path)
        case .foreign: moved.append(try moveAside(because: .foreign))
        case .damaged(let reason): moved.append(try moveAside(because: .damaged(reason)))
        case .foreignLog:
            moved.append(try moveAside(files: [.log, .index], because: .foreignLog))
            moved[0].writeNote()
        }
        if moved.isEmpty, trust == .none {
            moved.append(try moveAside(because: .damaged("its contents contradict each other")))
        }
        if moved.contains(where: { $0.isWhole }) {
            return Result(database: try fresh(&moved), movedAside: moved)
        }
        do {
            let queue = try Self.openInPlace(path)
            do {
                // Another program's -wal may have damaged the pages that are read through it.
                if trust == .checking || !moved.isEmpty { try Self.check(queue) }
                return Result(database: queue, movedAside: moved)
            } catch {
                try? queue.close()
                throw error
            }
        } catch let error as DatabaseError where StoreFault(error)?.isDamage == true {
            moved.append(try moveAside(because: .damaged(error.message ?? "\(error.resultCode)")))
            return Result(database: try fresh(&moved), movedAside: moved)
        } catch let error as DatabaseError {
            throw StoreFault(error).map { $0.error(path: path) }
                ?? StoreError.unusable(path: path, reason: error.message ?? "\(error)")
        }
    }

    private func moveAside(
        files: [DatabaseFile] = DatabaseFile.allCases, because reason: DamagedStore.Reason
    ) throws -> DamagedStore {
        // A process that has the files open sees that they are no longer in use, even if this process dies
        // now.
        try RevisionBell(path: group.revision.path).end()
        let alone = try FilesLock(movingFilesOf: group, onLongWait: onLongWait)
        defer { alone.leave() }
        return try .moveAside(group, files: files, because: reason)
    }

    /// A store that another process had begun to move aside, or to copy, when it died or met a full disk.
    private func cutOff() throws -> DamagedStore? {
        guard RevisionBell.isEnded(path: group.revision.path),
            let begun = DamagedStore.all(in: group).last, begun.isWhole, !begun.isNoted
        else { return nil }
        let isThere = FileIdentity(path: group.database.path).exists
        // A complete store was put there since. A file that is not a store is inspected as usual.
        if isThere, ![.absent, .begun].contains(try StoreFile.inspect(group.database.path)) { return nil }
        if isThere { return begun }
        let alone = try FilesLock(movingFilesOf: group, onLongWait: onLongWait)
        defer { alone.leave() }
        try begun.moveRest(of: group)
        return begun
    }

    /// Creates an empty store, and copies everything readable from the one that was moved aside.
    private func fresh(_ moved: inout [DamagedStore]) throws -> DatabaseQueue {
        var queue = try Self.connect(group.database.path)
        if try queue.read({ try $0.tableExists("grdb_migrations") }) {
            // The rows that a process copied before it died.
            try queue.erase()
            try queue.close()
            queue = try Self.connect(group.database.path)
        }
        // Revisions continue where they were, if that is known: readers from before the damage are still
        // running.
        let last = (try? RevisionBell(path: group.revision.path).read()) ?? 0
        for index in moved.indices where moved[index].isWhole {
            moved[index] = try StoreSalvage.take(over: moved[index], into: queue, after: last)
            moved[index].writeNote()
        }
        try Self.setVersion(queue)
        return queue
    }

    private static func check(_ queue: DatabaseQueue) throws {
        let found = try queue.read { try String.fetchOne($0, sql: "PRAGMA integrity_check(1)") } ?? "ok"
        if found != "ok" { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: found) }
    }

    private static func openInPlace(_ path: String) throws -> DatabaseQueue {
        let queue = try connect(path)
        do {
            if try queue.read(StoreSchema.migrator.hasBeenSuperseded) {
                throw StoreError.newerSchema(path: path)
            }
            try StoreSchema.migrator.migrate(queue)
            try setVersion(queue)
            return queue
        } catch {
            try? queue.close()
            throw error
        }
    }

    /// Opens the existing database, or creates an empty one.
    private static func connect(_ path: String) throws -> DatabaseQueue {
        // SQLite gives its other files the mode of this one: make it private before SQLite makes it at all. A file that
        // is there is left to SQLite, which alone may close a descriptor of it.
        if !FileIdentity(path: path).exists {
            _ = try Descriptor.opening("open \(path)") {
                Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
            }
        }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.inDatabase { db in
            guard try Int32.fetchOne(db, sql: "PRAGMA application_id") == 0 else { return }
            try db.execute(sql: "PRAGMA application_id = \(AppGroupConstants.databaseApplicationID)")
        }
        return queue
    }

    /// Puts the schema's version into the header, where it can be read without opening, and thereby touching, the
    /// database.
    private static func setVersion(_ queue: DatabaseQueue) throws {
        try queue.inDatabase { db in
            guard try version(of: db) != StoreSchema.version else { return }
            try db.execute(sql: "PRAGMA user_version = \(StoreSchema.version)")
        }
    }

    static func version(of queue: DatabaseQueue) throws -> Int32? { try queue.inDatabase(version) }

    private static func version(of db: Database) throws -> Int32? {
        try Int32.fetchOne(db, sql: "PRAGMA user_version")
    }

    static func openReader(_ path: String) throws -> DatabaseQueue {
        var configuration = configuration
        configuration.readonly = true
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "dictation"
        configuration.journalMode = .wal
        // Writers queue at the lock and never meet; only SQLite's own recovery after a crash can make one wait.
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { db in
            // Deleted data leaves no trace in the file.
            try db.execute(sql: "PRAGMA secure_delete = ON")
            // Checkpoints are made when nothing waits for a commit, not in the middle of a dictation.
            try db.execute(sql: "PRAGMA wal_autocheckpoint = 0")
            // Otherwise each UPDATE allocates and frees 64 KiB for its own journal: a third of a commit's time.
            try db.execute(sql: "PRAGMA temp_store = MEMORY")
            var keep: CInt = 1
            // The -wal and -shm files stay when the last process closes: a reader never finds them half made.
            sqlite3_file_control(db.sqliteConnection, nil, SQLITE_FCNTL_PERSIST_WAL, &keep)
        }
        return configuration
    }
}
