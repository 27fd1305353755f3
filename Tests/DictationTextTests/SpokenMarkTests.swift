import Foundation
import Synchronization
import Testing

@testable import DictationText

@Suite("Marks, layout and pauses")
struct SpokenMarkTests {
    private let cleaner = TextCleaner()

    private static let marks: [Row] = [
        Row("is it true question mark", "Is it true?"),
        Row("yes comma please period thank you", "Yes, please. Thank you."),
        Row("hello, comma world", "Hello, world."),
        Row("open quote hello close quote she said", "“Hello” she said."),
        Row("he was late open parenthesis as always close parenthesis", "He was late (as always)."),
        Row("a well hyphen known fact", "A well-known fact."),
        Row("dear john comma new line thank you", "Dear John,\nThank you."),
        Row("one thing new paragraph another thing", "One thing\n\nAnother thing."),
        Row("to buy colon bullet point milk bullet point eggs", "To buy:\n- Milk\n- Eggs"),
        Row("the new bullet train is fast", "The new bullet train is fast."),
        Row("next bullet train leaves at five", "Next bullet train leaves at five."),
        Row("he wrote literal comma and left", "He wrote comma and left."),
        Row("i come on monday period i mean it scratch that", "I come on Monday."),
        Row("i come on monday scratch that", ""),
        Row("Buy milk and eggs. Scratch that. Buy bread.", "Buy bread."),
        Row("We meet at 5. I love it. Scratch that, I hate it.", "We meet at 5. I hate it."),
        Row("We need ten chairs. Scratch that.", ""),
        Row("each new paragraph should start with a verb", "Each new paragraph should start with a verb."),
        Row("the trailing comma is missing", "The trailing comma is missing."),
        Row("I have English in third period.", "I have English in third period."),
        Row("a quote unquote expert", "A quote unquote expert."),
        Row("the open bracket x close bracket", "The open bracket x close bracket."),
        Row("choose open quote a close quote or open quote b close quote", "Choose “a” or “b”."),
        Row("a song called open quote hello close quote", "A song called “hello”."),
        Row("no comma i like that comma and her too", "No, I like that, and her too."),
        Row("at half past two question mark", "At 2:30?"),
        Row("see smith dash jones dot com", "See smith-jones.com."),
        Row("best regards new line sarah", "Best regards\nSarah"),
        Row("thanks comma new line i will come", "Thanks,\nI will come."),
        Row("run it dash dash verbose", "Run it --verbose."),
    ]

    private static let layout: [Row] = [
        Row("New line.", "\n"), Row("new paragraph", "\n\n"), Row("new line new line", "\n\n"),
        Row("um new line", "\n"), Row("New line, uh, new paragraph.", "\n\n\n"),
        Row("um uh", ""), Row("new line scratch that", ""), Row("literal new line", "New line."),
    ]

    @Test("layout alone is a text; fillers alone are none", arguments: layout)
    func layoutAlone(_ row: Row) {
        let cleaned = cleaner.clean(row.raw)
        #expect(cleaned.text == row.clean)
        #expect(cleaned.isLayout == row.clean.contains("\n"))
    }

    @Test("layout alone is never the Enter that sends a message")
    func layoutIsNoEnter() {
        let bold = TextCleaner(options: .init(mayPressEnter: true))
        #expect(bold.clean("new paragraph").text == "\u{2028}\u{2028}")
        #expect(bold.clean("new line").isLayout)
        #expect(bold.clean("press enter").command == .pressEnter)
        #expect(bold.clean("press enter").text.isEmpty)
    }

    @Test("a text that was scratched says so, one without words does not")
    func scratched() {
        #expect(cleaner.clean("Scratch that.").isScratched)
        #expect(cleaner.clean("i come on monday scratch that").isScratched)
        #expect(!cleaner.clean("i come on monday period i mean it scratch that").isScratched)
        #expect(!cleaner.clean("um").isScratched)
    }

    /// The names of marks as ordinary words.
    private static let words = [
        "A period of time.", "The comma is missing.", "She has colon cancer.", "It was at that period.",
        "A dash of salt.",
        "I have to dash to the shop.", "The next paragraph is long.", "During her period she had pain.",
        "Scratch that itch.", "Press enter to go on.",
    ]

