/// One thing of an order that is said in place of another, with nothing but a hesitation between them: "call john uh mary",
/// "set a timer for five uh six minutes". Elsewhere people hesitate within a list as well.
struct ReplacedItems {
    let words: [Word]
    let language: Language

    /// Larger numbers may go on: "twenty uh five".
    private static let numbers = 0..<20
    /// The longest order that is looked at, in words.
    private static let longestOrder = 20

    /// The place of the word that is replaced.
    func replaced(before hesitation: Range<Int>) -> Int? {
        let (item, other) = (hesitation.lowerBound - 1, hesitation.upperBound)
        return item >= 0 && other < words.count && isReplaced(item, by: other) ? item : nil
    }

    private func isReplaced(_ item: Int, by other: Int) -> Bool {
        guard words[item..<other].allSatisfy({ $0.isPlain && $0.isOpen }), words[other].isPlain,
            isOfOneKind(item, other)
        else { return false }
        return isOrdered(item)
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
