import DictationSystem
import Foundation
import GRDB
import Synchronization

/// The store that both processes share: every read sees the newest commit of any process, every write is one
/// transaction that either follows the table of transitions or changes nothing.
///
/// All calls are synchronous and take microseconds; those that write may wait for the lock of another writer. Actors
/// that call them run on a ``ThreadExecutor``.
public final class StateStore: Sendable {
    public let group: AppGroup
    private let state: Mutex<State>
    private let syncs = PendingSyncs()
    private let onNotice: @Sendable (StoreNotice) -> Void

    private struct State {
        /// Nil while the store cannot be used; each use tries to open it.
        var connection: StoreConnection?
        var health = StoreHealth()
        /// Counts the openings.
        var generation = 0
        var beforeReopening: [@Sendable () throws -> Void] = []
        var observers: [Int: @Sendable () -> Void] = [:]
        var lastObserver = 0
    }

    /// How sure a commit must be.
    enum Durability {
        /// Survives the death of any process; the newest commits may be lost when the power fails.
        case process
        /// Survives a power failure as well: the commit waits for the disk.
        case power
        /// The same, but the caller does not wait: another thread syncs it at once.
        case powerSoon
    }

    /// The purpose for which a process opens a store.
    public enum Purpose: Sendable {
        case writing
        /// Usually nothing is written: such an opening waits for no lock, and changes no file. The first write
        /// opens the store completely.
        case looking
    }

    /// Opens the store of a group, creating or migrating it if needed. Files in its place that cannot be used
    /// are moved aside, with a notice.
    ///
    /// - Parameter onNotice: gets notices that are no answer to a call, on any thread; see ``StoreNotice``.
    /// - Throws: ``StoreError``.
    public init(
        group: AppGroup, for purpose: Purpose = .writing,
        onNotice: @escaping @Sendable (StoreNotice) -> Void = { _ in }
    ) throws {
        self.group = group
        self.onNotice = onNotice
        let connection = try SiblingConnections.of(group).opening {
            let looking = purpose == .looking ? StoreConnection(lookingAt: group) : nil
            // Damage has most often come while nobody worked: from a disk, or when the power failed.
            return try looking
                ?? Self.connect(
                    group, purpose == .writing ? .checking : .asUsual, previous: nil, onNotice)
        }
        state = Mutex(State(connection: connection))
        for store in connection.movedAside { onNotice(.movedAside(store)) }
    }

    /// Another connection to the same store, which the first use opens; housekeeping makes no missing store again.
    public init(besides other: StateStore) {
        group = other.group
        onNotice = { _ in }
        state = Mutex(State())
    }

    // MARK: - Reading

    func read<Value: Sendable>(_ body: (Database) throws -> Value) throws -> Value {
        try using(.reading) { try Self.read($0.reader, body) }
    }

    /// Runs a single statement, which sees one commit even without a transaction.
    func readStatement<Value: Sendable>(_ body: (Database) throws -> Value) throws -> Value {
        try using(.reading) { try $0.reader.inDatabase(body) }
    }

    static func read<Value: Sendable>(
        _ reader: DatabaseQueue, _ body: (Database) throws -> Value
    ) throws -> Value {
        try reader.inDatabase { db in
            // One transaction, so that all statements see the same commit.
            try DirectStatement("BEGIN", db).run()
            defer { end(db) }
            return try body(db)
        }
    }

    /// The newest commit; 0 for an empty store.
    public func revision() throws -> Revision {
        try read { try Self.revision($0) }
    }

    static func revision(_ db: Database) throws -> Revision {
        let row = try DirectStatement(Newest.newest, db)
        return try row.step() ? row.integer(0) : 0
    }

    /// Leaves a transaction that has nothing to commit.
    private static func end(_ db: Database) {
        // SQLite has ended it already after some errors; then there is nothing left to do.
        try? DirectStatement("ROLLBACK", db).run()
    }

    // MARK: - Writing

    /// One write. It takes its revision when the first row changes: a write that changes nothing rings no bell.
    final class Transaction {
        let db: Database
        private(set) var taken: Revision?
        private var isStored = false

        init(_ db: Database) { self.db = db }

        /// - Parameter part: what the caller changes; nil for a partial result or progress, whose revision is in the
        ///   dictation's row of `unfinished_dictation` only.
        func revision(of part: Newest.Part?) throws -> Revision {
            // UPDATE … RETURNING would make a table for its result, and cost more than two statements.
            let revision = try taken ?? StateStore.revision(db) + 1
            taken = revision
            guard let part else { return revision }
            if !isStored { try set(.any, revision) }
            isStored = true
            if part != .any { try set(part, revision) }
            return revision
        }

        func set(_ part: Newest.Part, _ revision: Revision) throws {
            var statement = try DirectStatement("UPDATE store_revision SET \(part.rawValue) = ?", db)
            try statement.bind(revision)
            try statement.run()
            guard db.changesCount == 1 else {
                throw DatabaseError.counterGone
            }
        }
    }

