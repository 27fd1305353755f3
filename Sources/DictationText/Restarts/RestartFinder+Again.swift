import SelfCorrection

/// What is said again with something between the two.
extension RestartFinder {
    /// The longest phrase that is said again behind "yeah", and the longest request that is begun in another form, in words.
    private static let longestPhrase = 4
    private static let longestRequest = 8

    /// What goes before the word, or with it.
    func again(at place: Int) -> Range<Int>? {
        if let range = interrupted(at: place) ?? nounAgain(at: place) { return range }
        if let range = requestAgain(before: place) ?? endSaidAgain(before: place) { return range }
        return questionAgain(place) ?? questionInstead(before: place)
    }

    /// "Show yeah show me", "on the tracker yes, on the tracker".
    private func interrupted(at place: Int) -> Range<Int>? {
        guard has(place, .interjection), place > sentence, isOpen(place - 1), isOpen(place) else {
            return nil
        }
        var next = place + 1
        if has(next, .interjection), isOpen(next) { next += 1 }
        for length in stride(from: min(Self.longestPhrase, place - sentence), through: 1, by: -1) {
            let start = place - length
            guard next + length <= words.count, marks[start..<(place - 1)].allSatisfy(\.isBare),
                (0..<length).allSatisfy({ key(start + $0) == key(next + $0) && key(start + $0) != 0 })
            else { continue }
            // "I do yes I do", "five oh five", "maybe yes, maybe no".
            let isMeant = (start..<place).contains {
                hasAny($0, [.subject, .otherSubject, .interjection]) || marks[$0].isNumber
                    || words[$0].kinds.contains(.meantTwice)
            }
            // "Press okay press cancel", "type yes type again": what was said may be the word itself.
            let isReply = (place..<next).contains { has($0, .reply) }
            let isPhrase = (start..<place).contains { has($0, .article) || has($0, .preposition) }
            let isDenied =
                words.indices.contains(next + length)
                && language.corrections.verbs.denying.contains(words[next + length].key)
            return isMeant || isDenied || isReply && !isPhrase ? nil : start..<next
        }
        return nil
    }

    /// Nothing ends behind the word.
    private func isOpen(_ place: Int) -> Bool {
        marks[place].isPlain && words[place].isOpen
    }

    /// A word of meaning.
    func isContent(_ place: Int) -> Bool {
        words.indices.contains(place) && words[place].kinds.subtracting(.hints).isEmpty
            && words[place].core.utf8.count > 1 && !marks[place].isNumber
    }

    /// The "bill" that goes of "my bill phone bill".
    private func nounAgain(at place: Int) -> Range<Int>? {
        guard has(place, .possessive), key(place + 1) == key(place + 3), key(place + 1) != key(place + 2),
            isContent(place + 1), isContent(place + 2), isBare(place..<(place + 3))
        else { return nil }
        return (place + 1)..<(place + 2)
    }

    /// "Check the price of can you check the price of gold", "I need to log can you log my lunch".
    private func requestAgain(before place: Int) -> Range<Int>? {
        guard place > sentence, place - sentence <= Self.longestRequest, !hasAny(place - 1, [.joint, .list])
        else { return nil }
        let (first, second) = (verb(ofRequestAt: sentence), verb(ofRequestAt: place))
        guard second > place, first < place, isContent(first), isBare(sentence..<place),
            second + (place - first) <= words.count,
            (first..<place).allSatisfy({ key($0) == key(second + $0 - first) && key($0) != 0 })
        else { return nil }
        return sentence..<place
    }

    /// The "check" of "can you check", of "I want to check" and of "check".
    private func verb(ofRequestAt place: Int) -> Int {
        if isAuxiliary(place), hasAny(place + 1, [.subject, .otherSubject]) { return place + 2 }
        guard has(place, .subject) else { return place }
        return ((place + 1)...(place + 3)).first { has($0, .beforeVerb) }.map { $0 + 1 } ?? place
    }

    /// "A new, a note", and the first word of "new a new note".
    func adjectiveAgain(_ place: Int) -> Int? {
        guard key(place) == key(place + 2), key(place) != 0, !isTail(place + 2), marks[place].isBare else {
            return nil
        }
        if isArticle(place), has(place + 1, .adjective), isOpen(place + 1) {
            // "They are not the same the server says".
            if isAuxiliary(place - 1) || place > 0 && words[place - 1].kinds.contains(.denying) { return nil }
            // "The good the bad and the ugly", "the small the medium the large one"; "a little, a very little" is written, and
            // means both.
            let isThird =
                key(place + 4) == key(place) || has(place + 4, .list) && key(place + 5) == key(place)
            let isListed =
                isThird || has(place + 3, .adjective) && (isTail(place + 3) || has(place + 4, .list))
            let isOrdered = isInOrder(place) || hasAny(sentence, [.order, .orderNoun])
            return isListed || !marks[place + 1].isBare && !isOrdered ? nil : place + 2
        }
        return has(place, .adjective) && hasAny(place - 1, [.order, .orderNoun]) && isArticle(place + 1)
            && marks[place + 1].isBare ? place + 1 : nil
    }

