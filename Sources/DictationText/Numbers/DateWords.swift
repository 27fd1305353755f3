import SelfCorrection

/// Dates and years.
struct DateWords: LanguagePart {
    @Words var months: Set<String>
    /// Months that are other words as well: "may", "march".
    @Words var ambiguousMonths: Set<String>
    /// After these, and after pronouns, a verb follows and no month: "they will march".
    @Words var modals: Set<String>
    @Text var article: String
    /// Kept before the later of two days: German "bis zum dritten Mai".
    @Words var laterArticles: Set<String>
    /// Before a day that a numbered month may follow: German "am dritten fünften".
    @Words var beforeDays: Set<String>
    @Words var of: Set<String>
    /// "eighties", after a century.
    @Numbered var decades: [String: Int]
    /// Eras as they are spoken, and written after the year.
    @ByPhrase var eras: [[String]: String]
    /// After the day: "5. Mai".
    @Text var dayMark: String
    /// Between day, month and year, if the language keeps one: Spanish "de".
    @Text var joint: String
    /// Words before a bare year that make one of "eleven fifty five".
    @Words var beforeYears: Set<String>
}

/// Times of the day.
struct TimeWords: LanguagePart {
    /// Halves of the day.
    @ByPhrase var halves: [[String]: String]
    @Words var oclock: Set<String>
    @Words var zones: Set<String>
    /// Between hour and minute: German "Uhr".
    @Words var separators: Set<String>
    /// Written after the time: " Uhr".
    @Text var suffix: String
    /// Between an hour and the minutes after or before it, with 1 and -1: Spanish "a las diez y veinte", "menos veinte".
    @ByWord var minuteSigns: [String: Int]
    var relative = RelativeTimeWords()
    var cues = TimeCues()
    var others = NoTimeWords()
}

/// "half past three", "ten to eight".
struct RelativeTimeWords: LanguagePart {
    /// Words before the hour, with the minutes to add: "half past".
    @ByPhrase var offsets: [[String]: Int]
    @Words var minutes: Set<String>
    /// Before an hour that stays as it was said: German "halb acht Uhr", "viertel nach acht Uhr", "zehn vor acht Uhr".
    @Words var quarters: Set<String>
    /// Between these, or a number, and such an hour.
    @Words var besides: Set<String>
    @Words var past: Set<String>
    @Words var to: Set<String>
    /// Before "ten to eight", which is a range elsewhere.
    @Words var cues: Set<String>
    /// Before such a range in any case: "from five to seven PM".
    @Words var ranges: Set<String>
    /// After it: "in the morning".
    @Phrases var partsOfDay: Set<[String]>
}

/// Before an hour and its minutes these make a time of the day: "at two thirty".
struct TimeCues: LanguagePart {
    /// Before an hour below ten. Without any, each such pair is a time.
    @Words var sure: Set<String>
    /// Before every five minutes they make a time as well.
    @Words var weak: Set<String>
    /// Before quarters of an hour.
    @Words var doubtful: Set<String>
    /// Before hours from 13 on, which are years elsewhere: "at seventeen forty five".
    @Words var late: Set<String>
}

/// These show that an hour and minutes are no time of the day.
struct NoTimeWords: LanguagePart {
    /// Before a pair that is a number: "pressure one thirty".
    @Words var measured: Set<String>
    /// Between one of these and the pair.
    @Words var joints: Set<String>
    /// After a pair it is a number: "one forty over ninety".
    @Words var over: Set<String>
    /// After a pair without "am" or "o'clock": "two thirty dollars".
    @Words var behind: Set<String>
    /// After a pair and a name it is the number of a house: "twelve thirty four main street".
    @Words var streets: Set<String>
    /// Pairs that are a name: "seven eleven".
    @Phrases var names: Set<[String]>
    /// With "one" these form a separate word: "no one", "this one".
    @Words var beforeOne: Set<String>
    /// Plurals without "s".
    @Words var plurals: Set<String>
    /// One of them counts what is said before it: "two fifteen year olds".
    @Words var counted: Set<String>
}
