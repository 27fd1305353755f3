import DictationText

/// Finds what somebody may have meant.
public enum NearestName {
    /// For a message: the name that was meant, if one is near enough, and those that there are.
    public static func hint(for name: String, among known: [String]) -> String {
        let list = known.joined(separator: ", ")
        guard let nearest = nearest(to: name, among: known) else { return "; there are \(list)" }
        return "; “\(nearest)” is meant? There are \(list)"
    }

    /// The known name with the fewest edits, unless more than a third of it would change.
    static func nearest(to name: String, among known: [String]) -> String? {
        let best = known.map { (name: $0, edits: EditDistance.between(name.lowercased(), $0.lowercased())) }
            .min { $0.edits < $1.edits }
        guard let best, best.edits <= max(1, best.name.count / 3) else { return nil }
        return best.name
    }
}
