import CLinux
import DictationSystem
import Foundation
import GRDB
import GRDBSQLite

/// The open files of a store: its database, the writers' lock and the bell, as they were when they were opened.
///
/// A store outlives its connection: if the files are damaged, removed or replaced, ``StateStore`` opens new
/// ones. The file `revision` identifies a store: a process that replaces the files holds the lock, and puts a
/// new `revision` in place last.
final class StoreConnection: Sendable {
    let bell: RevisionBell
    /// Each has its own queue: taking a connection from GRDB's pool takes several times as long as reading what
    /// has changed. The reader comes first, so it is closed first: the last one to close moves the -wal file into
    /// the database, which a reader cannot.
    let reader: DatabaseQueue
    private let writing: Writing?
    /// Stores that were moved aside to open it.
    let movedAside: [DamagedStore]

    private let group: AppGroup
    private let files: [String: FileIdentity]

    /// The files that writing needs.
    struct Writing {
        let database: DatabaseQueue
        let lock: FileLock
        /// The -wal file, to bring it to the disk.
        let log: Descriptor
    }

    /// How much an opening trusts the files.
    enum Trust {
        /// Checks only the header.
        case asUsual
        /// An agent starts, or a statement met damage: every page and every index is read, fifty milliseconds for 50,000
        /// dictations.
        case checking
        /// Damage that no check finds has come back: the files are moved aside.
        case none
    }

    /// Opens the store, making or migrating it where needed. A file that is damaged, or another program's, is moved
    /// aside first. To be called through ``SiblingConnections``.
    ///
    /// - Parameter previous: the connection that met damage; if its files are no longer in place, another process
    ///   has replaced them, and the current files are trusted.
    /// - Throws: ``StoreError``, ``SystemError``, or GRDB's `DatabaseError`.
    init(
        group: AppGroup, trust: Trust = .asUsual, previous: StoreConnection? = nil,
        onLongWait: @escaping @Sendable (LockWait) -> Void
    ) throws {
        self.group = group
        let lock = try FileLock(
            path: group.storeLock.path, waitingByte: Self.waitingByte, onLongWait: onLongWait)
        // Two processes that open a new file at once must not both make its tables, nor both move it aside.
        try lock.lock()
        defer { lock.unlock() }
        let isReplaced = previous.map { !$0.bell.isInPlace() } ?? false
        let opening = try StoreOpening(group: group, onLongWait: onLongWait)
            .open(trust: isReplaced ? .asUsual : trust)
        let log = group.database.path + DatabaseFile.log.suffix
        writing = Writing(
            database: opening.database, lock: lock,
            log: try .opening("open \(log)") { Glibc.open(log, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) })
        reader = try StoreOpening.openReader(group.database.path)
        movedAside = opening.movedAside
        if movedAside.isEmpty, !RevisionBell.isEnded(path: group.revision.path) {
            bell = try RevisionBell(path: group.revision.path)
        } else {
            let revision = try reader.inDatabase { try StateStore.revision($0) }
            bell = try RevisionBell.replacing(path: group.revision.path, revision: revision)
        }
        files = Self.files(of: group)
    }

    /// Opens a store in which all is as it should be, for reading alone: it waits for no lock, and leaves every file
    /// as it is. To be called through ``SiblingConnections``.
    ///
    /// - Returns: nil if it must be created, migrated or repaired.
    init?(lookingAt group: AppGroup) {
        let files = Self.files(of: group)
        // The other opening meets the same errors, and repairs them.
        guard let together = try? FilesLock(sharing: group),
            (try? StoreFile.inspect(group.database.path)) == .ours, Self.missingFile(of: group) == nil,
            !RevisionBell.isEnded(path: group.revision.path),
            let bell = try? RevisionBell(lookingAt: group.revision.path),
            let reader = try? StoreOpening.openReader(group.database.path),
            // A store that is being created gets its version last.
            (try? StoreOpening.version(of: reader)) == StoreSchema.version
        else { return nil }
        self.group = group
        self.bell = bell
        self.reader = reader
        writing = nil
        movedAside = []
        self.files = files
        // Another program may have moved them in the meantime.
        guard isInPlace() else { return nil }
        together.leave()
    }

    var isForLooking: Bool { writing == nil }

    /// - Throws: ``StoreFault/openedToLook``.
    func forWriting() throws -> Writing {
        guard let writing else { throw StoreFault.openedToLook }
        return writing
    }

    /// Of `store.lock`, next to the writers' own and that of ``FilesLock``.
    private static let waitingByte: off_t = 2

