import SelfCorrection

/// "you know", "I mean", "like", "so" and "well" are fillers in some places and carry the sentence in others. They go
/// if commas set them off or a hesitation is beside them, and otherwise only between neighbors that the language lists
/// as safe. A possible edit term ("the left, I mean, the right") stays: without it the two would be side by side.
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
        let phrases = draft.language.fillers.phrases
        let place = phrases.indices.first {
            phrases[$0].words.first == draft.words[index].key && matches(phrases[$0], at: index, in: draft)
        }
        return place.map { phrases[$0].words.count }
    }

    private func matches(_ phrase: FillerPhrase, at index: Int, in draft: Draft) -> Bool {
        let words = draft.words
        let end = index + phrase.words.count
        guard end <= words.count else { return false }
        for (word, key) in zip(words[index..<end], phrase.words) where word.key != key || !word.isPlain {
            return false
        }
        guard words[index..<(end - 1)].allSatisfy(\.trail.isEmpty) else { return false }
        // "Err… I think" pauses as with a comma.
        let trail = words[end - 1].trailsOff && end < words.count ? "," : words[end - 1].trail
        guard trail.isEmpty || trail == "," || trail == "." else { return false }
        let next = end < words.count ? words[end] : nil
        let begins = draft.beginsSentence(at: index)
        let ends = next == nil || trail == "."
        if begins && ends {
            return !phrase.isSentence && words.count == phrase.words.count && phrase.words.count > 1
        }
        if isSetOff(phrase, at: index, begins: begins, ends: ends, trail: trail, next: next, in: words) {
            return true
        }
        if isBesideHesitation(phrase, index..<end, in: draft) { return true }
        if ends, !begins, let places = phrase.endsAfter {
            if phrase.endsNotAfter.contains(words[index - 1].key) { return false }
            // "What's the funniest joke you know".
            if words[start(ofSentenceAt: index, in: draft)].kinds.contains(.question)
                || draft.language.questions.contracted.contains(
                    words[start(ofSentenceAt: index, in: draft)].key)
            {
                return false
            }
            return places.wrappedValue.isEmpty
                || (words[index - 1].trail.isEmpty && places.contains(words[index - 1].key))
        }
        guard trail.isEmpty, let next, !hasObject(phrase, at: index, before: next, in: draft) else {
            return false
        }
        let previous = begins ? "" : words[index - 1].key
        guard begins || words[index - 1].trail.isEmpty || words[index - 1].trail == "," else { return false }
        // "To you know to both": the word before the filler is said again.
        if phrase.words.count > 1, !phrase.isSentence, !begins, previous == next.key,
            words[index - 1].trail.isEmpty,
            next.kinds.contains(.preposition)
                || draft.language.tables.restarts[previous]?.isDisjoint(with: [.article, .subject]) == false
        {
            return true
        }
        let isSecond = !begins && draft.beginsSentence(at: index - 1)
        return phrase.contexts.contains { context in
            // A subject that follows wants its verb: "I mean we" is an answer.
            (context.before == nil || end + 1 < words.count) && (isSecond || !context.atStart)
                && context.allows(
                    previous: previous, next: next.key, third: end + 1 < words.count ? words[end + 1].key : ""
                )
        }
    }

    /// "Anna, you know the password": a recognizer that sets off "you know" writes a comma behind it as well.
    private func hasObject(_ phrase: FillerPhrase, at index: Int, before next: Word, in draft: Draft) -> Bool
    {
        guard phrase.objects.contains(next.key), index > 0 else { return false }
        let before = draft.words[index - 1]
        return before.hasComma
            || before.trail.isEmpty && before.kinds.contains(.proper) && draft.beginsSentence(at: index - 1)
    }

    private func start(ofSentenceAt index: Int, in draft: Draft) -> Int {
        (0...index).last { draft.beginsSentence(at: $0) } ?? 0
    }

    /// "Um so", "like uh": beside a hesitation the phrase is one as well.
    private func isBesideHesitation(_ phrase: FillerPhrase, _ range: Range<Int>, in draft: Draft) -> Bool {
        guard let beside = phrase.beside else { return false }
        let words = draft.words
        func isHesitation(_ place: Int) -> Bool {
            words.indices.contains(place) && words[place].kinds.contains(.hesitation) && words[place].isPlain
                && !words[place].isAllCapitals
        }
        // "Uh oh".
        if isHesitation(range.lowerBound - 1),
            draft.language.fillers.answers.contains(
                words[(range.lowerBound - 1)..<range.upperBound].map(\.key))
        {
            return false
        }
        let isBefore = isHesitation(range.lowerBound - 1) && !words[range.lowerBound - 1].hasTerminal
        guard isBefore || (isHesitation(range.upperBound) && !words[range.upperBound - 1].hasTerminal) else {
            return false
        }
        var start = range.lowerBound
        while isHesitation(start - 1), !words[start - 1].hasTerminal { start -= 1 }
        // Where it is all that is said, it stays.
        guard words[range.upperBound...].contains(where: { !$0.kinds.contains(.hesitation) }) || start > 0
        else {
            return false
        }
        if draft.beginsSentence(at: start) { return true }
        let next = words[range.upperBound...].first { !$0.kinds.contains(.hesitation) }
        if let next, beside.before.contains(next.key) { return true }
        return !beside.onlyAtStart && !beside.notAfter.contains(words[start - 1].key)
    }

    private func isSetOff(
        _ phrase: FillerPhrase, at index: Int, begins: Bool, ends: Bool, trail: String, next: Word?,
        in words: [Word]
    ) -> Bool {
        guard phrase.setOff != .never, ends || trail == "," else { return false }
        if begins { return !ends }
        guard phrase.setOff == .anywhere, words[index - 1].trail == "," else { return false }
        // "If you know, you know."
        if phrase.words.count > 1, words[index - 1].key == phrase.words.last { return false }
        guard phrase.mayBeListed else { return true }
        // "want, like, and need" and "love, like, hate" are lists.
        guard let next, !ends else { return false }
        let isInList =
            next.hasComma || next.hasTerminal || next.kinds.contains(.conjunction)
            || (index > 1 && words[index - 2].hasComma)
        return !isInList
    }
}

