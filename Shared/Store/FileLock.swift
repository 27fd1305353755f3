import CLinux
import DictationSystem
import Foundation

/// An exclusive lock on a file between open file descriptions (`F_OFD_SETLK`, fcntl(2)): the kernel gives it back
/// when the process dies, it also excludes two holders inside one process, and whether it is held can be asked
/// without taking it.
public final class FileLock: Sendable {
    private let descriptor: Descriptor
    private let path: String
    private let patience: LockPatience?

    /// Opens the lock's file, making it (mode 0600) where it is missing. Nothing is locked yet.
    ///
    /// - Parameter onLongWait: called, on another thread, when ``lock()`` has waited for ``LockPatience/limit``.
    /// - Throws: ``SystemError``.
    public init(path: String, onLongWait: (@Sendable (LockWait) -> Void)? = nil) throws {
        self.path = path
        descriptor = try .opening("open \(path)") {
            Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        }
        patience = onLongWait.map { LockPatience(path: path, onLongWait: $0) }
    }

    /// Opens a lock's file to look whether it is held.
    ///
    /// - Returns: nil when there is no such file, and so nobody holds it.
    /// - Throws: ``SystemError``.
    static func existing(path: String) throws -> FileLock? {
        do {
            return FileLock(
                path: path,
                try .opening("open \(path)") { Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) })
        } catch let error as SystemError where error.code == ENOENT {
            return nil
        }
    }

    private init(path: String, _ descriptor: Descriptor) {
        self.path = path
        self.descriptor = descriptor
        patience = nil
    }

    /// Waits in the kernel's queue until the lock is ours.
    public func lock() throws {
        // Nearly always nobody has it: then this one call is all.
        if try tryLock() { return }
        try patience?.begin()
        defer { patience?.end() }
        var request = Self.request(F_WRLCK)
        try retryingInterrupted("lock \(path)") { fcntl(descriptor.raw, F_OFD_SETLKW, &request) }
    }

    /// Takes the lock if nobody has it.
    public func tryLock() throws -> Bool {
        var request = Self.request(F_WRLCK)
        while fcntl(descriptor.raw, F_OFD_SETLK, &request) != 0 {
            let code = errno
            if code == EAGAIN || code == EACCES { return false }
            if code != EINTR { throw SystemError("lock \(path)", code: code) }
        }
        return true
    }

    public func unlock() {
        var request = Self.request(F_UNLCK)
        // Unlocking a lock of our own has no way to fail.
        _ = fcntl(descriptor.raw, F_OFD_SETLK, &request)
    }

    /// Whether somebody else holds the lock at this moment; takes nothing.
    public func isHeldElsewhere() throws -> Bool {
        var request = Self.request(F_WRLCK)
        try retryingInterrupted("look at the lock \(path)") { fcntl(descriptor.raw, F_OFD_GETLK, &request) }
        return Int32(request.l_type) != F_UNLCK
    }

    /// Whether the file behind the name is still the one that is locked.
    func isInPlace() -> Bool {
        var ours = stat()
        var named = stat()
        return fstat(descriptor.raw, &ours) == 0 && lstat(path, &named) == 0 && ours.st_ino == named.st_ino
            && ours.st_dev == named.st_dev
    }

    /// What the holder wrote about itself.
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

    private static func request(_ type: Int32) -> flock {
        var request = flock()
        request.l_type = Int16(type)
        request.l_whence = Int16(SEEK_SET)
        return request
    }
}
