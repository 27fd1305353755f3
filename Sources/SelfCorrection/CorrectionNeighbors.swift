/// The words next to the places where a candidate cuts its sentence and joins it again: most features are
/// made of these, so they are looked up once.
struct CorrectionNeighbors {
    struct Look {
        var word = CorrectionNeighbors.edge
        var kind = CorrectionNeighbors.edge
        var tag = CorrectionNeighbors.edge
        var wordClass = CorrectionNeighbors.edge
    }

    /// In place of a word before the sentence or after it.
    static let edge: UInt32 = 0xED6E

    /// The two words before the retracted ones.
    let before2, before: Look
    /// The first two retracted words, and the last two.
    let first, second, last2, last: Look
    /// The first three of the repair.
    let again, next, next2: Look

    init(_ candidate: CorrectionCandidate, _ tokens: [CorrectionToken]) {
        func look(_ place: Int) -> Look {
            guard tokens.indices.contains(place) else { return Look() }
            return Look(
                word: tokens[place].word, kind: tokens[place].kind, tag: tokens[place].tag,
                wordClass: tokens[place].wordClass)
        }
        let (start, cue, end) = (candidate.start, candidate.editTerm.lowerBound, candidate.end)
        (before2, before) = (look(start - 2), look(start - 1))
        (first, second, last2, last) = (look(start), look(start + 1), look(cue - 2), look(cue - 1))
        (again, next, next2) = (look(end), look(end + 1), look(end + 2))
    }
}
