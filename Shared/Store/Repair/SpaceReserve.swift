import CLinux
import DictationSystem
import Foundation

/// Reserved space on the disk, released when the disk is full: then the text that was just spoken can
/// still be written and typed, and the user learns of it before anything is lost.
enum SpaceReserve {
    /// Bytes. A dictation of two thousand characters with its progress takes about 1 MiB of the -wal file, which is
    /// used again after each checkpoint.
    static let size = 1 << 20

    /// Reserves space, unless it is reserved; on a disk without spare space nothing changes.
    static func fill(_ path: String) {
        var status = stat()
        if lstat(path, &status) == 0, status.st_size >= size { return }
        guard
            let file = try? Descriptor.opening(
                "open \(path)", { Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600) })
        else { return }
        // Blocks, not a hole; if there are too few, the allocated ones are released.
        if posix_fallocate(file.raw, 0, off_t(size)) != 0 { _ = ftruncate(file.raw, 0) }
    }

    /// Gives the room back to the disk.
    ///
    /// - Returns: false when there was none.
    static func release(_ path: String) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_size > 0 else { return false }
        return truncate(path, 0) == 0
    }
}
