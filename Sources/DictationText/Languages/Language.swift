import SelfCorrection

/// What the rules know of a language: lists and tables, no code. ``english`` is the first; another one is another
/// value. The rules ask for kinds of words, so that a text is looked up once, word by word. A class, for it goes along with
/// each word, and to copy all its lists would take longer than to look a word up.
public final class Language: Sendable {
    /// The language tag (BCP 47), like "en".
    public let identifier: String

    /// The kinds of each word that has any; keys in lower case with straight apostrophes.
    let words: [String: WordKinds]
    /// Endings that show what part of speech a word is, the longer ones first.
    let endings: [[UInt8]]
    /// The places of those that end with a letter.
    private let endingsByLetter: [UInt8: [Int]]
    /// Hesitations with runs of a letter as one letter, so that "um" stands for "umm" and "uuum".
    let hesitations: Set<String>
    /// Words that would be hesitations by that rule, and are not.
    let notHesitations: Set<String>
    /// Hesitations that are a unit after a number.
    let units: Set<String>
    /// Two hesitations that make an answer.
    let answers: Set<[String]>
    let fillerPhrases: [FillerPhrase]
    /// Phrases that are said twice for emphasis or by nature.
    let phrasesMeantTwice: Set<[String]>
    /// The place of a word's series among those of the marks, counted from 1.
    let series: [String: Int]
    package let corrections: CorrectionWords
    /// The English words, hashed, that stand for those of another language where the model of self-corrections looks at
    /// them: it has learnt from English alone.
    let modelWords: [String: UInt32]
    /// Words that join the parts of a list, which may be said again with each of them.
    let listWords: Set<String>

    /// Words that are ``WordKinds/meantTwice`` or ``WordKinds/doubles``, and said twice by accident in some
    /// places.
    let doubledWords: [String: DoubledWord]
    /// What shows that a sentence was begun anew.
    let restarts: RestartWords
    /// What of them each word is.
    let restartKinds: [String: RestartKinds]
    /// The subjects that make a question of a sentence when they follow the auxiliary.
    let inversions: [String: Set<String>]
    /// Auxiliaries that no inversion begins with, but that may follow a question word.
    let plainAuxiliaries: Set<String>
    /// Subjects of a question that may follow a comma.
    let requestSubjects: Set<String>
    /// Three words that look like an inversion, and are a command or a condition.
    let commands: Set<[String]>
    /// Question words that hold their auxiliary: "what's".
    let contractedQuestions: Set<String>
    /// The question word that may be the subject itself: "who".
    let subjectQuestion: String
    /// A question word and its neighbour that make a question, or none, whatever follows.
    let questionPairs: Set<[String]>
    let statementPairs: Set<[String]>
    /// How numbers and the like are spoken and written.
    let numbers: NumberWords
    /// What the marks are called, and which words have capitals.
    let marks: MarkWords
    /// Words that make the opposite of what is said.
    public let negations: Set<String>
    /// Said before the phrase of a snippet: "insert".
    let snippetWords: Set<String>

