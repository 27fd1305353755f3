/// "The king, I mean the prince, rode off", "the meeting, um, starts": two commas set the words off that are removed, and go
/// with them. A comma that the rest needs stays.
extension Draft {
    /// How far the next comma of a list may be, in words.
    private static let longestItem = 4
    /// How far an introduction reaches, in words.
    private static let longestIntroduction = 12

    /// Removes the second of the two commas around a correction: the first one is among the removed words.
    ///
    /// - Parameter removed: what was corrected, with its edit term; not removed yet.
    mutating func removeClosingComma(behind removed: Range<Int>, rule: CleaningRule) {
        guard words[removed].contains(where: \.hasComma) else { return }
        // The repair is about as long as what it replaces.
        let reach = min(removed.upperBound + removed.count, words.count)
        guard let place = (removed.upperBound..<reach).first(where: { !words[$0].trail.isEmpty }),
            words[place].trail == ",",
            joinsObject(behind: place) || !needsComma(behind: place, before: place + 1, apartFrom: removed)
        else { return }
        change(at: place, rule: rule) { $0.removeComma() }
    }

    /// "Tell Anja that I'm late": in a command, "that" and its subject are the message, and never have a
    /// comma before them.
    private func joinsObject(behind place: Int) -> Bool {
        guard place + 2 < words.count, words[place + 1].restarts.contains(.joiningThat),
            words[place + 1].trail.isEmpty, words[place + 2].kinds.contains(.subject),
            let beginning = (max(0, place - Self.longestIntroduction)...place).last(where: {
                beginsSentence(at: $0)
            })
        else { return false }
        return !words[beginning].restarts.isDisjoint(with: [.order, .orderNoun])
    }

    /// - Parameters:
    ///   - place: the word with the comma.
    ///   - next: the word that will follow it.
    ///   - removed: these words do not count.
    func needsComma(behind place: Int, before next: Int, apartFrom removed: Range<Int>) -> Bool {
        guard place >= 0, !words[place].isSilent, words.indices.contains(next),
            !words[next].kinds.contains(.hesitation)
        else {
            return true
        }
        // "Yes, we can", "… and we left": a clause may begin there, and "yes" may end one.
        if !words[next].kinds.isDisjoint(with: [.subject, .conjunction, .question]) { return true }
        // Spanish "esto, eh, no está bien".
        if words[next].kinds.contains(.opener), !words[next].kinds.contains(.denying) { return true }
        if !words[place].kinds.isDisjoint(with: [.opener, .meantTwice]) { return true }
        // "May 1st, 2025".
        if words[place].isNumber, words[next].isNumber { return true }
        let nearest = max(0, place - Self.longestIntroduction)
        guard let beginning = (nearest...place).last(where: { beginsSentence(at: $0) }) else {
            return isListed(place, next, nearest, removed)
        }
        // "In the morning, call Bob", "if you come, bring bread", "Bob, can you".
        if !words[beginning].kinds.isDisjoint(with: [.preposition, .conjunction]) { return true }
        if place <= beginning + 1, words[place].kinds.contains(.proper) || words[place].isCapitalized,
            words[next].kinds.contains(.auxiliary)
        {
            return true
        }
        return isListed(place, next, beginning, removed)
    }

    /// "Give me, um, the salt", "Tell, uh, Marco", "the patient, uh, fell": nobody writes a comma within a phrase.
    ///
    /// - Parameters:
    ///   - place: the word before what hesitates.
    ///   - next: the word behind it.
    func isWithinPhrase(_ place: Int, _ next: Int) -> Bool {
        guard place >= 0, words.indices.contains(next), words[place].trail == ",", !words[place].isSilent,
            words[next].isPlain
        else {
            return false
        }
        let behind = words[next]
        // "I think, um, we should go".
        if words[place].restarts.contains(.aside), !behind.kinds.contains(.conjunction) { return true }
        guard behind.kinds.isDisjoint(with: [.conjunction, .question, .opener]),
            behind.restarts.isDisjoint(with: [.subject, .otherSubject])
        else { return false }
        let isVerbNear = words[next...].dropFirst().prefix(Self.shortestSubject).contains {
            $0.kinds.contains(.auxiliary)
        }
        // "In, um, April", but "he came in, um, the door was open".
        if words[place].restarts.contains(.preposition) || words[place].kinds.contains(.expectsMore) {
            return !behind.restarts.contains(.article) || !isVerbNear
        }
        let nearest = max(0, place - Self.longestIntroduction)
        guard let beginning = (nearest...place).last(where: { beginsSentence(at: $0) }) else { return false }
        let first = words[beginning]
        let isOrder = Restarts.isOrder(words[beginning...place].lazy.map(\.restarts))
        // "Tell, uh, Marco", "give me, um, the salt".
        if isOrder, place == beginning || place == beginning + 1 && words[place].restarts.contains(.object) {
            return true
        }
        // "The patient, uh, fell and hit her head".
        if first.restarts.contains(.article), place > beginning, place - beginning <= Self.shortestSubject {
            return behind.kinds.contains(.auxiliary) || behind.kinds.subtracting(.hints).isEmpty
        }
        let isIntroduced = !first.kinds.isDisjoint(with: [.preposition, .conjunction, .opener])
        return behind.restarts.contains(.article) && !isVerbNear && !isIntroduced
            && !words[beginning..<place].contains(where: \.hasComma)
    }

    /// Of an article, an adjective and a noun, in words without the article.
    private static let shortestSubject = 2

    /// "Bread, milk, and eggs": another comma, or the last "and", is near.
    private func isListed(_ place: Int, _ next: Int, _ beginning: Int, _ removed: Range<Int>) -> Bool {
        let before = max(beginning, min(place, removed.lowerBound) - Self.longestItem)..<place
        if before.contains(where: { !removed.contains($0) && words[$0].hasComma }) { return true }
        for word in words[next..<min(next + Self.longestItem, words.count)] {
            if word.hasComma || word.kinds.contains(.conjunction) { return true }
            if word.endsSentence { return false }
        }
        return false
    }
}
