import SelfCorrection

/// Units of measure.
struct MeasureWords: LanguagePart {
    /// Units by their spoken words: the sign that is written after the number, with its space.
    @ByPhrase var units: [[String]: String]
    /// Units that take prefixes, and their symbols.
    @ByWord var metric: [String: String]
    @ByWord var prefixes: [String: String]
    /// Symbols that are said as letters: "five m g".
    @Words var symbols: Set<String>
    /// Units of time, after "per" alone: "hours" by themselves stay a word.
    @ByWord var timeUnits: [String: String]
    /// "per".
    @Words var per: Set<String>
    /// Units that mean something else after these: "my two feet".
    @Words var possessives: Set<String>
    /// Before "a million": "half".
    @Words var halfOf: Set<String>
    /// Units that are words of prose, left alone after one: "one foot".
    @Words var everyday: Set<String>
    /// Units after which a number is hundredths of them: "two meters ten".
    @Words var inHundredths: Set<String>
    /// What may follow them, besides words of grammar: "tall".
    @Words var behindHundredths: Set<String>
    /// Smaller units after these: "five feet ten inches".
    @ByWord var parts: [String: Part]
    /// What is taken of a medicine: "one tablet", "two tablets". The number before it may be its strength.
    @Words var doses: Set<String>
    /// Their plural forms.
    @Words var severalDoses: Set<String>
    /// After a number they say how often, or when, it is taken: "three times a day".
    @Phrases var frequencies: Set<[String]>
    var money = MoneyWords()
    /// The most words of a unit or a currency.
    static let longest = 4

    struct Part: LanguagePart {
        @Words var words: Set<String>
        @Text var symbol: String
    }
}

/// Amounts of money.
struct MoneyWords: LanguagePart {
    /// Currencies by their spoken words.
    @ByPhrase var currencies: [[String]: Currency]
    /// Before an amount: "it costs". The amount may be said in two parts, without its currency.
    @Words var priced: Set<String>
    /// Between one of these and the amount: "was", "about".
    @Words var beforeAmount: Set<String>
    /// After an amount: "nine fifty each", "twelve fifty a month".
    @Words var each: Set<String>
    @Words var perOne: Set<String>
    /// Hundredths of a currency.
    @Words var cents: Set<String>
    /// The word between the money and its cents, if it is another one than joins numbers: German "und".
    @Words var joints: Set<String>
    /// Those of them after which a number is cents without saying so: Spanish "con".
    @Words var decimalJoints: Set<String>
    /// One of a currency that has cents after it: German "ein Euro fünfzig".
    @Words var one: Set<String>
    /// The currency of cents that are said without one.
    @Text var centSymbol: String

    struct Currency: LanguagePart {
        @Text var symbol: String
        /// Not said of one: "one dollar", but not "one dollars".
        @Flag var isPlural: Bool
        /// Less of it is not said: "won" is a verb as well.
        var least = Least()
        /// Written after the number.
        @Flag var isBehind: Bool
    }

    struct Least: LanguagePart {
        var value = 0

        init() {}

        init(from decoder: any Decoder) throws { value = try Int(from: decoder) }
    }
}
