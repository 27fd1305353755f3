import Foundation
import Glibc

/// Why something is not read as a file. Follows "cannot be read: ".
public enum FileFlaw: Error, Equatable, Sendable, CustomStringConvertible {
    case folder
    /// A pipe, which may keep its reader waiting for ever, a device or a socket.
    case special

    public var description: String {
        switch self {
        case .folder: "it is a folder"
        case .special: "it is a pipe or a device, and must be a file"
        }
    }
}

extension Data {
    /// Reads a file to its end, which may also be a pipe, such as a shell's `<(command)`.
    ///
    /// - Parameter limit: bytes; of a longer file there is one more.
    public init(of file: URL, upTo limit: Int) throws {
        try self.init(of: try FileHandle(forReadingFrom: file), upTo: limit)
    }

    /// Reads a file that is looked at again and again, or at a start: it never waits for another program. `/dev/null` is empty.
    ///
    /// - Parameters:
    ///   - limit: bytes; of a longer file there is one more.
    ///   - check: may refuse the file by its status.
    /// - Throws: ``FileFlaw`` for anything but a file; ``SystemError``; the errors of `check`.
    public init(
        ofPlainFile path: String, upTo limit: Int, check: (stat) throws -> Void = { _ in }
    ) throws {
        // Without waiting: a pipe would wait for a writer.
        let file = try Descriptor.opening("open \(path)") { open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
        var status = stat()
        try retryingInterrupted("look at \(path)") { fstat(file.raw, &status) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw FileFlaw.folder
        default: guard Self.isNull(status) else { throw FileFlaw.special }
        }
        try check(status)
        try self.init(of: FileHandle(fileDescriptor: file.raw, closeOnDealloc: false), upTo: limit)
        withExtendedLifetime(file) {}
    }

    private static func isNull(_ status: stat) -> Bool {
        var null = stat()
        return stat("/dev/null", &null) == 0 && status.st_mode & S_IFMT == S_IFCHR
            && status.st_rdev == null.st_rdev
    }

    private init(of source: FileHandle, upTo limit: Int) throws {
        self.init()
        while count <= limit, let piece = try source.read(upToCount: limit + 1 - count), !piece.isEmpty {
            append(piece)
        }
    }
}
