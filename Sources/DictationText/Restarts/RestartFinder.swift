/// Finds sentences that were begun again: looks at each word with its neighbors, in linear time.
struct RestartFinder {
    let words: [Word]
    let language: Language
    private let data: RestartWords
    let marks: [RestartMark]
    /// The first word of the sentence that is looked at.
    private(set) var sentence = 0

    init(words: [Word], language: Language) {
        self.words = words
        self.language = language
        data = language.restarts
        marks = words.map { RestartMark($0, language: language) }
    }

    mutating func find() -> [Range<Int>] {
        var found: [Range<Int>] = []
        var place = 0
        while place < words.count {
            if let broken = brokenSentence(before: place), broken.lowerBound >= (found.last?.upperBound ?? 0)
            {
                found.append(broken)
                sentence = place
            }
            if place > 0, marks[place - 1].endsSentence { sentence = place }
            if marks[place].kinds.isEmpty, !marks[place].isNumber {
                // Nothing begins with it; a noun behind an article is what comes most often.
                place += 1
            } else if let end = end(ofStartAt: place) {
                found.append(place..<end)
                place = end
            } else if let range = again(at: place) ?? brokenStart(before: place),
                range.lowerBound >= (found.last?.upperBound ?? 0)
            {
                found.append(range)
                place += 1
            } else {
                place += 1
            }
        }
        return found
    }

    // MARK: - Words and their kinds

    /// Whether the word is of these kinds; a word beside quotation marks is of none.
    func has(_ place: Int, _ kinds: RestartKinds) -> Bool {
        marks.indices.contains(place) && marks[place].kinds.contains(kinds)
    }

    func hasAny(_ place: Int, _ kinds: RestartKinds) -> Bool {
        marks.indices.contains(place) && !marks[place].kinds.isDisjoint(with: kinds)
    }

    /// The hash of the word in lower case; the base is that of "I" in "I'm". 0 behind the end, and for quoted words.
    func key(_ place: Int) -> UInt32 { marks.indices.contains(place) ? marks[place].key : 0 }
    func base(_ place: Int) -> UInt32 { marks.indices.contains(place) ? marks[place].base : 0 }

    /// Both words, for a look at a list of pairs.
    private func pair(_ place: Int) -> [String] {
        words.indices.contains(place) && words.indices.contains(place + 1)
            ? [words[place].key, words[place + 1].key] : []
    }

    /// There is no mark between the words of the range and the one behind it.
    func isBare(_ range: Range<Int>) -> Bool {
        range.upperBound < words.count && marks[range].allSatisfy(\.isBare) && marks[range.upperBound].isPlain
    }

    func isContracted(_ place: Int) -> Bool { base(place) != key(place) }
    func isSubject(_ place: Int) -> Bool { has(place, .subject) }
    func isAnySubject(_ place: Int) -> Bool { hasAny(place, [.subject, .otherSubject]) }
    func isAuxiliary(_ place: Int) -> Bool { has(place, .auxiliary) }
    func isArticle(_ place: Int) -> Bool { has(place, .article) }
    func isNegated(_ place: Int) -> Bool { has(place, .negated) }
    func isQuestion(_ place: Int) -> Bool { has(place, .question) }

    /// Forms of one verb, or verbs in place of each other.
    private func isKin(_ one: Int, _ other: Int) -> Bool {
        [RestartKinds.being, .doing, .modal].contains { has(one, $0) && has(other, $0) }
    }

    /// A sentence may begin here: at the start, or behind "and", "so".
    func begins(_ place: Int) -> Bool {
        place == sentence || (words[place - 1].trail.isEmpty && has(place - 1, .joint))
    }

    // MARK: - Within a sentence

    /// The first word that stays, where what begins at `place` was given up.
    private func end(ofStartAt place: Int) -> Int? {
        guard marks[place].isPlain else { return nil }
        if let end = twoJoints(place) ?? twoArticles(place) ?? twoPrepositions(place) { return end }
        if let end = sameSubject(place) ?? otherSubject(place) ?? subjectAndVerb(place) { return end }
        if let end = twoVerbs(place) ?? twoQuestions(place) ?? twoOrders(place) { return end }
        if let end = otherDay(place) ?? otherOfOneKind(place) ?? addition(place) { return end }
        if let end = adjectiveAgain(place) ?? orderAgain(place) ?? openings(place) { return end }
        if let end = subjectAgain(place) { return end }
        return instead(place)
    }

