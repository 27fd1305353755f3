/// Words that a model repeats: a model that predicts each word from those before may come back to
/// where it was, and continues until its limit.
///
/// ```
/// "an example of fine type pi pi pi pi pi"           a loop after 5 words
/// "a little bit of a little bit of a little bit of"  a loop after none
/// "no, no, no"                                       no loop: people say that
/// ```
///
/// Speakers may repeat themselves as well, so a loop is only suspected. A pure value.
struct RepetitionLoop: Equatable {
    /// The words before the first of those that are repeated.
    let wordsBefore: Int

    /// People seldom say one word, or a phrase of two words, of three …, this often in a row; what is longer
    /// than the last one they hardly ever say twice.
    private static let suspicious = [4, 3, 3, 2]
    /// The longest phrase that is looked for: words.
    private static let longest = 12

    /// Nil if nothing comes again too often.
    init?(in text: String) {
        let words = text.split(separator: " ").map(Self.bare).filter { !$0.isEmpty }
        let first = (0..<words.count).first { start in
            (1...Self.longest).contains { length in
                let count = Self.suspicious[min(length, Self.suspicious.count) - 1]
                return Self.comesAgain(words[start...], length: length, count: count)
            }
        }
        guard let first else { return nil }
        wordsBefore = first
    }

    /// Whether these begin with a phrase of that length, repeated this often.
    private static func comesAgain(_ words: ArraySlice<String>, length: Int, count: Int) -> Bool {
        let repeated = words.prefix(length * count)
        guard repeated.count == length * count else { return false }
        return zip(repeated, repeated.dropFirst(length)).allSatisfy(==)
    }

    /// Whether another decoding of the same sound is the better one: it does not repeat itself, and has all that was
    /// said before.
    func isMended(by text: String) -> Bool {
        RepetitionLoop(in: text) == nil && text.split(separator: " ").count > wordsBefore
    }

    private static func bare(_ word: Substring) -> String {
        word.lowercased().filter { $0.isLetter || $0.isNumber }
    }
}
