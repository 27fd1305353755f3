/// How many elements must be added, removed or changed to turn one sequence into another (Levenshtein's
/// distance): letters of a word, or words of a text.
public enum EditDistance {
    public static func between<Element: Equatable>(
        _ first: some Sequence<Element>, _ second: some Sequence<Element>
    ) -> Int {
        let second = Array(second)
        var row = Array(0...second.count)
        for (index, element) in first.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in second.indices {
                let substituted = diagonal + (element == second[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(substituted, diagonal + 1, row[column] + 1)
            }
        }
        return row[second.count]
    }
}
