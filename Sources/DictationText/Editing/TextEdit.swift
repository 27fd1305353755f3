/// Carries out a command on a text: a value in, a value out.
public struct TextEdit: Sendable {
    /// Why a text stays as it is.
    public enum Refusal: Error, Equatable, Sendable, CustomStringConvertible {
        /// The words to replace are not in the text, and nothing there sounds like them.
        case notFound(String)
        /// It is already as the command would make it.
        case nothingToChange
        /// The command changes no text.
        case noTextEdit

        public var description: String {
            switch self {
            case .notFound(let words): "“\(words)” is not in the last inserted text"
            case .nothingToChange: "the last inserted text is already like that"
            case .noTextEdit: "that command does not edit a text"
            }
        }
    }

    /// Phrases that are less alike than this are different ones. Chosen by hand on pairs that recognizers confuse (their
    /// and there, mail and male, weather and whether, John and Jon), which are at 0.75 and more.
    static let leastLikeness = 0.72

    private let language: Language
    /// Writes numbers, names and the user's own words as a dictated text has them.
    private let cleaner: TextCleaner

    public init(language: Language, dictionary: TextDictionary = .empty) {
        self.language = language
        cleaner = TextCleaner(
            options: .init(rules: Self.rules, dictionary: dictionary), language: language)
    }

    /// How the words of a replacement are written. Nothing said there is a slip.
    private static let rules: Set<CleaningRule> = [
        .spacing, .dictionary, .addresses, .abbreviations, .money, .measures, .dates, .versions, .digitRows,
        .times, .codes, .fractions, .decimals, .ordinals, .cardinals, .properWords,
    ]

    /// - Returns: the new text; if it is empty, the old text is removed completely.
    public func apply(_ command: EditCommand, to text: String) throws(Refusal) -> String {
        let new: String
        switch command {
        case .scratch: new = ""
        case .delete(.word, let count): new = Self.deletingWords(count, of: text)
        case .delete(.sentence, let count): new = deletingSentences(count, of: text)
        case .delete(.line, let count): new = Self.deletingLines(count, of: text)
        case .replace(let replacements): new = try replaced(by: replacements, in: text)
        case .setCase(.upper): new = text.uppercased()
        case .setCase(.lower): new = text.lowercased()
        case .setCase(.capitalized): new = Self.capitalized(text)
        case .undo, .select, .insert, .press, .stopListening: throw .noTextEdit
        }
        guard new != text else { throw .nothingToChange }
        return new
    }

    // MARK: Deleting

    private static func deletingWords(_ count: Int, of text: String) -> String {
        var rest = text[...]
        for _ in 0..<count {
            rest = rest.trimmedAtEnd
            while let last = rest.last, !last.isWhitespace { rest.removeLast() }
        }
        return String(rest.trimmedAtEnd)
    }

    private static func deletingLines(_ count: Int, of text: String) -> String {
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for _ in 0..<min(count, lines.count) {
            // A line that has just begun does not count yet.
            if lines.last?.isEmpty == true { lines.removeLast() }
            if !lines.isEmpty { lines.removeLast() }
        }
        guard let last = lines.last else { return "" }
        return String(text[..<last.endIndex])
    }

    private func deletingSentences(_ count: Int, of text: String) -> String {
        var starts: [String.Index] = []
        var begins = true
        var end = text.startIndex
        for token in text.split(whereSeparator: \.isWhitespace) {
            if begins || text[end..<token.startIndex].contains(where: \.isNewline) {
                starts.append(token.startIndex)
            }
            begins = Word(token, language: language).endsSentence
            end = token.endIndex
        }
        guard starts.count > count else { return "" }
        return String(text[..<starts[starts.count - count]].trimmedAtEnd)
    }

    private static func capitalized(_ text: String) -> String {
        var isStart = true
        return String(
            text.flatMap { character -> String in
                defer { isStart = character.isWhitespace || isStart && !character.isLetter }
                return isStart ? character.uppercased() : String(character)
            })
    }

    // MARK: Replacing

    private func replaced(
        by replacements: [EditCommand.Replacement], in text: String
    ) throws(Refusal) -> String {
        let tokens = Token.all(in: text, language)
        var best: (likeness: Double, range: Range<String.Index>, new: String)?
        for replacement in replacements {
            let new = written(replacement.new)
            if let sign = sign(replacement.old) {
                guard let range = text.lastRange(of: sign) else { continue }
                best = (1, range, new)
                continue
            }
            for old in Set([replacement.old, written(replacement.old), digits(of: replacement.old)]) {
                guard !old.isEmpty, let (range, likeness) = Self.last(old, in: tokens) else { continue }
                if likeness > best?.likeness ?? 0 {
                    let new = number(replacement.new, new, for: text[range])
                    best = (likeness, range, fitted(new, to: range, in: text))
                }
            }
        }
        guard let best, best.likeness >= Self.leastLikeness else {
            throw .notFound(replacements.first?.old ?? "")
        }
        return text.replacingCharacters(in: best.range, with: best.new)
    }

