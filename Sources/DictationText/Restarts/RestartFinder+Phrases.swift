/// Phrases that are said again with another word, and not whole sentences.
extension RestartFinder {
    /// "On Monday on Tuesday"; "from Monday to Friday to Sunday" is none.
    func otherDay(_ place: Int) -> Int? {
        guard has(place, .preposition), key(place) == key(place + 2),
            isBare(place..<(place + 3)),
            let one = language.tables.series[words[place + 1].key], place + 3 < words.count,
            one == language.tables.series[words[place + 3].key], one <= Language.datedSeries,
            // "On Monday on Tuesday and on Friday".
            key(place + 4) != key(place), !has(place + 4, .list) || key(place + 5) != key(place),
            place == sentence || key(place - 1) != key(place)
        else { return nil }
        return isRange(place) ? nil : place + 2
    }

    /// In an order: "the red the blue one", "to Bob to Alice", "at five at six".
    func otherOfOneKind(_ place: Int) -> Int? {
        guard isArticle(place) || has(place, .preposition), isInOrder(place), place + 1 < words.count
        else { return nil }
        // "Five to six", "two by four".
        let isNumber = marks[place + 1].isNumber && has(place, .preposition) && !has(place, .list)
        let next = isNumber ? endOfNumber(place + 1) : place + 2
        guard key(next) == key(place), next + 1 < words.count, isBare(place..<(next + 1)),
            isNumber ? marks[next + 1].isNumber : isSibling(place + 1, next + 1)
        else { return nil }
        // "Tell my mother my father is here", "at five at six and at seven".
        let end = isNumber ? endOfNumber(next + 1) : next + 2
        let isListed =
            key(end) == key(place) || has(end, .list) || words[place + 1].key == words[next + 1].key
        // "Add the red the green I do not need".
        if isAnySubject(end) || isAuxiliary(end) { return nil }
        let isGiven = isArticle(place) && has(place - 1, .givingOrder) && has(place + 1, .person)
        return isListed || isGiven || isRange(place) ? nil : next
    }

    /// "From Monday to Friday to Sunday".
    private func isRange(_ place: Int) -> Bool { words[sentence..<place].contains { $0.key == "from" } }

    /// The words are of one series, but not of that of places, which may be in one another.
    private func isSibling(_ one: Int, _ other: Int) -> Bool {
        guard let series = language.tables.series[words[one].key] else { return false }
        return series == language.tables.series[words[other].key] && series != Language.placeSeries
    }

    private func endOfNumber(_ place: Int) -> Int {
        marks[place...].firstIndex { !$0.isNumber } ?? words.count
    }

    func isInOrder(_ place: Int) -> Bool { Restarts.isOrder(marks[sentence..<place].lazy.map(\.kinds)) }

    /// "The report, the quarterly report", "two tickets three tickets": the same again, said better.
    func addition(_ place: Int) -> Int? {
        guard isArticle(place) || marks[place].isNumber, place + 3 < words.count else { return nil }
        let head = words[place + 1]
        let again = place + 2
        guard isBare(place..<again), head.kinds.subtracting(.hints).isEmpty, !head.isNumber,
            head.core.count > 2,
            marks[place].isNumber == marks[again].isNumber,
            key(again) != key(place) || !marks[place].isNumber,
            marks[place].isNumber || has(again, .articleAgain),
            !marks[place].isNumber || place == 0 || !marks[place - 1].isNumber
        else { return nil }
        let reach = min(words.count, again + 2 + Restarts.longestAddition)
        guard let same = ((again + 1)..<reach).first(where: { key($0) == key(place + 1) }) else { return nil }
        // "When you use an object the whole object is moved": the second one is the subject of a clause.
        let isOpened =
            place - sentence > 1
            && (words[sentence].kinds.contains(.preposition)
                || words[max(sentence, place - Repetitions.longestClause)..<(place - 1)].contains {
                    !$0.kinds.isDisjoint(with: [.conjunction, .question])
                })
        if isOpened, isAuxiliary(same + 1) || isAuxiliary(same + 2) { return nil }
        // "One step two steps three steps".
        let isListed =
            marks[place].isNumber
            && ((same + 1 < words.count && marks[same + 1].isNumber)
                || (place > 1 && marks[place - 2].isNumber))
        if isListed { return nil }
        let seam = NounSeam(
            words: words, first: place, second: again, end: same + 1, language: language)
        if same == again + 1, !marks[place].isNumber, same + 1 < words.count,
            seam.isBeforeVerb(words[same + 1])
        {
            return nil
        }
        let between = words[(again + 1)..<same]
        guard isBare(again..<same),
            between.allSatisfy({ $0.kinds.subtracting(.hints).isEmpty && !$0.isNumber })
        else { return nil }
        return again
    }
}
