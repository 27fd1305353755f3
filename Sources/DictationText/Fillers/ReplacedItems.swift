/// One thing of an order that is said in place of another, with nothing but a hesitation between them: "call john uh mary",
/// "set a timer for five uh six minutes". Elsewhere people hesitate within a list as well. And a word that is said again behind
/// a hesitation, though grammar may double it: "that, um, that is wrong", "die, äh, die Tür".
struct ReplacedItems {
    let words: [Word]
    let language: Language

    /// Larger numbers may go on: "twenty uh five".
    private static let numbers = 0..<20
    /// The longest order that is looked at, in words.
    private static let longestOrder = 20

    /// - Parameter hesitations: their places, in order.
    /// - Returns: the places of the words that are replaced.
    func places(before hesitations: [Int]) -> [Int] {
        var places: [Int] = []
        var first = 0
        // A row of hesitations is looked at once, so that the time stays linear.
        while first < hesitations.count {
            var last = first
            while last + 1 < hesitations.count, hesitations[last + 1] == hesitations[last] + 1 { last += 1 }
            let (item, other) = (hesitations[first] - 1, hesitations[last] + 1)
            if item >= 0, other < words.count, isReplaced(item, by: other) || isBegunAgain(item, other) {
                places.append(item)
            }
            first = last + 1
        }
        return places
    }

    private func isReplaced(_ item: Int, by other: Int) -> Bool {
        guard words[item..<other].allSatisfy({ $0.isPlain && $0.isOpen }), words[other].isPlain,
            isOfOneKind(item, other)
        else { return false }
        return isOrdered(item)
    }

    /// At the beginning of a clause, and behind a preposition, no clause ends with the first of the two.
    private func isBegunAgain(_ item: Int, _ other: Int) -> Bool {
        guard words[item].key == words[other].key,
            words[item].kinds.isSuperset(of: [.function, .meantTwice]),
            words[item..<other].allSatisfy({ $0.isPlain && $0.isOpen }), words[other].isPlain
        else { return false }
        guard item > 0 else { return true }
        let before = words[item - 1]
        return before.endsSentence || before.hasComma || before.kinds.contains(.preposition)
    }

    private func isOfOneKind(_ item: Int, _ other: Int) -> Bool {
        let neighbors = [item - 1, other + 1].filter(words.indices.contains).map { words[$0] }
        // "Call Tom, uh, Mary and Bob".
        guard !neighbors.contains(where: { $0.kinds.contains(.conjunction) }) else { return false }
        if let number = value(at: item), let again = value(at: other) {
            return Self.numbers.contains(number) && Self.numbers.contains(again)
                && !neighbors.contains(where: \.isNumber)
        }
        // A town may lie in a state: "Paris, uh, Texas".
        guard let series = language.tables.series[words[item].key],
            series == language.tables.series[words[other].key],
            series != Language.placeSeries, words[item].key != words[other].key
        else { return false }
        return !neighbors.contains { language.tables.series[$0.key] == series }
    }

    private func value(at place: Int) -> Int? {
        language.numbers.whole.small[words[place].key] ?? Int(words[place].core)
    }

    /// The item is one word of an order, or the order itself.
    private func isOrdered(_ item: Int) -> Bool {
        let near = max(0, item - Self.longestOrder)
        let end = words[near..<item].lastIndex(where: \.endsSentence)
        guard end != nil || near == 0 else { return false }
        let sentence = words[(end.map { $0 + 1 } ?? 0)...item]
        return Restarts.isOrder(sentence.lazy.map { RestartMark($0, language: language).kinds })
    }
}
