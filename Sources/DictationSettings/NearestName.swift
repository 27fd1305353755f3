import CleanupChoices

/// Finds the name that was probably meant.
public enum NearestName {
    /// The end of a message about an unknown name, in one line: the name that was meant, if one is near enough, or else
    /// how to list all of them.
    ///
    /// - Parameter list: the command or document that lists them all.
    public static func hint(for name: String, among known: [String], list: String) -> String {
        nearest(to: name, among: known).map { "; did you mean “\($0)”?" } ?? "; to list them: \(list)"
    }

    /// The known name with the fewest edits, unless more than a third of it would change. Of full names, such as
    /// `overlay.theme`, the part after the section is enough.
    static func nearest(to name: String, among known: [String]) -> String? {
        let wanted = name.lowercased()
        let best = known.map { full in
            let key = full.split(separator: ".").last.map(String.init) ?? full
            let spelled = wanted.contains(".") ? [full] : [full, key]
            return spelled.map {
                (name: full, part: $0, edits: EditDistance.between(wanted, $0.lowercased()))
            }
            .min { $0.edits < $1.edits }
        }
        .compactMap { $0 }.min { $0.edits < $1.edits }
        guard let best, best.edits <= max(1, best.part.count / 3) else { return nil }
        return best.name
    }
}
