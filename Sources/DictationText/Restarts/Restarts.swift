/// A sentence that was given up for another one without an edit term: "I was, I am", "the my keys", "set a timer for
/// set an alarm". The rule cannot know what was meant, so it only acts on neighbors that no sentence has: two articles,
/// a preposition and its article before another preposition, one subject with its verb before the next, an article
/// before a sentence.
struct Restarts: WordRule {
    let rule = CleaningRule.restarts

    /// The longest start of a sentence that is given up for another sentence, in words.
    static let longestStart = 6
    /// The longest wish that is begun again: "I was going to I wanted to".
    static let longestWish = 4
    /// The longest thing that is said again with a word more: "the report, the quarterly report".
    static let longestAddition = 2

    /// The words begin with an order, or with "please" or "can you" and then one.
    static func isOrder(_ words: some Sequence<RestartKinds>) -> Bool {
        let courtesy: RestartKinds = [.auxiliary, .subject, .otherSubject, .openOrder]
        let first = words.first { $0.isDisjoint(with: courtesy) }
        return first?.isDisjoint(with: [.order, .orderNoun, .orderPair]) == false
    }

    func apply(to draft: inout Draft) -> Bool {
        let language = draft.language
        guard language.restarts.kinds["article"] != nil, draft.words.count > 2 else { return false }
        var finder = RestartFinder(words: draft.words, language: language)
        let found = finder.find()
        draft.remove(found, rule: rule)
        return !found.isEmpty
    }
}
