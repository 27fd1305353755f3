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

    /// The last saved adaptation; empty if there is none that can be read.
    func load() -> [String: SourceAdaptation] { contents()[engine] ?? [:] }

    /// Replaces what was saved for this engine.
    ///
    /// - Throws: ``SystemError``.
    func save(_ adaptations: [String: SourceAdaptation]) throws {
        var contents = contents()
        contents[engine] = adaptations
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try replaceFile(at: url.path, with: Array(try encoder.encode(contents)))
    }

    private func contents() -> Contents {
        // A file that cannot be read costs a few words of accuracy, and is replaced by the next dictation.
        (try? JSONDecoder().decode(Contents.self, from: Data(contentsOf: url))) ?? [:]
    }
}
