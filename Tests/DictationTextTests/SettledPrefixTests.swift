import CleanupSets
import DictationText
import Foundation
import TestSupport
import Testing

@Suite("The beginning of a text that does not change any more")
struct SettledPrefixTests {
    private let cleaner = TextCleaner()

    @Test(
        "waits for what may still change",
        arguments: [
            ("", ""),
            ("so", ""),
            ("we meet on monday at the old house", "We meet on Monday at the"),
            // A number may grow, with all that belongs to it.
            ("the whole meeting is at twenty", "The whole meeting is"),
            // A correction that has begun may retract what is before it.
            ("please send the letter over to bob no wait", "Please send the letter over"),
            // Marks at the end belong to what follows.
            ("it was late. we went home, then slept.", "It was late. We went home"),
            // The period of a title does not count as a mark: it stays in bare words.
            (
                "hi bob please find attached the budget let me know if I would rather wait thanks Mr. Miller",
                "Hi Bob, please find attached the budget. Let me know if I would rather wait thanks"
            ),
            // The apostrophe of a plural does not count either.
            (
                "hi bob please find attached the budget let me know if I would rather wait at my parents' house",
                "Hi Bob, please find attached the budget. Let me know if I would rather wait at my"
            ),
        ])
    func examples(raw: String, settled: String) {
        #expect(cleaner.settledPrefix(of: raw) == settled)
    }

    @Test(
        "counts uncertain words among those that are waited for",
        arguments: [
            ("we meet on monday", "", "We meet"),
            ("we meet on monday", "at", "We meet on"),
            ("we meet on monday", "at noon then", "We meet on Monday"),
            // They may belong to what is before them, or retract it.
            ("the whole meeting is at twenty", "five past ten", "The whole meeting is at"),
            ("please send the letter over to bob", "no wait", "Please send the letter over"),
            ("please send the letter over to bob", "no wait to carl", "Please send the letter over to"),
            ("we went to the", "the house", "We went to the"),
        ])
    func unsure(raw: String, unsure: String, settled: String) {
        #expect(cleaner.settledPrefix(of: raw, unsure: unsure) == settled)
    }

    @Test(
        "is a beginning of texts with dates, addresses and numbers in each language, wherever they are cut",
        arguments: [
            ("en", "write to jane dot doe at example dot com please"),
            ("en", "my address is info at my dash company dot co dot uk"),
            ("en", "send it to max underscore miller at mail dot example dot org by noon"),
            ("en", "look at docs dot example dot com slash help for more"),
            ("en", "we meet on the third of may or the fourth"),
            ("de", "wir sehen uns am vierten und fünften mai"),
            ("de", "vom ersten bis zum dritten mai ist zu"),
            ("de", "zwischen dem ersten und dem dritten juni"), ("de", "am dritten zehnten war er da"),
            ("de", "schreib an max punkt mustermann at example punkt de bitte"),
            ("de", "meine adresse ist info at firma bindestrich müller punkt com"),
            ("de", "das kostet zwei tausend vier und zwanzig euro fünfzig"),
            ("es", "escribe a juan punto pérez arroba example punto com"),
            ("es", "mi correo es ana guion bajo garcía arroba gmail punto com"),
            ("es", "llámame al seis tres cuatro cincuenta y cinco sesenta y seis"),
            ("es", "el tres de mayo de dos mil veinticuatro"),
        ])
    func datesAndAddresses(locale: String, text: String) {
        let cleaner = TextCleaner(language: .matching(locale))
        let (words, cleaned) = (text.split(separator: " "), cleaner.clean(text).text)
        for count in words.indices.dropFirst() {
            let settled = cleaner.settledPrefix(of: words[..<count].joined(separator: " "))
            #expect(cleaned.hasPrefix(settled), "“\(settled)” of “\(cleaned)”")
        }
    }

    @Test("of words whose times are known has the sentences that pauses make")
    func pauses() {
        let words = "we went home very late it was dark outside by then already".split(separator: " ")
        let timed = words.enumerated().map { index, word in
            let start = Double(index) * 0.3 + (index >= 5 ? 1 : 0)
            return TimedWord(text: String(word), start: start, end: start + 0.25)
        }
        #expect(cleaner.settledPrefix(of: timed) == "We went home very late. It was dark outside by")
    }

    /// Each of them has words that rules look for.
    private static let tables: [String] =
        [
            Tables.hesitations, Tables.hesitationsLeftAlone, Tables.phrases, Tables.stutters,
            Tables.repetitions, Tables.capitals, Tables.marks, Tables.spacing,
        ].flatMap { $0.map(\.raw) } + Tables.phrasesLeftAlone + Tables.repetitionsLeftAlone + Tables.questions
        + Tables.statements + Tables.clean

    /// Texts of the tables whose settled part a later word changes, in per cent of the texts: most of them
    /// are a few words long, and made so that a rule acts in the last of these.
    private static let mostExceptions = 3.0
    /// The same for fluent texts: none. In 10,000 of them there was none.
    private static let mostExceptionsOfFluentTexts = 0.5

    @Test("is a beginning of the cleaned text, wherever a text of the tables is cut")
    func tables() {
        expect(Self.tables, below: Self.mostExceptions)
    }

    @Test("is a beginning of the cleaned text, wherever a fluent text is cut")
    func fluentTexts() {
        let (source, seed) = (FluentTexts(), TestSeed.next())
        var generator = SeededGenerator(seed: seed)
        expect(
            (0..<60).map { _ in source.text(using: &generator) }, below: Self.mostExceptionsOfFluentTexts,
            "seed \(seed)")
    }

    /// Most of these texts have a correction or two, which retract earlier words; people who dictate correct
    /// themselves less.
    private static let mostExceptionsOfCorrections = 60.0

    @Test("is a beginning of most cleaned texts even if nearly all have corrections")
    func corrections() throws {
        let sets = try CleanupSet.find(in: URL(filePath: repositoryFile("Tests/Cleanup")))
        let texts = sets.filter { $0.kind != .marks }.flatMap(\.pairs).map(\.spoken)
        try #require(texts.count > 500)
        // Each of their words is a cut, and each cut is cleaned separately: even every fifth text takes
        // seconds.
        expect(
            stride(from: 0, to: texts.count, by: 5).map { texts[$0] }, below: Self.mostExceptionsOfCorrections
        )
    }

    private func expect(_ texts: [String], below bound: Double, _ note: String = "") {
        let exceptions = texts.compactMap { text -> String? in
            let words = text.split(separator: " ")
            let cleaned = cleaner.clean(text).text
            for count in words.indices.dropFirst() {
                let settled = cleaner.settledPrefix(of: words[..<count].joined(separator: " "))
                if !cleaned.hasPrefix(settled) { return "“\(settled)” of “\(cleaned)”, from “\(text)”" }
            }
            return nil
        }
        let share = 100 * Double(exceptions.count) / Double(max(1, texts.count))
        #expect(share <= bound, "\(note) \(share) %:\n\(exceptions.joined(separator: "\n"))")
    }
}
