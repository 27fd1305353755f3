import COrdinaryWords

/// The words of a language that are not names: if one of them was heard, probably no name was meant.
///
/// The list is inside the program, and is searched in place; nothing is loaded.
struct OrdinaryWords: Sendable {
    /// The list of a language; nil if there is none.
    init?(of identifier: String) {
        guard identifier == "en" else { return nil }
    }

    /// - Parameter key: in lower case.
    func contains(_ key: String) -> Bool {
        let list = ordinary_words_english()
        let bytes = UnsafeBufferPointer(start: list.bytes, count: list.count)
        let wanted = Array(key.utf8)
        // Lines, in the order of their bytes.
        var (low, high) = (0, bytes.count)
        while low < high {
            var start = (low + high) / 2
            while start > low, bytes[start - 1] != Self.newline { start -= 1 }
            var end = start
            while end < high, bytes[end] != Self.newline { end += 1 }
            let line = bytes[start..<end]
            if line.elementsEqual(wanted) { return true }
            if line.lexicographicallyPrecedes(wanted) { low = end + 1 } else { high = start }
        }
        return false
    }

    private static let newline = UInt8(ascii: "\n")
}

extension Language {
    /// Whether ordinary words can be told from names.
    var knowsOrdinaryWords: Bool { OrdinaryWords(of: identifier) != nil }

    /// Whether a word is an ordinary one, and no name. Numbers and letters are.
    ///
    /// - Parameter key: of the word, as lists have it.
    func isOrdinary(_ key: String) -> Bool {
        guard let words = OrdinaryWords(of: identifier), key.count > 2 else { return true }
        if !kinds(of: key).subtracting([.proper, .sibling]).isEmpty { return true }
        return key.split(separator: "-").allSatisfy { part in
            let word = Self.withoutEnding(part)
            return word.count < 2 || word.contains(where: \.isNumber) || words.contains(word)
                || !kinds(of: word).subtracting([.proper, .sibling]).isEmpty
        }
    }

    /// "Dog" of "dog's", and "they" of "they've"; "o'farrell" has no such ending.
    private static func withoutEnding(_ key: Substring) -> String {
        guard let apostrophe = key.lastIndex(of: "'"), key.distance(from: apostrophe, to: key.endIndex) <= 3
        else { return String(key) }
        return String(key[..<apostrophe])
    }

    /// Whether it is a name that the language has anyhow: "Sarah", "Monday".
    func isKnownName(_ key: String) -> Bool { tables.properWords[key] != nil }
}
