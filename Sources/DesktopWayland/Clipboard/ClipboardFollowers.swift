import DictationSystem
import Foundation
import Glibc
import Synchronization

/// Programs that fetch whatever is copied, such as clipboard managers. They are no sign that a window has a text.
///
/// The compositor does not report who asks. But a program that asks before the paste key is pressed is a
/// follower, and the kernel knows who has the other end of the pipe.
final class ClipboardFollowers: Sendable {
    /// Their programs' paths.
    private let programs = Mutex<Set<String>>([])

    /// - Parameter pipe: one that they read from.
    func learn(readersOf pipe: Int32) {
        let found = PipeReader.all(of: pipe).map(\.program)
        programs.withLock { $0.formUnion(found) }
    }

    /// Whether all readers of this pipe are followers.
    func contain(readersOf pipe: Int32) -> Bool {
        let known = programs.withLock { $0 }
        // A search takes some milliseconds, and without known followers there is nothing to find.
        guard !known.isEmpty else { return false }
        let readers = PipeReader.all(of: pipe)
        return !readers.isEmpty
            && readers.allSatisfy { known.contains($0.program) || $0.parent.map(known.contains) == true }
    }
}

/// A process that can read from a pipe.
private struct PipeReader {
    /// The path of its program, and of its parent's: a clipboard manager may give the pipe to a program that it starts.
    let program: String
    let parent: String?

    /// All but this process; those of other users cannot be seen.
    static func all(of pipe: Int32) -> [PipeReader] {
        guard let name = target(of: "/proc/self/fd/\(pipe)") else { return [] }
        let found = readers(from: name)
        // One look misses a follower that gives the pipe to a program which it starts at this moment.
        return found.isEmpty ? readers(from: name) : found
    }

    private static func readers(from name: String) -> [PipeReader] {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.compactMap { Int32($0) }.filter { $0 != getpid() }.compactMap { process in
            guard reads(process, from: name), let program = target(of: "/proc/\(process)/exe") else {
                return nil
            }
            return PipeReader(
                program: program,
                parent: ProcessStat(of: process).flatMap { target(of: "/proc/\($0.parent)/exe") })
        }
    }

    private static func reads(_ process: Int32, from name: String) -> Bool {
        let folder = "/proc/\(process)/fd"
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return descriptors.contains { descriptor in
            let path = "\(folder)/\(descriptor)"
            guard target(of: path) == name else { return false }
            // The link's mode says what the descriptor is open for.
            var status = stat()
            return lstat(path, &status) == 0 && status.st_mode & S_IRUSR != 0
        }
    }

    private static func target(of link: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(link, &buffer, buffer.count)
        return count > 0
            ? String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }
}
