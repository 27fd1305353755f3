import Glibc

/// The lock of an open file or folder (flock(2)), for exclusive use.
///
/// It leaves no file. It ends with the descriptor and all copies of it in other processes: with the process
/// at the latest, and usually before.
extension Descriptor {
    /// Waits until no other process has it.
    ///
    /// - Throws: ``SystemError`` that names `operation`.
    public func lock(_ operation: @autoclosure () -> String) throws {
        try retryingInterrupted(operation()) { flock(raw, LOCK_EX) }
    }

    /// - Returns: false if another process has it, or the file system supports no locks.
    public func tryLock() -> Bool { flock(raw, LOCK_EX | LOCK_NB) == 0 }

    /// At once: a child that this process has forked just now keeps a copy of the descriptor until it runs its program.
    public func unlock() { _ = flock(raw, LOCK_UN) }
}
