import CLinux
import DictationSystem
import Foundation

/// The file `revision`: eight bytes, little endian, that say which commit was the last. Writing it wakes the
/// readers, by inotify. It is a hint; the truth is in the store.
final class RevisionBell: Sendable {
    private let descriptor: Descriptor
    let path: String

    init(path: String) throws {
        self.path = path
        descriptor = try .opening("open \(path)") {
            Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        }
        var status = stat()
        // The file takes its room on the disk now: on a full disk it could not be rung for the first time. If
        // this fails, a later ring may work.
        if fstat(descriptor.raw, &status) == 0, status.st_size == 0 { try? ring(0) }
    }

    /// Opens a bell that is there, to look at it; it cannot be rung.
    init(lookingAt path: String) throws {
        self.path = path
        descriptor = try .opening("open \(path)") { Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) }
    }

    /// Replaces the file by a new one: processes that have the old one open notice it, and open the store
    /// again. Call it under the store's lock.
    static func replacing(path: String, revision: Revision) throws -> RevisionBell {
        let new = path + ".new"
        // Left over from a process that died here.
        unlink(new)
        let bell = try RevisionBell(path: new)
        try bell.ring(revision)
        try retryingInterrupted("rename \(new)") { rename(new, path) }
        return try RevisionBell(path: path)
    }

    /// One write, so that a reader never sees half a number.
    func ring(_ revision: Revision) throws {
        var bytes = revision.littleEndian
        try retryingInterrupted("write \(path)") {
            pwrite(descriptor.raw, &bytes, MemoryLayout<Revision>.size, 0)
        }
    }

    /// 0 before the first commit.
    func read() -> Revision {
        var bytes: Revision = 0
        let count = pread(descriptor.raw, &bytes, MemoryLayout<Revision>.size, 0)
        return count == MemoryLayout<Revision>.size ? Revision(littleEndian: bytes) : 0
    }

    /// Tells all who have this file open that its store has ended, without creating a new one: the user may be
    /// removing the folder at this moment.
    func end() throws {
        var mark: UInt8 = 0
        try retryingInterrupted("write \(path)") {
            pwrite(descriptor.raw, &mark, 1, off_t(MemoryLayout<Revision>.size))
        }
    }

    /// Whether the bell at a path was ended.
    static func isEnded(path: String) -> Bool {
        var named = stat()
        return lstat(path, &named) == 0 && named.st_size > MemoryLayout<Revision>.size
    }

    /// Whether the file that readers would find by its name is still the one that we write, and its store is
    /// in use.
    func isInPlace() -> Bool {
        var ours = stat()
        var named = stat()
        return fstat(descriptor.raw, &ours) == 0 && lstat(path, &named) == 0 && ours.st_ino == named.st_ino
            && ours.st_dev == named.st_dev && named.st_size <= MemoryLayout<Revision>.size
    }
}
