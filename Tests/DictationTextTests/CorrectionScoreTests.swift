import TestSupport
import Testing

@testable import DictationText
@testable import SelfCorrection

/// A score is computed once for each key, so the key must tell everything that the score depends on.
@Suite("Known scores of self-corrections")
struct CorrectionScoreTests {
    private static let language = Language.english
    private static let texts = (SelfCorrectionTests.corrections + SelfCorrectionTests.late).map {
        $0.raw.split(separator: " ")
    }
    /// Words that the features count far from a candidate.
    private static let others = ["what", "did", "of", "is", "in", "the", "river,", "to"].map { Substring($0) }

    /// One to four corrections in a row.
    private static func text(_ generator: inout SeededGenerator) -> [Substring] {
        (1...Int.random(in: 1...4, using: &generator)).flatMap { _ in
            texts.randomElement(using: &generator) ?? []
        }
    }

    /// The text with one word less, more, or otherwise, as it may be when it is read again.
    private static func changed(_ text: [Substring], _ generator: inout SeededGenerator) -> [Substring] {
        var text = text
        let place = Int.random(in: text.indices, using: &generator)
        let other = others.randomElement(using: &generator) ?? "the"
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: text.remove(at: place)
        case 1: text.insert(other, at: place)
        default: text[place] = other
        }
        return text
    }

    @Test("a text that changes a little gives no key another score", arguments: 1...4)
    func keys(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let model = CorrectionModel.shipped
        let candidates = CorrectionCandidates(words: Self.language.corrections)
        var again = 0
        for _ in 0..<60 {
            var text = Self.text(&generator)
            var known: [UInt64: Float] = [:]
            for _ in 0..<15 where text.count > 2 {
                let sentences = CorrectionSentence.sentences(
                    of: text.joined(separator: " "), language: Self.language, classes: model.classes)
                for sentence in sentences {
                    let windows = CorrectionWindows(sentence.tokens)
                    for candidate in candidates.candidates(in: sentence) {
                        guard let key = windows.key(of: candidate) else { continue }
                        let score = model.score(candidate, in: sentence.tokens)
                        if let former = known.updateValue(score, forKey: key) {
                            again += 1
                            #expect(former == score, "\(text.joined(separator: " "))")
                        }
                    }
                }
                text = Self.changed(text, &generator)
            }
        }
        #expect(again > 1_000)
    }
}
