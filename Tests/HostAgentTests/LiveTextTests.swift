import DictationSettings
import DictationText
import Testing

@testable import DictationHost

@Suite("Which words are typed while somebody speaks")
struct LiveTextTests {
    private struct Step {
        var final = ""
        var tentative = ""
        /// Seconds of sound.
        var end = 0.0
        let settled: String?
    }

    /// - Parameter clean: the part of the certain words that the clean-up has settled.
    private func run(
        _ mode: LiveInsertion, mayRevise: Bool = false, _ steps: [Step],
        clean: (HeardText) -> String = { $0.shown }
    ) throws {
        var text = try #require(LiveText(mode, mayRevise: mayRevise))
        for step in steps {
            let heard = HeardText(final: step.final, tentative: step.tentative, end: step.end)
            let settled = text.take(heard, clean: clean)
            #expect(settled == step.settled, "\(step)")
        }
    }

    @Test("none if it is off")
    func off() {
        let text = LiveText(.off)
        #expect(text == nil)
    }

    @Test("by segments: those that have ended, and no tentative one")
    func segments() throws {
        try run(
            .segments,
            [
                Step(tentative: "so we meet", settled: nil),
                Step(tentative: "so we meet on", settled: nil),
                Step(final: "So we meet", settled: "So we meet"),
                Step(final: "So we meet", tentative: "on", settled: nil),
                Step(final: "So we meet on Monday", settled: "So we meet on Monday"),
            ])
    }

    @Test("by words: those on which three looks agree, but never the last one")
    func words() throws {
        try run(
            .words,
            [
                Step(tentative: "so we", settled: nil),
                Step(tentative: "so we meet", settled: nil),
                Step(tentative: "so we meat", settled: "so"),
                Step(tentative: "so he meets", settled: nil),
                Step(tentative: "so we meet on", settled: nil),
                Step(tentative: "so we meet on Mo", settled: nil),
                Step(tentative: "so we meet on Monday at", settled: "so we meet"),
                Step(final: "so we meet on Monday", settled: "so we meet on Monday"),
                // A new segment begins with nothing that was agreed on.
                Step(final: "so we meet on Monday", tentative: "at noon or", settled: nil),
                Step(final: "so we meet on Monday", tentative: "at noon or", settled: nil),
                Step(
                    final: "so we meet on Monday", tentative: "at noon or so",
                    settled: "so we meet on Monday at noon"),
            ])
    }

    @Test("words that only the newest result has are not typed, but show how the others continue")
    func unsureWords() throws {
        var text = try #require(LiveText(.words))
        var taken: [HeardText] = []
        for tentative in ["I need", "I need forty", "I need forty two pens"] {
            _ = text.take(HeardText(tentative: tentative)) {
                taken.append($0)
                return ""
            }
        }
        #expect(taken.map(\.tentative) == ["", "", "I"])
        #expect(taken.map(\.unsure) == ["I need", "I need forty", "need forty two pens"])
        let last = try #require(taken.last)
        #expect(last.settled(by: TextCleaner()) == "I")
    }

    @Test("released words stay, even if the recognizer changes them")
    func appendOnly() throws {
        try run(
            .words,
            [
                Step(tentative: "so we meat on", settled: nil),
                Step(tentative: "so we meat on Mo", settled: nil),
                Step(tentative: "so we meat on Mon", settled: "so we meat"),
                Step(final: "so we meet on Monday", settled: "so we meat on Monday"),
            ])
    }

    @Test("a word that changes after its release does not delay the words after it")
    func flipping() throws {
        try run(
            .words,
            [
                Step(tentative: "the noisiest of", settled: nil),
                Step(tentative: "the noisiest of them", settled: nil),
                Step(tentative: "the noisiest of them all", settled: "the noisiest"),
                Step(tentative: "the noisiest of them all say", settled: "the noisiest of"),
                Step(tentative: "the noisyest of them all say so", settled: "the noisiest of them"),
                // Fewer words say nothing of the others.
                Step(tentative: "the noisy", settled: nil),
                Step(tentative: "the noisyest of them all say so too", settled: nil),
                Step(final: "the noisyest of them all say so", settled: "the noisiest of them all say so"),
            ])
    }

    @Test("words after a segment keep their count when it becomes final")
    func behindHeldSegment() throws {
        try run(
            .words,
            [
                Step(tentative: "it was late. We went", settled: nil),
                Step(tentative: "it was late. We went home", settled: nil),
                Step(final: "it was late", settled: "it was late"),
                Step(final: "it was late", tentative: "We went home and", settled: "it was late We"),
                Step(final: "it was late We", tentative: "went home", settled: "it was late We went"),
                Step(final: "it was late We went", settled: nil),
                Step(final: "it was late We went", tentative: "then", settled: nil),
            ])
    }

    @Test("what was heard too much of a segment is gone with it")
    func heardTooMuch() throws {
        try run(
            .words,
            [
                Step(tentative: "so we met met he", settled: nil),
                Step(tentative: "so we met met he", settled: nil),
                Step(tentative: "so we met met he came", settled: "so we met met"),
                Step(final: "so we met", settled: nil),
                Step(final: "so we met", tentative: "he came", settled: nil),
                Step(final: "so we met he came", settled: "so we met met he came"),
            ])
    }

    @Test("nothing while the clean-up is not sure")
    func unsure() throws {
        try run(
            .segments, [Step(final: "so so", settled: nil), Step(final: "so so we", settled: "So we")],
            clean: { $0.final == "so so" ? "" : "So we" })
    }

    @Test("if the typed text may be mended, other words replace those that were released")
    func revised() throws {
        try run(
            .words, mayRevise: true,
            [
                Step(tentative: "so we meat", settled: nil),
                Step(tentative: "so we meat on", settled: "so we"),
                Step(tentative: "so we meat on Mo", settled: "so we meat"),
                // Fewer words say nothing of the others, and a word of one result is not certain.
                Step(tentative: "so we", settled: nil),
                Step(tentative: "so we meet on Mo", settled: nil),
                Step(tentative: "so we meet on Monday", settled: "so we meet on"),
                Step(final: "So we meet on", settled: "So we meet on"),
                Step(final: "So we meet on", tentative: "Monday", settled: nil),
                // The segment has ended with fewer.
                Step(final: "So we meet", settled: "So we meet"),
            ])
    }

    @Test("a segment that ends in the middle of speech removes none of the words after it")
    func cutSegment() throws {
        try run(
            .words, mayRevise: true,
            [
                Step(tentative: "it was late. It was dark", end: 2.9, settled: nil),
                Step(tentative: "it was late. It was dark", end: 3, settled: "it was late. It was"),
                Step(final: "It was late.", end: 1.5, settled: nil),
                Step(
                    final: "It was late.", tentative: "It was dark and", end: 3.1,
                    settled: "It was late. It was"),
                Step(
                    final: "It was late.", tentative: "It was dark and", end: 3.1,
                    settled: "It was late. It was dark"),
                // At a pause all of it is there.
                Step(final: "It was late. It was", end: 3.1, settled: "It was late. It was"),
            ])
    }
}
