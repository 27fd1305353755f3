/// "um", "uh", "er" and the like say nothing, with four exceptions: written in capitals (the
/// ER), beside quotation marks, as an answer ("uh huh", "mm hmm"), and as a unit ("5 mm").
struct Hesitations: WordRule {
    let rule = CleaningRule.hesitations

    func apply(to draft: inout Draft) -> Bool {
        let words = draft.words
        let found = words.indices.filter { isHesitation(at: $0, in: words, language: draft.language) }
        let replaced = ReplacedItems(words: words, language: draft.language).places(before: found)
        draft.remove((found + replaced).sorted().map { $0..<($0 + 1) }, rule: rule)
        return !found.isEmpty
    }

    private func isHesitation(at index: Int, in words: [Word], language: Language) -> Bool {
        let word = words[index]
        guard word.kinds.contains(.hesitation), word.isPlain, !word.isAllCapitals else { return false }
        if index > 0 {
            let previous = words[index - 1]
            if previous.trail.isEmpty {
                if previous.isNumber, language.fillers.units.contains(word.key) { return false }
                if language.fillers.answers.contains([previous.key, word.key]) { return false }
            }
        }
        if index + 1 < words.count, word.trail.isEmpty,
            language.fillers.answers.contains([word.key, words[index + 1].key])
        {
            return false
        }
        return true
    }
}
