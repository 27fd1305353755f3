import DictationSystem
import Foundation

/// Excludes opening the files of a store while they are moved aside: the second byte of `store.lock`.
///
/// SQLite opens a database, its -wal and its -shm one after another, and they are moved one after another. A
/// process that opened them in between would read one store's tables by another one's index, and, worse, fill
/// the new store's -shm from the old -wal. Most processes open a store under the writers' lock, and all
/// that move its files hold that lock. A process that opens a store only to read does not wait for it; it
/// shares this lock for a moment.
struct FilesLock {
    private static let byte: off_t = 1
    private let lock: FileLock

    /// Shares the lock with all others who open the files at this moment.
    ///
    /// - Returns: nil while the files are being moved, or if there is no store yet.
    /// - Throws: ``SystemError``.
    init?(sharing group: AppGroup) throws {
        guard let lock = try FileLock.existing(path: group.storeLock.path, byte: Self.byte),
            try lock.tryLockShared()
        else { return nil }
        self.lock = lock
    }

    /// Exclusively: waits for those who open them at this moment.
    ///
    /// - Throws: ``SystemError``.
    init(movingFilesOf group: AppGroup, onLongWait: @escaping @Sendable (LockWait) -> Void) throws {
        lock = try FileLock(path: group.storeLock.path, byte: Self.byte, onLongWait: onLongWait)
        try lock.lock()
    }

    func leave() { lock.unlock() }
}