    /// "So I so we went", "and there's and there are".
    private func twoJoints(_ place: Int) -> Int? {
        if place == sentence, isAnySubject(place + 2), isBare(place..<(place + 2)),
            data.jointPairs.contains(pair(place))
        {
            return place + 1
        }
        guard place == sentence, has(place, .joint), isAnySubject(place + 1),
            let again = [place + 2, place + 3].first(where: { key($0) == key(place) }),
            again == place + 2 || isAuxiliary(place + 2), isBare(place..<again), !isTail(again)
        else { return nil }
        // "And you and I", "and she and her sister".
        return base(again + 1) == base(place + 1) || isSubject(place + 1) && isSubject(again + 1)
            ? again : nil
    }

    /// "Find the my keys", but not "the ITS rules".
    private func twoArticles(_ place: Int) -> Int? {
        guard isArticle(place), has(place + 1, .articleAgain), key(place) != key(place + 1),
            !isLetter(place), words[place].isAllCapitals || !words[place + 1].isAllCapitals,
            marks[place].isBare || words[place].trail == "," && !has(place, .possessive),
            marks[place + 1].isBare, !has(place - 1, .letterName), !isTail(place + 1),
            !isSpelled(place + 1), !isGrade(place + 1), !data.articlePairs.contains(pair(place))
        else { return nil }
        return place + 1
    }

    /// "The A, the B".
    private func isLetter(_ place: Int) -> Bool {
        words[place].core.count == 1 && isArticle(place - 1) && !marks[place].isBare
    }

    /// "An A on the exam" has a letter behind its article, and so has "an a on".
    private func isGrade(_ place: Int) -> Bool {
        guard words[place].core.count == 1 else { return false }
        return words[place].isCapitalized || has(place + 1, .preposition) || has(place + 1, .list)
    }

    /// The "a" of "the a p i" is a letter, and no article.
    private func isSpelled(_ place: Int) -> Bool {
        words[place].core.count == 1 && words.indices.contains(place + 1)
            && words[place + 1].core.count == 1 && !marks[place + 1].isNumber
    }

    /// "In the on the beach".
    private func twoPrepositions(_ place: Int) -> Int? {
        guard has(place, .preposition), isArticle(place + 1),
            has(place + 2, .preposition),
            // "Add it to my to do list" has a verb behind its second "to".
            has(place + 3, .articleAgain)
                || (key(place) == key(place + 2) && !has(place, .beforeVerb)
                    && !data.compounds.contains(pair(place + 2))),
            isBare(place..<(place + 3))
        else { return nil }
        return place + 2
    }

    func isTail(_ place: Int) -> Bool { place + 1 >= words.count || marks[place].endsSentence }

    /// "It it's", "it it it's", "they're they don't".
    private func sameSubject(_ place: Int) -> Int? {
        let again = key(place) == key(place + 1) ? place + 2 : place + 1
        guard base(place) == base(again), key(place) != key(again), isBare(place..<(again + 1)),
            isContracted(place) || isContracted(again), !isTail(again)
        else { return nil }
        if isSubject(place) { return again }
        // "I know it, it's mine" has an object.
        let isClause = begins(place) || hasAny(place - 1, [.joiningThat, .supposing])
        guard isClause, isAnySubject(place) || isQuestion(place) else { return nil }
        // "Who's who in the team", "and that's that".
        return isContracted(again) || isAuxiliary(again + 1) || base(place) == base(again + 1) ? again : nil
    }

    /// "I we went", "he my father".
    private func otherSubject(_ place: Int) -> Int? {
        guard has(place, .subject), isBare(place..<(place + 2)), !isTail(place + 1),
            base(place) != base(place + 1)
        else { return nil }
        // "He's my boss" has its verb.
        if begins(place), has(place + 1, .possessive), !isContracted(place) { return place + 1 }
        // "I you he she" are words of grammar.
        let isSecond = isSubject(place + 1) || (isAnySubject(place + 1) && isContracted(place + 1))
        let isListed = isAnySubject(place - 1) || isAnySubject(place + 2) || isAnySubject(place - 2)
        // "My wife and I, we went".
        if place > sentence + 1, has(place - 1, .list) { return nil }
        // "Where is he? I do not see him", without its marks, and "come, said he, I will tell you".
        guard isSecond, !isListed, !isAuxiliary(place - 1), !has(place - 1, .comparing),
            !has(place - 1, .aside)
        else {
            return nil
        }
        return place + 1
    }

