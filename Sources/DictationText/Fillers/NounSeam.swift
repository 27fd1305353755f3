/// A noun that ends a clause and begins the next one: "she signed the will, the will was witnessed", "he wrote to the king the
/// king wrote back". Both are meant, and what comes behind the second one is its verb. A noun that begins the sentence, or is
/// within a question, is only said again: "the weather the weather is nice".
struct NounSeam {
    let words: [Word]
    /// Where the noun with its article begins, and where it does so again.
    let first: Int
    let second: Int
    /// Behind the second one.
    let end: Int
    let language: Language

    /// How far back the beginning of the sentence is looked for, in words.
    private static let longestSentence = 40

    /// - Parameter next: the word behind both.
    func isBeforeVerb(_ next: Word) -> Bool {
        let noun = words[end - 1]
        // "The will" is a noun behind its article.
        let isBehindArticle = end - second == 2 && words[second].restarts.contains(.article)
        guard noun.isOpen, noun.kinds.subtracting(.hints).isEmpty || isBehindArticle else { return false }
        let near = max(0, first - Self.longestSentence)
        let start = words[near..<first].lastIndex(where: \.endsSentence).map { $0 + 1 } ?? near
        guard first > start, words[start].kinds.isDisjoint(with: [.question, .auxiliary]) else {
            return false
        }
        if next.kinds.contains(.auxiliary) {
            // "My phone phone is off", "the big phone phone is off".
            return first - start > 2 || words[start].restarts.isDisjoint(with: [.article, .adjective])
        }
        // "The letter never arrived".
        if next.kinds.contains(.denying) || next.restarts.contains(.adverb) { return true }
        // "Call John John knows the code".
        guard isBehindArticle || end - second > 1 || language.isKnownName(noun.key) else { return false }
        return mayBeVerb(next, of: noun)
    }

    private func mayBeVerb(_ next: Word, of noun: Word) -> Bool {
        guard next.kinds.subtracting(.hints).isEmpty, !next.isNumber, next.isPlain, !next.isCapitalized else {
            return false
        }
        let endings = language.fillers.verbEndings
        // Of other languages it is unknown which words are verbs.
        if endings.isEmpty { return true }
        // "The lungs give", but "the water bill".
        return endings.contains { next.key.hasSuffix($0) || noun.key.hasSuffix($0) }
            || language.fillers.pasts.contains(next.key)
    }
}
