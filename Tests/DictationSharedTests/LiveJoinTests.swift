import DictationSystem
import Testing

@testable import DictationShared

@Suite("The end of a text whose beginning is typed")
struct LiveJoinTests {
    @Test(
        "comes after the typed part, also if the final text begins with other words",
        arguments: [
            // typed, final, joined, wrong words
            ("", "Hello there.", "Hello there.", 0),
            ("Hello", "Hello there.", "Hello there.", 0),
            ("I went to", "I went to the store.", "I went to the store.", 0),
            ("I went two the", "I went to the store.", "I went two the store.", 1),
            ("The store. Then", "The store then was shut.", "The store. Then was shut.", 2),
            ("the store", "The store. Then", "the store. Then", 1),
            // Nothing that was said is left out.
            ("Meet me on Monday", "Meet me on Tuesday.", "Meet me on Monday Tuesday.", 1),
            ("We should go", "We should go", "We should go", 0),
            ("We should", "Go.", "We should Go.", 2),
            // Nothing is removed.
            ("We should go", "", "We should go", 3),
            ("Send it to Anna and Bob", "Send it to Anna.", "Send it to Anna and Bob", 3),
            ("The the cat", "The cat sat.", "The the cat sat.", 1),
            ("It costs 20", "It costs 25 dollars.", "It costs 20 dollars.", 1),
            ("One\nTwo", "One\nTwo\nThree.", "One\nTwo\nThree.", 0),
        ])
    func joined(typed: String, final: String, whole: String, wrong: Int) {
        let join = LiveJoin(typed, final)
        #expect(join.text == whole)
        #expect(join.wrongWords == wrong)
        #expect(join.text.unicodeScalars.starts(with: typed.unicodeScalars))
    }

    @Test("keeps what is typed of any two texts, and all words after it")
    func anyTexts() {
        var random = SeededWords()
        for _ in 0..<2_000 {
            let (typed, final) = (random.text(), random.text())
            let join = LiveJoin(typed, final)
            #expect(join.text.unicodeScalars.starts(with: typed.unicodeScalars), "\(typed) | \(final)")
            #expect(join.wrongWords <= typed.split(separator: " ").count)
            let again = LiveJoin(typed, join.text)
            #expect(again.text == join.text && again.wrongWords == 0)
        }
    }

    /// The whole table of costs has 400 million cells. The words are compared again with each new word.
    @Test(
        "finds the place in the dictation of a day, whose first word is another one", .timeLimit(.minutes(10))
    )
    func long() {
        let words = (0..<20_000).map { "word\($0 * 7_919 % 1_000)" }
        let typed =
            "Um, "
            + words.enumerated().filter { $0.offset % 200 != 100 }.map(\.element)
            .joined(separator: " ")
        let final = words.joined(separator: " ")
        let join = LiveJoin(typed, final + " and more.")
        #expect(join.text == typed + " and more.")
        #expect(join.wrongWords == 1)
    }

    @Test("a text with a completely different end keeps all of both")
    func otherwise() {
        let (typed, final) = ((0..<100).map { "a\($0)" }, (0..<30).map { "\($0)b" })
        let (left, right) = (typed.joined(separator: " "), final.joined(separator: " "))
        #expect(LiveJoin("One " + left, "One " + right).text == "One \(left) \(right)")
        #expect(LiveJoin("One " + left, "One " + right).wrongWords == 100)
        #expect(LiveJoin("One " + left, "One").text == "One " + left)
    }

    private struct SeededWords {
        private var state: UInt64 = 7

        mutating func text() -> String {
            (0..<next(9)).map { _ in ["a", "b", "c", "ab.", "A", "b,", "été", "👩‍👩‍👧"][next(8)] }
                .joined(separator: " ")
        }

        private mutating func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
    }
}
