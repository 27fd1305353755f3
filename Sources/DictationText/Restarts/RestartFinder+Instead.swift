/// One thing that was said in place of another, without an edit term: only where a sentence has no place for both.
extension RestartFinder {
    /// Where the thing that stays begins.
    func instead(_ place: Int) -> Int? {
        otherNoun(place) ?? nounWithAdjective(place) ?? otherVerb(place) ?? politeOrder(place)
    }

    /// What goes before the word.
    func questionInstead(before place: Int) -> Range<Int>? {
        guard place > sentence, place - sentence <= Restarts.longestStart, has(place - 1, .beforeVerb),
            isAuxiliary(place), isAnySubject(place + 1), !isTail(place + 1), isAuxiliary(sentence),
            key(sentence + 1) == key(place + 1), isBare(sentence..<place)
        else { return nil }
        // "Is it going to will it rain".
        return sentence..<place
    }

    /// "Open the settings the preferences", "when does the store the pharmacy open". "Play the song the band wrote" has a
    /// clause in it, "give the dog the bone" has two objects, and "is the store the pharmacy" asks.
    private func otherNoun(_ place: Int) -> Int? {
        guard isArticle(place), key(place + 2) == key(place), isContent(place + 1), isContent(place + 3),
            key(place + 1) != key(place + 3), isBare(place..<(place + 3)), place > sentence,
            // "Pause the resume the music" has another order, and no other noun.
            !has(place + 1, .order)
        else { return nil }
        if hasAny(place - 1, [.doing, .modal]), isQuestion(sentence) || place - 1 == sentence {
            return marks[place + 3].isBare && isContent(place + 4) ? place + 2 : nil
        }
        let verb = has(place - 2, .orderPair) ? place - 2 : place - 1
        guard verb == sentence, hasAny(verb, [.order, .orderNoun, .orderPair]), !has(verb, .givingOrder),
            !language.restarts.listOrders.contains(words[verb].key)
        else { return nil }
        return isTail(place + 3) || has(place + 4, .preposition) && !has(place + 4, .list) ? place + 2 : nil
    }

    /// "A good restaurant a cheap restaurant", in an order.
    private func nounWithAdjective(_ place: Int) -> Int? {
        guard isArticle(place), isInOrder(place), key(place + 3) == key(place), isContent(place + 2),
            key(place + 5) == key(place + 2),
            // "Call the dentist call the bank call Grandma".
            key(place + 2) != key(sentence), key(place + 1) != key(place + 4), !has(place + 1, .article),
            isBare(place..<(place + 5)), !has(place + 6, .list), key(place + 6) != key(place)
        else { return nil }
        return place + 3
    }

    /// "Tell dad I am I will be late".
    private func otherVerb(_ place: Int) -> Int? {
        guard has(place, .subject), key(place) == key(place + 2), isAuxiliary(place + 1),
            isAuxiliary(place + 3),
            key(place + 1) != key(place + 3), !isTail(place + 3), isBare(place..<(place + 3)),
            isInOrder(place),
            !has(place - 1, .question)
        else { return nil }
        return place + 2
    }

    /// "Please call please text my brother".
    private func politeOrder(_ place: Int) -> Int? {
        guard place == sentence, has(place, .openOrder), key(place) == key(place + 2),
            isBare(place..<(place + 2)),
            hasAny(place + 1, [.order, .orderNoun]), hasAny(place + 3, [.order, .orderNoun])
        else { return nil }
        return place + 2
    }
}
