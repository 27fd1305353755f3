import DictationText
import Foundation

/// Decides whether a language model's answer is still the same text. In doubt it is not: a refused answer
/// costs a comma, a wrong one puts words into the speaker's mouth.
public struct PolishGuard: Sendable {
    /// Why an answer is refused.
    public enum Refusal: Equatable, Sendable, CustomStringConvertible {
        case empty
        /// Something that was not spoken.
        case added(String)
        case droppedNumber(String)
        case droppedName(String)
        /// "Not", "never": without it the opposite is said.
        case changedNegation(String)
        case changedAddress(String)
        /// "%", "€", the minus before a number: the digits stay, and the amount is another one.
        case changedSign(String)
        /// Less of the words than ``PolishGuard/leastKept``, or more than there were.
        case tooShort
        case tooLong
        case reordered
        /// A question became a statement, as if it had been answered.
        case answered
        /// Lines or marks of layout that were not dictated.
        case layout

        public var description: String {
            switch self {
            case .empty: "the answer is empty"
            case .added(let word): "the answer adds “\(word)”"
            case .droppedNumber(let number): "the answer drops or changes the number \(number)"
            case .droppedName(let name): "the answer drops the name \(name)"
            case .changedNegation(let word): "the answer changes “\(word)”, and with it the meaning"
            case .changedAddress(let address): "the answer changes \(address)"
            case .changedSign(let sign): "the answer drops, adds or changes the sign “\(sign)”"
            case .tooShort: "the answer leaves out too much"
            case .tooLong: "the answer is too long"
            case .reordered: "the answer says it in another order"
            case .answered: "the answer turns a question into a statement"
            case .layout: "the answer has lines or marks that were not dictated"
            }
        }
    }

    /// The share of the content words that must stay: a false start that the rules missed may be removed, a
    /// clause may not.
    public static let leastKept = 0.75
    /// Function words may be added: one, and one more for each of this many words.
    public static let wordsPerAddition = 12

    /// Words of grammar, which may come or go.
    let grammar: Set<String>
    /// Those that may replace each other.
    let articles: Set<String>
    /// Those that the model may not add for the speaker.
    let courtesies: Set<String>
    let negations: Set<String>
    let numbers: [String: Int]
    let language: Language
    /// The user's own names; they must stay even at the start of a sentence.
    let names: Set<String>

    public init(language: Language = .english, names: [String] = []) {
        grammar = language.grammarWords
        articles = language.articles
        courtesies = language.courtesies
        negations = language.negations
        numbers = language.numberValues
        self.language = language
        self.names = Set(names.map { $0.lowercased() })
    }

    /// - Parameter cleaned: the text as the rules have cleaned it, which is used otherwise.
    /// - Returns: nil if the answer may be used.
    public func refusal(of answer: String, for cleaned: String) -> Refusal? {
        let source = words(cleaned)
        let result = words(answer)
        guard !result.isEmpty else { return .empty }
        if let layout = layout(answer, cleaned) { return layout }
        if result.count > source.count + 1 + source.count / Self.wordsPerAddition { return .tooLong }
        if let refusal = addresses(answer, cleaned) ?? figures(result, source) ?? signs(answer, cleaned) {
            return refusal
        }
        if let refusal = negation(result, source) { return refusal }
        if let refusal = additions(result, source) ?? losses(result, source, cleaned) { return refusal }
        if !isInOrder(result, source) || !keepsLandmarks(result, source, cleaned) { return .reordered }
        return asks(cleaned) && !asks(answer) ? .answered : nil
    }

    // MARK: - Comparison

    private struct Token: Equatable {
        let key: String
        let text: String
        /// The number that it is, in words or in digits.
        let number: String?
    }

    private func words(_ text: String) -> [Token] {
        text.split { $0.isWhitespace || $0 == "-" || $0 == "–" || $0 == "—" || $0 == "/" }.compactMap {
            part in
            let core = part.trimmingCharacters(in: Self.marks)
            guard !core.isEmpty else { return nil }
            let key = core.lowercased().replacing("’", with: "'")
            let number = key.contains { $0.isNumber } ? figure(key) : numbers[key].map(String.init)
            return Token(key: key, text: core, number: number)
        }
    }

    private static let marks = CharacterSet.punctuationCharacters.union(
        CharacterSet(charactersIn: "“”‘’\"'`*_#<>|~"))

