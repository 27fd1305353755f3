import Desktop
import DictationSystem
import Foundation
import Glibc

/// Puts our key bindings into a compositor's configuration, and takes them out again. All other lines of the user's file
/// stay as they are, a symbolic link stays one, and the file as it was before lies beside it.
package struct BindingsFile: Sendable {
    /// Why nothing was changed.
    package enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
        /// The compositor reads a file of the system's.
        case noFile(Compositor)
        /// Not a shell script, so that no line of ours can be put into it.
        case noShellScript(String)
        /// Another program has changed it meanwhile.
        case changed(String)
        /// It belongs to somebody else, or cannot be written.
        case unwritable(String, reason: String)

        package var description: String {
            switch self {
            case .noFile(let compositor):
                "\(compositor.name) has no configuration of your own yet, to which the bindings could be added"
            case .noShellScript(let path):
                "\(path) is not a shell script: start the bindings' script from it yourself"
            case .changed(let path):
                "\(path) was changed by another program at this moment, and was left as it is: try again"
            case .unwritable(let path, let reason):
                "\(path) cannot be changed, and was left as it is: \(reason)"
            }
        }
    }

    private static let backupSuffix = ".before-voicedictation"

    private let configuration: CompositorConfiguration

    package init(_ configuration: CompositorConfiguration) { self.configuration = configuration }

    /// Whether nothing has to be done.
    package func isInPlace(_ bindings: KeyBindings) -> Bool {
        configuration.isIncluded
            && FileManager.default.contents(atPath: configuration.ownFile)
                == Data(configuration.text(of: bindings).utf8)
    }

    /// Writes our file, and lets the user's one include it, once.
    ///
    /// - Throws: ``Failure``
    package func install(_ bindings: KeyBindings) throws(Failure) {
        guard let file = configuration.file else { throw .noFile(configuration.compositor) }
        let old = configuration.contents
        var text = ConfigurationText(old)
        let isScript = configuration.compositor == .river
        if isScript, !Self.isShellScript(text.bytes) { throw .noShellScript(file) }
        try write(configuration.ownFile) { path in
            try FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            try replaceFile(at: path, with: Array(configuration.text(of: bindings).utf8))
        }
        guard !configuration.isIncluded else { return }
        // A script may end with a program that it becomes.
        text.add(configuration.includeLines, behindFirstLine: isScript)
        try change(file, from: old, to: text.bytes)
    }

    /// - Returns: whether there was anything to remove.
    /// - Throws: ``Failure``
    package func remove() throws(Failure) -> Bool {
        var found = false
        if let file = configuration.file, configuration.isIncluded {
            let old = configuration.contents
            var text = ConfigurationText(old)
            text.remove(configuration.includeLines)
            try change(file, from: old, to: text.bytes)
            found = true
        }
        return unlink(configuration.ownFile) == 0 || found
    }

    /// - Parameter read: the contents from which the new ones were made. Others are not replaced: somebody has saved the file
    ///   since.
    func change(_ file: String, from read: [UInt8], to bytes: [UInt8]) throws(Failure) {
        try write(file) { path in
            var status = stat()
            try retryingInterrupted("look at \(path)") { stat(path, &status) }
            // A new file in its place would belong to this user.
            guard status.st_uid == geteuid() else { throw SystemError("change \(path)", code: EPERM) }
            let mode = status.st_mode & 0o777
            guard let old = FileManager.default.contents(atPath: path) else {
                throw SystemError("read \(path)", code: EIO)
            }
            guard Array(old) == read else { throw Failure.changed(file) }
            try replaceFile(at: path + Self.backupSuffix, with: Array(old), mode: mode)
            try replaceFile(at: path, with: bytes, mode: mode)
        }
    }

    /// - Parameter body: given the file itself, where the path is a symbolic link.
    private func write(_ path: String, _ body: (String) throws -> Void) throws(Failure) {
        do {
            try body(URL(fileURLWithPath: path).resolvingSymlinksInPath().path)
        } catch let failure as Failure {
            throw failure
        } catch {
            throw .unwritable(path, reason: "\(error)")
        }
    }

    private static func isShellScript(_ bytes: [UInt8]) -> Bool {
        let first = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        guard first.hasPrefix("#!"), let program = first.split(separator: " ").last else { return false }
        return ["sh", "bash", "dash", "zsh", "ksh"].contains(
            program.split(separator: "/").last.map(String.init))
    }
}
