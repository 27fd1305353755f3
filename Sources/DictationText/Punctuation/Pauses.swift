/// Adds punctuation at pauses, if a text has none: a sentence ends at a long pause, a clause at a short one.
struct Pauses: WordRule {
    let rule = CleaningRule.pauses

    /// Seconds. Pauses within a sentence of read speech are rarely longer than half a second, those between two
    /// sentences rarely shorter.
    static let sentence: Float = 0.75
    static let clause: Float = 0.3
    /// The fewest words of a sentence.
    static let shortestSentence = 3
    /// The fewest words after its end.
    static let leastRest = 2

    func apply(to draft: inout Draft) -> Bool {
        guard draft.words.contains(where: { $0.pause >= Self.clause }) else { return false }
        var acted = false
        var begin = 0
        for index in draft.words.indices.dropLast() {
            if draft.words[index].endsSentence { begin = index + 1 }
            guard draft.words[index].trail.isEmpty,
                let mark = Self.mark(behind: index, from: begin, in: draft)
            else { continue }
            draft.change(at: index, rule: rule) { $0.trail = mark }
            if mark != "," { begin = index + 1 }
            acted = true
        }
        return acted
    }

    /// The mark that the pause after a word calls for.
    ///
    /// - Parameter begin: where its sentence begins.
    static func mark(behind index: Int, from begin: Int, in draft: Draft) -> String? {
        let word = draft.words[index]
        guard word.pause >= clause, index + 1 - begin >= shortestSentence else { return nil }
        let asks = Questions(language: draft.language).isQuestion(Array(draft.words[begin...index]))
        // "Where is he" is whole, "the house that he" is not.
        if word.kinds.contains(.expectsMore), !(asks && word.kinds.contains(.pronoun)) { return nil }
        if word.pause >= sentence, draft.words.count - index - 1 >= leastRest { return asks ? "?" : "." }
        return draft.language.punctuation.commaBefore.contains(draft.words[index + 1].key) ? "," : nil
    }
}