/// A phrase that may be a filler, and the places in which it is one.
struct FillerPhrase: LanguagePart {
    enum SetOff: String, Decodable, Sendable {
        case anywhere
        case atSentenceStart
        case never
    }
    /// The neighbors between which the phrase says nothing, without any comma to tell.
    struct Context: LanguagePart {
        /// The word before; empty for the start of a sentence; nil for any but that.
        var after: Words?
        @Words var notAfter: Set<String>
        /// The word that follows; nil for any.
        var before: Words?
        @Words var notBefore: Set<String>
        /// The word behind that one; nil for any.
        var then: Words?
        @Words var notThen: Set<String>
        /// The word before must begin its sentence.
        @Flag var atStart: Bool

        func allows(previous: String, next: String, third: String) -> Bool {
            (after?.contains(previous) ?? !previous.isEmpty) && !notAfter.contains(previous)
                && before?.contains(next) ?? true && !notBefore.contains(next)
                && then?.contains(third) ?? true && !notThen.contains(third)
        }
    }

    /// Before or behind a hesitation it says nothing, but for these.
    struct Beside: LanguagePart {
        /// The last word before both.
        @Words var notAfter: Set<String>
        /// Before these it says nothing even so.
        @Words var before: Set<String>
        @Flag var onlyAtStart: Bool
    }
    @Phrase var words: [String]
    var setOff = SetOff.never
    /// The word can be one of a list, whose commas look like those that set off a filler.
    @Flag var mayBeListed: Bool
    /// Said alone, it is what was meant.
    @Flag var isSentence: Bool
    var contexts: [Context] = []
    /// These begin what it says, behind somebody who is spoken to or another clause: "Anna, you know the password".
    @Words var objects: Set<String>
    /// Nil where a hesitation beside it tells nothing.
    var beside: Beside?
    /// At the end of a sentence it says nothing behind these words, or behind any if there are none; nil where it
    /// always says something there.
    var endsAfter: Words?
    /// Behind these it says something there in any case.
    @Words var endsNotAfter: Set<String>
}
