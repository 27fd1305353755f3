import DictationShared
import Foundation

/// A dictation in the middle of a recording as JSON, as a program without a store would write it to a file.
struct Snapshot: Codable {
    let id: String
    let revision: Revision
    let timestamp: Date
    let status: String
    let partialText: String
    let rawText: String
    let cleanedText: String
    let insertedCount: Int
    let engine: String
    let locale: String

    init(of state: DictationState, revision: Revision, partialText: String) {
        id = state.id.description
        self.revision = revision
        timestamp = state.timestamp
        status = state.status.rawValue
        self.partialText = partialText
        rawText = state.rawText
        cleanedText = state.cleanedText
        insertedCount = state.insertedCount
        engine = state.engine
        locale = state.locale
    }

    static let fileName = "state.json"
}

/// The dictated words: a sentence that grows by a word with each partial result, as a recognizer's does.
enum SpokenText {
    private static let words = """
        the quick brown fox jumps over the lazy dog and then it goes home to write a long letter to all of its \
        friends in the north who have not heard from it since the last winter when the snow was so deep
        """.split(separator: " ").map(String.init)

    /// How many partial results a dictation has.
    static var partialCount: Int { words.count }

    static func partial(_ index: Int) -> String {
        words.prefix(index % words.count + 1).joined(separator: " ")
    }

    static var whole: String { words.joined(separator: " ") }
}
