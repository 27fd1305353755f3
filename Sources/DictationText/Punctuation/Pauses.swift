/// Adds punctuation where the speaker paused, if a text has none: a sentence ends at a long pause, a clause at a short one.
struct Pauses: WordRule {
    let rule = CleaningRule.pauses

    /// Seconds. Pauses within a sentence of read speech are rarely longer than half a second, those between two
    /// sentences rarely shorter.
    static let sentence: Float = 0.75
    static let clause: Float = 0.3
    /// A sentence has at least so many words.
    static let shortestSentence = 3

    func apply(to draft: inout Draft) -> Bool {
        guard draft.words.contains(where: { $0.pause >= Self.clause }) else { return false }
        var acted = false
        var begin = 0
        for index in draft.words.indices.dropLast() {
            let word = draft.words[index]
            if word.endsSentence { begin = index + 1 }
            guard word.pause >= Self.clause, word.trail.isEmpty else { continue }
            let asks = Questions(language: draft.language).isQuestion(Array(draft.words[begin...index]))
            // "Where is he" is whole, "the house that he" is not.
            if word.kinds.contains(.expectsMore), !(asks && word.kinds.contains(.pronoun)) { continue }
            let next = draft.words[index + 1]
            let isLong = word.pause >= Self.sentence && index + 1 - begin >= Self.shortestSentence
            if isLong, draft.words.count - index - 1 >= 2 {
                draft.change(at: index, rule: rule) { $0.trail = asks ? "?" : "." }
                begin = index + 1
            } else if draft.language.punctuation.commaBefore.contains(next.key),
                index + 1 - begin >= Self.shortestSentence
            {
                draft.change(at: index, rule: rule) { $0.trail = "," }
            } else {
                continue
            }
            acted = true
        }
        return acted
    }
}
