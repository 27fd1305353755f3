import Glibc

/// Identifies one state of a file: it differs once the file has changed.
public struct FileStamp: Hashable, Sendable {
    public let size: Int64
    /// Nanoseconds since 1970.
    public let modified: Int64
    public let mode: mode_t

    /// Nil if there is no such file.
    public init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        size = Int64(status.st_size)
        modified = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
        mode = status.st_mode
    }
}
