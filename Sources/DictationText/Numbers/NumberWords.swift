/// How a language speaks numbers and what belongs to them, and how it writes them: tables, no code.
struct NumberWords: Sendable {
    /// Words that are a whole number below a thousand by themselves: "seven", "twenty", "zweiundzwanzig".
    var small: [String: Int] = [:]
    /// Zeros within a row of digits: "oh".
    var spokenZeros: Set<String> = []
    /// Multiply the next digit of a row: "double seven".
    var multipliers: [String: Int] = [:]
    /// Multiplies by a hundred; empty where the hundreds are words of their own.
    var hundred = ""
    /// Powers of a thousand: "thousand" is 1.
    var scales: [String: Int] = [:]
    /// Scales that mean one of them without a number before them: Spanish "mil".
    var bareScales: Set<String> = []
    /// Joins thousands and hundreds in one word: German "tausend".
    var compoundThousand = ""
    /// From this scale on a round number keeps its word: "5 million".
    var firstWrittenScale = 2
    /// May stand after a hundred or a scale: "two hundred and five".
    var and = ""
    /// Between tens and ones: Spanish "y".
    var tensAnd = ""
    /// One of a scale, or of a unit: "a hundred dollars".
    var article = ""
    var minus: Set<String> = []
    var plus = ""
    var point = ""
    /// Words before a decimal point without a whole number, beside the beginning of a sentence; empty for any.
    var beforePoint: Set<String> = []
    var decimalMark = "."
    /// "first" to "nineteenth", the tens, and those of hundred and the scales.
    var ordinals: [String: Int] = [:]
    /// Behind the digits of an ordinal: those of 1, 2 and 3, and the one of all others last.
    var ordinalEndings: [String] = []
    /// Whole numbers below it stay words where nothing belongs to them, and so do the ordinals.
    var smallestInDigits = 13
    /// Between the first and the last number of a range: "to".
    var rangeWords: Set<String> = []
    /// Numbers that are meant as words: "fifty fifty".
    var idioms: [[String]: Bool] = [:]
    /// Denominators, one and several: "third", "thirds".
    var denominators: [String: Int] = [:]
    /// Makes halves of what stands before it: "two and a half".
    var half: [[String]] = []
    /// Before these a count of quarters or thirds is a count: "the last three quarters".
    var counting: Set<String> = []

    /// Parts of a time of day beside its numbers: "half", "past", "noon".
    var clockWords: Set<String> = []
    var dates = DateWords()
    var times = TimeWords()
    var measures = MeasureWords()
    var addresses = AddressWords()
    /// Before a number that names something, so that its parts are joined: "room two thirty".
    var numbered: Set<String> = []
    /// Before digits that are said one by one or in pairs: "error four oh four", "port eighty eighty". A small number
    /// behind them may count.
    var rowWords: Set<String> = []
    /// Between one of these and its digits: "the pin is".
    var rowJoints: Set<String> = []
    /// Before a version: "version two".
    var versionWords: Set<String> = []
    /// Announce a number of nine digits that is written 3-2-4.
    var securityNumbers: Set<String> = []
    /// How rows of so many digits are written.
    var rowGroups: [Int: RowGroup] = [:]
    /// Written forms of phrases: "s and p five hundred".
    var phrases: [[String]: String] = [:]
    /// Short titles, written before a name: "doctor" is "Dr.".
    var titles: [String: String] = [:]
    /// Behind these a title is a noun: "the doctor".
    var titleDeterminers: Set<String> = []
    /// Single letters that are words: no code begins with one alone. Letters that are an abbreviation, and no part of one.
    var notCodes: Set<String> = []
    /// Series that are spelled, and the number that follows: "r t x forty fifty".
    var series: Set<String> = []

    struct RowGroup: Sendable {
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