    /// Carries out one transaction: queues for the lock, commits, rings the bell, releases the lock; then, if
    /// that is requested, waits for the disk.
    ///
    /// SQLite could do that inside its commit (`synchronous = FULL`). But then all others would wait for the disk, too:
    /// writers for the lock, and the inserter for a text that is ready. It need not: after a power cut the text may be
    /// pending again, but it is from before the machine started, and such texts are held.
    ///
    /// - Parameter use: whether a store that is missing is created again.
    func write<Value: Sendable>(
        durability: Durability = .process, for use: StoreHealth.Use = .writing,
        _ body: (Transaction) throws -> Value
    ) throws -> Value {
        let (value, connection) = try using(use) { (try Self.write($0, body), $0) }
        switch durability {
        case .process: break
        case .power: bringToDisk(connection)
        case .powerSoon: syncs.start { [self] in bringToDisk(connection) }
        }
        return value
    }

    /// Calls `body` when everything committed here so far is on the disk: at once, or on the thread that
    /// syncs it.
    public func whenOnDisk(_ body: @escaping @Sendable () -> Void) { syncs.whenDone(body) }

    private func bringToDisk(_ connection: StoreConnection) {
        do {
            try connection.bringToDisk()
        } catch {
            // The commit is valid, and others may have continued from it: it must not be made again.
            onNotice(.notOnDisk(reason: "\(error)"))
        }
    }

    private static func write<Value: Sendable>(
        _ connection: StoreConnection, _ body: (Transaction) throws -> Value
    ) throws -> Value {
        try connection.exclusively { db in
            // A commit to a replaced file would never be read.
            guard connection.bell.isInPlace() else { throw StoreFault.replaced }
            let transaction = Transaction(db)
            try DirectStatement("BEGIN IMMEDIATE", db).run()
            let value: Value
            do {
                value = try body(transaction)
                try DirectStatement("COMMIT", db).run()
            } catch {
                Self.end(db)
                throw error
            }
            if let revision = transaction.taken { connection.ring(revision) }
            return value
        }
    }

    /// Runs `body` under the writers' lock, but outside of a transaction: for operations on the whole file.
    func exclusively<Value: Sendable>(_ body: (Database) throws -> Value) throws -> Value {
        try using(.tidying) { connection in
            try connection.exclusively { db in
                guard connection.bell.isInPlace() else { throw StoreFault.replaced }
                return try body(db)
            }
        }
    }

    /// Moves what was committed from the -wal file into the database. Call it when no one waits for a commit;
    /// other processes can read and write during it. The traces that ``scrub(largest:)`` had to leave are
    /// removed too.
    public func checkpoint() throws {
        try moveLogIntoDatabase()
        SpaceReserve.fill(group.reserve.path)
        guard try unfinished().isEmpty else { return }
        // While this one was made, no other process could empty the -wal file, and may have given up.
        if try hasTraces() { try scrub(largest: Self.soonScrubbed) }
        try beginLogAnew()
    }

    /// Makes the first commit after a checkpoint, which writes the -wal file from its beginning: SQLite brings the new header
    /// to the disk before the first frame, inside the commit. The next dictation would wait for that, and all others for it.
    private func beginLogAnew() throws {
        try write(for: .tidying) { _ = try $0.revision(of: .any) }
    }

    /// Waits until no other process, and no other connection, waits for the writers' lock.
    func letOthersGoFirst() throws { try using(.tidying) { try $0.letOthersGoFirst() } }