    private static let proper: [Row] = [
        Row("on monday in october he speaks german", "On Monday in October, he speaks German."),
        Row("in may we may march", "In May we may march."),
        Row("a u s b stick", "A USB stick."),
        Row("i b m made a p c", "IBM made a PC."),
        Row("a b and c", "A b and c."),
        Row("the a p i is down", "The API is down."),
        Row("an i p address and an a i model", "An IP address and an AI model."),
        Row("i v fluids", "IV fluids."),
        Row("t s h two point one", "TSH 2.1."),
        Row("the i n r was two point five", "The INR was 2.5."),
        Row("take it p r n", "Take it PRN."),
        Row("p h seven point four", "pH 7.4."),
        Row("should i u r l encode it", "Should I URL encode it?"),
        Row("is it with a c or with a k", "Is it with a c or with a k?"),
        Row("turn on a c", "Turn on AC."),
        Row("the a c is broken", "The AC is broken."),
        Row("You are editing a C program.", "You are editing a C program."),
        Row("give me a i mean two of them", "Give me a I mean two of them."),
        Row("you may two or three times", "You may two or three times."),
        Row("true slash false", "True/false."),
        Row("he knows c plus plus", "He knows C++."),
        Row("flu and covid nineteen", "Flu and COVID-19."),
    ]

