import DictationText

/// The change of an inserted text into another one: the part that is removed from its end, and the place from
/// which the new one is typed. A pure value.
struct TextRevision: Equatable, Sendable {
    /// The dictation's new text.
    let text: String
    /// How many characters of it are there already.
    let kept: Int
    /// As it was typed, with the space after it.
    let removed: String
    /// Whether the insertion is removed completely.
    let isRemoval: Bool

    /// - Parameter cleaned: the dictation's text, which was typed to its end.
    init(
        of insertion: LastInsertion, cleaned: String,
        by edit: (String) throws(TextEdit.Refusal) -> String
    ) throws(TextEdit.Refusal) {
        let old = cleaned.dropFirst(insertion.countBefore)
        let new = try edit(String(old))
        let common = zip(old, new).prefix { $0 == $1 }.count
        text = cleaned.prefix(insertion.countBefore) + new
        kept = insertion.countBefore + common
        removed = String(insertion.text.dropFirst(insertion.leadCount + common))
        isRemoval = new.isEmpty
    }
}
