import DictationShared
import DictationSpeech
import DictationSystem
import Foundation

/// A recognizer's adaptation to microphones, kept across restarts: without it the first dictation after
/// each start is the worst one.
struct AdaptationFile: Sendable {
    let url: URL
    /// The adaptation of one engine is useless to another.
    let engine: String

    private typealias Contents = [String: [String: SourceAdaptation]]

    /// The last saved adaptation; empty if it is missing or not readable.
    func load() -> [String: SourceAdaptation] { contents()[engine] ?? [:] }

    /// Replaces the saved adaptation of this engine.
    ///
    /// - Throws: ``SystemError``.
    func save(_ adaptations: [String: SourceAdaptation]) throws {
        // Two recognizers may save at once: for two languages, or a fallback next to the engine that has
        // failed.
        try withFolderLocked(url.deletingLastPathComponent().path) {
            var contents = contents()
            contents[engine] = adaptations
            try file.write(contents)
        }
    }

    private var file: NoteFile<Contents> { NoteFile(path: url.path) }

    private func contents() -> Contents {
        // A file that cannot be read costs a few words of accuracy, and is replaced by the next dictation.
        file.content ?? [:]
    }
}
