import CLinux
import DictationSystem
import Foundation

/// A lock on one byte of a file between open file descriptions (`F_OFD_SETLK`, fcntl(2)): the kernel releases
/// it when the process dies, it also excludes two holders inside one process, and it can be tested without
/// taking it.
public final class FileLock: Sendable {
    private let descriptor: Descriptor
    private let path: String
    private let byte: off_t
    /// All waiting processes share this byte; nil if waiting processes need not be known.
    private let waitingByte: off_t?
    private let patience: LockPatience?

    /// Opens the lock's file, creating it (mode 0600) if it is missing. Nothing is locked yet.
    ///
    /// - Parameters:
    ///   - byte: the byte to lock. Locks on other bytes are independent of it.
    ///   - waitingByte: the byte that all waiting processes share, for ``letOthersGoFirst()``.
    ///   - onLongWait: called, on another thread, when ``lock()`` has waited for ``LockPatience/limit``,
    ///     and again when ``LockWait/isHopeless``.
    /// - Throws: ``SystemError``.
    public init(
        path: String, byte: off_t = 0, waitingByte: off_t? = nil,
        onLongWait: (@Sendable (LockWait) -> Void)? = nil
    ) throws {
        self.path = path
        self.byte = byte
        self.waitingByte = waitingByte
        descriptor = try .opening("open \(path)") {
            Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        }
        patience = onLongWait.map { LockPatience(path: path, onLongWait: $0) }
    }

    /// Opens a lock's file to check whether it is held, or to share it.
    ///
    /// - Returns: nil if there is no such file, so no process holds it.
    /// - Throws: ``SystemError``.
    static func existing(path: String, byte: off_t = 0) throws -> FileLock? {
        do {
            return FileLock(
                path: path, byte: byte,
                try .opening("open \(path)") { Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) })
        } catch let error as SystemError where error.code == ENOENT {
            return nil
        }
    }

    private init(path: String, byte: off_t, _ descriptor: Descriptor) {
        self.path = path
        self.byte = byte
        self.descriptor = descriptor
        waitingByte = nil
        patience = nil
    }

    /// Waits in the kernel's queue until the lock is ours.
    public func lock() throws {
        // It is nearly always free: then this one call is enough.
        if try tryLock() { return }
        try patience?.begin()
        defer { patience?.end() }
        if let waitingByte { try wait(for: request(F_RDLCK, of: waitingByte)) }
        defer { if let waitingByte { release(waitingByte) } }
        try wait(for: request(F_WRLCK, of: byte))
    }

    /// Waits until no process waits for the lock any more. Call it between two holds if you need the lock many
    /// times.
    ///
    /// The kernel wakes a waiter when the lock is released, but does not reserve the lock for it: a process
    /// that asks again at once would get the lock again, many times in a row on a busy machine.
    ///
    /// - Throws: ``SystemError``.
    func letOthersGoFirst() throws {
        guard let waitingByte else { return }
        try wait(for: request(F_WRLCK, of: waitingByte))
        release(waitingByte)
    }

    private func wait(for request: flock) throws {
        var request = request
        try retryingInterrupted("lock \(path)") { fcntl(descriptor.raw, F_OFD_SETLKW, &request) }
    }

    /// Takes the lock if it is free.
    public func tryLock() throws -> Bool { try tryLock(F_WRLCK) }

    /// Takes the lock together with others who share it, if no process has it exclusively.
    func tryLockShared() throws -> Bool { try tryLock(F_RDLCK) }

    private func tryLock(_ type: Int32) throws -> Bool {
        var request = request(type, of: byte)
        while fcntl(descriptor.raw, F_OFD_SETLK, &request) != 0 {
            let code = errno
            if code == EAGAIN || code == EACCES { return false }
            if code != EINTR { throw SystemError("lock \(path)", code: code) }
        }
        return true
    }

    public func unlock() { release(byte) }

    private func release(_ byte: off_t) {
        var request = request(F_UNLCK, of: byte)
        // Unlocking a lock of our own has no way to fail.
        _ = fcntl(descriptor.raw, F_OFD_SETLK, &request)
    }

    /// Whether another process holds the lock at this moment; takes nothing.
    public func isHeldElsewhere() throws -> Bool {
        var request = request(F_WRLCK, of: byte)
        try retryingInterrupted("look at the lock \(path)") { fcntl(descriptor.raw, F_OFD_GETLK, &request) }
        return Int32(request.l_type) != F_UNLCK
    }

    /// Whether the name still leads to the locked file.
    func isInPlace() -> Bool {
        var ours = stat()
        var named = stat()
        return fstat(descriptor.raw, &ours) == 0 && lstat(path, &named) == 0 && ours.st_ino == named.st_ino
            && ours.st_dev == named.st_dev
    }

    /// The holder's note about itself.
    public func note() -> String {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = pread(descriptor.raw, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    /// Writes who holds the lock, for others to name; call it only while holding it.
    public func setNote(_ note: String) {
        let bytes = Array(note.utf8)
        // The note only helps people; the lock holds without it.
        _ = ftruncate(descriptor.raw, 0)
        _ = pwrite(descriptor.raw, bytes, bytes.count, 0)
    }

    private func request(_ type: Int32, of byte: off_t) -> flock {
        var request = flock()
        request.l_type = Int16(type)
        request.l_whence = Int16(SEEK_SET)
        request.l_start = byte
        request.l_len = 1
        return request
    }
}
