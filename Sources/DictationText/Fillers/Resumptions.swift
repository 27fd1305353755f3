import SelfCorrection

/// What is said again behind a hesitation: "find out um find out how", "my water, uh, water bill", "read the um read my mail",
/// "a con um contact". A hesitation shows that the speaker went back, so that more counts as said again than without one. Every
/// word of meaning that goes is said again.
struct Resumptions {
    let words: [Word]
    let language: Language

    /// The most words that are said again.
    private static let longest = 8
    /// The most words between what breaks off and the word that is said again: "pay off my um pay".
    private static let longestBreak = 4

    // MARK: - The interruption

    /// A hesitation with the "oh" and the "yeah" beside it, which belong to it where a word before it wants another one, or
    /// where what follows is said again.
    func interruption(_ hesitation: Range<Int>) -> Range<Int> {
        var (start, end) = (hesitation.lowerBound, hesitation.upperBound)
        while start > 0, isInterjection(start - 1) { start -= 1 }
        while end < words.count, isInterjection(end) || words[end].kinds.contains(.hesitation) { end += 1 }
        return start..<end
    }

    private func isInterjection(_ place: Int) -> Bool {
        words[place].restarts.contains(.interjection) && words[place].isPlain && words[place].isOpen
    }

    /// "Make a tweet to um yeah the group": the word before it is no end, so that nothing is answered there.
    func isAside(_ interruption: Range<Int>) -> Bool {
        guard interruption.lowerBound > 0, interruption.upperBound < words.count else { return false }
        let before = words[interruption.lowerBound - 1]
        // "On oh seven".
        return before.isPlain && before.isOpen && before.kinds.contains(.expectsMore)
            && !words[interruption.upperBound].isNumber
    }

    // MARK: - What is said again

    /// Where the words before the interruption begin that go with it; nil if they stay.
    func start(before interruption: Range<Int>) -> Int? {
        let (end, next) = (interruption.lowerBound, interruption.upperBound)
        guard end > 0, next < words.count, words[next].isPlain, words[end - 1].isPlain, words[end - 1].isOpen
        else { return nil }
        var nearest = end - 1
        while nearest > 0, end - nearest < Self.longest, words[nearest - 1].isPlain, words[nearest - 1].isOpen
        {
            nearest -= 1
        }
        let begins = nearest == 0 || words[nearest - 1].endsSentence
        let again = (nearest..<end).first {
            isSaidAgain($0..<end, at: next, from: nearest, begins: begins && $0 == nearest)
        }
        if let again { return withArticle(again, before: next) }
        return brokenOff(before: end, next, nearest) ?? beginning(before: end, of: next)
    }

    /// The same words in the same order, perhaps with others between them: "the status uh shipping status".
    ///
    /// - Parameters:
    ///   - nearest: the beginning of the sentence, as far as it is looked at.
    ///   - begins: the phrase is all of it.
    private func isSaidAgain(_ phrase: Range<Int>, at next: Int, from nearest: Int, begins: Bool) -> Bool {
        let limit = phrase.count == 1 || begins ? phrase.count + 1 : phrase.count
        var (place, added) = (next, 0)
        for index in phrase {
            while place < words.count, words[place].hash != words[index].hash {
                let mayStandHere =
                    index > phrase.lowerBound || isBeforeNoun(place)
                    || begins && words[place].restarts.contains(.openOrder)
                guard added < limit, mayStandHere, words[place].isPlain, words[place].isOpen,
                    !isFurther(words[place]), begins || !words[place].isNumber
                else { return false }
                (place, added) = (place + 1, added + 1)
            }
            guard place < words.count, words[place].isPlain,
                index == phrase.upperBound - 1 || words[place].isOpen
            else { return false }
            place += 1
        }
        // "At the store um the store is closed".
        let asks = !words[nearest].kinds.isDisjoint(with: [.question, .auxiliary])
        let goesOn = !begins && !asks && place < words.count && words[place - 1].trail.isEmpty
        if goesOn, words[place].kinds.contains(.auxiliary), isContent(phrase.upperBound - 1) { return false }
        if phrase.count == 1 { return isWordSaidAgain(phrase.lowerBound, at: next, isSame: added == 0) }
        return phrase.contains { !words[$0].isNumber } && (added == 0 || phrase.contains(where: isContent))
    }

