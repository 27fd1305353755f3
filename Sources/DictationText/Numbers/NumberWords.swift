import SelfCorrection

/// How a language speaks numbers and what belongs to them, and how it writes them: tables, no code.
struct NumberWords: LanguagePart {
    /// Words that are a whole number below a thousand by themselves: "seven", "twenty", "zweiundzwanzig".
    @Numbered var small: [String: Int]
    /// Zeros within a row of digits: "oh".
    @Words var spokenZeros: Set<String>
    /// Multiply the next digit of a row: "double seven".
    var multipliers: [String: Int] = [:]
    /// Multiplies by a hundred; empty where the hundreds are words of their own.
    @Text var hundred: String
    /// Powers of a thousand: "thousand" is 1.
    @Numbered var scales: [String: Int]
    /// Scales that mean one of them without a number before them: Spanish "mil".
    @Words var bareScales: Set<String>
    /// Joins thousands and hundreds in one word: German "tausend".
    @Text var compoundThousand: String
    /// From this scale on a round number keeps its word: "5 million".
    static let firstWrittenScale = 2
    /// May follow a hundred or a scale: "two hundred and five".
    @Text var and: String
    /// Between tens and ones: Spanish "y".
    @Text var tensAnd: String
    /// One of a scale, or of a unit: "a hundred dollars".
    @Text var article: String
    @Words var minus: Set<String>
    @Text var plus: String
    @Text var point: String
    /// Words before a decimal point without a whole number, beside the beginning of a sentence; empty for any.
    @Words var beforePoint: Set<String>
    @Text var decimalMark: String
    /// "first" to "nineteenth", the tens, and those of hundred and the scales.
    @Numbered var ordinals: [String: Int]
    /// Behind the digits of an ordinal: those of 1, 2 and 3, and the one of all others last.
    var ordinalEndings: [String] = []
    /// Smaller whole numbers and ordinals stay words unless a unit or the like belongs to them.
    static let smallestInDigits = 13
    /// Between the first and the last number of a range: "to".
    @Words var rangeWords: Set<String>
    /// Numbers that are meant as words: "fifty fifty".
    @Phrases var idioms: Set<[String]>
    /// Denominators, one and several: "third", "thirds".
    @Numbered var denominators: [String: Int]
    /// Adds a half to the number before it: "two and a half".
    @Phrases var halves: Set<[String]>
    /// Before these a count of quarters or thirds is a count: "the last three quarters".
    @Words var counting: Set<String>

    var dates = DateWords()
    var times = TimeWords()
    var measures = MeasureWords()
    var addresses = AddressWords()
    /// Before a number that names something, so that its parts are joined: "room two thirty".
    @Words var numbered: Set<String>
    /// Before digits that are said one by one or in pairs: "error four oh four", "port eighty eighty". A small number
    /// behind them may count.
    @Words var rowWords: Set<String>
    /// Between one of these and its digits: "the pin is".
    @Words var rowJoints: Set<String>
    /// Before a version: "version two".
    @Words var versionWords: Set<String>
    /// Before a number of nine digits that is written 3-2-4.
    @Words var securityNumbers: Set<String>
    /// How rows of so many digits are written.
    var rowGroups: [Int: RowGroup] = [:]
    /// Written forms of phrases: "s and p five hundred".
    @ByPhrase var phrases: [[String]: String]
    /// Short titles, written before a name: "doctor" is "Dr.".
    @ByWord var titles: [String: String]
    /// Behind these a title is a noun: "the doctor".
    @Words var titleDeterminers: Set<String>
    /// Single letters that are words: no code begins with one alone. Letters that are an abbreviation, and no part of one.
    @Words var notCodes: Set<String>
    /// Series that are spelled, and the number that follows: "r t x forty fifty".
    @Words var series: Set<String>

    struct RowGroup: Decodable, Sendable {
        let sizes: [Int]
        let mark: String
    }

    /// The words with which a form may begin: the rules ask this of each word of a text.
    var firstWords: Set<String> {
        var words = Set(small.keys).union(spokenZeros).union(multipliers.keys).union(bareScales).union(minus)
        words.formUnion(ordinals.keys)
        words.formUnion(dates.months)
        words.formUnion([plus, point, dates.article, article])
        words.formUnion(times.offsets.keys.compactMap(\.first))
        words.formUnion(phrases.keys.compactMap(\.first))
        words.formUnion(titles.keys)
        words.formUnion(addresses.schemes)
        words.formUnion(addresses.slash)
        // Letters may be spelled.
        words.formUnion((UInt8(ascii: "a")...UInt8(ascii: "z")).map { String(Unicode.Scalar($0)) })
        words.remove("")
        return words
    }

    /// An address may come before or behind these words.
    var addressSigns: Set<String> {
        var words = Set(addresses.signs.keys).union(addresses.slash)
        words.formUnion([addresses.at, addresses.dot])
        words.remove("")
        return words
    }
}