    @Test("spoken marks become marks, and layout becomes lines", arguments: marks)
    func spoken(_ row: Row) { #expect(cleaner.clean(row.raw).text == row.clean) }

    @Test("the names of marks stay if they are meant", arguments: words)
    func meant(_ text: String) { #expect(cleaner.clean(text).text == text) }

    @Test("days, months, languages and abbreviations have capitals", arguments: proper)
    func capitals(_ row: Row) { #expect(cleaner.clean(row.raw).text == row.clean) }

    /// Words with half a second each: `,` is a pause of 0.4 s before the next one, `|` one of 1 s.
    static func paused(_ text: String) -> [TimedWord] {
        var time = 0.0
        var words: [TimedWord] = []
        for word in text.split(separator: " ") {
            switch word {
            case ",": time += 0.4
            case "|": time += 1
            default:
                words.append(TimedWord(text: String(word), start: time, end: time + 0.5))
                time += 0.5
            }
        }
        return words
    }

    @Test(
        "long pauses end sentences, short ones clauses",
        arguments: [
            Row("i came home | then i slept", "I came home. Then i slept."),
            Row("where is he | i do not see him", "Where is he? I do not see him."),
            Row("i came home , but nobody was there", "I came home, but nobody was there."),
            Row("i went to the | shop", "I went to the shop."),
            Row("i came home um | then she slept", "I came home. Then she slept."),
            Row("yes | please", "Yes please."),
            Row("I came home, | then she slept.", "I came home, then she slept."),
        ])
    func pauses(_ row: Row) {
        #expect(cleaner.clean(Self.paused(row.raw)).text == row.clean.replacing(" i ", with: " I "))
    }

    @Test("“press enter” at the end is a command only if that is allowed")
    func enter() {
        let bold = TextCleaner(options: .init(mayPressEnter: true))
        #expect(
            bold.clean("send it press enter")
                == .init(
                    text: "Send it.", actions: bold.clean("send it press enter").actions, command: .pressEnter
                ))
        #expect(cleaner.clean("send it press enter").command == nil)
        #expect(cleaner.clean("send it press enter").text == "Send it press enter.")
    }
}

@Suite("The user's dictionary in a text")
struct TextDictionaryTests {
    private func cleaner(_ dictionary: TextDictionary) -> TextCleaner {
        TextCleaner(options: .init(dictionary: dictionary))
    }

    @Test(
        "replacements are whole words, in any case unless they have capitals",
        arguments: [
            Row("we use cooper netties", "We use Kubernetes."),
            Row("Cooper Netties, yes", "Kubernetes, yes."),
            Row("the cooper is here", "The cooper is here."), Row("ask WHO now", "Ask W.H.O. now."),
            Row("ask who came", "Ask who came."), Row("alice and GITHUB", "Alice and GitHub."),
            Row("send it to alice no wait to bob", "Send it to Bob."),
        ])
    func replacements(_ row: Row) {
        let dictionary = TextDictionary(
            replacements: [
                .init(heard: "cooper netties", written: "wrong"),
                .init(heard: "cooper netties", written: "Kubernetes"), .init(heard: "WHO", written: "W.H.O."),
            ], names: ["Alice", "Bob", "GitHub"])
        #expect(cleaner(dictionary).clean(row.raw).text == row.clean)
    }

    @Test("marks at the edges of what is heard do not matter, and the longest snippet is meant")
    func edges() {
        let dictionary = TextDictionary(
            replacements: [.init(heard: "e.g.", written: "for example"), .init(heard: "x,", written: "")],
            snippets: ["my address": "Main Street", "my address at work": "Park Lane"])
        #expect(cleaner(dictionary).clean("Fruit, e.g. apples.").text == "Fruit, for example apples.")
        #expect(cleaner(dictionary).clean("a x b").text == "A b.")
        for _ in 0..<8 {
            let text = cleaner(dictionary).clean("it is insert my address at work now").text
            #expect(text == "It is Park Lane now.")
        }
    }

    @Test("patterns, snippets and words that nothing touches")
    func others() throws {
        let pattern = try #require(TextDictionary.Pattern(#"ticket (\d+)"#, template: "#$1"))
        let dictionary = TextDictionary(
            patterns: [pattern], snippets: ["my address": "1 Main Street\nSpringfield"],
            untouchable: ["um", "twenty"])
        let cleaner = cleaner(dictionary)
        #expect(cleaner.clean("see ticket 12 now").text == "See #12 now.")
        #expect(cleaner.clean("my address").text == "1 Main Street\nSpringfield")
        #expect(cleaner.clean("My address.").text == "1 Main Street\nSpringfield")
        #expect(cleaner.clean("my address is wrong").text == "My address is wrong.")
        #expect(cleaner.clean("um uh twenty people").text == "Um twenty people.")
        #expect(TextDictionary.Pattern("(", template: "") == nil)
    }

    @Test(
        "a pattern replaces all that it finds, as its expression alone would",
        arguments: [
            (#"ticket (\d+)"#, "#$1"), (#"(\w+) (\w+)"#, "$2 $1"), ("o", ""), ("x*", "-"), ("👩‍🚀|é", "[$0]"),
            ("^|$", "|"),
        ])
    func replacing(expression: String, template: String) throws {
        let pattern = try #require(TextDictionary.Pattern(expression, template: template))
        let long = String(repeating: "no ticket 5 ", count: 500)
        for text in ["", "see ticket 12 and ticket 7 too", "Zoë 👩‍🚀 é o", long] {
            let expected = try NSRegularExpression(pattern: expression).stringByReplacingMatches(
                in: text, range: NSRange(text.startIndex..., in: text), withTemplate: template)
            var budget = PatternBudget(.seconds(60))
            #expect(pattern.replacingMatches(in: text, &budget) == expected)
        }
    }

    @Test(
        "a pattern whose search would not end is abandoned, and named, and the text is written without it",
        arguments: [#"(\w+\s*)+:"#, "(a|a)*b", #"(.*)*!!"#])
    func endless(expression: String) throws {
        let pattern = try #require(TextDictionary.Pattern(expression, template: "x"))
        let dictionary = TextDictionary(
            replacements: [.init(heard: "shop", written: "market")], patterns: [pattern])
        let long = String(repeating: "a", count: 48)
        let said = "we went to the shop \(long) and came back late again"
        let cleaned = cleaner(dictionary).clean(said)
        #expect(cleaned.text.hasPrefix("We went to the market") && cleaned.text.hasSuffix("late again."))
        #expect(cleaned.abandonedPatterns == [expression])
    }

    @Test(
        "all patterns together have one budget for the whole text; what it does not reach is left as it was")
    func budget() throws {
        let slow = try (1...5).map {
            try #require(TextDictionary.Pattern(#"(\w+\s*)+:\#($0)"#, template: "x"))
        }
        let quick = try #require(TextDictionary.Pattern("shop", template: "market"))
        let said = Array(repeating: "we went to the shop and came back", count: 200).joined(
            separator: " new line ")
        // A clock that advances by a millisecond at each reading.
        let looks = Mutex(0)
        func looksNeeded(_ patterns: [TextDictionary.Pattern]) -> (Int, CleanedText) {
            var cleaner = cleaner(TextDictionary(patterns: patterns))
            cleaner.patternBudget = {
                PatternBudget {
                    looks.withLock {
                        $0 += 1
                        return .milliseconds($0)
                    }
                }
            }
            looks.withLock { $0 = 0 }
            let cleaned = cleaner.clean(said)
            return (looks.withLock { $0 }, cleaned)
        }
        let (one, first) = looksNeeded([quick] + slow.prefix(1))
        let (five, all) = looksNeeded([quick] + slow)
        #expect(one <= 60 && five <= 60)
        #expect(first.abandonedPatterns.count == 2 && all.abandonedPatterns.count == 6)
        #expect(all.text.contains("market") && all.text.contains("shop"))
    }
}