    /// Waits until no other writer waits for the lock.
    ///
    /// - Throws: ``SystemError``.
    func letOthersGoFirst() throws { try forWriting().lock.letOthersGoFirst() }

    /// Runs `body` on the connection that writes, under the writers' lock.
    func exclusively<Value: Sendable>(_ body: (Database) throws -> Value) throws -> Value {
        let writing = try forWriting()
        return try writing.database.inDatabase { db in
            try writing.lock.lock()
            defer { writing.lock.unlock() }
            return try body(db)
        }
    }

    /// Waits until all that was committed until now is on the disk.
    ///
    /// - Throws: ``SystemError`` when the disk refuses. All processes see the commit even so.
    func bringToDisk() throws {
        let writing = try forWriting()
        try retryingInterrupted("sync the -wal file") { fdatasync(writing.log.raw) }
    }

    /// Rings the bell. Call it after a commit, under the lock.
    func ring(_ revision: Revision) {
        // The commit is valid even if the bell cannot be rung, and readers look at the store in any case.
        try? bell.ring(revision)
    }

    /// Whether every file that this connection has open is still the one that its name leads to.
    func isInPlace() -> Bool {
        bell.isInPlace() && files.allSatisfy { FileIdentity(path: $0) == $1 }
    }

    /// A missing file, if there is one.
    static func missingFile(of group: AppGroup) -> String? {
        (paths(of: group) + [group.revision.path]).first { !FileIdentity(path: $0).exists }
    }

    /// The same, once no process is replacing a damaged store: such a process has moved the old files away,
    /// and holds the lock.
    static func lostFile(
        of group: AppGroup, onLongWait: @escaping @Sendable (LockWait) -> Void
    ) -> String? {
        guard missingFile(of: group) != nil else { return nil }
        // If its file is gone too, no process holds it. A lock that cannot be opened changes nothing: the
        // file is missing.
        if FileIdentity(path: group.storeLock.path).exists,
            let lock = try? FileLock(path: group.storeLock.path, onLongWait: onLongWait),
            (try? lock.lock()) != nil
        {
            lock.unlock()
        }
        return missingFile(of: group)
    }

    private static func files(of group: AppGroup) -> [String: FileIdentity] {
        Dictionary(uniqueKeysWithValues: paths(of: group).map { ($0, FileIdentity(path: $0)) })
    }

    private static func paths(of group: AppGroup) -> [String] {
        [group.storeLock.path] + DatabaseFile.allCases.map { group.database.path + $0.suffix }
    }

    /// Closes the files. If the -wal file was removed, its commits are saved first: it is still
    /// open here.
    func close() {
        try? rescueRemovedLog()
        leaveReplacedFilesAlone()
        // A connection that cannot be closed is closed when its last user lets go of it.
        try? reader.close()
        try? writing?.database.close()
    }

    deinit { leaveReplacedFilesAlone() }

    /// The last connection that closes makes a checkpoint. One that has the removed -wal file open would put its pages
    /// where the index of the new one says: it would destroy the database. While the reader is there, the writer is not
    /// the last, and a reader makes none.
    private func leaveReplacedFilesAlone() {
        if !isInPlace() { try? writing?.database.close() }
    }

    private func rescueRemovedLog() throws {
        let wal = group.database.path + DatabaseFile.log.suffix
        let database = group.database.path
        guard !isForLooking, !FileIdentity(path: wal).exists, bell.isInPlace() else { return }
        try exclusively { db in
            // Under the lock: there is no new -wal file, and the database is the one that it belongs to.
            guard !FileIdentity(path: wal).exists, bell.isInPlace(),
                FileIdentity(path: database) == files[database]
            else { return }
            _ = try db.checkpoint(.full)
            // The other processes must not write to the removed file.
            try bell.end()
        }
    }
}

/// The file that a name leads to.
struct FileIdentity: Equatable, Sendable {
    private let device: UInt
    private let inode: UInt
    var exists: Bool { inode != 0 }

    init(path: String) {
        var status = stat()
        let isThere = lstat(path, &status) == 0
        device = isThere ? UInt(status.st_dev) : 0
        inode = isThere ? UInt(status.st_ino) : 0
    }
}

/// The files that are one SQLite database in WAL mode.
enum DatabaseFile: CaseIterable {
    case database, log, index

    var suffix: String {
        switch self {
        case .database: ""
        case .log: "-wal"
        case .index: "-shm"
        }
    }
}
