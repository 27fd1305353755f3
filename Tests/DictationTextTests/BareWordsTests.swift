import CleanupSets
import DictationText
import TestSupport
import Testing

@Suite("Marks for words that come without any")
struct BareWordsTests {
    private let cleaner = TextCleaner()

    @Test(
        "commas, periods and question marks come where the words imply them",
        arguments: [
            Row("however we should not wait", "However, we should not wait."),
            Row("yes i will be there at noon", "Yes, I will be there at noon."),
            Row("on the other hand it may be too expensive", "On the other hand, it may be too expensive."),
            Row(
                "what time does the shop open tomorrow i need to buy some bread",
                "What time does the shop open tomorrow? I need to buy some bread."),
            Row(
                "i talked to the manager and she agreed to the plan what do you think about it",
                "I talked to the manager and she agreed to the plan. What do you think about it?"),
            Row(
                "the first version did not work because the server was down we fixed it on tuesday",
                "The first version did not work because the server was down. We fixed it on Tuesday."),
        ])
    func examples(_ row: Row) { #expect(cleaner.clean(row.raw).text == row.clean) }

    @Test(
        "a comma comes between a phrase and the question that it belongs to",
        arguments: [
            Row(
                "in a market economy what is inequality a reflection of",
                "In a market economy, what is inequality a reflection of?"),
            Row(
                "when more workers are required what happens to the job market",
                "When more workers are required, what happens to the job market?"),
            Row(
                "according to the last report how many of them are open",
                "According to the last report, how many of them are open?"),
            Row(
                "at four o'clock how long will the way be to the airport",
                "At 4:00, how long will the way be to the airport?"),
            // A question word that begins no question of its own, or belongs to what is before it.
            Row("in what year did he die", "In what year did he die?"),
            Row("if you know what he wants please tell me", "If you know what he wants, please tell me."),
            Row("when was the report on what happened sent", "When was the report on what happened sent?"),
        ])
    func introductions(_ row: Row) { #expect(cleaner.clean(row.raw).text == row.clean) }

    @Test(
        "the word after a noun and its verb may be the object of a question, but not its subject",
        arguments: [
            Row("what medication causes this rash", "What medication causes this rash?"),
            Row("which company makes these tires", "Which company makes these tires?"),
            Row("what bad luck this was", "What bad luck this was."),
            Row("which often means that we wait", "Which often means that we wait."),
        ])
    func objects(_ row: Row) { #expect(cleaner.clean(row.raw).text == row.clean) }

    /// One sentence each, as short as people dictate, and with parts that could be separated.
    @Test(
        "one sentence stays one, and its numbers, letters and addresses stay whole",
        arguments: [
            "i don't know where he is", "call me when you are home", "it works now but it is slow",
            "send twenty five dollars to bob at example dot com", "plug it into the u s b port",
            "come at five thirty on june third twenty twelve", "one on one", "do it now",
            "what i want is tea", "in the morning we talked about what is new",
            "let us meet on monday", "he said that he would come but he did not",
        ])
    func leftWhole(_ raw: String) {
        let cleaned = cleaner.clean(raw)
        #expect(!cleaned.rules.contains(.marks), "\(cleaned.text)")
        #expect(cleaned.text.last != "?")
    }

    @Test(
        "a text that has a mark or a capital, written or spoken, gets no other",
        arguments: [
            "however we should not wait, we said", "However we should not wait",
            "however we should not wait comma we said",
            "however we should not wait new line thank you period",
        ])
    func marked(_ raw: String) { #expect(!cleaner.clean(raw).rules.contains(.marks)) }

    @Test("without the rule, and in languages that the model has not learned, there are none")
    func off() {
        let raw = "what time does the shop open tomorrow i need to buy some bread"
        let without = TextCleaner(options: .init(rules: Set(CleaningRule.allCases).subtracting([.marks])))
        #expect(!without.clean(raw).text.dropLast().contains("?"))
        for language in [Language.german, .spanish, .matching("fr")] {
            #expect(!TextCleaner(language: language).clean(raw).rules.contains(.marks))
        }
    }

    @Test("an action names the rule; a mark that only a pause explains is named after pauses")
    func actions() {
        let shown = cleaner.clean("however we should not wait").actions
        #expect(shown.contains(.init(rule: .marks, before: "however", after: "however,")))
        let cleaned = cleaner.clean(SpokenMarkTests.paused("i came home , but nobody was there"))
        #expect(cleaned.text == "I came home, but nobody was there.")
        #expect(cleaned.actions.contains(.init(rule: .pauses, before: "home", after: "home,")))
        #expect(!cleaned.rules.contains(.marks))
    }

    /// Several fluent texts in a row, as bare words, like continuous dictation.
    private static func running(_ count: Int, seed: UInt64) -> [String] {
        var generator = SeededGenerator(seed: seed)
        let source = FluentTexts()
        return (0..<count).map { _ in
            (0..<3).map { _ in source.text(using: &generator) }.joined(separator: " ").lowercased()
                .filter { $0.isLetter || $0.isNumber || " '-".contains($0) }
        }
    }

    @Test("the words stay the same, and cleaning twice is cleaning once")
    func stable() {
        let seed = TestSeed.next()
        let onlyMarks = TextCleaner(options: .init(rules: [.marks]))
        for text in Self.running(300, seed: seed) {
            let marked = onlyMarks.clean(text).text
            #expect(
                marked.filter { !",.?".contains($0) } == text.filter { !",.?".contains($0) }, "seed \(seed)")
            let once = cleaner.clean(text).text
            #expect(cleaner.clean(once).text == once, "from “\(text)”, seed \(seed)")
        }
    }

    /// Of the texts, in per cent: the rules that remove words may reach farther back. These 60 have this
    /// many; one more is a fault. The texts are the same in each run, because a sample of others can exceed
    /// any bound near that by chance.
    private static let mostExceptions = 5.0

    @Test("text that is typed while it is spoken is the beginning of its marked text")
    func settled() {
        let texts = (1...3).flatMap { Self.running(20, seed: $0) }
        let exceptions = texts.filter { text in
            let words = text.split(separator: " ")
            let cleaned = cleaner.clean(text).text
            return words.indices.dropFirst().contains { count in
                !cleaned.hasPrefix(cleaner.settledPrefix(of: words[..<count].joined(separator: " ")))
            }
        }
        let share = 100 * Double(exceptions.count) / Double(texts.count)
        #expect(share <= Self.mostExceptions, "\(exceptions)")
    }

    @Test("a mark does not change when more is said, once two more words are there")
    func lookahead() {
        let onlyMarks = TextCleaner(options: .init(rules: [.marks]))
        let seed = TestSeed.next()
        for text in Self.running(60, seed: seed) {
            let words = text.split(separator: " ")
            let whole = onlyMarks.clean(text).text.split(separator: " ")
            for count in 4..<max(5, words.count) where count <= words.count {
                let part = onlyMarks.clean(words[..<count].joined(separator: " ")).text.split(separator: " ")
                #expect(part.dropLast(3) == whole[..<(count - 3)], "seed \(seed)")
            }
        }
    }
}
