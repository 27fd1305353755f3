/// Words of edit terms that say what they mean: "no fever, no cough" denies two things, "two or uh three" is a choice.
extension CorrectionCandidates {
    /// How far before a noun its article may be: "a big black coffee".
    private static let longestIndefinite = 3

    /// The "no" belongs to the words after it, or answers.
    ///
    /// - Parameter plain: the words of the edit term without hesitations.
    func isNegation(
        _ cue: Range<Int>, _ plain: [String], _ isQuestion: Bool, _ tokens: [CorrectionToken]
    ) -> Bool {
        let (before, next) = (tokens[cue.lowerBound - 1], tokens[cue.upperBound])
        // "Is that a no, or are you not sure".
        if plain.count == 2, words.verbs.denying.contains(plain[0]), tokens[cue].last?.has(.list) == true,
            words.verbs.indefinite.contains(before.key), !next.has(.article), !next.has(.saidAlone)
        {
            return true
        }
        guard let last = plain.last, words.verbs.denying.contains(last) else { return false }
        // "Tea, sorry, no milk": the "no" is not set off.
        if plain.count > 1, tokens[cue.upperBound - 2].has(.comma), !tokens[cue.upperBound - 1].has(.comma),
            next.has(.saidAlone), !next.has(.number), !next.has(.name)
        {
            return true
        }
        // "With a local variable instead, no functionality is lost".
        if plain.count == 2, words.verbs.qualifying.contains(plain[0]), next.has(.saidAlone),
            !next.has(.number), !next.has(.name), next.series == 0 || next.series != before.series
        {
            return true
        }
        guard
            tokens[cue].allSatisfy({
                words.verbs.denying.contains($0.key) || $0.has(.list) || $0.has(.hesitation)
            })
        else { return false }
        if answers(cue, isQuestion, tokens) { return true }
        if isExclusion(cue, isQuestion, tokens) { return true }
        // "At five no six".
        guard next.has(.saidAlone), !next.has(.number), !tokens[cue.upperBound - 1].has(.comma) else {
            return false
        }
        // "Tea or coffee or no drink at all"; but "what kind or no type of tea".
        if plain.count > 1, tokens[cue].contains(where: { $0.has(.list) }),
            !hasQuestionWord(near: cue, tokens)
        {
            return true
        }
        let isSibling = before.series > 0 && before.series == next.series
        // "There is no meeting on Monday no Tuesday", but "no cats, no dogs".
        let isDenied = cue.lowerBound > 1 && words.verbs.denying.contains(tokens[cue.lowerBound - 2].key)
        if !isSibling || isDenied, isDeniedBefore(cue.lowerBound, tokens) { return true }
        guard !isQuestion else { return false }
        if let place = returned(to: next, before: cue.lowerBound, tokens) {
            return isIndefinite(place, tokens) || isElsewhere(place, cue, tokens)
        }
        if before.has(.comma), !isSibling { return true }
        // "A red no blue car".
        let isAdjective =
            isSibling && cue.upperBound + 1 < tokens.count && tokens[cue.upperBound + 1].has(.saidAlone)
        return isIndefinite(cue.lowerBound - 1, tokens) && !(isAdjective && !before.has(.comma))
    }

    /// "There was no wait at the clinic", "we saw no wait times"; but "it was no wait Tuesday".
    func isNoun(_ cue: Range<Int>, _ plain: [String], _ tokens: [CorrectionToken]) -> Bool {
        guard plain.count == 2, cue.count == 2, words.verbs.denying.contains(plain[0]),
            words.verbs.nouns.contains(plain[1]), !tokens[cue.lowerBound].has(.comma)
        else { return false }
        let (before, noun, next) = (
            tokens[cue.lowerBound - 1], tokens[cue.lowerBound + 1], tokens[cue.upperBound]
        )
        guard !before.has(.comma), before.has(.auxiliary) || words.verbs.denied.contains(before.key) else {
            return false
        }
        // "Turn left no wait turn right".
        guard !next.has(.order), returned(to: next, before: cue.lowerBound, tokens) == nil else {
            return false
        }
        return next.has(.connective) || !noun.has(.comma) && (next.has(.preposition) || next.has(.saidAlone))
    }

