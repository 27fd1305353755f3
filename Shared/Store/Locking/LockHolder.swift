import CLinux
import DictationSystem
import Foundation

/// A process that holds a lock at this moment.
///
/// The kernel does not name the holder of a lock between open file descriptions (`F_OFD_GETLK` gives the pid -1, and
/// so does /proc/locks). But /proc/PID/fdinfo shows, for each open file, the locks that are held through it.
public struct LockHolder: Equatable, Sendable, CustomStringConvertible {
    public let pid: Int32
    public let process: ProcessStat

    public var description: String {
        let condition =
            switch process.state {
            case "T": ", which is stopped (SIGSTOP, or Ctrl-Z in a terminal)"
            case "t": ", which a debugger has stopped"
            case "D": ", which waits for a disk that does not answer"
            default: ""
            }
        return "process \(pid) (\(process.name))\(condition)"
    }

    /// Advice for the user.
    public var advice: String {
        process.isStopped
            ? "Continue it: kill -CONT \(pid). Or end it: kill -KILL \(pid); its uncommitted changes are undone, "
                + "and nothing else is lost."
            : "If it does not come back: kill -KILL \(pid); its uncommitted changes are undone, and nothing else is "
                + "lost."
    }

    /// The processes that hold a lock on a file, as far as this user may look at them.
    public static func all(of path: String) -> [LockHolder] {
        var wanted = stat()
        guard stat(path, &wanted) == 0 else { return [] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap(Int32.init).sorted().compactMap { pid in
            holdsLock(on: wanted, pid: pid) ? LockHolder(pid: pid) : nil
        }
    }

    private static func holdsLock(on file: stat, pid: Int32) -> Bool {
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd")) ?? []
        return descriptors.contains { descriptor in
            var status = stat()
            guard stat("/proc/\(pid)/fd/\(descriptor)", &status) == 0, status.st_ino == file.st_ino,
                status.st_dev == file.st_dev,
                let information = try? String(
                    contentsOfFile: "/proc/\(pid)/fdinfo/\(descriptor)", encoding: .utf8)
            else { return false }
            return information.split(separator: "\n").contains {
                $0.hasPrefix("lock:") && $0.contains("OFDLCK") && $0.contains("WRITE")
            }
        }
    }

    /// Nil when the process is gone.
    private init?(pid: Int32) {
        guard let process = ProcessStat(of: pid) else { return nil }
        self.pid = pid
        self.process = process
    }
}
