import DictationText
import TestSupport
import Testing

@Suite("Text clean-up of any input")
struct CleanerPropertyTests {
    private let cleaner = TextCleaner()

    /// Words that rules look for, and marks, in every mixture.
    private static let vocabulary = [
        "um", "uh", "er", "mm", "hmm", "you", "know", "i", "mean", "like", "the", "The", "a", "I", "I'm",
        "i’ll", "we",
        "it", "is", "was", "that", "had", "very", "no", "two", "2", "w-", "w", "we", "b-b-but", "and", "so",
        "what",
        "do", "can", "dog", "Dog", "London", "super", "huh", "isn't", "who", "in", "on",
    ]
    private static let marks = [
        "", "", "", "", "", ",", ".", "?", "!", "...", "…", "-", "—", ":", "”", "\"", ",.", "?!",
    ]
    private static let openings = ["", "", "", "", "", "", "“", "\"", "(", "'"]
    private static let gaps = [" ", " ", " ", " ", "  ", "\n", " , ", " . ", "\u{0}", " — "]

    private static func sentence(_ generator: inout SeededGenerator) -> String {
        var text = ""
        for _ in 0..<Int.random(in: 0...9, using: &generator) {
            text += openings.randomElement(using: &generator) ?? ""
            text += vocabulary.randomElement(using: &generator) ?? ""
            text += marks.randomElement(using: &generator) ?? ""
            text += gaps.randomElement(using: &generator) ?? ""
        }
        return text
    }

    private static let tables: [String] =
        [
            Tables.hesitations, Tables.hesitationsLeftAlone, Tables.phrases, Tables.stutters,
            Tables.repetitions,
            Tables.capitals, Tables.marks, Tables.spacing,
        ].flatMap { $0.map(\.raw) } + Tables.phrasesLeftAlone + Tables.repetitionsLeftAlone + Tables.questions
        + Tables.statements + Tables.silent + Tables.clean

    @Test("cleaning twice is cleaning once, for every row of the tables", arguments: tables)
    func stable(_ raw: String) {
        let once = cleaner.clean(raw).text
        #expect(cleaner.clean(once).text == once)
    }

    @Test("cleaning twice is cleaning once, for any mixture of words and marks", arguments: 0..<8)
    func stableAtRandom(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<1_000 {
            let raw = Self.sentence(&generator)
            let once = cleaner.clean(raw).text
            let twice = cleaner.clean(once)
            #expect(twice.text == once, "from ‘\(raw)’")
        }
    }

    @Test("the result has no control characters, no double spaces, and never two marks at the end")
    func shape() {
        var generator = SeededGenerator(seed: 99)
        for _ in 0..<1_000 {
            let raw = Self.sentence(&generator)
            let text = cleaner.clean(raw).text
            #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" }, "from ‘\(raw)’")
            #expect(!text.contains("  ") && text.first != " " && text.last != " ", "from ‘\(raw)’")
            for line in text.split(separator: "\n") where !line.hasSuffix("...") {
                let isDoubled =
                    line.suffix(2).count == 2 && line.suffix(2).allSatisfy { ".,?!…".contains($0) }
                #expect(!isDoubled, "‘\(line)’ from ‘\(raw)’")
            }
        }
    }

    /// Four times the text may take this many times as long. With quadratic growth it would take 16 times as
    /// long.
    private static let mostGrowth = 9.0

    @Test(
        "long texts are cleaned in linear time",
        arguments: [
            "the ", "um ", "w- ", "a b ", "you know ", "I think ", "over and ", ", ", "-", "(", "x",
            "no pain, ", "it was, um, late ", "red or uh blue ",
        ])
    func large(piece: String) { checkTime(of: piece, cleaner) }

    @Test("so are German ones, with dots that might be those of an address")
    func largeAddress() { checkTime(of: "so punkt ", TextCleaner(language: .german)) }

    private func checkTime(of piece: String, _ cleaner: TextCleaner) {
        func time(ofBytes count: Int) -> Double {
            let raw = String(repeating: piece, count: count / piece.utf8.count)
            let begin = ProcessorTime.thread
            let once = cleaner.clean(raw).text
            #expect(once.utf8.count <= raw.utf8.count + 2)
            return ProcessorTime.thread - begin
        }
        // The first run includes one-time work.
        _ = time(ofBytes: 1_000)
        let (short, long) = (time(ofBytes: 40_000), time(ofBytes: 160_000))
        #expect(
            long <= max(short, 0.01) * Self.mostGrowth, "\(short) s, and \(long) s for four times as much")
    }
}
