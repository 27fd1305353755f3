/// What the speaker took back goes, together with the words that say so: "to bob, no, to alice" becomes "to alice",
/// "scratch that" goes with what it scratches.
struct SelfCorrections: WordRule {
    let rule = CleaningRule.selfCorrections
    let finder: CorrectionFinder

    func apply(to draft: inout Draft) -> Bool {
        var found: [Range<Int>] = []
        for sentence in draft.sentences {
            guard !finder.isPlain(draft.words[sentence]), !draft.isSettled(sentence) else { continue }
            let corrections = finder.corrections(in: finder.sentence(draft.words[sentence]))
            if corrections.isEmpty { draft.settle(sentence) }
            found += corrections.map { draft.gather($0, in: sentence, rule: rule) }
        }
        draft.remove(found, rule: rule)
        return !found.isEmpty
    }
}