    /// "I was I am", "it's we have".
    private func subjectAndVerb(_ place: Int) -> Int? {
        guard isAnySubject(place), begins(place) else { return nil }
        let next = isContracted(place) ? place + 1 : place + 2
        if let end = retrace(place) { return end }
        guard isContracted(place) || isAuxiliary(place + 1), isBare(place..<next), !isTail(next) else {
            return nil
        }
        if isAuxiliary(next), isAnySubject(next + 1), !isTail(next + 1), !isTail(min(next + 2, words.count)) {
            // "I was do I have"; "you can't can you" asks.
            guard !isContracted(place), !isNegated(place + 1), key(place + 1) != key(next) else { return nil }
            // "We will have it", "they should do that".
            return has(next, .plainVerb) && !has(place + 1, .being) ? nil : next
        }
        let isSame = base(place) == base(next)
        guard isSubject(next) || isContracted(next) && isAnySubject(next) || isSame && isAuxiliary(next + 1)
        else {
            return nil
        }
        // "It was, I think, a mistake"; "it is they who know"; "I did, he didn't".
        guard words[next].trail.isEmpty, !has(next + 1, .aside),
            !isQuestion(next + 1),
            !has(next + 1, .joiningThat)
        else { return nil }
        // "I do I want it for a day", "I am that's fine", "you can't I'm out" answer, and then say something else.
        let isAnswer = !isContracted(place) && has(place + 1, .answering)
        let isRepeated = isSame && (isAuxiliary(next + 1) || isContraction(next, of: place + 1))
        if isAnswer, !isKin(place + 1, next + 1), !isRepeated { return nil }
        return isSame || !(isAuxiliary(next + 1) && isTail(next + 1)) ? next : nil
    }

    /// "It is it's": the verb is in both.
    private func isContraction(_ place: Int, of verb: Int) -> Bool {
        guard isContracted(place), !has(verb, .doing), let end = words[place].key.split(separator: "'").last
        else {
            return false
        }
        return words[verb].key.hasSuffix(end)
    }

    /// "I'd like I would like", "I was going to I wanted to": the same subject, and the word before it once
    /// more.
    private func retrace(_ place: Int) -> Int? {
        guard isSubject(place), isContracted(place) || isAuxiliary(place + 1),
            let next = ((place + 2)...(place + 4)).first(where: { base($0) == base(place) }),
            isBare(place..<next),
            !has(next - 1, .aside), !isTail(next),
            // "I don't want to I have to do it" says both.
            !(place..<next).contains(where: isNegated) || (next..<(next + 3)).contains(where: isNegated),
            key(next - 1) == key(next + 1) || key(next - 1) == key(next + 2)
        else { return nil }
        return next
    }

    /// "The call is was cancelled", "we can could go"; "did do I".
    private func twoVerbs(_ place: Int) -> Int? {
        guard isAuxiliary(place), isAuxiliary(place + 1), key(place) != key(place + 1),
            isBare(place..<(place + 2)), !isTail(place + 1),
            !data.auxiliaryPairs.contains(pair(place)),
            // "I did do that" insists; "did do I" does not.
            place == sentence || !has(place, .doing) || !has(place + 1, .plainVerb),
            !isNegated(place) || isNegated(place + 1),
            // "At 10 am is fine."
            place == sentence || !words[place - 1].hasDigits && !marks[place - 1].isNumber
        else { return nil }
        if place == sentence { return isAnySubject(place + 2) && !isTail(place + 2) ? place + 1 : nil }
        guard isKin(place, place + 1),
            // "What it is was clear to me."
            !words[sentence..<place].contains(where: {
                $0.kinds.contains(.question) || $0.kinds.contains(.conjunction)
                    || $0.restarts.contains(.otherSubject)
            })
        else { return nil }
        return place + 1
    }

    /// "Can I can you", "what is what's".
    private func twoQuestions(_ place: Int) -> Int? {
        guard begins(place), isBare(place..<min(place + 3, words.count)) else { return nil }
        let isOther = key(place) != key(place + 2) || key(place + 1) != key(place + 3)
        if isAuxiliary(place), isAnySubject(place + 1), isAuxiliary(place + 2), isAnySubject(place + 3),
            isOther,
            // "Can you do that", but "do I do we have".
            !has(place + 2, .plainVerb) || (key(place) == key(place + 2) && isSubject(place + 3)),
            !isTail(place + 3)
        {
            return place + 2
        }
        guard isQuestion(place), !isContracted(place), isAuxiliary(place + 1), isQuestion(place + 2),
            base(place) == base(place + 2), isContracted(place + 2), !isTail(place + 2)
        else { return nil }
        return place + 2
    }

