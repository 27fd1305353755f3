/// A word as the grammar and the model of self-corrections see it: hashes and traits, so that comparing and scoring
/// need no strings.
package struct CorrectionToken: Sendable {
    /// The traits of a word that matter in a correction.
    package struct Traits: OptionSet, Sendable {
        package let rawValue: UInt32

        package init(rawValue: UInt32) { self.rawValue = rawValue }

        package static let number = Traits(rawValue: 1 << 0)
        /// Neither grammar nor speech: a noun, a verb, an adjective.
        package static let saidAlone = Traits(rawValue: 1 << 1)
        /// Part of a time of day, besides its numbers: "half", "past".
        package static let clock = Traits(rawValue: 1 << 2)
        /// A word of grammar.
        package static let function = Traits(rawValue: 1 << 3)
        package static let preposition = Traits(rawValue: 1 << 4)
        /// "is", "does", "would".
        package static let auxiliary = Traits(rawValue: 1 << 5)
        /// "Doctor", before a name.
        package static let title = Traits(rawValue: 1 << 6)
        /// "But", "so", "well": leads on to what is said.
        package static let connective = Traits(rawValue: 1 << 7)
        package static let capitalized = Traits(rawValue: 1 << 8)
        /// May begin a question.
        package static let question = Traits(rawValue: 1 << 9)
        /// A comma follows it.
        package static let comma = Traits(rawValue: 1 << 10)
        package static let hesitation = Traits(rawValue: 1 << 11)
        /// An edit term may begin with it.
        package static let beginsEditTerm = Traits(rawValue: 1 << 12)
        /// "Not": the words after it may have been said before, and are denied.
        package static let denying = Traits(rawValue: 1 << 13)
        /// "Tomorrow", a day, a month.
        package static let time = Traits(rawValue: 1 << 14)
        /// May come before one of these, or before a time of day.
        package static let opensTime = Traits(rawValue: 1 << 15)
        /// The speaker or the listener: "I", "your".
        package static let personal = Traits(rawValue: 1 << 16)
        /// May go with an edit term: a word of grammar, or one like "instead".
        package static let passed = Traits(rawValue: 1 << 17)
        /// "Paris", "Alice": with a capital, or known to have one.
        package static let name = Traits(rawValue: 1 << 18)
        /// Next to quotation marks or brackets: mentioned, not used.
        package static let quoted = Traits(rawValue: 1 << 19)
        package static let article = Traits(rawValue: 1 << 20)
        /// A pronoun that can only be a subject: "I", "we".
        package static let subject = Traits(rawValue: 1 << 21)
        /// "Me", "us".
        package static let object = Traits(rawValue: 1 << 22)
        /// An order may begin with it: "add", "call".
        package static let order = Traits(rawValue: 1 << 23)
        /// "To".
        package static let beforeVerb = Traits(rawValue: 1 << 24)
        /// "Think", "said".
        package static let aside = Traits(rawValue: 1 << 25)
        /// Joins the parts of a list.
        package static let list = Traits(rawValue: 1 << 26)
        /// "Hundred", "million": only belongs to a number.
        package static let scale = Traits(rawValue: 1 << 27)
        /// The "point" of "two point five".
        package static let point = Traits(rawValue: 1 << 28)
    }

    /// The hash of the word in lower case; all numbers are one word.
    package let word: UInt32
    /// The hash of its kind: a word of grammar is its own kind, another word has that of its last letters.
    let kind: UInt32
    /// Its part of speech, as far as it shows: a kind of grammar word, or a common ending.
    package let tag: UInt32
    /// The class of words used alike, if it is known; otherwise its part of speech.
    let wordClass: UInt32
    package let key: String
    /// The series of names that it belongs to, such as the days or the months; 0 for none.
    let series: Int
    let traits: Traits
    /// The first two and the last two bytes of the key, two bytes each: words that look alike share them.
    let edges: UInt32
    /// The hash of all that the model sees of the word.
    let fingerprint: UInt64

    /// The hash of every number.
    package static let number = Hash.of("#number")

    package init(
        key: String, word: UInt32, kind: UInt32, tag: UInt32, wordClass: UInt32, series: Int, traits: Traits
    ) {
        (self.key, self.word, self.kind, self.tag) = (key, word, kind, tag)
        (self.wordClass, self.series, self.traits) = (wordClass, series, traits)
        edges = Self.edges(of: key)
        let hash = Hash.adding(UInt64(word) << 32 | UInt64(kind), to: UInt64(series))
        fingerprint = Hash.adding(
            UInt64(traits.rawValue) << 32 | UInt64(edges),
            to: Hash.adding(UInt64(tag) << 32 | UInt64(wordClass), to: hash))
    }

    private static func edges(of key: String) -> UInt32 {
        func joined(_ bytes: Substring.UTF8View) -> UInt32 { bytes.reduce(0) { $0 << 8 | UInt32($1) } }
        return joined(key.utf8.prefix(2)) << 16 | joined(key.utf8.suffix(2))
    }

    func has(_ trait: Traits) -> Bool { traits.contains(trait) }

    /// "B", said as a letter.
    var isLetter: Bool { key.utf8.count == 1 && has(.saidAlone) && !has(.number) }

    /// "We're", but not "Anna's".
    var isContraction: Bool { has(.function) && key.utf8.contains(UInt8(ascii: "'")) }

    /// The "and" of "four hundred and fifty", the "point" of "two point five"; the "to" of "four to five" makes two numbers.
    var joinsNumbers: Bool { has(.list) && has(.connective) || has(.point) }
}

/// A sentence as the model of self-corrections sees it. The sentences around it do not matter, so it is read the same
/// way anywhere in a text.
package struct CorrectionSentence: Sendable {
    package let tokens: [CorrectionToken]
    /// It asks, whether it has its question mark yet or not.
    let isQuestion: Bool

    package init(tokens: [CorrectionToken], isQuestion: Bool) {
        self.tokens = tokens
        self.isQuestion = isQuestion
    }
}
