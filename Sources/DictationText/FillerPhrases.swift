/// "you know", "I mean" and "like" are fillers in some places and carry the sentence in others. They go where commas
/// set them off, and without commas only in the surroundings that the language lists as safe; what may be the
/// sign of a correction ("the left, I mean, the right") stays, because without it the two would stand side by side.
struct FillerPhrases: WordRule {
    let rule = CleaningRule.fillerPhrases

    func apply(to draft: inout Draft) -> Bool {
        var found: [Range<Int>] = []
        var index = 0
        while index < draft.words.count {
            if let length = fillerLength(at: index, in: draft) {
                found.append(index..<(index + length))
                index += length
            } else {
                index += 1
            }
        }
        draft.remove(found, rule: rule)
        return !found.isEmpty
    }

    private func fillerLength(at index: Int, in draft: Draft) -> Int? {
        guard draft.words[index].kinds.contains(.fillerStart) else { return nil }
        for phrase in draft.language.fillerPhrases where matches(phrase, at: index, in: draft) {
            return phrase.words.count
        }
        return nil
    }

    private func matches(_ phrase: FillerPhrase, at index: Int, in draft: Draft) -> Bool {
        let words = draft.words
        let end = index + phrase.words.count
        guard end <= words.count else { return false }
        for (word, key) in zip(words[index..<end], phrase.words) where word.key != key || !word.isPlain {
            return false
        }
        guard words[index..<(end - 1)].allSatisfy(\.trail.isEmpty) else { return false }
        let trail = words[end - 1].trail
        guard trail.isEmpty || trail == "," || trail == "." else { return false }
        let next = end < words.count ? words[end] : nil
        let begins = draft.beginsSentence(at: index)
        let ends = next == nil || trail == "."
        if begins && ends { return words.count == phrase.words.count && phrase.words.count > 1 }
        if isSetOff(phrase, at: index, begins: begins, ends: ends, trail: trail, next: next, in: words) {
            return true
        }
        guard trail.isEmpty, let next else { return false }
        let previous = begins ? "" : words[index - 1].key
        guard begins || words[index - 1].trail.isEmpty || words[index - 1].trail == "," else { return false }
        return phrase.contexts.contains { context in
            // A subject that follows wants its verb: "I mean we" is an answer.
            (context.before == nil || end + 1 < words.count)
                && context.allows(previous: previous, next: next.key)
        }
    }

    private func isSetOff(
        _ phrase: FillerPhrase, at index: Int, begins: Bool, ends: Bool, trail: String, next: Word?,
        in words: [Word]
    ) -> Bool {
        guard ends || trail == "," else { return false }
        if begins { return !ends }
        guard phrase.setOff == .anywhere, words[index - 1].trail == "," else { return false }
        guard phrase.mayBeListed else { return true }
        // "want, like, and need" and "love, like, hate" are lists.
        guard let next, !ends else { return false }
        let isInList =
            next.hasComma || next.hasTerminal || next.kinds.contains(.conjunction)
            || (index > 1 && words[index - 2].hasComma)
        return !isInList
    }
}

/// A phrase that may be a filler, and where it is one.
struct FillerPhrase: Sendable {
    enum SetOff: Sendable {
        case anywhere
        case atSentenceStart
    }
    /// The neighbours between which the phrase says nothing, without any comma to tell.
    struct Context: Sendable {
        /// The word before; empty for the start of a sentence.
        let after: Set<String>
        /// The word that follows; nil for any.
        var before: Set<String>?
        var notBefore: Set<String> = []

        func allows(previous: String, next: String) -> Bool {
            after.contains(previous) && before?.contains(next) ?? true && !notBefore.contains(next)
        }
    }
    let words: [String]
    let setOff: SetOff
    /// The word can be one of a list, whose commas look like those that set off a filler.
    var mayBeListed = false
    let contexts: [Context]
}
