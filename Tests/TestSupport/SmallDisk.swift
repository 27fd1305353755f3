import DictationSystem
import Foundation

/// A file system of a few megabytes, in memory, that a test may fill.
public final class SmallDisk: Sendable {
    private let mountPoint: TemporaryFolder

    /// Whether this user may mount one: root, if the machine allows it.
    public static let isPermitted: Bool = (try? SmallDisk(megabytes: 1)) != nil

    public init(megabytes: Int) throws {
        mountPoint = try TemporaryFolder("disk")
        try Self.call(
            "mount", ["-t", "tmpfs", "-o", "size=\(megabytes)m,mode=700", "tmpfs", mountPoint.path])
    }

    deinit { try? Self.call("umount", ["-l", mountPoint.path]) }

    /// The name of a folder on it.
    public func folder(_ name: String) -> URL {
        URL(fileURLWithPath: mountPoint.file(name), isDirectory: true)
    }

    /// Takes all the room that is left.
    public func fill() throws {
        let file = try Descriptor.opening("fill \(mountPoint.path)") {
            open(filler, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        }
        for size in [65_536, 4_096, 1] {
            let block = [UInt8](repeating: 0, count: size)
            while write(file.raw, block, size) == size {}
        }
    }

    /// Releases the space that ``fill()`` has used.
    public func free() throws { try FileManager.default.removeItem(atPath: filler) }

    /// Mounts it again with other options, such as `ro`.
    public func remount(_ options: String) throws {
        try Self.call("mount", ["-o", "remount,\(options)", mountPoint.path])
    }

    private var filler: String { mountPoint.file("filler") }

    private static func call(_ program: String, _ arguments: [String]) throws {
        let child = ChildProcess(
            program: program, arguments: arguments, limit: .seconds(60),
            errors: .taken)
        let (words, end) = try child.runBlocking()
        guard end == .exited(0) else {
            throw ProgramError.notStarted(program: program, reason: String(decoding: words, as: UTF8.self))
        }
    }
}
