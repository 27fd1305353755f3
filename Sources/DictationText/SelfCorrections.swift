/// What the speaker took back goes, together with the words that say so: "to bob, no, to alice" becomes "to alice",
/// "scratch that" goes with what it scratches.
struct SelfCorrections: WordRule {
    let rule = CleaningRule.selfCorrections
    let finder: CorrectionFinder

    func apply(to draft: inout Draft) -> Bool {
        let found = finder.corrections(in: finder.tokens(draft))
        draft.remove(found, rule: rule)
        return !found.isEmpty
    }
}