    /// Part of a noun phrase whose noun is to come, and no "let me".
    private func isBeforeNoun(_ place: Int) -> Bool {
        !words[place].restarts.isDisjoint(with: [.article, .adjective]) || isContent(place)
    }

    /// "Pay that bill uh the water bill": the noun goes with its article where the other one has an article too.
    private func withArticle(_ start: Int, before next: Int) -> Int {
        guard start > 0, !words[start - 1].restarts.isDisjoint(with: [.articleAgain, .otherSubject]),
            words[start - 1].isPlain, words[start - 1].trail.isEmpty, words[start].hash != words[next].hash,
            words[next].restarts.contains(.article)
        else { return start }
        return start - 1
    }

    private func isWordSaidAgain(_ item: Int, at next: Int, isSame: Bool) -> Bool {
        let word = words[item]
        guard isSame else { return isContent(item) }
        if word.isNumber {
            // "6 uh 6 pieces", but not "five uh five one two".
            return (item == 0 || !words[item - 1].isNumber) && next + 1 < words.count && isContent(next + 1)
        }
        if word.kinds.contains(.meantTwice), word.restarts.isDisjoint(with: [.adjective, .openOrder]) {
            return isBegunAgain(item)
        }
        if word.kinds.contains(.pronoun) {
            // "It is up to you, um, you decide", but "available this, uh, this week".
            return word.restarts.contains(.articleAgain) && next + 1 < words.count && isContent(next + 1)
        }
        let behind = next + 1 < words.count ? words[next + 1] : nil
        return ClauseSeams(language)?.joins(at: item, in: words, next: behind) != true
    }

    /// A word that grammar may double: at the beginning of a clause, and behind a preposition, no clause ends with the first one.
    private func isBegunAgain(_ item: Int) -> Bool {
        guard words[item].kinds.contains(.function) else { return false }
        guard item > 0 else { return true }
        let before = words[item - 1]
        return before.endsSentence || before.hasComma || before.kinds.contains(.preposition)
    }

    private func isContent(_ place: Int) -> Bool {
        words[place].kinds.subtracting(.hints).isEmpty && words[place].core.utf8.count > 1
            && !words[place].isNumber
    }

    /// What makes another thing of it: "a tablet um a second tablet", "he smokes um he does not smoke here".
    private func isFurther(_ word: Word) -> Bool {
        word.kinds.contains(.denying) || word.key.hasSuffix("n't")
            || language.fillers.further.contains(word.key)
    }

    /// "Read the um read my mail": nothing ends with "the", and what follows goes back to a word before it.
    private func brokenOff(before end: Int, _ next: Int, _ nearest: Int) -> Int? {
        let (last, again) = (words[end - 1], words[next])
        guard last.restarts.contains(.article) || isPrepositionWithoutObject(end - 1, nearest),
            !again.restarts.contains(.article), again.kinds.isDisjoint(with: [.preposition, .conjunction]),
            !again.isNumber
        else { return nil }
        let start = (max(nearest, end - Self.longestBreak)..<(end - 1)).last { words[$0].hash == again.hash }
        let behind = words[next..<min(words.count, next + Self.longest)]
        return start.flatMap { start in
            (start..<end).allSatisfy { place in
                !isContent(place) || behind.contains { $0.hash == words[place].hash }
            } ? start : nil
        }
    }

    /// "Tweet on um tweet a message", but not "what is he looking at um what".
    private func isPrepositionWithoutObject(_ place: Int, _ nearest: Int) -> Bool {
        words[place].kinds.isSuperset(of: [.preposition, .expectsMore])
            && !words[nearest..<place].contains { $0.kinds.contains(.question) }
    }

    /// "A con um contact": a noun is wanted, and the one that comes begins like the broken one.
    private func beginning(before end: Int, of next: Int) -> Int? {
        let (broken, whole) = (words[end - 1], words[next])
        guard end > 1, isContent(end - 1), isContent(next), broken.restarts.isEmpty,
            !broken.isAllCapitals, broken.core.allSatisfy(\.isLetter),
            whole.key.hasPrefix(broken.key), whole.key != broken.key,
            !words[end - 2].restarts.isDisjoint(with: [.article, .adjective])
        else { return nil }
        return end - 1
    }
}