struct DateWords: LanguagePart {
    @Words var months: Set<String>
    /// Months that are other words as well: "may", "march".
    @Words var ambiguousMonths: Set<String>
    /// Behind these, and behind pronouns, a verb follows and no month: "they will march".
    @Words var modals: Set<String>
    @Text var article: String
    @Words var of: Set<String>
    /// "eighties", behind a century.
    @Numbered var decades: [String: Int]
    /// Eras as they are spoken, and written behind the year.
    @ByPhrase var eras: [[String]: String]
    /// Behind the day: "5. Mai".
    @Text var dayMark: String
    /// Between day, month and year, where the language keeps one: Spanish "de".
    @Text var joint: String
    /// Words before a bare year that make one of "eleven fifty five".
    @Words var beforeYears: Set<String>
}

struct TimeWords: LanguagePart {
    /// Halves of the day.
    @ByPhrase var halves: [[String]: String]
    @Words var oclock: Set<String>
    @Words var zones: Set<String>
    /// "half past three": words before the hour, with the minutes to add.
    @ByPhrase var offsets: [[String]: Int]
    @Words var minutes: Set<String>
    @Words var past: Set<String>
    @Words var to: Set<String>
    /// Between hour and minute: German "Uhr".
    @Words var separators: Set<String>
    /// Written behind the time: " Uhr".
    @Text var suffix: String
    /// No hour and minutes without "am" or "o'clock", where these follow.
    @Words var notBefore: Set<String>
    /// Before an hour below ten and its minutes: a time of the day. Without any, each such pair is one.
    @Words var cues: Set<String>
    /// Before every five minutes they make a time as well, before quarters of an hour the doubtful ones.
    @Words var weakCues: Set<String>
    @Words var doubtfulCues: Set<String>
    /// Before these a pair is a number: "pressure one thirty".
    @Words var notTimes: Set<String>
    /// Between one of these and the pair.
    @Words var notTimesJoints: Set<String>
    /// Behind a pair it is a number: "one forty over ninety".
    @Words var over: Set<String>
    /// Before hours from 13 on, which are years elsewhere: "at seventeen forty five".
    @Words var at: Set<String>
    /// Before "ten to eight", which is a range elsewhere.
    @Words var relativeCues: Set<String>
    /// Behind it: "in the morning".
    @Phrases var partsOfDay: Set<[String]>
    /// With "one" these are a word of their own: "no one", "this one".
    @Words var notBeforeOne: Set<String>
    /// One of them counts what is said before it: "two fifteen year olds".
    @Words var counted: Set<String>
}

struct MeasureWords: LanguagePart {
    /// Units by their spoken words: what is written behind the number, with its space.
    @ByPhrase var units: [[String]: String]
    /// Units that take prefixes, and their symbols.
    @ByWord var metric: [String: String]
    @ByWord var prefixes: [String: String]
    /// Symbols that are said as letters: "five m g".
    @Words var symbols: Set<String>
    /// Units of time, behind "per" alone: "hours" by themselves stay a word.
    @ByWord var timeUnits: [String: String]
    /// "per".
    @Words var per: Set<String>
    /// Units that mean something else behind these: "my two feet".
    @Words var possessives: Set<String>
    /// Before "a million": "half".
    @Words var halfOf: Set<String>
    /// Units that are words of prose, left alone after one: "one foot".
    @Words var everyday: Set<String>
    /// Smaller units behind these: "five feet ten inches".
    @ByWord var parts: [String: Part]
    /// Currencies by their spoken words.
    @ByPhrase var currencies: [[String]: Currency]
    /// Hundredths of a currency.
    @Words var cents: Set<String>
    /// Between the money and its cents, where it is not what joins numbers: German "und".
    @Words var centJoints: Set<String>
    /// The currency of cents that are said without one.
    @Text var centSymbol: String
    static let longest = 4

    struct Part: LanguagePart {
        @Words var words: Set<String>
        @Text var symbol: String
    }

    struct Currency: LanguagePart {
        @Text var symbol: String
        /// Not said of one: "one dollar", but not "one dollars".
        @Flag var isPlural: Bool
        /// Written behind the number.
        @Flag var isBehind: Bool
    }
}

struct AddressWords: LanguagePart {
    @Text var at: String
    @Text var dot: String
    @Words var slash: Set<String>
    @Text var colon: String
    /// Other signs within an address.
    @ByWord var signs: [String: String]
    /// Top level domains that make an address of ordinary words.
    @Words var domains: Set<String>
    /// Cannot be the name before "at": "look at example dot com".
    @Words var notNames: Set<String>
    @Words var schemes: Set<String>
    /// Behind a dot: what makes the name of a file of words.
    @Words var fileEndings: Set<String>
    /// A path behind them begins with its slash: "in slash etc slash hosts".
    @Words var beforePaths: Set<String>
    /// Words with a slash between them, which is a word elsewhere: "and slash or".
    @Phrases var slashed: Set<[String]>
    /// Before "dot", and no label: "the dot com bubble".
    @Words var articles: Set<String>
}
