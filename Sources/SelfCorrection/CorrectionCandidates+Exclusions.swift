/// "Tea, no milk, no sugar", "64-bit only, no 32-bit support": the "no" leaves out something of the same kind, and corrects
/// nothing. Neither does the one of "yes for Anna, no for Tom".
extension CorrectionCandidates {
    /// How far after a "no" the next one of a list may be, in words.
    private static let longestItem = 5
    /// How far before it its "yes" may be, if each follows what it answers: "the first one yes, the second
    /// one no".
    private static let longestAnswer = 4

    func isExclusion(_ cue: Range<Int>, _ isQuestion: Bool, _ tokens: [CorrectionToken]) -> Bool {
        let (before, next) = (tokens[cue.lowerBound - 1], tokens[cue.upperBound])
        // "Right" is no noun of its own.
        guard !tokens[cue.upperBound - 1].has(.comma),
            next.has(.saidAlone) || next.has(.number) || next.series > 0
        else { return false }
        // "Stage one only no stage two".
        if words.verbs.limiting.contains(before.key) { return true }
        guard !isQuestion else { return false }
        // A recognizer writes two commas around a "no" that corrects.
        if before.has(.comma) {
            return isDeniedAgain(behind: cue.upperBound, tokens) || isOfOtherNoun(cue, tokens)
                || isLeftOut(cue, tokens)
        }
        guard next.traits.isDisjoint(with: [.number, .time]) else { return false }
        // "He speaks French no English no German", but "call Bob no Alice no Carol".
        let isObject = cue.lowerBound > 1 && isPlainVerb(tokens[cue.lowerBound - 2])
        return (!next.has(.name) || isObject) && isDeniedAgain(behind: cue.upperBound, tokens)
            || isSupply(cue, tokens)
    }

    /// "No English, no German": a list of what is left out. "No Tuesday no wait Wednesday" is none.
    private func isDeniedAgain(behind place: Int, _ tokens: [CorrectionToken]) -> Bool {
        tokens.indices.dropLast().dropFirst(place + 1).prefix(Self.longestItem).contains {
            let next = tokens[$0 + 1]
            return words.verbs.denying.contains(tokens[$0].key) && !tokens[$0].has(.comma)
                && (next.has(.saidAlone) || next.has(.name)) && !next.has(.beginsEditTerm)
        }
    }

    /// "Seen on Monday, no Tuesday visit", "5 mg, no 10 mg tablets": the repair has a noun that what was said before has not.
    private func isOfOtherNoun(_ cue: Range<Int>, _ tokens: [CorrectionToken]) -> Bool {
        let before = tokens[cue.lowerBound - 1]
        var place = cue.upperBound
        if tokens[place].has(.number) {
            while place < tokens.count, tokens[place].has(.number), !tokens[place].has(.comma) { place += 1 }
            // "For 5, no 6 minutes" says what it counts only once.
            guard place < tokens.count, tokens[place].word == before.word, !before.has(.number) else {
                return false
            }
        } else {
            let next = tokens[place]
            guard before.series > 0, before.series == next.series,
                !next.has(.capitalized) || next.has(.time)
            else { return false }
            // "The red, no blue car"; but "in the morning, no evening dose" has said when.
            let isAdjective = cue.lowerBound > 1 && tokens[cue.lowerBound - 2].has(.article)
            let isWhen =
                before.has(.time) && cue.lowerBound > 2 && tokens[cue.lowerBound - 3].has(.preposition)
            if isAdjective, !isWhen { return false }
        }
        guard place + 1 < tokens.count, !tokens[place].has(.comma) else { return false }
        return tokens[place + 1].has(.saidAlone)
            && tokens[place + 1].traits.isDisjoint(with: [.number, .time, .clock, .name, .beginsEditTerm])
    }

    /// "I ordered tea, no milk", but neither "turn left, no right" nor "it is red, no blue".
    private func isLeftOut(_ cue: Range<Int>, _ tokens: [CorrectionToken]) -> Bool {
        let (before, next) = (tokens[cue.lowerBound - 1], tokens[cue.upperBound])
        guard before.series > 0, before.series == next.series, cue.lowerBound > 2,
            next.traits.isDisjoint(with: [.number, .time]), !isOrder(0, tokens),
            !next.has(.name) || words.supplies.contains(next.key)
        else { return false }
        let verb = tokens[cue.lowerBound - 2]
        return verb.has(.saidAlone) && !verb.has(.aside) || words.verbs.denied.contains(verb.key)
    }

    /// "Black coffee no milk", "I drink water no coffee"; but "order coffee no tea" and "the coffee no the tea".
    private func isSupply(_ cue: Range<Int>, _ tokens: [CorrectionToken]) -> Bool {
        guard words.supplies.contains(tokens[cue.lowerBound - 1].key),
            words.supplies.contains(tokens[cue.upperBound].key), cue.lowerBound > 1
        else { return false }
        let before = tokens[cue.lowerBound - 2]
        return isPlainVerb(before) || words.verbs.limiting.contains(before.key)
    }

    /// "Speaks", "drink", and also an adjective: no command, and not "said".
    private func isPlainVerb(_ token: CorrectionToken) -> Bool {
        token.has(.saidAlone) && !token.has(.order) && !token.has(.aside)
    }

