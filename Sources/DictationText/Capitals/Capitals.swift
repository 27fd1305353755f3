/// The first word of each sentence, and "I" with its short forms. A word that has its own way of being written
/// ("iPhone", "example.com") keeps it, and so does what follows an abbreviation or an ellipsis.
struct Capitals: WordRule {
    let rule = CleaningRule.capitals

    func apply(to draft: inout Draft) -> Bool {
        var acted = false
        for index in draft.words.indices where needsCapital(at: index, in: draft) {
            draft.change(at: index, rule: rule) { word in
                word.core = word.core.prefix(1).uppercased() + word.core.dropFirst()
            }
            acted = true
        }
        return acted
    }

    private func needsCapital(at index: Int, in draft: Draft) -> Bool {
        let isBeginning = beginsSentence(at: index, in: draft)
        guard isBeginning || draft.words[index].isFirstPerson else { return false }
        let word = draft.words[index]
        // The user's own way of writing holds, except that a word without capitals may begin a sentence.
        guard isBeginning || (word.isPlain && !word.isFixed),
            let first = word.core.first, first.isLowercase
        else { return false }
        // "--verbose".
        if word.lead.hasSuffix("--") { return false }
        if word.isFirstPerson { return true }
        if draft.language.numbers.addresses.slashed.contains(word.key.split(separator: "/").map(String.init))
        {
            return true
        }
        return !word.core.dropFirst().contains { $0.isUppercase || "./@_:\\".contains($0) }
    }

    private func beginsSentence(at index: Int, in draft: Draft) -> Bool {
        var before = index
        // A dash or a bullet by itself is no word.
        while before > 0, draft.words[before - 1].isSilent, !draft.words[before - 1].endsSentence {
            before -= 1
        }
        return draft.beginsSentence(at: before)
    }
}