    func moveLogIntoDatabase() throws {
        try using(.reading) { connection in
            try connection.forWriting().database.inDatabase { db in
                // Pages of a removed -wal file must not come where the index of the new one says.
                guard connection.isInPlace() else { throw StoreFault.replaced }
                do {
                    _ = try db.checkpoint(.passive)
                } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                    // Another process makes a checkpoint at this moment, which is as good.
                }
            }
        }
    }

    // MARK: - Faults

    /// Calls `body`, and does about faults of the store what ``StoreRepair`` says.
    private func using<Value>(
        _ use: StoreHealth.Use, _ body: (StoreConnection) throws -> Value
    ) throws -> Value {
        var repair = StoreRepair()
        while true {
            let (connection, isTroubled) = try connection(for: use)
            do {
                let value = try body(connection)
                if isTroubled { tell(.worked(use)) }
                return value
            } catch {
                guard let fault = StoreFault(error) else { throw error }
                guard let remedy = repair.next(after: fault) else {
                    let error = fault.error(in: group)
                    tell(.failed(error))
                    throw error
                }
                try carryOut(remedy, on: connection, for: use)
            }
        }
    }

    private func connection(for use: StoreHealth.Use) throws -> (StoreConnection, isTroubled: Bool) {
        let open = state.withLock { state in state.connection.map { ($0, state.health.trouble != nil) } }
        if let open { return open }
        return (try reopen(.asUsual, instead: nil, for: use), true)
    }

    private func carryOut(
        _ remedy: StoreRepair.Remedy, on connection: StoreConnection, for use: StoreHealth.Use
    ) throws {
        switch remedy {
        case .reopen, .openToWrite: _ = try reopen(.asUsual, instead: connection, for: use)
        case .reopenChecking: _ = try reopen(.checking, instead: connection, for: use)
        case .replace: _ = try reopen(.none, instead: connection, for: use)
        case .releaseReserve: _ = SpaceReserve.release(group.reserve.path)
        }
    }

    /// Closes a connection and opens the files that have the names now; if another thread has done so, its
    /// connection is taken. Missing files are created again only for writing: a folder that was moved away may
    /// come back, and one that is being removed would be left half full.
    private func reopen(
        _ trust: StoreConnection.Trust, instead old: StoreConnection?, for use: StoreHealth.Use
    ) throws -> StoreConnection {
        let opened: Result<(new: StoreConnection?, current: StoreConnection), any Error> = state.withLock {
            state in
            if let current = state.connection, current !== old { return .success((nil, current)) }
            // A read-only connection stays useful if nothing can be written.
            let looking = old.flatMap { $0.isForLooking && $0.isInPlace() ? $0 : nil }
            if looking == nil {
                state.connection = nil
                old?.close()
            }
            do {
                if use == .writing {
                    _ = try AppGroup(folder: group.folder)
                } else {
                    try group.lookAgain()
                    let lost = StoreConnection.lostFile(of: group) { [onNotice] in
                        onNotice(.waitsForLock($0))
                    }
                    if let lost { throw StoreError.vanished(path: lost) }
                }
                for body in state.beforeReopening { try body() }
                let new = try SiblingConnections.of(group).opening { [group, onNotice] in
                    try Self.connect(group, trust, previous: old, onNotice)
                }
                state.connection = new
                // Earlier reads stay true if the same files were only opened for writing.
                if looking?.isInPlace() != true { state.generation += 1 }
                looking?.close()
                return .success((new, new))
            } catch {
                return .failure(error)
            }
        }
        do {
            let (new, current) = try opened.get()
            if let new {
                for store in new.movedAside { onNotice(.movedAside(store)) }
                tell(.worked(.reading))
                for observer in state.withLock({ Array($0.observers.values) }) { observer() }
            }
            return current
        } catch let error as StoreError {
            tell(.failed(error))
            throw error
        } catch let refusal as AppGroup.Refusal {
            tell(.failed(.refused(refusal)))
            throw StoreError.refused(refusal)
        }
    }

    private static func connect(
        _ group: AppGroup, _ trust: StoreConnection.Trust, previous: StoreConnection?,
        _ onNotice: @escaping @Sendable (StoreNotice) -> Void
    ) throws -> StoreConnection {
        do {
            return try StoreConnection(group: group, trust: trust, previous: previous) { wait in
                onNotice(.waitsForLock(wait))
            }
        } catch {
            throw StoreFault(error).map { $0.error(in: group) } ?? error
        }
    }

    private func tell(_ event: StoreHealth.Event) {
        if let notice = state.withLock({ $0.health.handle(event) }) { onNotice(notice) }
    }

    // MARK: - For watchers and agents

    /// The present trouble with the store, as far as a call has met it.
    public var trouble: StoreError? { state.withLock { $0.health.trouble } }

    /// Changes whenever the store was opened again; earlier results may belong to other files.
    public var generation: Int { state.withLock { $0.generation } }

    /// Checks whether the names still lead to the open files, and otherwise opens those that are there now.
    ///
    /// A missing file is not created again: the user may be removing the folder at this moment, or may put it
    /// back.
    ///
    /// - Throws: ``StoreError`` while the store cannot be used.
    func lookAgain() throws {
        let connection = state.withLock { $0.connection }
        if let connection, connection.isInPlace() {
            do {
                try group.lookAgain()
                return
            } catch let refusal as AppGroup.Refusal {
                tell(.failed(.refused(refusal)))
            }
        }
        _ = try reopen(.asUsual, instead: connection, for: .reading)
    }

    /// Calls `body` whenever the store was opened again, on any thread; it must return at once.
    ///
    /// - Returns: a token for ``removeObserver(_:)``.
    func addObserver(_ body: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.lastObserver += 1
            state.observers[state.lastObserver] = body
            return state.lastObserver
        }
    }

    func removeObserver(_ number: Int) { state.withLock { _ = $0.observers.removeValue(forKey: number) } }

    /// Calls `body` before files are opened again, in addition to earlier ones: an agent takes its role
    /// again there, and throws if another one has it by now.
    public func beforeReopening(_ body: @escaping @Sendable () throws -> Void) {
        state.withLock { $0.beforeReopening.append(body) }
    }
}
