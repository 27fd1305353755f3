/// The kinds of words that the rules distinguish.
struct WordKinds: OptionSet, Sendable {
    let rawValue: UInt32

    static let hesitation = WordKinds(rawValue: 1 << 0)
    /// The first word of a phrase that may be a filler.
    static let fillerStart = WordKinds(rawValue: 1 << 1)
    /// A word of grammar rather than of meaning: said twice, the speaker hesitated.
    static let function = WordKinds(rawValue: 1 << 2)
    /// No clause ends with it, so that no comma belongs after it.
    static let expectsMore = WordKinds(rawValue: 1 << 3)
    /// Said twice on purpose.
    static let meantTwice = WordKinds(rawValue: 1 << 4)
    /// Grammar may double it within a clause, not at its start.
    static let doubles = WordKinds(rawValue: 1 << 5)
    static let number = WordKinds(rawValue: 1 << 6)
    /// "I" and its short forms.
    static let firstPerson = WordKinds(rawValue: 1 << 7)
    static let conjunction = WordKinds(rawValue: 1 << 8)
    /// Ends in a full stop without ending the sentence.
    static let abbreviation = WordKinds(rawValue: 1 << 9)
    /// May come before a question without being part of it.
    static let opener = WordKinds(rawValue: 1 << 10)
    static let question = WordKinds(rawValue: 1 << 11)
    /// A question word that may come before a noun or an adjective.
    static let determining = WordKinds(rawValue: 1 << 12)
    static let preposition = WordKinds(rawValue: 1 << 13)
    /// Begins a subject: a pronoun, an article, a possessive.
    static let subject = WordKinds(rawValue: 1 << 14)
    static let pronoun = WordKinds(rawValue: 1 << 15)
    /// A number, a date, an address or the like may begin with it.
    static let spokenForm = WordKinds(rawValue: 1 << 16)
    /// "At", "dot": makes an address of the words around it.
    static let addressSign = WordKinds(rawValue: 1 << 17)
    /// The name of a spoken mark, or another command, may begin with it.
    static let markStart = WordKinds(rawValue: 1 << 18)
    /// Has its own capitals.
    static let proper = WordKinds(rawValue: 1 << 19)
    /// "Is", "would", "didn't".
    static let auxiliary = WordKinds(rawValue: 1 << 20)
    /// One of several that replace each other in a correction.
    static let sibling = WordKinds(rawValue: 1 << 21)
    /// The first word of an edit term.
    static let editTermStart = WordKinds(rawValue: 1 << 22)
    /// Part of a time of day, besides its numbers: "half", "past".
    static let clock = WordKinds(rawValue: 1 << 23)
    /// "Not", before what is said again to be denied.
    static let denying = WordKinds(rawValue: 1 << 24)
    /// "Tomorrow", "evening", a day, a month.
    static let time = WordKinds(rawValue: 1 << 25)
    /// May come before one of these, or before a number that is a time: "at", "next".
    static let timeOpening = WordKinds(rawValue: 1 << 26)
    /// May follow an edit term without being the repair: "no [instead]".
    static let passed = WordKinds(rawValue: 1 << 27)
    /// The speaker or the listener: "I", "your".
    static let personal = WordKinds(rawValue: 1 << 28)
    /// Kinds that only say what may follow, and nothing about the word itself.
    static let hints: WordKinds = [
        .spokenForm, .addressSign, .markStart, .proper, .sibling, .editTermStart, .clock, .denying, .time,
        .timeOpening,
        .passed, .personal,
    ]

    /// As a language's file names them.
    static let named: [String: WordKinds] = [
        "hesitation": .hesitation, "fillerStart": .fillerStart, "function": .function,
        "expectsMore": .expectsMore,
        "meantTwice": .meantTwice, "doubles": .doubles, "number": .number, "firstPerson": .firstPerson,
        "conjunction": .conjunction, "abbreviation": .abbreviation, "opener": .opener, "question": .question,
        "determining": .determining, "preposition": .preposition, "subject": .subject, "pronoun": .pronoun,
        "auxiliary": .auxiliary, "clock": .clock, "denying": .denying, "time": .time,
        "timeOpening": .timeOpening,
        "passed": .passed, "personal": .personal,
    ]
}
