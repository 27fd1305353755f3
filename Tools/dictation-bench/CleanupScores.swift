import CleanupSets
import DictationText
import Foundation
import TestSupport

/// The clean-up's results on a set of texts with disfluencies.
struct DisfluencyScores: Encodable {
    let set: String
    let texts: Int
    /// The share of the words to remove that were removed.
    let precision: Double
    let recall: Double
    let f1: Double
    /// Texts that are word for word as expected.
    let exact: Double
    /// Fluent texts that were left as they are, and the share of their words that were changed.
    let safe: Double
    let changedTokens: Double

    /// Only the rules that remove words: capitals, marks and figures are another matter.
    static let rules: Set<CleaningRule> = [
        .selfCorrections, .hesitations, .fillerPhrases, .stutters, .repetitions, .restarts,
    ]

    init(_ set: CleanupSet, cleaner: TextCleaner, failures: (CleanupSet.Pair, String) -> Void) {
        var (hits, wanted, gone, exact, safe, changed, tokens) = (0, 0, 0, 0, 0, 0, 0)
        for pair in set.pairs {
            let said = Self.words(pair.spoken)
            let meant = Self.words(pair.written)
            let text = cleaner.clean(pair.spoken).text
            let result = Self.words(text)
            let gold = Alignment.removed(from: said, to: meant)
            let removed = Alignment.removed(from: said, to: result)
            hits += zip(gold, removed).count(where: { $0 && $1 })
            wanted += gold.count(where: { $0 })
            gone += removed.count(where: { $0 })
            if result == meant { exact += 1 } else { failures(pair, text) }
            let fluent = cleaner.clean(pair.written).text
            let kept = Alignment.removed(from: meant, to: Self.words(fluent)).count(where: { $0 })
            tokens += meant.count
            changed += kept
            if kept == 0 {
                safe += 1
            } else {
                failures(.init(spoken: pair.written, written: pair.written), fluent)
            }
        }
        self.set = set.name
        texts = set.pairs.count
        precision = Self.percent(hits, gone)
        recall = Self.percent(hits, wanted)
        f1 = Self.percent(2 * hits, wanted + gone)
        self.exact = Self.percent(exact, texts)
        self.safe = Self.percent(safe, texts)
        changedTokens = Self.percent(changed, tokens)
    }

    /// The words in lower case, without the marks around them.
    static func words(_ text: String) -> [String] {
        text.lowercased().split(whereSeparator: \.isWhitespace).map { word in
            var word = word[...]
            while let last = word.last, !last.isLetter, !last.isNumber { word.removeLast() }
            while let first = word.first, !first.isLetter, !first.isNumber { word.removeFirst() }
            return String(word)
        }.filter { !$0.isEmpty }
    }

    static func percent(_ part: Int, _ whole: Int) -> Double {
        whole == 0 ? 100 : (Double(part) / Double(whole) * 10_000).rounded() / 100
    }
}

/// How many texts from templates, without corrections, lose a word.
struct FluentScores: Encodable {
    let made: Int
    let changed: Int

    private static let seed: UInt64 = 5

    init(texts: Int, failures: (String, String) -> Void) {
        let cleaner = TextCleaner(options: .init(rules: DisfluencyScores.rules))
        let source = FluentTexts()
        var generator = SeededGenerator(seed: Self.seed)
        made = texts
        changed = (0..<texts).count { _ in
            let text = source.text(using: &generator)
            let cleaned = cleaner.clean(text).text
            guard DisfluencyScores.words(cleaned) != DisfluencyScores.words(text) else { return false }
            failures(text, cleaned)
            return true
        }
    }
}
