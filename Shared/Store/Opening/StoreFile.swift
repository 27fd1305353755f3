import CLinux
import DictationSystem
import Foundation
import GRDBSQLite

/// Says which file is in the place of the database, before SQLite opens it as one: SQLite would change some of the files
/// then, and a newer program's or another program's files are not to be changed by one byte.
///
/// The formats are those of https://www.sqlite.org/fileformat2.html.
enum StoreFile: Equatable {
    /// Nothing, or a file in which nothing is yet.
    case absent
    /// A store that is being created, or whose creation was interrupted.
    case begun
    case ours
    /// Made by a newer version of this program.
    case newer
    /// A sound header of another program.
    case foreign
    /// The database is ours, but the -wal file next to it belongs to another one.
    case foreignLog
    case damaged(String)

    private var isOfThisProgram: Bool { self == .begun || self == .ours }

    /// - Throws: ``SystemError`` when the file cannot be read.
    static func inspect(_ path: String) throws -> StoreFile {
        let log = LogFile(path: path + DatabaseFile.log.suffix)
        var status = stat()
        guard lstat(path, &status) == 0 else {
            guard errno == ENOENT else { throw SystemError("look at \(path)") }
            return log.isEmpty ? .absent : .damaged("the file was gone, its -wal file was still there")
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: return .damaged("a folder was in its place")
        case S_IFLNK: return .damaged("a symbolic link was in its place")
        default: return .damaged("something other than a file was in its place")
        }
        guard status.st_size > 0 else {
            return log.isEmpty ? .absent : .damaged("the file was empty, its -wal file was not")
        }
        guard let header = Header(try DatabaseBytes.first(Header.size, of: path)) else {
            // The power failed while the file was made: SQLite takes that back by its journal.
            let isBegun = !LogFile(path: path + "-journal").isEmpty
            return isBegun ? .absent : .damaged("it was not an SQLite database")
        }
        let judgement = judge(header, with: log.newestHeader(pageSize: header.pageSize, isChecking: false))
        if judgement.isOfThisProgram { return judgement }
        // After a failure of the power, what follows the last commit that had reached the disk may be
        // anything. It takes reading the whole file to distinguish it from another database's, so this is
        // done only in case of doubt.
        return judge(header, with: log.newestHeader(pageSize: header.pageSize, isChecking: true))
    }

    private static func judge(_ header: Header, with log: LogFile.Answer) -> StoreFile {
        let alone = header.judgement
        switch log {
        case .nothing: return alone
        // The last commit counts: a new database has all that matters in its -wal file.
        case .header(let newest):
            return alone.isOfThisProgram && newest.judgement == .foreign ? .foreignLog : newest.judgement
        case .unreadable: return alone.isOfThisProgram || alone == .absent ? .foreignLog : alone
        }
    }

    /// The fields of a database's first page that identify its program.
    struct Header {
        let pageSize: Int
        private let version: Int32
        private let applicationID: Int32
        private let hasTables: Bool

        /// Bytes.
        static let size = 108
        private static let magic = Array("SQLite format 3\0".utf8)

        init?(_ file: Descriptor, at offset: Int) {
            var bytes = [UInt8](repeating: 0, count: Self.size)
            guard pread(file.raw, &bytes, bytes.count, off_t(offset)) == bytes.count else { return nil }
            self.init(bytes)
        }

        /// - Parameter bytes: ``size`` of them, or fewer if the file ends there.
        init?(_ bytes: [UInt8]) {
            guard bytes.count == Self.size, bytes.starts(with: Self.magic) else { return nil }
            let size = Int(bytes[16]) << 8 | Int(bytes[17])
            // 1 means 65,536, which does not fit.
            pageSize = size == 1 ? 65_536 : size
            guard (512...65_536).contains(pageSize), pageSize & (pageSize - 1) == 0 else { return nil }
            version = Int32(bitPattern: bytes.bigEndian(at: 60))
            applicationID = Int32(bitPattern: bytes.bigEndian(at: 68))
            // The page is a leaf without cells for as long as there is no table.
            hasTables = !(bytes[100] == 0x0D && bytes[103] == 0 && bytes[104] == 0)
        }

        var judgement: StoreFile {
            switch applicationID {
            case AppGroupConstants.databaseApplicationID:
                version == 0 ? .begun : version > StoreSchema.version ? .newer : .ours
            // A process died between creating the file and naming it.
            case 0 where !hasTables: .absent
            default: .foreign
            }
        }
    }

    /// The -wal file: frames of one page each. Those up to the last commit count.
    private struct LogFile {
        let path: String

        var isEmpty: Bool {
            var status = stat()
            return lstat(path, &status) != 0 || status.st_size == 0
        }

        enum Answer {
            case nothing
            case header(Header)
            case unreadable
        }

