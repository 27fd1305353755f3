import Foundation

/// The user's own words: for words that are heard, the words to write.
public struct TextDictionary: Sendable, Equatable {
    /// Whole words in any case, or in exactly this case if it has a capital.
    public struct Replacement: Sendable, Equatable {
        public let heard: String
        public let written: String

        public init(heard: String, written: String) {
            self.heard = heard
            self.written = written
        }
    }

    public var replacements: [Replacement]
    public var patterns: [Pattern]
    /// Names with their capitals: "Alice", "McDonald", "GitHub".
    public var names: [String]
    /// A phrase that is all of a dictation, or follows "insert", becomes a text.
    public var snippets: [String: String]
    /// Words that no rule changes or removes.
    public var untouchable: [String]

    public init(
        replacements: [Replacement] = [], patterns: [Pattern] = [], names: [String] = [],
        snippets: [String: String] = [:], untouchable: [String] = []
    ) {
        self.replacements = replacements
        self.patterns = patterns
        self.names = names
        self.snippets = snippets
        self.untouchable = untouchable
    }

    public static let empty = TextDictionary()

    public var isEmpty: Bool { self == .empty }
}
