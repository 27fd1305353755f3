import Foundation
import Glibc

/// A small file in which a program notes something for its next start, such as what to restore if it is killed.
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

    /// What was noted last; nil if there is none, or it cannot be read.
    public var content: Content? {
        FileManager.default.contents(atPath: path).flatMap {
            try? JSONDecoder().decode(Content.self, from: $0)
        }
    }

    /// Replaces the note. It is on the disk when this returns.
    ///
    /// - Parameter isSynced: false for a note that is useless after a power failure: it does not wait for the
    ///   disk.
    /// - Throws: ``SystemError``, or what the encoder throws; the old note is still there.
    public func write(_ content: Content, isSynced: Bool = true) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try replaceFile(at: path, with: Array(try encoder.encode(content)), isSynced: isSynced)
    }

    /// Removes it; does nothing if there is none.
    public func clear() { unlink(path) }
}