    /// "Set change the temperature", "turn off turn on the fan".
    private func twoOrders(_ place: Int) -> Int? {
        if place == sentence, has(place, .orderPair), key(place) == key(place + 2),
            isBare(place..<(place + 3)),
            data.orderPairs.contains(pair(place)), data.orderPairs.contains(pair(place + 2)),
            !isTail(place + 3)
        {
            return place + 2
        }
        guard place == sentence, has(place, .order) || has(place, .orderNoun),
            !has(place, .openOrder), key(place) != key(place + 1), isBare(place..<(place + 2))
        else { return nil }
        return isOrder(place + 1) ? place + 1 : nil
    }

    // MARK: - A sentence within a sentence

    /// An order that has what it needs: "add the", "tell me", "turn off".
    private func isOrder(_ place: Int) -> Bool {
        guard words.indices.contains(place), words[place].trail.isEmpty, !isTail(place) else { return false }
        guard hasAny(place, [.order, .orderNoun, .orderPair]) else { return false }
        if has(place, .orderPair), data.orderPairs.contains(pair(place)) { return true }
        guard has(place, .order) || has(place, .orderNoun) else { return false }
        if has(place + 1, .object) { return true }
        let isClear = has(place, .order) || (place > sentence && key(place) == key(sentence))
        return isClear && has(place + 1, .articleAgain)
    }

    /// A sentence begins at `place`, although the word before it expects something else.
    private func brokenStart(before place: Int) -> Range<Int>? {
        guard place > sentence, marks[place - 1].isBare,
            marks[place].isPlain,
            !isTail(place)
        else { return nil }
        let isWanting = isArticle(place - 1)
        let isLeading =
            has(place - 1, .preposition) && !has(place - 1, .list)
            && (has(sentence, .order) || has(sentence, .orderNoun))
        if isWantedAgain(place) { return givenUp(before: place, longest: Restarts.longestWish) }
        // "Cancel my cancel all alarms"; but "cancel the cancel button" and "add the add on" name things.
        let isOrdered =
            hasAny(place + 1, [.articleAgain, .object, .quantity])
            || words[place + 1].isNumber || words[place + 1].kinds.contains(.proper)
        let isSame = has(place, .order) && key(place) == key(sentence) && isOrdered
        guard isWanting ? isSentence(place) || isSame : isLeading && isOrder(place) else { return nil }
        return givenUp(before: place, longest: Restarts.longestStart)
    }

    /// "I want to I'd like to", but not "I want to I really do".
    private func isWantedAgain(_ place: Int) -> Bool {
        guard has(place - 1, .beforeVerb), isSubject(place), base(place) == base(sentence) else {
            return false
        }
        // "I don't want to I have to do it" says both.
        return !(sentence..<place).contains(where: isNegated)
            && ((place + 1)...(place + 3)).contains { key($0) == key(place - 1) }
    }

    /// The words to remove of a sentence that was given up after its beginning.
    private func givenUp(before place: Int, longest: Int) -> Range<Int>? {
        var start = place
        while start > sentence, place - start <= longest {
            if start < place, has(start - 1, .joint) { return start..<place }
            guard marks[start - 1].isBare else { return nil }
            start -= 1
        }
        return start == sentence && place - start <= longest ? start..<place : nil
    }

    /// Whether a sentence begins, which cannot follow an article: "I want", "what is", "can you", "remind me".
    private func isSentence(_ place: Int) -> Bool {
        if has(place - 2, .letterName) { return false }
        let isSame = base(place) == base(sentence)
        if isSubject(place) || (isSame && isAnySubject(place)) {
            return isContracted(place) || isAuxiliary(place + 1) || (isSame && isSubject(place))
        }
        if isQuestion(place) {
            // "The how do you say last straw".
            if data.asides.contains(words[place...].prefix(4).map(\.key)) { return false }
            return isContracted(place) || (isAuxiliary(place + 1) && !isTail(place + 1))
        }
        if isAuxiliary(place) {
            return isAnySubject(place + 1) && !isContracted(place + 1) && !isTail(place + 1)
        }
        return !has(place, .thing) && isOrder(place)
    }
}