    private func figures(_ result: [Token], _ source: [Token]) -> Refusal? {
        var left = counts(source.compactMap(\.number))
        for number in result.compactMap(\.number) {
            guard let count = left[number], count > 0 else {
                // A wrong number is an addition, and drops the right one.
                return .added(number)
            }
            left[number] = count - 1
        }
        // "One" is as often no number: "one of them".
        return left.first { $0.value > 0 && $0.key != "1" }.map { .droppedNumber($0.key) }
    }

    private func negation(_ result: [Token], _ source: [Token]) -> Refusal? {
        func found(_ tokens: [Token]) -> [String] {
            tokens.filter(isNegation).map {
                $0.key.hasSuffix("n't") ? "not" : $0.key
            }
        }
        let (before, after) = (counts(found(source)), counts(found(result)))
        let changed = Set(before.keys).union(after.keys).first { before[$0] != after[$0] }
        if let changed { return .changedNegation(changed) }
        // "Not A but B" says something else than "A but not B".
        let (denied, stillDenied) = (denied(source), denied(result))
        return zip(denied, stillDenied).first { $0 != $1 && !isSpelling($0, of: $1) }.map {
            .changedNegation($0.0)
        }
    }

    /// For each negation the first content word after it.
    private func denied(_ tokens: [Token]) -> [String] {
        tokens.indices.filter { isNegation(tokens[$0]) }.map { place in
            tokens[(place + 1)...].first { !grammar.contains($0.key) }?.key ?? ""
        }
    }

    private func isNegation(_ token: Token) -> Bool {
        negations.contains(token.key) || token.key.hasSuffix("n't")
    }

    private func additions(_ result: [Token], _ source: [Token]) -> Refusal? {
        var left = counts(source.map(\.key))
        var added: [Token] = []
        for token in result where token.number == nil {
            if let count = left[token.key], count > 0 {
                left[token.key] = count - 1
            } else {
                added.append(token)
            }
        }
        var allowed = 1 + source.count / Self.wordsPerAddition
        for token in added {
            if let near = left.first(where: { $0.value > 0 && isSpelling(token.key, of: $0.key) })?.key {
                left[near, default: 1] -= 1
                continue
            }
            guard grammar.contains(token.key), !courtesies.contains(token.key), allowed > 0 else {
                return .added(token.text)
            }
            // "And" for "or", "he" for "she", "before" for "after": a little word for another one is a new text.
            let lost = left.filter { $0.value > 0 && grammar.contains($0.key) }.map(\.key)
            let isExchange =
                articles.contains(token.key) ? !lost.allSatisfy(articles.contains) : !lost.isEmpty
            if isExchange { return .added(token.text) }
            allowed -= 1
        }
        return nil
    }

    private func losses(_ result: [Token], _ source: [Token], _ cleaned: String) -> Refusal? {
        var left = counts(result.map(\.key))
        var meaning = 0
        var kept = 0
        for (place, token) in source.enumerated() {
            let isKept = (left[token.key] ?? 0) > 0
            if isKept { left[token.key, default: 1] -= 1 }
            guard !isKept else {
                if !grammar.contains(token.key) {
                    meaning += 1
                    kept += 1
                }
                continue
            }
            if isName(token, at: place, in: cleaned) { return .droppedName(token.text) }
            guard !grammar.contains(token.key), token.number == nil else { continue }
            meaning += 1
            if let near = left.first(where: { $0.value > 0 && isSpelling($0.key, of: token.key) })?.key {
                left[near, default: 1] -= 1
                kept += 1
            }
        }
        return Double(kept) < Double(meaning) * Self.leastKept || result.count * 2 < source.count
            ? .tooShort : nil
    }

    /// A capital that no sentence gave it.
    private func isName(_ token: Token, at place: Int, in text: String) -> Bool {
        if names.contains(token.key) { return true }
        guard place > 0, token.text.first?.isUppercase == true, token.key != "i", !token.key.hasPrefix("i'")
        else {
            return false
        }
        // After a period it may be any word.
        guard let range = text.range(of: token.text) else { return true }
        let before = text[..<range.lowerBound].last { !$0.isWhitespace }
        return !(before.map { ".!?:“\"\n".contains($0) } ?? true)
    }