    private func written(_ words: String) -> String {
        if let sign = sign(words) { return sign }
        let cleaned = cleaner.clean(words).text
        return cleaned.isEmpty ? words : cleaned
    }

    /// Said alone, "second" is "2nd", and "five" is a word. In place of "first" the former is a word, as in any sentence; in
    /// place of "6" the latter is "5".
    private func number(_ words: String, _ written: String, for old: Substring) -> String {
        if old.allSatisfy(\.isNumber) {
            let digits = digits(of: words)
            return digits.isEmpty ? written : digits
        }
        guard !old.contains(where: \.isNumber), !words.contains(" "),
            let value = Int(written.prefix { $0.isNumber }), value < NumberWords.smallestInDigits,
            written.allSatisfy({ $0.isNumber || $0.isLetter || $0 == "." })
        else { return written }
        return words
    }

    /// The digits of a word that is a number; empty for others.
    private func digits(of word: String) -> String {
        language.numbers.whole.small[word.lowercased()].map(String.init) ?? ""
    }

    /// "Comma" alone means the sign.
    private func sign(_ words: String) -> String? {
        let keys = words.split(separator: " ").map { Word($0, language: language).key }
        return switch language.tables.marks[keys] {
        case .trailing(let sign), .leading(let sign), .alone(let sign), .joining(let sign): sign
        case .line, .paragraph, .endOfParagraph, .bullet, nil: nil
        }
    }

    /// The last place of a phrase; if it is nowhere, the last place of the words that sound most like it.
    private static func last(
        _ phrase: String, in tokens: [Token]
    ) -> (range: Range<String.Index>, likeness: Double)? {
        let wanted = SoundLikeness(phrase)
        let letters = SoundLikeness.letters(of: phrase)
        guard !letters.isEmpty else { return nil }
        let count = max(1, phrase.split(separator: " ").count)
        var best: (range: Range<String.Index>, likeness: Double)?
        for start in tokens.indices {
            // "Data base" may be written in one word, and "database" in two.
            for length in max(1, count - 1)...(count + 2) where start + length <= tokens.count {
                let range =
                    tokens[start].range.lowerBound..<tokens[start + length - 1].range.upperBound
                let candidate = tokens[start..<(start + length)].map(\.core).joined()
                let isSame = SoundLikeness.letters(of: candidate) == letters
                // The same word counts more than one that only sounds the same.
                let likeness = isSame ? 2 : min(1, wanted.likeness(to: SoundLikeness(candidate)))
                if likeness >= best?.likeness ?? 0 { best = (range, likeness) }
            }
        }
        return best
    }

    /// A new phrase at the start of a sentence begins with a capital, as the old one did.
    private func fitted(_ new: String, to range: Range<String.Index>, in text: String) -> String {
        guard text[range].first?.isUppercase == true, let first = new.first, first.isLowercase else {
            return new
        }
        let before = text[..<range.lowerBound]
        let previous = before.split(whereSeparator: \.isWhitespace).last
        let isStart =
            previous.map { Word($0, language: language).endsSentence } ?? true
            || before.trimmedAtEndOfLine.last?.isNewline == true
        return isStart ? first.uppercased() + new.dropFirst() : new
    }

    /// A word of a text, or a part of one that is joined by hyphens, without the marks around it.
    private struct Token {
        let core: String
        let range: Range<String.Index>

        static func all(in text: String, _ language: Language) -> [Token] {
            text.split(whereSeparator: { $0.isWhitespace || Marks.isDash($0) }).compactMap { token in
                let word = Word(token, language: language)
                guard !word.core.isEmpty else { return nil }
                let start = text.index(token.startIndex, offsetBy: word.lead.count)
                return Token(
                    core: word.core, range: start..<text.index(start, offsetBy: word.core.count))
            }
        }
    }
}

extension Substring {
    fileprivate var trimmedAtEnd: Substring {
        var rest = self
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return rest
    }

    /// Without the blanks at its end; newlines stay.
    fileprivate var trimmedAtEndOfLine: Substring {
        var rest = self
        while let last = rest.last, last.isWhitespace, !last.isNewline { rest.removeLast() }
        return rest
    }
}

extension String {
    fileprivate func lastRange(of sign: String) -> Range<Index>? {
        ranges(of: sign).last
    }

    fileprivate func replacingCharacters(in range: Range<Index>, with new: String) -> String {
        self[..<range.lowerBound] + new + self[range.upperBound...]
    }
}
