import DictationText
import Testing

@Suite("Text clean-up")
struct TextCleanerTests {
    private let cleaner = TextCleaner()

    private func check(_ row: Row) {
        #expect(cleaner.clean(row.raw).text == row.clean)
    }

    @Test("hesitations go, and their commas with them", arguments: Tables.hesitations)
    func hesitations(_ row: Row) { check(row) }

    @Test("words that only look like a hesitation stay", arguments: Tables.hesitationsLeftAlone)
    func hesitationsLeftAlone(_ row: Row) { check(row) }

    @Test("filler phrases are removed if they mean nothing", arguments: Tables.phrases)
    func phrases(_ row: Row) { check(row) }

    @Test("filler phrases stay if they mean something", arguments: Tables.phrasesLeftAlone)
    func phrasesLeftAlone(_ text: String) { check(Row(text, text)) }

    @Test("broken-off beginnings go", arguments: Tables.stutters)
    func stutters(_ row: Row) { check(row) }

    @Test("hyphens that belong stay", arguments: Tables.stuttersLeftAlone)
    func stuttersLeftAlone(_ text: String) { check(Row(text, text)) }

    @Test("words repeated in search of the next one are written once", arguments: Tables.repetitions)
    func repetitions(_ row: Row) { check(row) }

    @Test("words that are meant twice stay twice", arguments: Tables.repetitionsLeftAlone)
    func repetitionsLeftAlone(_ text: String) { check(Row(text, text)) }

    @Test("sentences and I get capitals", arguments: Tables.capitals)
    func capitals(_ row: Row) { check(row) }

    @Test("words with a spelling of their own keep it", arguments: Tables.capitalsLeftAlone)
    func capitalsLeftAlone(_ text: String) { check(Row(text, text)) }

    @Test("a text that begins as a question ends as one", arguments: Tables.questions)
    func questions(_ raw: String) {
        #expect(cleaner.clean(raw).text.last == "?")
    }

    @Test("a text that does not begin as a question ends with a full stop", arguments: Tables.statements)
    func statements(_ raw: String) {
        #expect(cleaner.clean(raw).text.last == ".")
    }

    @Test("a text ends with one mark", arguments: Tables.marks)
    func marks(_ row: Row) { check(row) }

    @Test("white space is single, control characters are gone, lines stay lines", arguments: Tables.spacing)
    func spacing(_ row: Row) { check(row) }

    @Test("nothing but fillers is nothing", arguments: Tables.silent)
    func silent(_ raw: String) { check(Row(raw, "")) }

    @Test(
        "a text that is right already is left as it is, and no rule claims to have acted",
        arguments: Tables.clean)
    func untouched(_ text: String) {
        #expect(cleaner.clean(text) == CleanedText(text: text, actions: []))
    }

    @Test("a person can see which rule did what")
    func actions() {
        let cleaned = cleaner.clean("um, the the dog")
        #expect(
            cleaned.actions == [
                .init(rule: .hesitations, before: "um,", after: ""),
                .init(rule: .repetitions, before: "the the", after: "the"),
                .init(rule: .capitals, before: "the", after: "The"),
                .init(rule: .finalMark, before: "dog", after: "dog."),
            ])
        #expect(cleaned.rules == [.hesitations, .repetitions, .capitals, .finalMark])
        #expect(cleaned.actions.first?.description == "hesitations: ‘um,’ → ‘’")
    }

    @Test("a rule that is off does not act", arguments: CleaningRule.allCases.filter { $0 != .spacing })
    func ruleOff(_ rule: CleaningRule) throws {
        let raw = try #require(Tables.acting[rule])
        let words = TextDictionary(replacements: [.init(heard: "cooper netties", written: "Kubernetes")])
        func rules(of options: Set<CleaningRule>) -> Set<CleaningRule> {
            let cleaner = TextCleaner(options: .init(rules: options, dictionary: words))
            return rule == .pauses
                ? cleaner.clean(SpokenMarkTests.paused("i came home , but nobody was there")).rules
                : cleaner.clean(raw).rules
        }
        let all = Set(CleaningRule.allCases)
        #expect(rules(of: all).contains(rule))
        #expect(!rules(of: all.subtracting([rule])).contains(rule))
    }

    @Test(
        "a sentence continues after a question that it quotes",
        arguments: [
            "\"Are you coming?\" she asked.", "“No!” he cried.", "He said, \"Stop!\" and left.",
            "“Really?” He nodded.",
        ])
    func quotedQuestions(_ text: String) { #expect(TextCleaner().clean(text).text == text) }

    @Test("an option keeps its small letter")
    func options() {
        #expect(TextCleaner().clean("dash dash help").text == "--help.")
        #expect(TextCleaner().clean("type it. dash dash all").text == "Type it. --all.")
    }

    @Test("verbatim changes nothing but white space")
    func verbatim() {
        #expect(TextCleaner(options: .verbatim).clean(" um the  the dog ").text == "um the the dog")
    }
}
