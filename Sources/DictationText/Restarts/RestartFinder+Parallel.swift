/// A sentence that is begun again with other words behind a mark: "on Monday we'll, on Tuesday we'll meet".
extension RestartFinder {
    /// How many words later or earlier than in the first beginning its last word may come in the second one.
    private static let longestShift = 2

    /// The words before end where no clause does, and the ones behind say the last of them in its place, and go on.
    func isSaidInPlace(before place: Int) -> Bool {
        let last = place - 1
        let count = place - sentence
        if isNeverLast(last) {
            // "He's, she's coming", "chop the, peel the onions".
            let shift = count > 1 ? Self.longestShift : 0
            return (count - 1 - shift...count - 1 + shift).contains {
                $0 >= 0 && isKin(of: last, at: place + $0) && goesOn(from: place, behind: place + $0)
            }
        }
        let again = place + count - 1
        guard count > 1, words[last].trail == ",", key(last) != 0, key(last) == key(again),
            goesOn(from: place, behind: again), isContent(again + 1), !isTail(again + 1),
            // "Tom will, Anna will not come".
            !has(again + 1, .adverb), !words[again + 1].kinds.contains(.denying),
            beginAlike(sentence, place), joins(place) || marks[again + 1].isBare,
            // "I don't want to, I have to work", "I'd love to, I have to work".
            !(sentence..<place).contains(where: { isNegated($0) || has($0, .modal) && $0 < last })
        else { return false }
        if isAuxiliary(last) {
            // "I do, you do it wrong".
            return !has(last, .doing) && isSubjectAlone(sentence..<last) && isSubjectAlone(place..<again)
        }
        // "You need to, you have to restart".
        return has(last, .beforeVerb) && isAnySubject(sentence) && !isContracted(sentence)
            && base(sentence) == base(place)
    }

    /// "We'll", "the": something has to follow.
    private func isNeverLast(_ place: Int) -> Bool {
        if isContracted(place), !isNegated(place) { return isAnySubject(place) }
        // "I gave him an A" ends with a letter.
        return isArticle(place) && words[place].core.count > 1 && !isArticle(place - 1)
    }

    /// The same word, another article, or another subject with the same verb.
    private func isKin(of one: Int, at other: Int) -> Bool {
        guard key(other) != 0 else { return false }
        if key(one) == key(other) || isArticle(one) && isArticle(other) { return true }
        guard isContracted(one), isContracted(other), isAnySubject(other) else { return false }
        return words[one].key.split(separator: "'").last == words[other].key.split(separator: "'").last
    }

    /// The second beginning has no mark in it, and does not end there.
    private func goesOn(from place: Int, behind again: Int) -> Bool {
        again + 1 < words.count && marks[place...again].allSatisfy(\.isBare) && marks[again + 1].isPlain
    }

    /// Both begin with a joint, or none does: "if I can, you can do it" is a sentence.
    private func beginAlike(_ one: Int, _ other: Int) -> Bool { joins(one) == joins(other) }

    private func joins(_ place: Int) -> Bool {
        isQuestion(place) || words[place].kinds.contains(.conjunction)
            || hasAny(place, [.joint, .comparing, .list])
    }

    /// "Sarah", "the file", "when the file": nothing but the subject, so that its verb is not the end of what was said.
    private func isSubjectAlone(_ range: Range<Int>) -> Bool {
        !range.isEmpty
            && range.allSatisfy { place in
                !isAuxiliary(place) && !has(place, .beforeVerb) && !isContracted(place)
                    && !(has(place, .joint) && place > range.lowerBound)
            }
    }
}
