import DictationSystem
import Foundation

/// A folder that only this user may enter (mode 0700), removed with all that is in it when it is no longer used.
public final class TemporaryFolder: Sendable {
    /// The absolute path, without symbolic links.
    public let path: String

    /// - Parameters:
    ///   - name: a part of the folder's name, so that one left by a crash shows its origin.
    ///   - isInMemory: on a file system without a disk, if there is one (tmpfs); for files that are written in
    ///     large numbers, and do not test disks.
    public init(_ name: String = "test", isInMemory: Bool = false) throws(SystemError) {
        let memory = "/dev/shm"
        let isThere = isInMemory && access(memory, W_OK | X_OK) == 0
        let parent = URL(filePath: isThere ? memory : NSTemporaryDirectory()).resolvingSymlinksInPath()
            .path(percentEncoded: false)
        let template = URL(filePath: parent).appending(path: "voicedictation-\(name)-XXXXXX")
        var characters = template.path(percentEncoded: false).utf8CString.map { $0 }
        // mkdtemp creates the folder with mode 0700.
        guard mkdtemp(&characters) != nil else { throw SystemError("create a folder in \(parent)") }
        path = String(decoding: characters.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { remove() }

    /// The absolute path of something in the folder.
    public func file(_ name: String) -> String { path + "/" + name }

    /// Writes a file of mode 0600 and returns its absolute path.
    @discardableResult
    public func write(_ text: String, to name: String) throws -> String {
        let file = file(name)
        try Data(text.utf8).write(to: URL(filePath: file))
        guard chmod(file, 0o600) == 0 else { throw SystemError("change the mode of \(file)") }
        return file
    }

    /// Removes the folder now; it may already be gone.
    public func remove() {
        detachMounts()
        try? FileManager.default.removeItem(atPath: path)
    }

    /// A session bus starts services of the desktop that mount file systems in the user's folders (GVfs, the document
    /// portal). If these are killed, the mounts stay, and nothing around them can be removed.
    private func detachMounts() {
        let mounts = FileManager.default.contents(atPath: "/proc/self/mounts") ?? Data()
        for line in String(decoding: mounts, as: UTF8.self).split(separator: "\n") {
            let place = line.split(separator: " ").dropFirst().first?.replacing("\\040", with: " ") ?? ""
            guard place.hasPrefix(path + "/") else { continue }
            // It has the rights of root, and a test may not.
            (try? StartedProcess("fusermount", ["-u", "-z", "-q", String(place)]))?.reap()
        }
    }
}
