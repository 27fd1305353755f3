import CleanupSets
import DictationText

/// The changes of a rule in texts that are as they should be.
struct HarmScores: Encodable {
    /// `all` for all of them together.
    let rule: String
    /// Of all texts.
    let words: Int
    let changed: Int
    /// In per cent.
    let share: Double

    /// Each rule for itself, and then all of them. A rule may be wrong only in this many words per hundred.
    static let limit = 0.5

    static func all(of texts: [String]) -> [HarmScores] {
        // White space and control characters are not words.
        let plain = texts.map { TextCleaner(options: .verbatim).clean($0).text }
        let rules = CleaningRule.allCases.filter { $0 != .spacing }.map { ($0.rawValue, Set([$0])) }
        return (rules + [("all", Set(CleaningRule.allCases))]).map { name, rules in
            HarmScores(rule: name, plain, cleaner: TextCleaner(options: .init(rules: rules)))
        }
    }

    private init(rule: String, _ texts: [String], cleaner: TextCleaner) {
        var (words, changed) = (0, 0)
        for text in texts {
            let before = text.split(whereSeparator: \.isWhitespace).map(String.init)
            words += before.count
            let cleaned = cleaner.clean(text).text
            guard cleaned != text else { continue }
            let after = cleaned.split(whereSeparator: \.isWhitespace).map(String.init)
            changed += Alignment.removed(from: before, to: after).count(where: { $0 })
        }
        self.rule = rule
        self.words = words
        self.changed = changed
        share = DisfluencyScores.percent(changed, words)
    }
}
