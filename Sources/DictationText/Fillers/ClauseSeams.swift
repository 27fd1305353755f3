import SelfCorrection

/// "Was passiert ist ist passiert", "wenn du kommst kommst du zu spät", "lo que es es": a clause ends with its verb, and the
/// next one begins with its own. Both are meant.
struct ClauseSeams {
    let fillers: FillerWords

    /// The longest clause that is looked at, in words.
    private static let longestClause = 12
    /// So many words between the opener and the verb are a clause, whatever they are.
    private static let shortestClause = 2

    init?(_ language: Language) {
        guard !language.fillers.clauseVerbs.isEmpty || !language.fillers.shortOpeners.isEmpty else {
            return nil
        }
        fillers = language.fillers
    }

    /// - Parameter first: the place of the first of the two verbs.
    func joins(at first: Int, in words: [Word], next: Word?) -> Bool {
        guard first > 0 else { return false }
        // "Wer das glaubt glaubt alles": nouns have capitals, or a preposition or an article before them.
        let isContent = words[first].kinds.subtracting(.hints).isEmpty
        let mayBeVerb = isContent && !words[first].isCapitalized && !fillers.clauseOpeners.isEmpty
        let isVerb = fillers.clauseVerbs.contains(words[first].key) || mayBeVerb
        // "Kommst du", "geht dich nichts an": only a verb has such a word behind it.
        let isInverted =
            isContent
            && next.map { $0.kinds.contains(.pronoun) || fillers.clauseObjects.contains($0.key) } == true
        guard isVerb || isInverted else { return false }
        if isVerb,
            fillers.headless.contains([words[first - 1].key])
                || first > 1 && fillers.headless.contains([words[first - 2].key, words[first - 1].key])
        {
            return true
        }
        var place = first - 1
        let nearest = max(0, first - Self.longestClause)
        var hasSubject = false
        while place >= nearest, !words[place].endsSentence {
            let between = first - place - 1
            let mayHaveAll = hasSubject || isVerb && between >= Self.shortestClause
            if mayHaveAll, fillers.clauseOpeners.contains(words[place].key) { return true }
            if isVerb, between > 0, fillers.clauseSubjects.contains(words[place].key) { return true }
            if isVerb, between > 0, isRelative(at: place, in: words) { return true }
            if words[place].kinds.contains(.subject) { hasSubject = true }
            place -= 1
        }
        return false
    }

    /// "What he has has to go", "if you can can you come", "those who are are fine". "If I can can come" and "what I should
    /// should do" say the verb again.
    func joinsShort(at first: Int, in words: [Word], next: Word?) -> Bool {
        guard first > 1, words[first].kinds.contains(.auxiliary), words[first].trail.isEmpty,
            words[(first - 2)..<first].allSatisfy(\.trail.isEmpty)
        else { return false }
        let (opener, subject) = (words[first - 2], words[first - 1])
        if fillers.relativeSubjects.contains(subject.key), fillers.antecedents.contains(opener.key) {
            return true
        }
        guard fillers.shortOpeners.contains(opener.key), Self.isPronoun(subject) else { return false }
        return next.map(Self.isPronoun) == true
            || fillers.clauseVerbs.contains(words[first].key) && !opener.kinds.contains(.conjunction)
    }

    private static func isPronoun(_ word: Word) -> Bool { word.kinds.isSuperset(of: [.pronoun, .subject]) }

    /// "Häuser, die": the article is behind a noun, and no verb comes before it.
    private func isRelative(at place: Int, in words: [Word]) -> Bool {
        guard place > 0, fillers.relatives.contains(words[place].key),
            words[place - 1].kinds.subtracting(.hints).isEmpty
        else { return false }
        return !words[max(0, place - Self.longestClause)..<place].contains {
            fillers.clauseVerbs.contains($0.key)
        }
    }
}
