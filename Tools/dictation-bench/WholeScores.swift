import CleanupSets
import DictationText

/// The effect of all rules together on dictated texts.
struct WholeScores: Encodable {
    let set: String
    let texts: Int
    /// Texts that are to the letter as expected.
    let exact: Double
    /// Those that are unchanged when cleaned again.
    let stable: Double

    init(_ set: CleanupSet, failures: (CleanupSet.Pair, String) -> Void) {
        let cleaner = TextCleaner()
        var (exact, stable) = (0, 0)
        for pair in set.pairs {
            let text = cleaner.clean(pair.spoken).text
            if text == pair.written { exact += 1 } else { failures(pair, text) }
            if cleaner.clean(text).text == text { stable += 1 }
        }
        self.set = set.name
        texts = set.pairs.count
        self.exact = DisfluencyScores.percent(exact, texts)
        self.stable = DisfluencyScores.percent(stable, texts)
    }
}
