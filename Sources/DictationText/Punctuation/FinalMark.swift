/// A text ends with one mark. A comma at the end becomes a period. A colon, a dash, an ellipsis or a symbol at the end
/// stays.
struct FinalMark: WordRule {
    let rule = CleaningRule.finalMark
    /// The text ends here. A line before another one gets no mark that was not said, but keeps one of several.
    var isEnd = true

    func apply(to draft: inout Draft) -> Bool {
        guard let last = draft.words.indices.last else { return false }
        let word = draft.words[last]
        // An item of a list is no sentence.
        let isItem = last > 0 && draft.words[0].isSilent && draft.words[0].trail.allSatisfy(Marks.isDash)
        let isEnd = isEnd && !isItem
        guard !word.isSilent || word.isMark else { return false }
        let marks = word.trail.filter(Marks.isPlain)
        if marks.contains(where: Marks.isTerminal) {
            guard let single = singled(word.trail) else { return false }
            draft.change(at: last, rule: rule) { $0.trail = single }
            return true
        }
        if !isEnd, marks.count > 1, marks.allSatisfy({ $0 == "," }) {
            draft.change(at: last, rule: rule) { word in
                word.removeComma()
                word.trail += ","
            }
            return true
        }
        guard isEnd, marks.allSatisfy({ $0 == "," }), canEnd(word) else { return false }
        let asks = draft.asks ?? Questions(language: draft.language).isQuestion(draft.words)
        let mark = asks ? "?" : "."
        draft.change(at: last, rule: rule) { word in
            word.removeComma()
            word.trail += mark
        }
        return true
    }

    /// The trail with the strongest of several marks ("?." becomes "?"); nil if it has only one, or an ellipsis.
    private func singled(_ trail: String) -> String? {
        let marks = trail.filter(Marks.isPlain)
        guard marks.count > 1, !marks.allSatisfy({ $0 == "." }) || marks.count == 2 else { return nil }
        guard let position = trail.firstIndex(where: Marks.isPlain) else { return nil }
        let strongest: [Character] = ["?", "!", "…", "."]
        guard let mark = strongest.first(where: marks.contains) else { return nil }
        var single = trail
        single.removeAll(where: Marks.isPlain)
        let distance = trail.distance(from: trail.startIndex, to: position)
        single.insert(mark, at: single.index(single.startIndex, offsetBy: distance))
        return single
    }

    private func canEnd(_ word: Word) -> Bool {
        guard let last = word.core.last else { return false }
        // "C++", "C#"
        if last == "+" || last == "#" { return word.core.first?.isLetter == true }
        return last.isLetter || last.isNumber || last.isCurrencySymbol || last == "%" || last == "°"
    }
}
