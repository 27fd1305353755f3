import Foundation
import Glibc

/// A small file in which a program notes something for its next start, such as what to put back if it is killed now.
///
/// ```swift
/// let note = NoteFile<[Player]>(path: path)
/// try note.write(paused)
/// note.clear()
/// ```
public struct NoteFile<Content: Codable & Sendable>: Sendable {
    public let path: String

    /// - Parameter path: in a folder that is there.
    public init(path: String) { self.path = path }

    /// What was noted last; nil if there is nothing, or nothing that can be read.
    public var content: Content? {
        FileManager.default.contents(atPath: path).flatMap {
            try? JSONDecoder().decode(Content.self, from: $0)
        }
    }

    /// Replaces what was noted. It is on the disk when this returns.
    ///
    /// - Parameter isSynced: false for what means nothing after a power failure: it does not wait for the disk.
    /// - Throws: ``SystemError``, or what the encoder throws; what was noted before is still there.
    public func write(_ content: Content, isSynced: Bool = true) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try replaceFile(at: path, with: Array(try encoder.encode(content)), isSynced: isSynced)
    }

    /// Removes it; does nothing if there is none.
    public func clear() { unlink(path) }
}
