import SelfCorrection

/// A word as the model of marks sees it: two numbers and its kinds.
struct MarkToken: Sendable {
    /// The hash of the word in lower case; all numbers are one word.
    let word: UInt32
    /// Its part of speech as far as that shows: the kinds of a word of grammar, the class of words used alike, or an ending.
    let part: UInt32
    let kinds: WordKinds
    /// One letter and no word: part of an abbreviation that is spelled.
    let isLetter: Bool
    /// A following number belongs to it: "page", "March".
    let takesNumber: Bool
    /// "Third": may be a day.
    let isOrdinal: Bool

    /// Before the first word of a sentence, and after the last word of a text.
    static let edge = MarkToken(word: 0xED6E, part: 0xED6E, kinds: [])

    private init(word: UInt32, part: UInt32, kinds: WordKinds) {
        (self.word, self.part, self.kinds) = (word, part, kinds)
        (isLetter, takesNumber, isOrdinal) = (false, false, false)
    }

    init(_ word: Word, language: Language) {
        kinds = word.kinds
        isLetter = word.key.utf8.count == 1 && word.kinds.isDisjoint(with: [.firstPerson, .subject])
        takesNumber =
            language.numbers.names.numbered.contains(word.key)
            || language.numbers.dates.months.contains(word.key)
        isOrdinal = language.numbers.ordinals.words[word.key] != nil
        if word.isNumber {
            (self.word, part) = (CorrectionToken.number, CorrectionToken.number)
            return
        }
        self.word = word.hash
        let grammar = word.kinds.intersection(Self.grammar)
        part =
            grammar.isEmpty
            ? WordClasses.shipped[word.hash] ?? UInt32(language.ending(of: word.key)) : grammar.rawValue << 8
    }

    /// The kinds that distinguish function words.
    private static let grammar: WordKinds = [
        .function, .expectsMore, .conjunction, .opener, .question, .preposition, .subject, .pronoun,
        .auxiliary,
        .firstPerson, .time, .denying,
    ]

    var isNumber: Bool { word == CorrectionToken.number }

    /// A mark may come between the two: the first can end a clause, and they are no number, date or address, and
    /// no letters that are spelled.
    func mayEnd(before next: MarkToken) -> Bool {
        // "Where is he" is whole, "the house that he" is not: the model distinguishes them.
        if kinds.contains(.expectsMore), !kinds.contains(.pronoun) { return false }
        if isLetter || next.isLetter { return false }
        // "Mm hmm".
        if kinds.contains(.hesitation) { return false }
        if kinds.contains(.addressSign) || next.kinds.contains(.addressSign) { return false }
        if takesNumber, next.isNumber || next.isOrdinal { return false }
        return !(next.isNumber && (isNumber || kinds.contains(.spokenForm)))
    }
}