    init(
        identifier: String,
        words: [String: WordKinds] = [:],
        endings: String = "",
        hesitations: Set<String> = [],
        notHesitations: Set<String> = [],
        units: Set<String> = [],
        answers: Set<[String]> = [],
        fillerPhrases: [FillerPhrase] = [],
        phrasesMeantTwice: Set<[String]> = [],
        corrections: CorrectionWords = CorrectionWords(),
        timeWords: Set<String> = [],
        timeOpenings: Set<String> = [],
        passedWords: Set<String> = [],
        modelWords: [String: String] = [:],
        listWords: Set<String> = [],
        denyingWords: Set<String> = [],
        doubledWords: [String: DoubledWord] = [:],
        restarts: RestartWords = RestartWords(),
        inversions: [String: Set<String>] = [:],
        plainAuxiliaries: Set<String> = [],
        requestSubjects: Set<String> = [],
        commands: Set<[String]> = [],
        contractedQuestions: Set<String> = [],
        subjectQuestion: String = "",
        questionPairs: Set<[String]> = [],
        statementPairs: Set<[String]> = [],
        numbers: NumberWords = NumberWords(),
        marks: MarkWords = MarkWords(),
        negations: Set<String> = [],
        snippetWords: Set<String> = []
    ) {
        self.identifier = identifier
        var words = words
        // Hesitations are not in the table, for they may be drawn out.
        for word in corrections.editTerms.keys
        where words[word] != nil || !word.utf8.allSatisfy(Self.hesitating.contains) {
            words[word, default: []].insert(.editTermStart)
        }
        for word in numbers.clockWords { words[word, default: []].insert(.clock) }
        for word in denyingWords { words[word, default: []].insert(.denying) }
        for word in timeWords.union(marks.series.prefix(MarkWords.datedSeries).joined()) {
            words[word, default: []].insert(.time)
        }
        for word in timeOpenings { words[word, default: []].insert(.timeOpening) }
        for word in passedWords { words[word, default: []].insert(.passed) }
        self.words = words
        let endingLetters = endings.split(separator: " ").map { Array($0.utf8) }
        self.endings = endingLetters
        endingsByLetter = Dictionary(grouping: endingLetters.indices) { endingLetters[$0].last ?? 0 }
        self.hesitations = hesitations
        self.notHesitations = notHesitations
        self.units = units
        self.answers = answers
        self.fillerPhrases = fillerPhrases
        self.phrasesMeantTwice = phrasesMeantTwice
        self.corrections = corrections
        self.modelWords = modelWords.mapValues(Hash.of)
        self.listWords = listWords
        var series: [String: Int] = [:]
        for (place, words) in marks.series.enumerated() { for word in words { series[word] = place + 1 } }
        self.series = series
        self.doubledWords = doubledWords
        self.restarts = restarts
        restartKinds = restarts.kinds(
            list: listWords, questions: Set(words.lazy.filter { $0.value.contains(.question) }.map(\.key)))
        self.inversions = inversions
        self.plainAuxiliaries = plainAuxiliaries
        self.requestSubjects = requestSubjects
        self.commands = commands
        self.contractedQuestions = contractedQuestions
        self.subjectQuestion = subjectQuestion
        self.questionPairs = questionPairs
        self.statementPairs = statementPairs
        self.numbers = numbers
        self.marks = marks
        self.negations = negations
        self.snippetWords = snippetWords
    }

    /// Phrases by their first word, written with commas between them.
    static func byFirstWord(_ list: String) -> [String: [[String]]] {
        var table: [String: [[String]]] = [:]
        for phrase in list.split(separator: ",") {
            let words = phrase.split(whereSeparator: \.isWhitespace).map(String.init)
            if let first = words.first { table[first, default: []].append(Array(words.dropFirst())) }
        }
        return table
    }

    func kinds(of key: String) -> WordKinds {
        if let known = words[key] { return known }
        if !numbers.compoundThousand.isEmpty, key.contains(numbers.compoundThousand) { return .spokenForm }
        if isHyphenated(key) { return .spokenForm }
        return isHesitation(key) ? .hesitation : []
    }

    /// "Twenty-five", "twenty-first".
    private func isHyphenated(_ key: String) -> Bool {
        guard key.utf8.contains(UInt8(ascii: "-")) else { return false }
        let parts = key.split(separator: "-").map(String.init)
        guard parts.count == 2, let tens = numbers.small[parts[0]], tens >= 20 else { return false }
        return numbers.small[parts[1]] != nil || numbers.ordinals[parts[1]] != nil
    }

    /// The place of the word's ending among ``endings``, counted from 1; 0 for another one.
    func ending(of key: String) -> Int {
        let letters = key.utf8
        guard let last = letters.last, let places = endingsByLetter[last] else { return 0 }
        let place = places.first {
            letters.count > endings[$0].count + 1
                && letters.suffix(endings[$0].count).elementsEqual(endings[$0])
        }
        return place.map { $0 + 1 } ?? 0
    }

