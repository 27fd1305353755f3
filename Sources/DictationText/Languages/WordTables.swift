import SelfCorrection

/// The lists of a language, indexed by word: each word of a text is looked up once.
///
/// Keys are in lower case with straight apostrophes.
struct WordTables: Sendable {
    /// The kinds of each word that has any.
    let kinds: [String: WordKinds]
    let restarts: [String: RestartKinds]
    /// Both, for one look at each word of a text.
    let allKinds: [String: AllKinds]
    let marks: [[String]: SpokenMark]
    /// The spelling of each word with capitals.
    let properWords: [String: String]
    /// The spelling of each abbreviation that may be spelled out.
    let abbreviations: [String: String]
    /// The place of a word's series among ``CorrectionWords/series``, counted from 1.
    let series: [String: Int]
    /// The hashes of English words that replace those of another language in the model of self-corrections.
    let modelWords: [String: UInt32]

    /// The letters of hesitations.
    static let hesitating = Array("uehmra".utf8)

    init(_ file: LanguageFile) {
        marks = file.punctuation.marks.table
        properWords = file.capitals.properWords
        abbreviations = file.capitals.abbreviations
        var series: [String: Int] = [:]
        for (words, place) in zip(file.corrections.series, 1...) {
            for word in words.wrappedValue { series[word] = place }
        }
        self.series = series
        var modelWords: [String: UInt32] = [:]
        for (english, words) in file.corrections.english {
            for word in words.wrappedValue { modelWords[word] = Hash.of(english) }
        }
        self.modelWords = modelWords
        kinds = Self.kinds(of: file, properWords: properWords)
        restarts = Self.restarts(of: file)
        var allKinds = kinds.mapValues { AllKinds(kinds: $0, restarts: []) }
        for (word, kinds) in restarts { allKinds[word, default: AllKinds()].restarts = kinds }
        self.allKinds = allKinds
    }

    struct AllKinds {
        /// Nil for a word that is in no list; its form may still show some.
        var kinds: WordKinds?
        var restarts: RestartKinds = []
    }

    private static func kinds(of file: LanguageFile, properWords: [String: String]) -> [String: WordKinds] {
        // Without lists, no word of a language is changed.
        guard !file.kinds.isEmpty else { return [:] }
        var table: [String: WordKinds] = [:]
        func add(_ words: some Sequence<String>, _ kind: WordKinds) {
            for word in words { table[word, default: []].insert(kind) }
        }
        for (name, words) in file.kinds { add(words.wrappedValue, WordKinds.named[name] ?? []) }
        add(file.numbers.whole.small.keys, .number)
        add(file.numbers.firstWords, .spokenForm)
        add(file.numbers.addressSigns, .addressSign)
        add(file.numbers.addresses.slash, .meantTwice)
        add(file.punctuation.firstWords, .markStart)
        add(properWords.keys, .proper)
        add(file.capitals.phrases.keys, .proper)
        for (place, words) in file.corrections.series.enumerated() {
            add(words.wrappedValue, place < Language.datedSeries ? [.sibling, .time] : .sibling)
        }
        // Hesitations are not in the table, because they may be drawn out.
        add(
            file.corrections.editTerms.keys.filter {
                table[$0] != nil || !$0.utf8.allSatisfy(hesitating.contains)
            }, .editTermStart)
        return table
    }

    private static func restarts(of file: LanguageFile) -> [String: RestartKinds] {
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
}

/// Endings that show what part of speech a word is.
struct WordEndings: Sendable {
    /// The longer ones first.
    private let endings: [[UInt8]]
    /// The places of those that end with a letter.
    private let byLetter: [UInt8: [Int]]

    /// - Parameter list: the endings with spaces between them, the longer ones first.
    init(_ list: String) {
        let endings = list.split(separator: " ").map { Array($0.utf8) }
        self.endings = endings
        byLetter = Dictionary(grouping: endings.indices) { endings[$0].last ?? 0 }
    }

    /// The place of the word's ending, counted from 1; 0 for another one.
    func place(of key: String) -> Int {
        let letters = key.utf8
        guard let last = letters.last, let places = byLetter[last] else { return 0 }
        let place = places.first {
            letters.count > endings[$0].count + 1
                && letters.suffix(endings[$0].count).elementsEqual(endings[$0])
        }
        return place.map { $0 + 1 } ?? 0
    }
}
