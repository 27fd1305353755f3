/// Decides whether an utterance is an edit command, in one language.
///
/// ```swift
/// EditCommands(language: .english).reading(of: "Replace Monday with Tuesday.")
/// // .command(.replace([.init("Monday", with: "Tuesday")]), words: "Replace Monday with Tuesday.")
/// ```
///
/// Only a whole utterance can be a command: with one more word it is a text. Case, punctuation and
/// hesitations at the beginning and the end do not matter.
public struct EditCommands: Sendable {
    public enum Reading: Equatable, Sendable {
        /// A command, and its words without the lead word.
        case command(EditCommand, words: String)
        /// "Literal scratch that": these words are a text, and nothing in them is a command.
        case literal(String)
        case text
    }

    /// Each of the two parts of a replacement is at most this long. People correct a phrase, not a paragraph.
    static let longestPart = 12
    /// "Delete the last … words" goes this far.
    static let mostUnits = 50

    private let language: Language
    private let lead: [String]

    /// - Parameters:
    ///   - language: whose commands are understood.
    ///   - leadWord: the words that a command begins with; if empty, a command needs none.
    public init(language: Language, leadWord: String = "") {
        self.language = language
        lead = leadWord.split(whereSeparator: \.isWhitespace).map { Word($0, language: language).key }
            .filter { !$0.isEmpty }
    }

    public func reading(of said: String) -> Reading {
        let words = self.words(of: said)
        if let first = words.first, language.punctuation.escapes.contains(first.key),
            command(in: Array(words.dropFirst())) != nil
        {
            return .literal(Self.text(words.dropFirst()))
        }
        guard let command = command(in: words) else { return .text }
        return .command(command, words: Self.text(words.dropFirst(lead.count)))
    }

    /// The command that some words are, without a lead word: as a person types it.
    public func command(_ words: String) -> EditCommand? { match(self.words(of: words)) }

    /// Whether the words so far may be the beginning of a command.
    public func mayBegin(with said: String) -> Bool {
        var words = self.words(of: said)[...]
        if let first = words.first, language.punctuation.escapes.contains(first.key) {
            words = words.dropFirst()
        }
        guard zip(lead, words).allSatisfy({ $0 == $1.key }) else { return false }
        words = words.dropFirst(lead.count)
        return language.edits.contains { isBeginning(words, of: $0.phrase[...]) }
    }

    /// Whether more words may complete these to a phrase.
    private func isBeginning(_ words: ArraySlice<Word>, of phrase: ArraySlice<String>) -> Bool {
        guard let word = words.first else { return true }
        guard let wanted = phrase.first else { return false }
        let rest = phrase.dropFirst()
        switch wanted {
        case EditWords.number: return number(word) != nil && isBeginning(words.dropFirst(), of: rest)
        case EditWords.anyWords:
            let mostUsed = min(Self.longestPart, words.count)
            for length in 1...mostUsed {
                if length == words.count || isBeginning(words.dropFirst(length), of: rest) { return true }
                if words.prefix(length).last?.endsSentence == true { return false }
            }
            return false
        default: return word.key == wanted && isBeginning(words.dropFirst(), of: rest)
        }
    }

    /// Whether the words so far are those that end the recording.
    public func stopsListening(_ said: String) -> Bool { command(in: words(of: said)) == .stopListening }

    private func command(in words: [Word]) -> EditCommand? {
        guard words.prefix(lead.count).map(\.key) == lead else { return nil }
        return match(Array(words.dropFirst(lead.count)))
    }

    private func words(of said: String) -> [Word] {
        let words = said.split(whereSeparator: \.isWhitespace).map { Word($0, language: language) }
            .filter { !$0.isSilent }
        let isSaid: (Word) -> Bool = { !$0.kinds.contains(.hesitation) }
        guard let first = words.firstIndex(where: isSaid), let last = words.lastIndex(where: isSaid) else {
            return []
        }
        return Array(words[first...last])
    }

    private func match(_ words: [Word]) -> EditCommand? {
        guard !words.isEmpty else { return nil }
        let keys = words.map(\.key)
        let names = language.punctuation.marks
        if names.line.contains(keys) { return .insert("\n") }
        if names.paragraph.contains(keys) || names.endOfParagraph.contains(keys) { return .insert("\n\n") }
        var found: EditCommand?
        for pattern in language.edits {
            for match in matches(of: pattern.phrase[...], in: words[...]) {
                guard (1...Self.mostUnits).contains(match.number) else { continue }
                let command = pattern.command(match.number, match.parts)
                if case .replace(let new) = command, case .replace(let others)? = found {
                    found = .replace(others + new)
                } else {
                    found = command
                }
            }
        }
        return found
    }

    private struct Match {
        var number = 1
        var parts: [String] = []
    }

    /// All ways in which words are a phrase.
    private func matches(of phrase: ArraySlice<String>, in words: ArraySlice<Word>) -> [Match] {
        guard let wanted = phrase.first else { return words.isEmpty ? [Match()] : [] }
        guard let word = words.first else { return [] }
        switch wanted {
        case EditWords.number:
            guard let number = number(word) else { return [] }
            return matches(of: phrase.dropFirst(), in: words.dropFirst()).map {
                Match(number: number, parts: $0.parts)
            }
        case EditWords.anyWords:
            let rest = phrase.dropFirst()
            let lengths = rest.isEmpty ? words.count...words.count : 1...max(1, words.count - 1)
            return lengths.filter { $0 <= Self.longestPart }.flatMap { length -> [Match] in
                let part = words.prefix(length)
                // Neither a sentence end in the middle nor a question fits a command.
                guard !part.dropLast().contains(where: \.endsSentence),
                    part.last?.trail.contains("?") != true
                else { return [] }
                if !rest.isEmpty, part.last?.endsSentence == true { return [] }
                return matches(of: rest, in: words.dropFirst(length)).map {
                    Match(number: $0.number, parts: [Self.part(part)] + $0.parts)
                }
            }
        default:
            guard word.key == wanted else { return [] }
            return matches(of: phrase.dropFirst(), in: words.dropFirst())
        }
    }

    private func number(_ word: Word) -> Int? { Int(word.key) ?? language.numbers.whole.small[word.key] }

    private static func text(_ words: some Sequence<Word>) -> String {
        words.map(\.text).joined(separator: " ")
    }

    /// Without the marks around it.
    private static func part(_ words: ArraySlice<Word>) -> String {
        var words = Array(words)
        if let last = words.indices.last {
            words[0].lead = ""
            words[last].trail = ""
        }
        return text(words)
    }
}
