import DictationSystem
import Foundation

/// A file, or a terminal's device, that texts are appended to.
struct FileTarget: Sendable {
    /// Absolute.
    let path: String

    /// - Parameter path: relative to the working folder, or absolute.
    init(path: String) { self.path = URL(fileURLWithPath: path).path }

    /// An open target.
    struct Open {
        let descriptor: Descriptor
        let identity: Identity
        /// Whether it has a length; a device has none.
        let hasLength: Bool
        let path: String

        var length: Int { get throws { Int(try FileTarget.status(of: descriptor, path).st_size) } }

        /// Removes everything after `length`.
        func cut(to length: Int) throws {
            try retryingInterrupted("shorten \(path)") { ftruncate(descriptor.raw, off_t(length)) }
        }
    }

    /// Identifies the file, independently of its name.
    struct Identity: Codable, Equatable, Sendable {
        let device: UInt64
        let number: UInt64

        fileprivate init(_ status: stat) {
            device = UInt64(status.st_dev)
            number = UInt64(status.st_ino)
        }
    }

    /// Opens it to append. If it is missing, makes it, readable for the user alone.
    ///
    /// - Throws: ``FileTargetError``
    func open() throws -> Open {
        // Otherwise this would wait for a pipe that nobody reads, and a terminal could become this process's
        // own.
        let flags = O_WRONLY | O_APPEND | O_CREAT | O_NOCTTY | O_NONBLOCK | O_CLOEXEC
        do {
            let descriptor = try Descriptor.opening("open \(path)") { Glibc.open(path, flags, 0o600) }
            let status = try Self.status(of: descriptor, path)
            let kind = status.st_mode & S_IFMT
            guard kind == S_IFREG || kind == S_IFCHR else { throw FileTargetError.wrongKind(path: path) }
            return Open(
                descriptor: descriptor, identity: Identity(status), hasLength: kind == S_IFREG, path: path)
        } catch let error as SystemError where error.code == EISDIR {
            throw FileTargetError.folder(path: path)
        } catch let error as SystemError where error.code == ENXIO {
            throw FileTargetError.wrongKind(path: path)
        } catch let error as SystemError {
            throw FileTargetError.notWritable(path: path, reason: error.reason)
        }
    }

    /// The identity and the length of the file that has the name now; nil if there is none.
    func look() -> (identity: Identity, length: Int)? {
        var status = stat()
        return stat(path, &status) == 0 ? (Identity(status), Int(status.st_size)) : nil
    }

    private static func status(of descriptor: Descriptor, _ path: String) throws -> stat {
        var status = stat()
        try retryingInterrupted("look at \(path)") { fstat(descriptor.raw, &status) }
        return status
    }
}

/// Why texts cannot be written to a file.
public enum FileTargetError: Error, Equatable, CustomStringConvertible {
    case folder(path: String)
    /// A pipe, a socket, a disk.
    case wrongKind(path: String)
    case notWritable(path: String, reason: String)

    public var description: String {
        switch self {
        case .folder(let path): "\(path) is a folder; name a file in it"
        case .wrongKind(let path): "\(path) is neither a file nor a terminal"
        case .notWritable(let path, let reason): "cannot write to \(path): \(reason)"
        }
    }
}
