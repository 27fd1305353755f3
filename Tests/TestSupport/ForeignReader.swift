import DictationShared
import Foundation

/// A program that looks at a store and ends, as an `sqlite3` shell, a database browser or a backup. It knows nothing of this
/// project.
public enum ForeignReader {
    /// Opens the database, reads, and closes it. If SQLite finds nobody else then, it removes the -wal and -shm files.
    ///
    /// - Returns: how many dictations it found.
    @discardableResult
    public static func look(at group: AppGroup) async throws -> Int {
        let script = """
            import sqlite3, sys
            store = sqlite3.connect(sys.argv[1])
            print(store.execute("SELECT count(*) FROM dictation").fetchone()[0])
            store.close()
            """
        let output = try await Program.run("python3", ["-c", script, group.database.path])
        return Int(output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? -1
    }
}

extension AppGroup {
    /// The number of the -wal file; nil if it is not there. Another one has another number as long as somebody has this one
    /// open.
    public var logNumber: Int? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: database.path + "-wal")
        return attributes?[.systemFileNumber] as? Int
    }

    /// Whether a process holds SQLite's lock of a reader on the database itself: from the first read until it closes.
    public func isLocked(by process: Int32) throws -> Bool {
        let attributes = try FileManager.default.attributesOfItem(atPath: database.path)
        guard let inode = attributes[.systemFileNumber] as? Int else { return false }
        return try String(contentsOfFile: "/proc/locks", encoding: .utf8).split(separator: "\n").contains {
            // “1: POSIX  ADVISORY  READ 4711 fe:00:1311 1073741826 1073742335”
            let fields = $0.split(separator: " ")
            return fields.count == 8 && fields[1] == "POSIX" && fields[4] == "\(process)"
                && fields[5].hasSuffix(":\(inode)")
        }
    }
}
