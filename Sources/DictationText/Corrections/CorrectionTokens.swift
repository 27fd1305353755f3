/// A word as the model of self-corrections sees it: hashes, so that comparing and scoring need no strings.
package struct CorrectionToken: Sendable {
    /// Of the word in lower case; all numbers are one word.
    package let word: UInt32
    /// Of its kind: a word of grammar stands for itself, another one by its last letters.
    let kind: UInt32
    /// Its part of speech, as far as it shows: a kind of words of grammar, or a common ending.
    package let tag: UInt32
    /// The class of words that are used alike, where it is known; else its part of speech.
    let wordClass: UInt32
    package let key: String
    let isNumber: Bool
    /// Which series of names it is from: the days, the months; 0 for none.
    let series: Int
    /// No word of grammar or of speech: a noun, a verb, an adjective.
    let isSaidAlone: Bool
    /// Part of a time of day beside its numbers: "half", "past".
    let isClock: Bool
    /// A word of grammar.
    let isFunction: Bool
    let isPreposition: Bool
    /// "is", "does", "would".
    let isAuxiliary: Bool
    /// "Doctor", before a name.
    let isTitle: Bool
    /// "But", "so", "well": leads on to what is said.
    let isConnective: Bool
    let isCapitalised: Bool
    /// May begin a question.
    let isQuestion: Bool
    let hasComma: Bool
    /// "um" and its like.
    let isHesitation: Bool
    /// An announcement of a correction may begin with it.
    let beginsCue: Bool
    /// "Not": what is behind it may have been said before, and is denied.
    let isDenying: Bool
    /// "Tomorrow", a day, a month; and what may come before one, or before a time.
    let isTimeWord: Bool
    let opensTime: Bool
    /// Who speaks, or who is spoken to: "I", "your".
    let isPersonal: Bool
    /// May go with an announcement: a word of grammar, or one like "instead".
    let isPassed: Bool
    /// "Paris", "Alice": with a capital, or known to have one.
    let isName: Bool
    /// Beside quotation marks or brackets: mentioned, not used.
    let isQuoted: Bool

    private static let number = Hash.of("#number")

    init(_ word: Word, language: Language, classes: WordClasses) {
        key = word.key
        isNumber = word.isNumber
        series =
            word.kinds.contains(.sibling) ? language.series[word.key] ?? 0 : 0
        isSaidAlone = word.kinds.subtracting(.hints).isEmpty
        isClock = word.kinds.contains(.clock)
        isFunction = word.kinds.contains(.function) || word.kinds.contains(.pronoun)
        isConnective = word.kinds.contains(.conjunction) || word.kinds.contains(.opener)
        isPreposition = word.kinds.contains(.preposition)
        isAuxiliary = word.kinds.contains(.auxiliary)
        // Titles are among the words with which a written form may begin.
        isTitle = word.kinds.contains(.spokenForm) && language.numbers.titles[word.key] != nil
        isCapitalised = word.isCapitalised && !word.isFirstPerson
        isQuestion = word.kinds.contains(.question)
        hasComma = word.hasComma
        isHesitation = word.kinds.contains(.hesitation)
        beginsCue = !word.kinds.isDisjoint(with: [.cueStart, .hesitation])
        isTimeWord = word.kinds.contains(.time)
        opensTime = word.kinds.contains(.timeOpening)
        isPersonal = word.kinds.contains(.personal)
        isPassed =
            isFunction || isQuestion || isAuxiliary || isPreposition || word.kinds.contains(.passed)
        isDenying = word.kinds.contains(.denying)
        isName = isCapitalised || word.kinds.contains(.proper)
        isQuoted = !word.isPlain
        self.word = isNumber ? Self.number : language.modelWords[word.key] ?? word.hash
        if isNumber {
            kind = Self.number
        } else if isFunction || isQuestion || word.kinds.contains(.preposition)
            || word.kinds.contains(.opener)
        {
            kind = self.word
        } else {
            kind = Hash.of(key.utf8.suffix(3)) ^ 0x55
        }
        tag = Self.tag(of: word, language: language)
        let isGrammar = (1...UInt32(Self.grammar.count)).contains(tag)
        wordClass = isGrammar ? tag : classes[self.word] ?? tag
    }

    /// Kinds of words of grammar, the first that fits; a word may be of several.
    private static let grammar: [WordKinds] = [
        .number, .question, .preposition, .auxiliary, .pronoun, .conjunction, .subject, .opener, .function,
    ]

    private static func tag(of word: Word, language: Language) -> UInt32 {
        if word.isNumber { return 1 }
        if let place = grammar.firstIndex(where: { !word.kinds.isDisjoint(with: $0) }) {
            return UInt32(place + 1)
        }
        return UInt32(language.ending(of: word.key)) << 5 | (word.isCapitalised ? 16 : 0)
    }
}

/// A sentence as the model of self-corrections sees it. What comes before it or behind it has no say, so that it is read
/// the same wherever it stands.
package struct CorrectionSentence: Sendable {
    package let tokens: [CorrectionToken]
    /// Asks, whether its mark is there already or not.
    let isQuestion: Bool

    init(_ words: ArraySlice<Word>, language: Language, classes: WordClasses) {
        tokens = words.map { CorrectionToken($0, language: language, classes: classes) }
        // A question word begins it or ends it ("… is due to what"), or its mark says so, or will.
        isQuestion =
            tokens.prefix(3).contains(where: \.isQuestion) || tokens.suffix(2).contains(where: \.isQuestion)
            || words.last?.trail.contains("?") == true
            || (words.last?.hasTerminal == false && Questions(language: language).isQuestion(Array(words)))
    }
}

/// FNV-1a and a mixer: quick, and the same on every machine and in every run, as `Hasher` is not.
enum Hash {
    static func of(_ text: String) -> UInt32 { of(text.utf8[...]) }

    static func of(_ bytes: some Collection<UInt8>) -> UInt32 {
        bytes.reduce(empty) { adding($1, to: $0) }
    }

    static let empty: UInt32 = 2_166_136_261

    static func adding(_ byte: UInt8, to hash: UInt32) -> UInt32 { (hash ^ UInt32(byte)) &* 16_777_619 }

    /// For long rows, of which no two that differ may be taken for each other (the end of SplitMix64).
    static func adding(_ value: UInt64, to hash: UInt64) -> UInt64 {
        var hash = (hash ^ value) &* 0xBF58_476D_1CE4_E5B9
        hash = (hash ^ hash >> 27) &* 0x94D0_49BB_1331_11EB
        return hash ^ hash >> 31
    }

    static func mix(_ first: UInt32, _ second: UInt32) -> UInt32 {
        mixed(first &* 0x9E37_79B1 ^ (second &+ 0x7F4A_7C15))
    }

    /// Each bit has a say in the lower ones.
    static func mixed(_ value: UInt32) -> UInt32 {
        var hash = value ^ (value >> 15)
        hash = hash &* 0x85EB_CA6B
        hash ^= hash >> 13
        return hash
    }
}