    /// Whether most words are in the order in which they were spoken.
    private func isInOrder(_ result: [Token], _ source: [Token]) -> Bool {
        var row = [Int](repeating: 0, count: source.count + 1)
        for token in result {
            var diagonal = 0
            for place in source.indices {
                let above = row[place + 1]
                row[place + 1] = token.key == source[place].key ? diagonal + 1 : max(above, row[place])
                diagonal = above
            }
        }
        let common = result.count { token in source.contains { $0.key == token.key } }
        return (row.last ?? 0) * 10 >= common * 9
    }

    /// Names, numbers and negations come one after the other as they were spoken: in a long text two of them that changed
    /// places are a small share of the words, and all of the meaning.
    private func keepsLandmarks(_ result: [Token], _ source: [Token], _ cleaned: String) -> Bool {
        let names = Set(
            source.indices.filter { isName(source[$0], at: $0, in: cleaned) }.map { source[$0].key })
        func landmarks(_ tokens: [Token]) -> [String] {
            tokens.compactMap { token in
                if let number = token.number { return number == "1" ? nil : number }
                if isNegation(token) { return "not" }
                return names.contains(token.key) ? token.key : nil
            }
        }
        return landmarks(result) == landmarks(source)
    }

    private func addresses(_ answer: String, _ cleaned: String) -> Refusal? {
        func found(_ text: String) -> [String] {
            text.split(whereSeparator: \.isWhitespace).map { $0.trimmingCharacters(in: Self.edges) }
                .filter {
                    $0.contains("@") || $0.contains("://") || $0.firstMatch(of: /\w\.[A-Za-z]\w/) != nil
                }
        }
        let (before, after) = (found(cleaned), found(answer))
        if let lost = before.first(where: { !after.contains($0) }) { return .changedAddress(lost) }
        return after.first { !before.contains($0) }.map { .added($0) }
    }

    private static let edges = CharacterSet(charactersIn: ".,;:!?()[]“”\"'")

    /// Neither more lines than were dictated, nor marks of a chat program's own language, nor invisible
    /// characters.
    private func layout(_ answer: String, _ cleaned: String) -> Refusal? {
        for sign in ["```", "**", "__", "# ", "<", ">", "|", "$$"]
        where answer.contains(sign) && !cleaned.contains(sign) {
            return .layout
        }
        if answer.unicodeScalars.contains(where: { $0.properties.generalCategory == .control && $0 != "\n" })
        {
            return .layout
        }
        let lines = { (text: String) in text.count { $0.isNewline } }
        return lines(answer) > lines(cleaned) ? .layout : nil
    }

    private func asks(_ text: String) -> Bool {
        text.contains("?")
    }

    // MARK: - Helpers

    private func counts(_ keys: [String]) -> [String: Int] {
        keys.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    /// The same word, spelled differently: a letter more or less, or two swapped. Another letter in its
    /// place often makes another word ("prescribed", "proscribed"), except "s" and "z".
    private func isSpelling(_ first: String, of second: String) -> Bool {
        if first.filter(\.isLetter) == second.filter(\.isLetter), !first.isEmpty { return true }
        guard min(first.count, second.count) > 3, abs(first.count - second.count) <= 2,
            first.prefix(2) == second.prefix(2)
        else { return false }
        let changed = zip(first, second).filter { $0 != $1 }
        if first.count == second.count, changed.count == 1, Set([changed[0].0, changed[0].1]) == ["s", "z"] {
            return true
        }
        // "Wants" for "want" is grammar; "patent" for "patient" is not a misspelling, but another word.
        let isInflected = first.hasPrefix(second) || second.hasPrefix(first)
        guard isInflected || !language.isOrdinaryWord(first) || !language.isOrdinaryWord(second) else {
            return false
        }
        if first.count != second.count { return EditDistance.between(first, second) <= 1 }
        return changed.count == 2 && first.sorted() == second.sorted()
            || first.count >= Self.longWord && changed.count == 1
                && changed.allSatisfy { Self.areVowels($0.0, $0.1) }
    }

    /// In a word of at least this many letters, one of these vowels for another is a misspelling: "definately".
    private static let longWord = 10

    private static func areVowels(_ first: Character, _ second: Character) -> Bool {
        "aei".contains(first) && "aei".contains(second)
    }
}
