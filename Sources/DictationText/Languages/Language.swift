import SelfCorrection

/// What the rules know about a language: lists and tables, no code. ``english`` is the first; another
/// one is another file. The rules ask for kinds of words, so that each word of a text is looked up once.
///
/// A class, because it is passed along with each word: copying all its lists would take longer than looking a
/// word up.
public final class Language: Sendable {
    /// The language tag (BCP 47), like "en".
    public let identifier: String
    /// Negations.
    public let negations: Set<String>
    /// Said before the phrase of a snippet: "insert".
    let snippetWords: Set<String>
    let fillers: FillerWords
    package let corrections: CorrectionWords
    let restarts: RestartWords
    let articleForms: ArticleForms
    let questions: QuestionWords
    let numbers: NumberWords
    let punctuation: PunctuationWords
    /// The commands that edit.
    let edits: [EditWords.Pattern]
    let capitals: CapitalWords

    /// Derived from these.
    let tables: WordTables
    private let endings: WordEndings

    /// The first series, of days and months, are parts of a date.
    static let datedSeries = 2
    /// The series of towns and countries.
    static let placeSeries = 4

    init(_ file: LanguageFile) {
        (identifier, negations, snippetWords) = (file.identifier, file.negations, file.snippetWords)
        (fillers, corrections, restarts) = (file.fillers, file.corrections, file.restarts)
        articleForms = file.articleForms
        (questions, punctuation, capitals) = (file.questions, file.punctuation, file.capitals)
        edits = file.edits.patterns
        var numbers = file.numbers
        numbers.measures.units = numbers.measures.allUnits
        self.numbers = numbers
        tables = WordTables(file)
        endings = WordEndings(file.endings)
    }

    func kinds(of key: String) -> WordKinds { allKinds(of: key).kinds }

    func allKinds(of key: String) -> (kinds: WordKinds, restarts: RestartKinds) {
        let known = tables.allKinds[key]
        return (known?.kinds ?? kindsByForm(of: key), known?.restarts ?? [])
    }

    private func kindsByForm(of key: String) -> WordKinds {
        if !numbers.whole.compoundThousand.isEmpty, key.contains(numbers.whole.compoundThousand) {
            return .spokenForm
        }
        if isHyphenated(key) { return .spokenForm }
        return isHesitation(key) ? .hesitation : []
    }

    /// "Twenty-five", "twenty-first".
    private func isHyphenated(_ key: String) -> Bool {
        guard key.utf8.contains(UInt8(ascii: "-")) else { return false }
        let parts = key.split(separator: "-").map(String.init)
        guard parts.count == 2, let tens = numbers.whole.small[parts[0]], tens >= 20 else { return false }
        return numbers.whole.small[parts[1]] != nil || numbers.ordinals.words[parts[1]] != nil
    }

    /// The place of the word's ending among those of the language, counted from 1; 0 for another one.
    func ending(of key: String) -> Int { endings.place(of: key) }

    /// The longest drawn-out hesitation that counts as one, in bytes.
    private static let longestHesitation = 24

    private func isHesitation(_ key: String) -> Bool {
        let letters = key.utf8
        guard let first = letters.first, letters.count > 1, letters.count <= Self.longestHesitation,
            "uehma".utf8.contains(first), letters.allSatisfy(WordTables.hesitating.contains),
            !fillers.notHesitations.contains(key)
        else { return false }
        var runs: [UInt8] = []
        for letter in letters where runs.last != letter { runs.append(letter) }
        return fillers.hesitations.contains(String(decoding: runs, as: UTF8.self))
    }
}
