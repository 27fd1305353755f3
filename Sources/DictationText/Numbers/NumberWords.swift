import SelfCorrection

/// How a language speaks numbers and what belongs to them, and how it writes them: tables, no code.
struct NumberWords: LanguagePart {
    var whole = WholeNumberWords()
    var signs = SignWords()
    var ordinals = OrdinalWords()
    var fractions = FractionWords()
    var rows = RowWords()
    var names = NamedNumberWords()
    var abbreviations = AbbreviationWords()
    var dates = DateWords()
    var times = TimeWords()
    var measures = MeasureWords()
    var addresses = AddressWords()

    /// From this scale on a round number keeps its word: "5 million".
    static let firstWrittenScale = 2
    /// Smaller whole numbers and ordinals stay words unless a unit or the like belongs to them.
    static let smallestInDigits = 13

    /// The words with which a form may begin: the rules ask this of each word of a text.
    var firstWords: Set<String> {
        var words = Set(whole.small.keys).union(rows.zeros).union(rows.multipliers.keys)
        words.formUnion(whole.bareScales)
        words.formUnion(measures.money.one)
        words.formUnion(whole.oneBeforePoint)
        if !whole.compoundOne.isEmpty { words.insert(whole.compoundOne) }
        words.formUnion(signs.minus)
        words.formUnion(ordinals.words.keys)
        words.formUnion(dates.months)
        words.formUnion([signs.plus, signs.point, dates.article, whole.article])
        words.formUnion(times.relative.offsets.keys.compactMap(\.first))
        words.formUnion(abbreviations.phrases.keys.compactMap(\.first))
        words.formUnion(abbreviations.titles.keys)
        words.formUnion(addresses.schemes)
        words.formUnion(addresses.slash)
        // Letters may be spelled.
        words.formUnion((UInt8(ascii: "a")...UInt8(ascii: "z")).map { String(Unicode.Scalar($0)) })
        words.remove("")
        return words
    }

    /// An address may come before or after these words.
    var addressSigns: Set<String> {
        var words = Set(addresses.signs.keys).union(addresses.slash)
        words.formUnion([addresses.at, addresses.dot])
        words.remove("")
        return words
    }
}

/// Whole numbers.
struct WholeNumberWords: LanguagePart {
    /// Words that are a whole number below a thousand by themselves: "seven", "twenty", "zweiundzwanzig".
    @Numbered var small: [String: Int]
    /// Multiplies by a hundred; empty if the hundreds are words of their own.
    @Text var hundred: String
    /// Powers of a thousand: "thousand" is 1.
    @Numbered var scales: [String: Int]
    /// Scales that mean one of them without a number before them: Spanish "mil".
    @Words var bareScales: Set<String>
    /// Joins thousands and hundreds in one word: German "tausend".
    @Text var compoundThousand: String
    /// One of them: "eintausend".
    @Text var compoundOne: String
    /// May follow a hundred or a scale: "two hundred and five".
    @Text var and: String
    /// Between tens and ones: Spanish "y".
    @Text var tensAnd: String
    /// One at the end of a larger number, if it agrees with the counted noun: Spanish "treinta y una".
    @Words var lastOnes: Set<String>
    /// Between ones and tens that a recognizer writes as words of their own: German "vier und zwanzig".
    @Text var onesAnd: String
    /// One before a decimal point, and an article elsewhere: German "ein Komma fünf".
    @Words var oneBeforePoint: Set<String>
    /// Before a hundred or a scale that is no number: German "ein paar hundert".
    @Words var vague: Set<String>
    /// One of a scale, or of a unit: "a hundred dollars".
    @Text var article: String
    /// Numbers that are meant as words: "fifty fifty".
    @Phrases var idioms: Set<[String]>
}

/// The words for the signs of a number.
struct SignWords: LanguagePart {
    @Words var minus: Set<String>
    /// Words before a minus, besides the beginning of a sentence; empty for any. Spanish "al menos veinte"
    /// has none.
    @Words var beforeMinus: Set<String>
    @Text var plus: String
    /// Between the first and the last number of a range: "to".
    @Words var range: Set<String>
    /// Between two alternative numbers: "or".
    @Words var alternatives: Set<String>
    /// Before two numbers with "and" between them, which are a range.
    @Words var between: Set<String>
    /// Between two numbers, the second with a unit: "two by three meters".
    @Words var dimensions: Set<String>
    /// This "and", if it joins no hundreds.
    @Words var joints: Set<String>
    @Text var point: String
    /// Words before a decimal point without a whole number, besides the beginning of a sentence; empty if
    /// none begins so.
    @Words var beforePoint: Set<String>
    /// The decimal point as it is written.
    @Text var decimalMark: String
}

/// "First", and how it is written.
struct OrdinalWords: LanguagePart {
    /// "first" to "nineteenth", the tens, and those of hundred and the scales.
    @Numbered var words: [String: Int]
    /// Those that are units as well, and the words before a number of them: "a sixty second timer".
    @Words var units: Set<String>
    @Words var beforeUnits: Set<String>
    /// After the digits: those of 1, 2 and 3, and the one of all others last.
    var endings: [String] = []
}

/// Parts of one.
struct FractionWords: LanguagePart {
    /// One and several: "third", "thirds".
    @Numbered var denominators: [String: Int]
    /// Adds a half to the number before it: "two and a half".
    @Phrases var halves: Set<[String]>
    /// The same, after a unit: "two meters and a half".
    @Phrases var halvesBehindUnits: Set<[String]>
    /// Parts of which more than one have another form: "at five half of them".
    @Words var single: Set<String>
    /// Before these a count of quarters or thirds is a count: "the last three quarters".
    @Words var counting: Set<String>
}

/// Digits that are said one by one or in pairs.
struct RowWords: LanguagePart {
    /// Zeros within a row: "oh".
    @Words var zeros: Set<String>
    /// Multiply the next digit: "double seven".
    var multipliers: [String: Int] = [:]
    /// Before a row: "error four oh four", "port eighty eighty". A small number after them may count.
    @Words var announcing: Set<String>
    /// Between one of these and its digits: "the pin is".
    @Words var joints: Set<String>
    /// Before a number of nine digits that is written 3-2-4.
    @Words var securityNumbers: Set<String>
    /// Between the digits of a dose for the morning, noon, evening and night, if they are said this way:
    /// German "eins null eins" is "1-0-1". Empty if this is not usual.
    @Text var scheduleMark: String
    /// How rows of digits are written, by their length.
    var groups: [Int: Group] = [:]

    struct Group: Decodable, Sendable {
        let sizes: [Int]
        let mark: String
    }
}

/// The words for things that a number names.
struct NamedNumberWords: LanguagePart {
    /// Before a number that names something, so that its parts are joined: "room two thirty".
    @Words var numbered: Set<String>
    /// Before a version: "version two".
    @Words var versions: Set<String>
}

/// The words that are written shorter than they are said, and those that are spelled.
struct AbbreviationWords: LanguagePart {
    /// Written forms of phrases: "s and p five hundred".
    @ByPhrase var phrases: [[String]: String]
    /// Short titles, written before a name: "doctor" is "Dr.".
    @ByWord var titles: [String: String]
    /// After these a title is a noun: "the doctor".
    @Words var titleDeterminers: Set<String>
    /// Single letters that are words: no code begins with one alone. Letters that are an abbreviation, and no part of
    /// one.
    @Words var notCodes: Set<String>
    /// Series that are spelled, and the number that follows: "r t x forty fifty".
    @Words var series: Set<String>
}
