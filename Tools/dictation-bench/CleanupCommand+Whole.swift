import CleanupSets
import DictationService
import DictationSystem
import DictationText
import Foundation

/// The effect of all rules on a text, and the harm of each.
extension CleanupCommand {
    func measureWhole(_ sets: [CleanupSet]) throws {
        if !json {
            print("dictated texts, all rules; in per cent")
            print(Columns.line(["set", "texts", "exact", "stable"], first: 34, others: 10))
        }
        for set in sets {
            var left = failures
            let scores = WholeScores(set) { pair, text in
                guard left > 0 else { return }
                left -= 1
                StandardStreams.complain(
                    "said    \(pair.spoken)\nmeant   \(pair.written)\nwritten \(text)\n\n")
            }
            if json {
                try JSONOutput.print(scores)
            } else {
                let figures = [scores.exact, scores.stable].map { String(format: "%.2f", $0) }
                print(Columns.line([scores.set, "\(scores.texts)"] + figures, first: 34, others: 10))
            }
        }
    }

    func measureMarks(_ sets: [CleanupSet]) throws {
        if !json {
            print("marks and capitals for bare words; in per cent")
            print(Columns.line(["set, mark", "wanted", "precision", "recall", "F1"], first: 34, others: 10))
        }
        let all = sets.flatMap { set in [false, true].map { MarkScores(set, pausing: $0, off: off) } }
        for scores in all {
            if json {
                try JSONOutput.print(scores)
                continue
            }
            for score in scores.scores {
                let figures = [score.precision, score.recall, score.f1].map { String(format: "%.2f", $0) }
                print(
                    Columns.line(
                        ["\(scores.set), \(score.mark)", "\(score.wanted)"] + figures, first: 34, others: 10))
            }
        }
    }

    /// How many fluent texts are made, and the most of a thousand that may lose a word.
    private static let fluentTexts = 25_000
    private static let fluentLimit = 1

    /// Texts made from templates, as bare words, in which nothing must be removed.
    func measureFluent() throws {
        let scores = FluentScores(texts: Self.fluentTexts) { text, cleaned in
            guard failures > 0 else { return }
            StandardStreams.complain("fluent  \(text)\ncleaned \(cleaned)\n\n")
        }
        try json
            ? JSONOutput.print(scores)
            : print(
                "\(scores.changed) of \(scores.made) made fluent texts lose a word; at most \(Self.fluentLimit) of 1000"
            )
    }

    /// No rule may change much in correct texts.
    func measureHarm(_ texts: [String]) throws {
        let scores = HarmScores.all(of: texts)
        if json {
            for score in scores { try JSONOutput.print(score) }
            return
        }
        let words = scores.first?.words ?? 0
        print(
            "words of \(texts.count) fluent texts (\(words) words) that a rule changes; at most \(HarmScores.limit) %"
        )
        for score in scores where score.changed > 0 || score.rule == "all" {
            print(
                Columns.line(
                    [score.rule, "\(score.changed)", String(format: "%.2f", score.share)], first: 34,
                    others: 10))
        }
    }
}
