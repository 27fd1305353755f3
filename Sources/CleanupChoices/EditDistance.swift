/// How many letters have to be added, taken away or changed to make one word of another (Levenshtein's distance).
public enum EditDistance {
    public static func between(_ first: some StringProtocol, _ second: some StringProtocol) -> Int {
        let second = Array(second)
        var row = Array(0...second.count)
        for (index, character) in first.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in second.indices {
                let substituted = diagonal + (character == second[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(substituted, diagonal + 1, row[column] + 1)
            }
        }
        return row[second.count]
    }
}
