import CLinux
import Glibc

/// Replaces a file's contents, so that a reader, or the next start after a crash or a power failure, finds all of the
/// old ones or all of the new ones.
///
/// - Parameters:
///   - mode: that of the new file, not that of the old one; without it only the user can access the file.
///   - isSynced: whether to wait for the disk. If not, a power failure may leave the file empty.
/// - Throws: ``SystemError``; then the file is unchanged.
public func replaceFile(
    at path: String, with bytes: [UInt8], mode: mode_t = 0o600, isSynced: Bool = true
) throws {
    let new = path + ".new"
    do {
        let file = try Descriptor.opening("open \(new)") {
            open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        }
        try retryingInterrupted("change the mode of \(new)") { fchmod(file.raw, mode) }
        try file.writeAll(bytes, "write \(new)")
        if isSynced { try retryingInterrupted("sync \(new)") { fdatasync(file.raw) } }
        try retryingInterrupted("rename \(new)") { rename(new, path) }
    } catch {
        unlink(new)
        throw error
    }
}

/// Renames a file, as `cp --backup=numbered` does: "notes.txt" becomes "notes.txt.~1~".
///
/// - Returns: its new path; nil if there is no such file.
/// - Throws: ``SystemError``
public func backUpFile(at path: String) throws(SystemError) -> String? {
    var number = 1
    while true {
        let kept = "\(path).~\(number)~"
        if clinux_rename_without_replacing(path, kept) == 0 { return kept }
        switch errno {
        case ENOENT: return nil
        case EEXIST: number += 1
        default: throw SystemError("rename \(path)")
        }
    }
}