    /// "No fever": something was denied already, so this is the next one of a list.
    private func isDeniedBefore(_ cue: Int, _ tokens: [CorrectionToken]) -> Bool {
        (max(0, cue - Self.longestReparandum)..<cue).contains {
            words.verbs.denying.contains(tokens[$0].key) && !tokens[$0].has(.comma)
                && tokens[$0 + 1].has(.saidAlone)
        }
    }

    private func hasQuestionWord(near cue: Range<Int>, _ tokens: [CorrectionToken]) -> Bool {
        let reach = Self.longestReparandum
        return tokens[max(0, cue.lowerBound - reach)..<min(tokens.count, cue.upperBound + reach)].contains {
            $0.has(.question)
        }
    }

    /// "Is it Monday no it is Tuesday".
    private func answers(_ cue: Range<Int>, _ isQuestion: Bool, _ tokens: [CorrectionToken]) -> Bool {
        let (next, after) = (tokens[cue.upperBound], cue.upperBound + 1)
        guard isQuestion, tokens[0].has(.auxiliary), after < tokens.count, tokens[after].has(.auxiliary)
        else { return false }
        return next.has(.function) && !next.has(.article) && !next.has(.preposition) && !next.has(.auxiliary)
            && !next.has(.question)
    }

    /// The place of the same word shortly before.
    func returned(to word: CorrectionToken, before cue: Int, _ tokens: [CorrectionToken]) -> Int? {
        (max(0, cue - Self.longestRetrace)..<cue).last { tokens[$0].word == word.word }
    }

    /// "A coffee", "one vote", "two big cats": the noun was not named before.
    private func isIndefinite(_ noun: Int, _ tokens: [CorrectionToken]) -> Bool {
        guard tokens[noun].has(.saidAlone) else { return false }
        for place in (max(0, noun - Self.longestIndefinite)..<noun).reversed() {
            if words.verbs.indefinite.contains(tokens[place].key) || tokens[place].has(.number) {
                return true
            }
            guard tokens[place].has(.saidAlone), !tokens[place].has(.comma) else { return false }
        }
        return false
    }

    /// "Pain with movement no pain at rest", but "turn left no turn right", "we walk to work no walk to school" and "page one no
    /// page two".
    private func isElsewhere(_ noun: Int, _ cue: Range<Int>, _ tokens: [CorrectionToken]) -> Bool {
        let repair = cue.upperBound
        guard repair + 1 < tokens.count, !tokens[repair].has(.comma), tokens[repair + 1].has(.preposition),
            noun + 1 < cue.lowerBound, tokens[noun + 1].has(.preposition)
        else { return false }
        guard noun > 0 else { return !isOrder(noun, tokens) }
        return tokens[noun - 1].traits.isDisjoint(with: [.subject, .personal, .beforeVerb, .name, .comma])
            && !(isOrder(noun, tokens) && tokens[noun - 1].has(.connective))
    }

    /// How far before an "or" another one may be, in words.
    private static let longestChoice = 4

    /// "Two or uh three", "on Friday or um Saturday": the two are alike.
    func isChoice(_ cue: Range<Int>, _ plain: [String], _ tokens: [CorrectionToken]) -> Bool {
        let first = tokens[cue.lowerBound]
        // "Tea or coffee, or maybe just water": one more to choose from. "Who, or maybe what" corrects.
        if first.has(.list), words.choosing.contains(plain),
            !hasQuestionWord(near: cue, tokens)
                || tokens[max(0, cue.lowerBound - Self.longestChoice)..<cue.lowerBound].contains(where: {
                    $0.word == first.word
                })
        {
            return true
        }
        guard plain.count == 1, tokens[cue].contains(where: { $0.has(.list) }) else { return false }
        let (before, next) = (tokens[cue.lowerBound - 1], tokens[cue.upperBound])
        if before.has(.number) && next.has(.number) || before.series > 0 && before.series == next.series {
            return true
        }
        // "The red one or um the blue one"; but "who was the king or uh the queen".
        return (next.has(.article) || next.has(.preposition)) && !hasQuestionWord(near: cue, tokens)
            && returned(to: next, before: cue.lowerBound, tokens) != nil
    }
}
