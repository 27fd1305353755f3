/// What the speaker took back goes, together with the words that say so: "to bob, no, to alice" becomes "to alice",
/// "scratch that" goes with what it scratches.
struct SelfCorrections: WordRule {
    let rule = CleaningRule.selfCorrections
    let finder: CorrectionFinder

    func apply(to draft: inout Draft) -> Bool {
        var found: [Range<Int>] = []
        for sentence in draft.sentences {
            let words = draft.words[sentence]
            guard !finder.isPlain(words), !draft.isSettled(sentence) else { continue }
            let ranges = finder.corrections(in: finder.sentence(words))
            if ranges.isEmpty { draft.settle(sentence) }
            found += ranges.map {
                ($0.lowerBound + sentence.lowerBound)..<($0.upperBound + sentence.lowerBound)
            }
        }
        draft.remove(found, rule: rule)
        return !found.isEmpty
    }
}
