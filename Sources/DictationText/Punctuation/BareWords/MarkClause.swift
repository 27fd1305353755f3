/// The part of a sentence that has been said so far.
struct MarkClause {
    /// Where the sentence begins.
    private(set) var sentence = 0
    /// Where the part after its last comma begins.
    private(set) var start = 0

    /// The next part begins there.
    mutating func end(at place: Int, isSentence: Bool) {
        start = place
        if isSentence { sentence = place }
    }
}
