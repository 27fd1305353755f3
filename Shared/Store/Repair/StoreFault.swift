import CLinux
import DictationSystem
import Foundation
import GRDB

/// A fault of the store itself, found in the error of a call. Other errors are not faults.
enum StoreFault: Error, Equatable {
    /// The names no longer lead to the open files.
    case replaced
    /// The store was opened for reading alone, and there is something to write.
    case openedToLook
    case damaged(String)
    case full
    case readOnly(String)
    /// Another program writes, and does not let go: one that knows nothing of our lock.
    case busy
    case unusable(String)

    init?(_ error: any Error) {
        switch error {
        case let fault as StoreFault: self = fault
        case let error as DatabaseError: self.init(error)
        case let error as SystemError: self.init(error)
        default: return nil
        }
    }

    init?(_ error: DatabaseError) {
        let words = error.message ?? "\(error.resultCode)"
        switch error.resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .damaged(words)
        case .SQLITE_FULL: self = .full
        case .SQLITE_IOERR where Self.limited.contains(error.extendedResultCode) && Self.isFileSizeLimited:
            self = .full
        case .SQLITE_READONLY where error.extendedResultCode == .SQLITE_READONLY_DBMOVED: self = .replaced
        case .SQLITE_READONLY: self = .readOnly(words)
        case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy
        case .SQLITE_CANTOPEN, .SQLITE_IOERR, .SQLITE_PERM, .SQLITE_AUTH, .SQLITE_PROTOCOL:
            self = .unusable(words)
        // The files were found replaced, and their connection was closed, by another thread or because another connection
        // was opened. Nothing else misuses SQLite.
        case .SQLITE_MISUSE: self = .replaced
        default: return nil
        }
    }

    init(_ error: SystemError) {
        switch error.code {
        case ENOSPC, EDQUOT, EFBIG: self = .full
        case EROFS: self = .readOnly("\(error)")
        case ENOENT, ENOTDIR: self = .replaced
        default: self = .unusable("\(error)")
        }
    }

    /// SQLite's codes for EFBIG, which it does not tell from a disk that fails.
    private static let limited: [ResultCode] = [
        .SQLITE_IOERR_WRITE, .SQLITE_IOERR_TRUNCATE, .SQLITE_IOERR_SHMSIZE,
    ]

    /// Whether no file of this process may grow beyond a size (ulimit -f): that is a full disk.
    private static var isFileSizeLimited: Bool {
        var limit = rlimit()
        return getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0
            && limit.rlim_cur != rlim_t.max
    }

    var isDamage: Bool { if case .damaged = self { true } else { false } }

    /// The error for the caller if nothing helps. SQLite and the kernel have many names for a disk that is full or can
    /// only be read; the disk itself is asked.
    func error(in group: AppGroup) -> StoreError {
        let path = group.database.path
        guard case .unusable(let reason) = self else { return error(path: path) }
        var disk = statvfs()
        guard statvfs(group.folder.path, &disk) == 0 else { return error(path: path) }
        if disk.f_flag & UInt(ST_RDONLY) != 0 { return .readOnly(path: path, reason: reason) }
        // Less than a few pages: nothing can be begun.
        if disk.f_bavail * UInt(disk.f_frsize) < 65_536 { return .diskFull(path: path) }
        return error(path: path)
    }

    func error(path: String) -> StoreError {
        switch self {
        case .replaced: .vanished(path: path)
        case .openedToLook: .unusable(path: path, reason: "it was opened for reading alone")
        case .damaged(let reason): .unusable(path: path, reason: reason)
        case .full: .diskFull(path: path)
        case .busy: .busy(path: path)
        case .readOnly(let reason): .readOnly(path: path, reason: reason)
        case .unusable(let reason): .unusable(path: path, reason: reason)
        }
    }
}
