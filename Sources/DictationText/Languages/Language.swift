import SelfCorrection

/// What the rules know of a language: lists and tables, no code. ``english`` is the first; another one is another file.
/// The rules ask for kinds of words, so that each word of a text is looked up once.
///
/// A class, because it is passed along with each word: to copy all its lists would take longer than to look a word up.
public final class Language: Sendable {
    /// The language tag (BCP 47), like "en".
    public let identifier: String
    /// Words that make the opposite of what is said.
    public let negations: Set<String>
    /// Said before the phrase of a snippet: "insert".
    let snippetWords: Set<String>
    let fillers: FillerWords
    package let corrections: CorrectionWords
    let restarts: RestartWords
    let questions: QuestionWords
    let numbers: NumberWords
    let punctuation: PunctuationWords
    let capitals: CapitalWords

    // MARK: - Made of these

    /// The kinds of each word that has any; keys in lower case with straight apostrophes.
    let words: [String: WordKinds]
    let restartKinds: [String: RestartKinds]
    let marks: [[String]: SpokenMark]
    /// Each word that has capitals, as it is written.
    let properWords: [String: String]
    /// Each abbreviation that may be spelled, as it is written.
    let abbreviations: [String: String]
    /// The place of a word's series among ``CorrectionWords/series``, counted from 1.
    let series: [String: Int]
    /// The hashes of English words that replace those of another language in the model of self-corrections.
    let modelWords: [String: UInt32]
    /// Endings that show what part of speech a word is, the longer ones first.
    private let endings: [[UInt8]]
    /// The places of those that end with a letter.
    private let endingsByLetter: [UInt8: [Int]]

    /// The first series, of days and months, are parts of a date.
    static let datedSeries = 2
    /// The series of towns and countries.
    static let placeSeries = 4

    init(_ file: LanguageFile) {
        (identifier, negations, snippetWords) = (file.identifier, file.negations, file.snippetWords)
        (fillers, corrections, restarts) = (file.fillers, file.corrections, file.restarts)
        (questions, punctuation, capitals) = (file.questions, file.punctuation, file.capitals)
        var numbers = file.numbers
        numbers.measures.units = numbers.measures.allUnits
        self.numbers = numbers
        marks = punctuation.marks.table
        properWords = capitals.properWords
        abbreviations = capitals.abbreviations
        var series: [String: Int] = [:]
        for (words, place) in zip(corrections.series, 1...) {
            for word in words.wrappedValue { series[word] = place }
        }
        self.series = series
        var modelWords: [String: UInt32] = [:]
        for (english, words) in corrections.english {
            for word in words.wrappedValue { modelWords[word] = Hash.of(english) }
        }
        self.modelWords = modelWords
        endings = file.endings.split(separator: " ").map { Array($0.utf8) }
        endingsByLetter = Dictionary(grouping: endings.indices) { [endings] in endings[$0].last ?? 0 }
        words = Self.kinds(of: file, properWords: properWords)
        restartKinds = Self.restartKinds(of: file)
    }

    private static func kinds(of file: LanguageFile, properWords: [String: String]) -> [String: WordKinds] {
        // Without lists, no word of a language is touched.
        guard !file.kinds.isEmpty else { return [:] }
        var table: [String: WordKinds] = [:]
        func add(_ words: some Sequence<String>, _ kind: WordKinds) {
            for word in words { table[word, default: []].insert(kind) }
        }
        for (name, words) in file.kinds { add(words.wrappedValue, WordKinds.named[name] ?? []) }
        add(file.numbers.small.keys, .number)
        add(file.numbers.firstWords, .spokenForm)
        add(file.numbers.addressSigns, .addressSign)
        add(file.numbers.addresses.slash, .meantTwice)
        add(file.punctuation.firstWords, .markStart)
        add(properWords.keys, .proper)
        add(file.capitals.phrases.keys, .proper)
        for (place, words) in file.corrections.series.enumerated() {
            add(words.wrappedValue, place < datedSeries ? [.sibling, .time] : .sibling)
        }
        // Hesitations are not in the table, because they may be drawn out.
        add(
            file.corrections.editTerms.keys.filter {
                table[$0] != nil || !$0.utf8.allSatisfy(hesitating.contains)
            }, .editTermStart)
        return table
    }

    private static func restartKinds(of file: LanguageFile) -> [String: RestartKinds] {
        var table: [String: RestartKinds] = [:]
        for (name, words) in file.restarts.kinds {
            for word in words.wrappedValue { table[word, default: []].insert(RestartKinds.named[name] ?? []) }
        }
        for word in file.kinds["question"]?.wrappedValue ?? [] { table[word, default: []].insert(.question) }
        for word in file.restarts.orderPairs.compactMap(\.first) {
            table[word, default: []].insert(.orderPair)
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
    private static let hesitating = Array("uehmra".utf8)

    private func isHesitation(_ key: String) -> Bool {
        let letters = key.utf8
        guard let first = letters.first, letters.count > 1, letters.count <= Self.longestHesitation,
            "uehma".utf8.contains(first), letters.allSatisfy(Self.hesitating.contains),
            !fillers.notHesitations.contains(key)
        else { return false }
        var runs: [UInt8] = []
        for letter in letters where runs.last != letter { runs.append(letter) }
        return fillers.hesitations.contains(String(decoding: runs, as: UTF8.self))
    }
}
