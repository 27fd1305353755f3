/// Finds what somebody may have meant.
enum NearestName {
    /// For a message: the name that was meant, if one is near enough, and those that there are.
    static func hint(for name: String, among known: [String]) -> String {
        let list = known.joined(separator: ", ")
        guard let nearest = nearest(to: name, among: known) else { return "; there are \(list)" }
        return "; “\(nearest)” is meant? There are \(list)"
    }

    /// The known name with the fewest edits, unless more than a third of it would change.
    static func nearest(to name: String, among known: [String]) -> String? {
        let best = known.map { (name: $0, edits: edits(from: name, to: $0)) }.min { $0.edits < $1.edits }
        guard let best, best.edits <= max(1, best.name.count / 3) else { return nil }
        return best.name
    }

    /// Levenshtein's distance.
    private static func edits(from first: String, to second: String) -> Int {
        let second = Array(second.lowercased())
        var row = Array(0...second.count)
        for (index, character) in first.lowercased().enumerated() {
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
