import Desktop
import DictationSystem
import Foundation

/// Notes which text is being written, and where in the file it begins. Together with the file's length this tells how far
/// a killed process got: the kernel keeps both, even if the process is killed.
struct FileJournal: Sendable {
    private let note: NoteFile<Note>
    private let makeRoom: @Sendable () -> Bool

    var path: String { note.path }

    /// - Parameter makeRoom: gives the disk of the journal some room that was put by; false if there is none.
    init(path: String, makeRoom: @escaping @Sendable () -> Bool = { false }) {
        note = NoteFile(path: path)
        self.makeRoom = makeRoom
    }

    /// There is no room for the note: nothing may be written without it.
    struct DiskFull: Error {}

    struct Note: Codable, Equatable {
        /// The name of the text, and how much of it was there before.
        let text: String
        let scalars: Int
        let file: String
        let identity: FileTarget.Identity
        /// Where the text begins, and how many bytes it has.
        let start: Int
        let size: Int
        /// How many characters to remove, from `start` on; nil if a text is written.
        var removed: Int?
    }

    /// - Throws: ``DiskFull``, when what was put by does not help either; ``SystemError``.
    func write(_ note: Note) throws {
        do {
            try self.note.write(note)
        } catch let error as SystemError where Self.isFull(error) {
            guard makeRoom() else { throw DiskFull() }
            do { try self.note.write(note) } catch let error as SystemError where Self.isFull(error) {
                throw DiskFull()
            }
        }
    }

    private static func isFull(_ error: SystemError) -> Bool { [ENOSPC, EDQUOT, EFBIG].contains(error.code) }

    func clear() { note.clear() }

    /// The text of a process that did not clear the journal, and how much of it is in the file. The bytes of a
    /// partial character are removed.
    ///
    /// - Returns: nil if there is nothing, or the file is another one by now.
    func unfinished() throws -> TypingRecord? {
        guard let note = note.content, let target = try? FileTarget(path: note.file).open(),
            target.identity == note.identity
        else { return nil }
        let length = try target.length
        if let removed = note.removed {
            return length <= note.start ? TypingRecord(text: note.text, scalars: removed) : nil
        }
        guard length >= note.start else { return nil }
        let bytes = try Self.bytes(of: note.file, in: note.start..<min(length, note.start + note.size))
        // A scalar begins where its bytes do; the last one may lack some.
        let begun = bytes.count { $0 & 0xC0 != 0x80 }
        let whole = String(validating: bytes, as: UTF8.self) == nil ? begun - 1 : begun
        if whole < begun, length < note.start + note.size {
            let torn = bytes.lastIndex { $0 & 0xC0 != 0x80 } ?? 0
            try target.cut(to: note.start + torn)
        }
        return TypingRecord(text: note.text, scalars: note.scalars + max(whole, 0))
    }

    private static func bytes(of path: String, in range: Range<Int>) throws -> [UInt8] {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? file.close() }
        try file.seek(toOffset: UInt64(range.lowerBound))
        return try Array(file.read(upToCount: range.count) ?? Data())
    }
}