    /// Behind these words and before them an address may stand.
    var addressSigns: Set<String> {
        var words = Set(addresses.signs.keys).union(addresses.slash)
        words.formUnion([addresses.at, addresses.dot])
        words.remove("")
        return words
    }
}

struct DateWords: Sendable {
    var months: Set<String> = []
    /// Months that are other words as well: "may", "march".
    var ambiguousMonths: Set<String> = []
    /// A verb, and no month, stands behind them, as behind pronouns: "they will march".
    var modals: Set<String> = []
    var article = ""
    var of: Set<String> = []
    /// "eighties", behind a century.
    var decades: [String: Int] = [:]
    /// Eras as they are spoken, and written behind the year.
    var eras: [[String]: String] = [:]
    /// Behind the day: "5. Mai".
    var dayMark = ""
    /// Between day, month and year, where the language keeps one: Spanish "de".
    var joint = ""
    /// Words before a bare year that make one of "eleven fifty five".
    var beforeYears: Set<String> = []
}

struct TimeWords: Sendable {
    /// Halves of the day.
    var halves: [[String]: String] = [:]
    var oclock: Set<String> = []
    var zones: Set<String> = []
    /// "half past three": words before the hour, with the minutes to add.
    var offsets: [[String]: Int] = [:]
    var minutes: Set<String> = []
    var past: Set<String> = []
    var to: Set<String> = []
    /// Between hour and minute: German "Uhr".
    var separators: Set<String> = []
    /// Written behind the time: " Uhr".
    var suffix = ""
    /// No hour and minutes without "am" or "o'clock", where these follow.
    var notBefore: Set<String> = []
    /// Before an hour below ten and its minutes: a time of the day. Without any, each such pair is one.
    var cues: Set<String> = []
    /// Before every five minutes they make a time as well, before quarters of an hour the doubtful ones.
    var weakCues: Set<String> = []
    var doubtfulCues: Set<String> = []
    /// Before these a pair is a number: "pressure one thirty".
    var notTimes: Set<String> = []
    /// Between one of these and the pair.
    var notTimesJoints: Set<String> = []
    /// Behind a pair it is a number: "one forty over ninety".
    var over: Set<String> = []
    /// Before hours from 13 on, which are years elsewhere: "at seventeen forty five".
    var at: Set<String> = []
    /// Before "ten to eight", which is a range elsewhere.
    var relativeCues: Set<String> = []
    /// Behind it: "in the morning".
    var partsOfDay: [[String]: Bool] = [:]
    /// With "one" these are a word of their own: "no one", "this one".
    var notBeforeOne: Set<String> = []
    /// One of them counts what is said before it: "two fifteen year olds".
    var counted: Set<String> = []
}

struct MeasureWords: Sendable {
    /// Units by their spoken words: what is written behind the number, with its space.
    var units: [[String]: String] = [:]
    /// Units of time, behind "per" alone: "hours" by themselves stay a word.
    var timeUnits: [String: String] = [:]
    /// "per".
    var per: Set<String> = []
    /// Units that mean something else behind these: "my two feet".
    var possessives: Set<String> = []
    /// Before "a million": "half".
    var halfOf: Set<String> = []
    /// Units that are words of prose, left alone after one: "one foot".
    var everyday: Set<String> = []
    /// Smaller units behind these: "five feet ten inches".
    var parts: [String: (words: Set<String>, symbol: String)] = [:]
    /// Currencies by their spoken words.
    var currencies: [[String]: Currency] = [:]
    /// Hundredths of a currency.
    var cents: Set<String> = []
    /// Between the money and its cents, where it is not what joins numbers: German "und".
    var centJoints: Set<String> = []
    /// What cents without anything are hundredths of.
    var centSymbol = ""
    var longest = 4

    struct Currency: Sendable {
        let symbol: String
        /// One of them is said so: "one dollar", but not "one dollars".
        let isPlural: Bool
        var isBehind = false
    }
}

struct AddressWords: Sendable {
    var at = ""
    var dot = ""
    var slash: Set<String> = []
    var colon = ""
    /// Other signs within an address.
    var signs: [String: String] = [:]
    /// Top level domains that make an address of ordinary words.
    var domains: Set<String> = []
    /// Cannot be the name before "at": "look at example dot com".
    var notNames: Set<String> = []
    var schemes: Set<String> = []
    /// Behind a dot: what makes the name of a file of words.
    var fileEndings: Set<String> = []
    /// A path behind them begins with its slash: "in slash etc slash hosts".
    var beforePaths: Set<String> = []
    /// Words with a slash between them, which is a word elsewhere: "and slash or".
    var slashed: Set<[String]> = []
    /// Before "dot", and no label: "the dot com bubble".
    var articles: Set<String> = []
}