        /// The last committed header of the database.
        ///
        /// - Parameter isChecking: verifies the checksums, as SQLite does, and ends with the first that is wrong:
        ///   what follows never was committed.
        func newestHeader(pageSize: Int, isChecking: Bool) -> Answer {
            guard !isEmpty else { return .nothing }
            guard
                let file = try? Descriptor.opening(
                    "open \(path)", { Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) })
            else { return .unreadable }
            var head = [UInt8](repeating: 0, count: 32)
            let count = pread(file.raw, &head, head.count, 0)
            var checksum = Checksum(isBigEndian: head[3] & 1 == 1)
            checksum.add(head[..<24])
            // An incomplete header counts as none: SQLite begins such a file again.
            let isWhole = count == head.count && head.bigEndian(at: 0) & ~1 == 0x377F_0682
            if isChecking, !isWhole || checksum != head[24...] { return .nothing }
            guard isWhole, Int(head.bigEndian(at: 8)) == pageSize else { return .unreadable }
            var offset = head.count
            var seen: Int?
            var committed: Int?
            var frame = [UInt8](repeating: 0, count: 24)
            // Frames with another salt are left over from before the last checkpoint.
            while pread(file.raw, &frame, frame.count, off_t(offset)) == frame.count,
                frame[8..<16] == head[16..<24]
            {
                if isChecking {
                    var page = [UInt8](repeating: 0, count: pageSize)
                    guard pread(file.raw, &page, pageSize, off_t(offset + frame.count)) == pageSize else {
                        break
                    }
                    checksum.add(frame[..<8])
                    checksum.add(page[...])
                    if checksum != frame[16...] { break }
                }
                if frame.bigEndian(at: 0) == 1 { seen = offset + frame.count }
                if frame.bigEndian(at: 4) != 0 { committed = seen }
                offset += frame.count + pageSize
            }
            guard let committed else { return .nothing }
            return Header(file, at: committed).map(Answer.header) ?? .unreadable
        }
    }

    /// The checksum in a -wal file's header and, going on from there, in each frame.
    private struct Checksum {
        let isBigEndian: Bool
        private var first: UInt32 = 0
        private var second: UInt32 = 0

        init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

        /// - Parameter bytes: a multiple of eight.
        mutating func add(_ bytes: ArraySlice<UInt8>) {
            bytes.withUnsafeBytes { bytes in
                for offset in stride(from: 0, to: bytes.count, by: 8) {
                    first &+= word(bytes, offset) &+ second
                    second &+= word(bytes, offset + 4) &+ first
                }
            }
        }

        private func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt32 {
            let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
            return isBigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
        }

        /// Whether this is not the checksum that begins with `stored`'s first byte.
        static func != (checksum: Checksum, stored: ArraySlice<UInt8>) -> Bool {
            let bytes = Array(stored.prefix(8))
            return checksum.first != bytes.bigEndian(at: 0) || checksum.second != bytes.bigEndian(at: 4)
        }
    }
}

/// Reads a database's bytes through SQLite, which opens no other file for that, takes no lock and changes nothing.
///
/// A process must open a database that it may have a connection to in no other way. SQLite's locks (`F_SETLK`) belong to
/// the process, and the kernel drops all of them when the process closes any descriptor of the file. Another program would
/// then take itself for the only one, and remove the -wal and -shm files under our connections when it closes. SQLite
/// itself keeps such a descriptor open for as long as the process has a lock.
private enum DatabaseBytes {
    /// - Returns: fewer than `count` bytes if the file is shorter.
    /// - Throws: ``SystemError``.
    static func first(_ count: Int, of path: String) throws -> [UInt8] {
        var connection: OpaquePointer?
        // Needed to close it, also where it could not be opened.
        defer { sqlite3_close(connection) }
        // The caller has looked that it is no link itself. SQLITE_OPEN_NOFOLLOW would refuse links above it as well.
        let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(path, &connection, flags, nil) == SQLITE_OK else {
            let code = connection.map { sqlite3_system_errno($0) } ?? ENOMEM
            throw SystemError("open \(path)", code: code == 0 ? EIO : code)
        }
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard sqlite3_file_control(connection, nil, SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK,
            let file, let methods = file.pointee.pMethods, let read = methods.pointee.xRead,
            let size = methods.pointee.xFileSize
        else { throw SystemError("open \(path)", code: EIO) }
        var length: sqlite3_int64 = 0
        guard size(file, &length) == SQLITE_OK else { throw SystemError("look at \(path)", code: EIO) }
        var bytes = [UInt8](repeating: 0, count: min(count, Int(length)))
        guard read(file, &bytes, Int32(bytes.count), 0) == SQLITE_OK else {
            throw SystemError("read \(path)", code: EIO)
        }
        return bytes
    }
}

extension [UInt8] {
    fileprivate func bigEndian(at offset: Int) -> UInt32 {
        self[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
