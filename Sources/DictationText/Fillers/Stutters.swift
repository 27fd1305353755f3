/// A word broken off, and begun again: "w- w- we", "transcr- transcription", "b-b-but". A single letter joined to its
/// word stays ("d-day", "x-ray"), and so does what the next word does not take up ("pre- and post-war").
struct Stutters: WordRule {
    let rule = CleaningRule.stutters

    func apply(to draft: inout Draft) -> Bool {
        let words = draft.words
        let broken = words.indices.dropLast().filter { isBrokenOff(words[$0], before: words[$0 + 1]) }
        draft.remove(broken.map { $0..<($0 + 1) }, rule: rule)
        let fragments = Fragments(words: draft.words, language: draft.language).ranges()
        draft.remove(fragments, rule: rule)
        var acted = !broken.isEmpty || !fragments.isEmpty
        for index in draft.words.indices {
            guard let whole = unstuttered(draft.words[index].core) else { continue }
            let language = draft.language
            draft.change(at: index, rule: rule) { word in
                word = Word(Substring(word.lead + whole + word.trail), language: language)
            }
            acted = true
        }
        return acted
    }

    private func isBrokenOff(_ word: Word, before next: Word) -> Bool {
        guard !word.trail.isEmpty, word.lead.isEmpty, next.lead.isEmpty, word.trail.allSatisfy(Marks.isDash),
            !word.isNumber, word.core.allSatisfy(\.isLetter), !word.core.isEmpty
        else { return false }
        return next.key.hasPrefix(word.key)
    }

    /// "W-w-we" in UTF-8.
    private static let shortest = 6

    /// The last part of "w-w-we", where each part before it is the same beginning of it.
    private func unstuttered(_ core: String) -> String? {
        guard core.utf8.count >= Self.shortest, core.utf8.contains(UInt8(ascii: "-")) else { return nil }
        let parts = core.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 3, let first = parts.first, let last = parts.last, first.count <= 2,
            last.count > first.count, !first.isEmpty
        else { return nil }
        let beginning = first.lowercased()
        guard parts.dropLast().allSatisfy({ $0.lowercased() == beginning && $0.allSatisfy(\.isLetter) }),
            last.lowercased().hasPrefix(beginning)
        else { return nil }
        return String(last)
    }
}