    /// The "no" of "yes for Anna, no for Tom" and of "the first one yes, the second one no, the third one yes".
    func isAnswer(_ cue: Range<Int>, _ plain: [String], _ tokens: [CorrectionToken]) -> Bool {
        guard plain.count == 1, words.contradicting.contains(plain[0]) else { return false }
        let (before, next) = (tokens[cue.lowerBound - 1], tokens[cue.upperBound])
        if isAskedOn(cue, tokens) { return true }
        let said = (max(0, cue.lowerBound - Self.longestReparandum)..<(cue.lowerBound - 1)).filter {
            words.affirming.contains(tokens[$0].key)
        }
        if !tokens[cue.upperBound - 1].has(.comma), !next.has(.saidAlone),
            said.contains(where: { !tokens[$0].has(.comma) && tokens[$0 + 1].word == next.word })
        {
            return true
        }
        return isAnswered(before)
            && said.contains { place in
                place > 0 && cue.lowerBound - place <= Self.longestAnswer && isAnswered(tokens[place - 1])
            }
    }

    /// "Any allergies no any chest pain no", "is the report done no is the invoice done yes": one asks on, and is answered.
    private func isAskedOn(_ cue: Range<Int>, _ tokens: [CorrectionToken]) -> Bool {
        let next = tokens[cue.upperBound]
        let behind = tokens[cue.upperBound...].dropFirst().prefix(Self.longestReparandum)
        guard !next.has(.number), behind.contains(where: isAnswer) || words.inquiring.contains(next.key)
        else {
            return false
        }
        let isAffirmed = behind.contains { words.affirming.contains($0.key) }
        return (max(0, cue.lowerBound - Self.longestReparandum)..<cue.lowerBound).contains { place in
            tokens[place].word == next.word
                && (isAffirmed || place == 0 || tokens[place - 1].has(.comma) || isAnswer(tokens[place - 1]))
        }
    }

    private func isAnswer(_ token: CorrectionToken) -> Bool {
        words.affirming.contains(token.key) || words.contradicting.contains(token.key)
    }

    /// A "yes" or "no" follows it directly.
    private func isAnswered(_ token: CorrectionToken) -> Bool {
        !token.has(.comma) && !token.has(.aside)
            && !token.traits.isDisjoint(with: [.saidAlone, .number, .name])
    }

    /// "Add two eggs, wait five minutes", "wait five minutes wait ten": something that takes its time.
    func isLasting(_ cue: Range<Int>, _ tokens: [CorrectionToken]) -> Bool {
        let verb = cue.lowerBound
        guard cue.count == 1, !tokens[verb].has(.comma) else { return false }
        let before = tokens[verb - 1]
        // "Press record wait five seconds"; "five minutes wait ten minutes" corrects.
        let isOther =
            before.has(.saidAlone) && before.traits.isDisjoint(with: [.number, .time, .clock])
            && !words.verbs.durations.contains(before.key)
        if before.has(.comma) || isOther, isDuration(behind: verb, tokens) { return true }
        guard tokens[cue.upperBound].has(.number) else { return false }
        return (max(0, verb - Self.longestReparandum)..<verb).contains { place in
            let begins =
                place == 0
                || !tokens[place - 1].traits.isDisjoint(with: [.comma, .connective, .list, .beforeVerb])
            return begins && tokens[place].key == tokens[verb].key && !tokens[place].has(.comma)
                && isDuration(behind: place, tokens)
        }
    }

    /// "Five minutes", "half an hour".
    private func isDuration(behind place: Int, _ tokens: [CorrectionToken]) -> Bool {
        var next = place + 1
        while next < tokens.count, !tokens[next].has(.comma),
            tokens[next].has(.number) || tokens[next].has(.clock)
                || words.verbs.indefinite.contains(tokens[next].key)
        {
            next += 1
        }
        return next > place + 1 && next < tokens.count && words.verbs.durations.contains(tokens[next].key)
    }

    /// "I don't mean today, I mean tomorrow": what is meant was denied, and is said now.
    func isMeantAlready(_ cue: Range<Int>, _ tokens: [CorrectionToken]) -> Bool {
        guard words.asking.contains(tokens[cue].map(\.key)), let verb = tokens[cue].last else { return false }
        return tokens[..<cue.lowerBound].contains { $0.key == verb.key }
    }

    /// "Take the bus, no the train is too slow": a sentence of its own says why. What is corrected at the beginning of a sentence
    /// has a verb as well: "the bus, no, the train is late".
    func isReason(_ cue: Range<Int>, _ tokens: [CorrectionToken]) -> Bool {
        guard let last = tokens[cue].last, words.contradicting.contains(last.key), !last.has(.comma) else {
            return false
        }
        let (article, noun, verb) = (cue.upperBound, cue.upperBound + 1, cue.upperBound + 2)
        guard verb + 1 < tokens.count, tokens[article].has(.article), tokens[noun].has(.saidAlone),
            tokens[verb].has(.auxiliary)
        else { return false }
        // "The bus no the train is late", "when is the bus no the train is late".
        return cue.lowerBound > 2 && !tokens[0].has(.article) && !tokens[0].has(.question)
    }

    /// "Sit down and tell me what happened": behind an order it is another one. Behind a question it begins again.
    func isFurtherOrder(_ cue: Range<Int>, _ tokens: [CorrectionToken]) -> Bool {
        guard cue.count > 1, tokens[cue.lowerBound].has(.list), tokens[cue.lowerBound + 1].has(.order),
            // "Or make that pasta".
            tokens[cue.upperBound - 1].has(.personal)
        else { return false }
        return !tokens[0].has(.question) && !tokens[0].has(.auxiliary)
    }
}