    /// "How do I what is", "how tall is how old is he": the first question ends where no question does.
    func questionAgain(_ place: Int) -> Range<Int>? {
        guard place > sentence, place - sentence <= Restarts.longestStart, isQuestion(sentence),
            isQuestion(place), !isTail(place + 2), isBare(sentence..<place),
            isAuxiliary(place + 1) || words[place].kinds.contains(.determining) && isAuxiliary(place + 2)
        else { return nil }
        let isOpen =
            isAuxiliary(place - 1) && !has(place - 2, .beforeVerb)
            || has(place - 1, .subject) && hasAny(place - 2, [.doing, .modal])
        return isOpen ? sentence..<place : nil
    }

    /// "I need directions to give me directions to the mall": an order, and then what could not be the end of the words
    /// before it.
    private func endSaidAgain(before place: Int) -> Range<Int>? {
        guard place > sentence + 1, place - sentence <= Self.longestRequest,
            hasAny(place, [.order, .orderNoun]),
            has(place + 1, .object), isArticle(place - 1) || has(place - 1, .preposition),
            key(place - 2) == key(place + 2), key(place - 1) == key(place + 3), isBare(sentence..<place)
        else { return nil }
        return sentence..<place
    }

    /// "Oh so I", "well oh well we": words that begin a sentence, one after the other. "Oh well" is an answer.
    func openings(_ place: Int) -> Int? {
        guard place == sentence, has(place, .opening) else { return nil }
        var next = place
        while has(next, .opening), isOpen(next), next == place || key(next) != key(next - 1) { next += 1 }
        let isAnswer = language.fillers.answers.contains(words[place..<next].map(\.key))
        guard next > place + 1, !isAnswer, isAnySubject(next), !isTail(next) else { return nil }
        return next
    }

    /// "Do you know if. Do you know where the keys are?", "if you look at the, if you look at line 40": recognizers put a mark
    /// where the speaker broke off. Nothing ends with such a word, and what follows begins like it.
    func brokenSentence(before place: Int) -> Range<Int>? {
        guard (1...Restarts.longestStart).contains(place - sentence),
            [".", ","].contains(words[place - 1].trail), marks[sentence..<place].allSatisfy(\.isPlain),
            !isTail(place)
        else { return nil }
        if isSaidInPlace(before: place) { return sentence..<place }
        guard place - sentence > 1, base(sentence) == base(place), base(place) != 0 else { return nil }
        let last = words[place - 1]
        // "I think so", "I know that".
        let isJoint =
            has(place - 1, .list) && last.kinds.contains(.conjunction)
            || last.kinds.isSuperset(of: [.conjunction, .expectsMore]) && !last.kinds.contains(.opener)
                && !has(place - 1, .joiningThat)
        // "I gave him an A" ends with a letter.
        let isWanting = isJoint || isArticle(place - 1) && !last.isCapitalized && !isArticle(place - 2)
        return isWanting || isVerbSaidAgain(before: place) ? sentence..<place : nil
    }

    /// "If you could. If you could send", "the patient was, the patient has been stable". "Yes, we can. Yes, we can win" insists,
    /// and so does "he was, he is, and he will be".
    private func isVerbSaidAgain(before place: Int) -> Bool {
        let count = place - sentence
        guard count > 2, isAuxiliary(place - 1), place + count + 1 < words.count,
            isAuxiliary(place + count - 1),
            !words[sentence].kinds.contains(.opener), marks[place...(place + count)].allSatisfy(\.isBare)
        else { return false }
        return (sentence..<(place - 1)).allSatisfy { key($0) == key(place + $0 - sentence) }
    }

    /// The most words between a subject and the same subject again.
    private static let longestBeginning = 3

    /// "I just I can't", "it will normally it will", "I just there's": a subject without a verb of meaning, and a subject.
    func subjectAgain(_ place: Int) -> Int? {
        guard isSubject(place) || begins(place) && isAnySubject(place) else { return nil }
        var next = place + 1
        while next - place <= Self.longestBeginning, has(next, .adverb) || isAuxiliary(next) { next += 1 }
        // "I do, I want it" is an answer, and "I can't, I really can't" insists.
        guard has(next - 1, .adverb), isBare(place..<next), !isTail(next) else { return nil }
        // "It's just really it seems" may be two sentences.
        let isSame = base(next) == base(place) && (!isContracted(place) || isContracted(next))
        // "This is really this much" has an object.
        guard isSubject(place) || isContracted(next) || isAuxiliary(next + 1) else { return nil }
        let isOther = next == place + 2 && isSubject(place) && isAnySubject(next) && isContracted(next)
        return isSame || isOther ? next : nil
    }

    /// "Make a note put a note".
    func orderAgain(_ place: Int) -> Int? {
        guard place == sentence, hasAny(place, [.order, .orderNoun, .openOrder]), isArticle(place + 1),
            isContent(place + 2), hasAny(place + 3, [.order, .orderNoun]), key(place) != key(place + 3),
            key(place + 4) == key(place + 1), key(place + 5) == key(place + 2), isBare(place..<(place + 5)),
            // "Check the oil change the oil".
            language.corrections.verbs.indefinite.contains(words[place + 1].key),
            // "Open the door close the door" are two orders.
            language.tables.series[words[place].key] == nil
                || language.tables.series[words[place].key] != language.tables.series[words[place + 3].key]
        else { return nil }
        return place + 3
    }
}
