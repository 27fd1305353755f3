import DictationSystem
import Foundation
import Glibc
import Synchronization

/// The earlier content of a clipboard, in a file: a clipboard's content is gone with the process that holds it, and
/// the next one finds it here to restore it.
///
/// It is next to the compositor's socket: in memory, only for the user, and gone when the session ends.
final class ClipboardJournal: Sendable {
    private struct Notes: Codable, Equatable {
        /// The name of the text that is being pasted.
        var pasting: String?
        /// By ``Selection``.
        var contents: [String: ClipboardContent] = [:]
        /// When a window was asked to copy its selection.
        var copied: Date?

        var isEmpty: Bool { pasting == nil && contents.isEmpty }
    }

    private let path: String
    private let notes: Mutex<Notes>
    /// More is not written down: it would take time before each paste.
    private static let sizeLimit = 16 << 20

    /// - Parameter socket: the compositor's.
    init(socket: String) {
        path = socket + "-voicedictation-clipboard"
        let bytes = FileManager.default.contents(atPath: path)
        notes = Mutex(bytes.flatMap { try? PropertyListDecoder().decode(Notes.self, from: $0) } ?? Notes())
    }

    var pasting: String? { notes.withLock { $0.pasting } }

    var contents: [Selection: ClipboardContent] {
        notes.withLock { notes in
            Dictionary(
                uniqueKeysWithValues: notes.contents.compactMap { name, content in
                    Selection(rawValue: name).map { ($0, content) }
                })
        }
    }

    /// When a window was asked to copy its selection, if nothing was restored since.
    var copied: Date? { notes.withLock { $0.copied } }

    /// - Parameters:
    ///   - contents: passwords and dictated text are left out.
    ///   - copied: when a window is asked to copy over them.
    func note(_ contents: [Selection: ClipboardContent], copied: Date? = nil) {
        let size = contents.values.reduce(0) { $0 + $1.formats.reduce(0) { $0 + $1.data.count } }
        let kept =
            size > Self.sizeLimit ? [:] : contents.filter { !$0.value.isSecret && !$0.value.isDictated }
        change { notes in
            notes.contents = Dictionary(uniqueKeysWithValues: kept.map { ($0.key.rawValue, $0.value) })
            notes.copied = kept.isEmpty ? nil : copied
        }
    }

    func note(pasting text: String?) { change { $0.pasting = text } }

    /// A note that cannot be written is lost if this process is killed; that stops no paste.
    private func change(_ body: (inout Notes) -> Void) {
        notes.withLock { notes in
            let former = notes
            body(&notes)
            guard notes != former else { return }
            let encoder = PropertyListEncoder()
            encoder.outputFormat = .binary
            guard !notes.isEmpty, let bytes = try? encoder.encode(notes),
                (try? replaceFile(at: path, with: Array(bytes))) != nil
            else {
                unlink(path)
                return
            }
        }
    }
}