    /// The longest drawn-out hesitation that is taken for one, in bytes.
    private static let longestHesitation = 24
    /// What hesitations are made of.
    private static let hesitating = Array("uehmr".utf8)

    private func isHesitation(_ key: String) -> Bool {
        let letters = key.utf8
        guard let first = letters.first, letters.count > 1, letters.count <= Self.longestHesitation,
            "uehm".utf8.contains(first), letters.allSatisfy(Self.hesitating.contains),
            !notHesitations.contains(key)
        else { return false }
        var runs: [UInt8] = []
        for letter in letters where runs.last != letter { runs.append(letter) }
        return hesitations.contains(String(decoding: runs, as: UTF8.self))
    }
}

/// What a word can be to the rules.
struct WordKinds: OptionSet, Sendable {
    let rawValue: UInt32

    static let hesitation = WordKinds(rawValue: 1 << 0)
    /// The first word of a phrase that may be a filler.
    static let fillerStart = WordKinds(rawValue: 1 << 1)
    /// A word of grammar rather than of meaning: said twice, it was sought.
    static let function = WordKinds(rawValue: 1 << 2)
    /// No clause ends with it, so that no comma belongs behind it.
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
    /// A question word that may stand before a noun or an adjective.
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
    /// Has capitals of its own.
    static let proper = WordKinds(rawValue: 1 << 19)
    /// "Is", "would", "didn't".
    static let auxiliary = WordKinds(rawValue: 1 << 20)
    /// One of several that stand for each other in a correction.
    static let sibling = WordKinds(rawValue: 1 << 21)
    /// The first word of what may announce a correction.
    static let editTermStart = WordKinds(rawValue: 1 << 22)
    /// Part of a time of day beside its numbers: "half", "past".
    static let clock = WordKinds(rawValue: 1 << 23)
    /// "Not", before what is said again to be denied.
    static let denying = WordKinds(rawValue: 1 << 24)
    /// "Tomorrow", "evening", a day, a month.
    static let time = WordKinds(rawValue: 1 << 25)
    /// May come before one of these, or before a number that is a time: "at", "next".
    static let timeOpening = WordKinds(rawValue: 1 << 26)
    /// May follow an announcement without being what was said instead: "no [instead]".
    static let passed = WordKinds(rawValue: 1 << 27)
    /// Who speaks, or who is spoken to: "I", "your".
    static let personal = WordKinds(rawValue: 1 << 28)
    /// Those that only say what might follow, and nothing of the word itself.
    static let hints: WordKinds = [
        .spokenForm, .addressSign, .markStart, .proper, .sibling, .editTermStart, .clock, .denying, .time,
        .timeOpening,
        .passed, .personal,
    ]

    /// A table of words from lists, where a word may be in several.
    static func table(
        _ lists: [(WordKinds, String)], numbers: NumberWords, marks: MarkWords
    ) -> [String: WordKinds] {
        var table: [String: WordKinds] = [:]
        for word in numbers.firstWords { table[word, default: []].insert(.spokenForm) }
        for word in numbers.addresses.slash { table[word, default: []].insert(.meantTwice) }
        for word in marks.firstWords { table[word, default: []].insert(.markStart) }
        for word in marks.properWords.keys { table[word, default: []].insert(.proper) }
        for word in marks.namePhrases.keys { table[word, default: []].insert(.proper) }
        for word in marks.series.joined() { table[word, default: []].insert(.sibling) }
        for word in numbers.addressSigns { table[word, default: []].insert(.addressSign) }
        for (kind, list) in lists {
            for word in list.split(whereSeparator: \.isWhitespace) {
                table[String(word), default: []].insert(kind)
            }
        }
        return table
    }
}
