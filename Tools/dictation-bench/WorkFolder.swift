import DictationService
import DictationSystem
import Foundation
import Glibc

/// A folder of our own (mode 0700), on the disk that `TMPDIR` names.
struct WorkFolder {
    let url: URL
    /// The kernel's name for the file system, such as `ext4`.
    let fileSystem: String

    init() throws {
        let parent = ProcessInfo.processInfo.environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        var template = Array((parent + "/dictation-bench.XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError("make a folder in \(parent)") }
        let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        url = URL(fileURLWithPath: path, isDirectory: true).resolvingSymlinksInPath()
        fileSystem = Self.fileSystem(of: url.path)
    }

    /// Makes a folder inside (mode 0700).
    func makeFolder(_ name: String) throws -> URL {
        let folder = url.appendingPathComponent(name, isDirectory: true)
        try retryingInterrupted("make \(folder.path)") { mkdir(folder.path, 0o700) }
        return folder
    }

    func remove() {
        do {
            try FileManager.default.removeItem(at: url)
        } catch {
            Complaint.say("cannot remove \(url.path): \(error.localizedDescription)")
        }
    }

    /// The type of the mount with the longest path above `path` (/proc/self/mountinfo, see proc(5)).
    private static func fileSystem(of path: String) -> String {
        let mounts = (try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8)) ?? ""
        var found = (point: "", type: "unknown")
        for line in mounts.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard fields.count > 4, let dash = fields.firstIndex(of: "-"), dash + 1 < fields.count else {
                continue
            }
            let point = String(fields[4])
            let isAbove = point == "/" || path == point || path.hasPrefix(point + "/")
            // If two mounts share a point, the later one hides the other.
            if isAbove, point.count >= found.point.count { found = (point, String(fields[dash + 1])) }
        }
        return found.type
    }
}
