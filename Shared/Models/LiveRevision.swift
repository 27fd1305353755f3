/// How much of a text is removed from its end, so that another one can be typed instead.
///
/// ```
/// typed              revised             removed
/// I went two         I went to the       wo
/// I went to the s    I went              ␣to the s
/// ```
///
/// Nothing is removed before a newline, and at most ``reach`` characters. If the texts differ before that,
/// the typed text stays there, and the revised text is joined to it (``LiveJoin``).
package struct LiveRevision: Equatable {
    /// Characters. Some ten words: a speaker looks at these, and expects no change farther back.
    package static let reach = 60

    /// How many characters stay.
    package let kept: Int
    package let removed: String

    /// - Parameter first: how many characters at the beginning must stay.
    package init(of typed: String, to revised: String, behind first: Int = 0) {
        let characters = Array(typed)
        let newline = characters.lastIndex(where: \.isNewline).map { $0 + 1 } ?? 0
        var earliest = min(max(first, newline, characters.count - Self.reach), characters.count)
        var kept = Self.common(characters, revised)
        if kept < earliest {
            // The part that is joined to the rest begins with a whole word.
            while earliest < characters.count, !characters[earliest].isWhitespace { earliest += 1 }
            let (first, whole) = Self.joined(characters, from: earliest, revised)
            kept = Self.common(characters, whole)
            while kept > first, !Self.isBehindWord(kept, characters) || !Self.isBehindWord(kept, whole) {
                kept -= 1
            }
            kept = max(first, kept)
        }
        self.kept = kept
        removed = String(characters[kept...])
    }

    /// The revised text, joined to the part that must stay. If that part ends in words that both texts have,
    /// none of them comes twice.
    private static func joined(
        _ characters: [Character], from earliest: Int, _ revised: String
    ) -> (first: Int, whole: [Character]) {
        var best = (first: characters.count, whole: Array(LiveJoin(String(characters), revised).text))
        var words = 0
        for place in earliest..<characters.count where words < 4 && isBehindWord(place, characters) {
            let whole = Array(LiveJoin(String(characters[..<place]), revised).text)
            if best.first == characters.count || whole.count < best.whole.count { best = (place, whole) }
            words += 1
        }
        return best
    }

    private static func isBehindWord(_ place: Int, _ text: [Character]) -> Bool {
        (place == text.count || text[place].isWhitespace) && (place == 0 || !text[place - 1].isWhitespace)
    }

    /// How many characters are the same, and not only look so.
    private static func common(_ characters: [Character], _ other: some Sequence<Character>) -> Int {
        zip(characters, other).prefix { $0.unicodeScalars.elementsEqual($1.unicodeScalars) }.count
    }
}
