import CArchive
import DictationSystem
import Foundation
import Glibc
import Synchronization

/// Why an archive is refused. Follows "it cannot be used: ".
public enum ArchiveFlaw: Error, Equatable, Sendable, CustomStringConvertible {
    case unreadable(reason: String)
    case leadsOutside(name: String)
    case link(name: String)
    /// A device, a pipe or the like.
    case special(name: String)
    case sparse(name: String)
    case twice(name: String)
    case tooLarge(limit: Int)
    case tooManyFiles(limit: Int)

    public var description: String {
        switch self {
        case .unreadable(let reason): "it cannot be unpacked: \(reason)"
        case .leadsOutside(let name): "a file in it would lead out of its folder (\(Self.shown(name)))"
        case .link(let name): "it has a link in it (\(Self.shown(name)))"
        case .special(let name):
            "it has something in it that is neither a file nor a folder (\(Self.shown(name)))"
        case .sparse(let name): "it has a sparse file (\(Self.shown(name)))"
        case .twice(let name): "it has a file twice (\(Self.shown(name)))"
        case .tooLarge(let limit):
            "it holds more than \(limit / 1_000_000) MB, which no model of its size does"
        case .tooManyFiles(let limit): "it holds more than \(limit) files"
        }
    }

    /// Names in archives come from outside.
    private static func shown(_ name: String) -> String { String(name.prefix(80)).displaySafeLine }
}

/// Unpacks tar archives, with libarchive, in this process: it ends with it. Only plain files and folders, within bounds.
struct ModelArchive: Sendable {
    let path: String
    /// Bytes of all files in it. Weights are packed by a third at most; tokens and texts by a few times.
    let limit: Int

    private static let mostFiles = 10_000
    private static let block = 1 << 20
    /// So many bytes may be in any archive, for small ones of texts.
    private static let least = 64_000_000

    init(path: String) {
        self.path = path
        limit = Self.least + 8 * max(0, ModelStore.size(of: path))
    }

    /// - Parameters:
    ///   - isWanted: by their names; others are not written.
    ///   - checkRoom: is given the bytes of each file before it is written.
    ///   - report: is given the bytes of the archive that were read.
    /// - Throws: ``ArchiveFlaw``, ``SystemError``, the errors of `checkRoom`; `CancellationError` when the
    ///   task is cancelled.
    func unpack(
        into folder: String, isWanted: @escaping @Sendable (String) -> Bool,
        checkRoom: @escaping @Sendable (Int) throws -> Void, report: @escaping @Sendable (Int) -> Void
    ) async throws {
        let isCancelled = Atomic(false)
        try await withTaskCancellationHandler {
            try await onThread(named: "unpacking") {
                Result {
                    try unpack(folder, isWanted, checkRoom) { bytes in
                        if isCancelled.load(ordering: .relaxed) { throw CancellationError() }
                        report(bytes)
                    }
                }
            }.get()
        } onCancel: {
            isCancelled.store(true, ordering: .relaxed)
        }
    }

    private func unpack(
        _ folder: String, _ isWanted: (String) -> Bool, _ checkRoom: (Int) throws -> Void,
        _ report: (Int) throws -> Void
    ) throws {
        guard let archive = archive_read_new() else { throw SystemError("read \(path)", code: ENOMEM) }
        defer { archive_read_free(archive) }
        // No others: some are programs that libarchive would start.
        for support in [
            archive_read_support_filter_bzip2, archive_read_support_filter_gzip,
            archive_read_support_filter_xz, archive_read_support_filter_zstd,
            archive_read_support_format_tar,
        ] { _ = support(archive) }
        guard archive_read_open_filename(archive, path, 65_536) == ARCHIVE_OK else {
            throw unreadable(archive)
        }
        var (count, total) = (0, 0)
        while true {
            var found: OpaquePointer?
            let code = archive_read_next_header(archive, &found)
            if code == ARCHIVE_EOF { break }
            guard code == ARCHIVE_OK || code == ARCHIVE_WARN, let entry = found else {
                throw unreadable(archive)
            }
            count += 1
            guard count <= Self.mostFiles else { throw ArchiveFlaw.tooManyFiles(limit: Self.mostFiles) }
            guard let file = try Self.name(of: entry) else { continue }
            let size = Int(archive_entry_size(entry))
            guard size >= 0, size <= limit - total else { throw ArchiveFlaw.tooLarge(limit: limit) }
            total += size
            if isWanted(file) {
                try checkRoom(size)
                try write(archive, file, in: folder, report)
            }
            try report(Int(archive_filter_bytes(archive, -1)))
        }
        guard count > 0 else { throw ArchiveFlaw.unreadable(reason: "it is empty") }
    }

    /// - Returns: nil for a folder.
    private static func name(of entry: OpaquePointer) throws(ArchiveFlaw) -> String? {
        let name = archive_entry_pathname(entry).map { String(cString: $0) } ?? ""
        let parts = name.split(separator: "/").filter { $0 != "." }
        guard !name.hasPrefix("/"), !parts.contains("..") else { throw .leadsOutside(name: name) }
        guard archive_entry_hardlink(entry) == nil, archive_entry_symlink(entry) == nil else {
            throw .link(name: name)
        }
        switch mode_t(archive_entry_filetype(entry)) {
        case S_IFDIR: return nil
        case S_IFREG: break
        default: throw .special(name: name)
        }
        guard archive_entry_sparse_count(entry) == 0 else { throw .sparse(name: name) }
        guard !parts.isEmpty else { throw .leadsOutside(name: name) }
        return parts.joined(separator: "/")
    }

    private func write(
        _ archive: OpaquePointer, _ file: String, in folder: String, _ report: (Int) throws -> Void
    ) throws {
        let target = folder + "/" + file
        try FileManager.default.createDirectory(
            atPath: (target as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        let output: Descriptor
        do {
            output = try Descriptor.opening("open \(target)") {
                open(target, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
            }
        } catch let error as SystemError where error.code == EEXIST {
            throw ArchiveFlaw.twice(name: file)
        }
        var buffer = [UInt8](repeating: 0, count: Self.block)
        while true {
            let count = archive_read_data(archive, &buffer, buffer.count)
            guard count >= 0 else { throw unreadable(archive) }
            guard count > 0 else { return }
            try output.writeAll(buffer[..<count], "write \(target)")
            try report(Int(archive_filter_bytes(archive, -1)))
        }
    }

    private func unreadable(_ archive: OpaquePointer) -> ArchiveFlaw {
        .unreadable(reason: archive_error_string(archive).map { String(cString: $0) } ?? "it ends too early")
    }
}
