/// The name of a mark that is a verb as well: Spanish "coma", which means "eat", after "que" and "cuando".
/// Such a word belongs to the next clause, so speakers hardly ever pause after it, except before a
/// parenthesis.
struct NamedVerbs {
    let neighbors: PunctuationWords.Neighbors
    let language: Language

    /// The most words between the conjunction and the verb that belong to it: "que no se coma".
    private static let mostPasses = 2
    /// The longest subject: "que el niño coma bien".
    private static let longestSubject = 2
    /// The longest parenthesis: "que, si llueve, no viene".
    private static let longestParenthesis = 12

    func isVerb(_ name: Range<Int>, in words: [Word]) -> Bool {
        guard !neighbors.verbAfter.isEmpty else { return false }
        let next =
            name.upperBound < words.count && words[name.upperBound - 1].trail.isEmpty
            ? words[name.upperBound] : nil
        if let next, opensParenthesis(next), isNamedAgain(behind: name, in: words) { return false }
        var place = name.lowerBound - 1
        while place >= 0, name.lowerBound - 1 - place < Self.mostPasses, words[place].trail.isEmpty,
            neighbors.verbPasses.contains(words[place].key)
        {
            place -= 1
        }
        if isConjunction(place, in: words) {
            // "Creo que no, pero".
            return place == name.lowerBound - 1 || next?.kinds.contains(.conjunction) != true
        }
        guard let next, neighbors.verbBefore.contains(next.key) else { return false }
        // "No coma tanto".
        if place < 0 || !words[place].trail.isEmpty, name.lowerBound - place == 2,
            words[name.lowerBound - 1].kinds.contains(.denying)
        {
            return true
        }
        let subject = max(0, name.lowerBound - 1 - Self.longestSubject)..<name.lowerBound
        return subject.contains { place in
            let between = (place + 1)..<name.lowerBound
            return isConjunction(place, in: words) && !between.isEmpty
                && between.allSatisfy { words[$0].trail.isEmpty && !words[$0].kinds.contains(.opener) }
        }
    }

    private func isConjunction(_ place: Int, in words: [Word]) -> Bool {
        guard place >= 0, words[place].trail.isEmpty, neighbors.verbAfter.contains(words[place].key) else {
            return false
        }
        return place == 0 || !neighbors.notVerbAfter.contains(words[place - 1].key)
    }

    private func opensParenthesis(_ word: Word) -> Bool {
        !word.kinds.isDisjoint(with: [.conjunction, .preposition])
            || language.punctuation.introductions.contains(word.key)
    }

    private func isNamedAgain(behind name: Range<Int>, in words: [Word]) -> Bool {
        let end = min(words.count, name.upperBound + Self.longestParenthesis)
        return words[name.upperBound..<end].contains { $0.key == words[name.lowerBound].key }
    }
}
