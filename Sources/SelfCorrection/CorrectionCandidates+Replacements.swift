/// One word of meaning for another.
extension CorrectionCandidates {
    /// One word of meaning for another, after a word of grammar: "the weather in paris sorry london". "At the meeting no
    /// decision was made" is not.
    func isReplaced(
        _ reparandum: Range<Int>, _ cue: Range<Int>, _ tokens: [CorrectionToken]
    ) -> Bool {
        let (first, again) = (tokens[reparandum.lowerBound], tokens[cue.upperBound])
        guard reparandum.count == 1, !tokens[cue].allSatisfy({ $0.has(.hesitation) }),
            first.has(.saidAlone), again.has(.saidAlone), !first.has(.object), !again.has(.object),
            !first.has(.number), !again.has(.number), first.word != again.word,
            // "It is cold, no, not cold".
            !tokens[cue].contains(where: { $0.has(.denying) }),
            // "To bob by friday no alice".
            first.series == 0 || again.series == 0 || first.series == again.series
        else { return false }
        let place = reparandum.lowerBound
        let plain = tokens[cue].filter { !$0.has(.hesitation) }.map(\.key)
        // "I have six of them, make that clear".
        if words.inClauses.contains(plain), !(first.has(.name) && again.has(.name)) { return false }
        let isSetOff = isSetOff(cue, tokens)
        // "They have drawn no salary".
        guard
            plain.count > 1 || plain.allSatisfy(words.afterthoughts.contains)
                || isSetOff && plain.allSatisfy(words.retracting.contains)
        else { return false }
        // "Open the calendar sorry the map" has an article as well, "open calendar sorry map" has none.
        if isOrdered(place, tokens) { return true }
        guard place > 0 else { return false }
        let before = tokens[place - 1]
        // "Save the file, wait, restart the server": a verb.
        if !again.has(.comma), cue.upperBound + 1 < tokens.count, tokens[cue.upperBound + 1].has(.article) {
            return false
        }
        if before.has(.article) || place > 1 && before.has(.preposition) { return true }
        guard first.has(.comma), endsPhrase(cue.upperBound, tokens) else { return false }
        // "Is sydney, no, canberra"; "it was cold, I mean freezing" says more of it.
        if before.has(.auxiliary) { return isSetOff && plain.allSatisfy(words.retracting.contains) }
        // "Taking ibuprofen, I mean acetaminophen", "he laughed, I mean cried".
        return place > 1 && before.has(.saidAlone) && !before.has(.comma) && !before.has(.object)
    }

    /// Between commas, if the recognizer writes any: "in Paris, no, London".
    func isSetOff(_ cue: Range<Int>, _ tokens: [CorrectionToken]) -> Bool {
        tokens[cue.lowerBound - 1].has(.comma) && tokens[cue.upperBound - 1].has(.comma)
    }

    /// Nothing that the word could be the subject or the beginning of follows: "everybody failed".
    private func endsPhrase(_ place: Int, _ tokens: [CorrectionToken]) -> Bool {
        let next = place + 1
        guard next < tokens.count, !tokens[place].has(.comma) else { return true }
        return tokens[next].has(.preposition) || tokens[next].has(.list)
    }

    /// After the verb of an order, or its "me"; "remind me to buy" has two.
    private func isOrdered(_ place: Int, _ tokens: [CorrectionToken]) -> Bool {
        let isBehindObject = place > 1 && tokens[place - 1].has(.object)
        let verb = isBehindObject ? place - 2 : place - 1
        guard verb >= 0, isOrder(verb, tokens) else { return false }
        return verb == 0 || tokens[verb - 1].has(.beforeVerb)
    }

    func isOrder(_ place: Int, _ tokens: [CorrectionToken]) -> Bool {
        tokens[place].has(.order)
    }
}
