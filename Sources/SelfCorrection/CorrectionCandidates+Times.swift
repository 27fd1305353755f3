/// "Send it to bob by friday no to alice": a speaker who says another name at the end has not retracted the
/// day.
extension CorrectionCandidates {
    /// The longest that is said after such a day or time, in words.
    private static let longestRepair = 4

    /// The start of the day or time that a candidate would remove, and that belongs to nothing that was
    /// retracted: it goes back to a preposition that is said again, or to a name that is replaced by another
    /// one.
    func spared(by candidate: CorrectionCandidate, _ tokens: [CorrectionToken]) -> Int? {
        let (first, again) = (tokens[candidate.start], tokens[candidate.end])
        let isReturn = first.has(.preposition) && first.word == again.word
        let isSibling = first.series > 0 && first.series == again.series
        guard isReturn || isSibling else { return nil }
        return sparedTime(
            behind: candidate.start + (isReturn ? 2 : 1), before: candidate.editTerm.lowerBound,
            candidate.end, tokens)
    }

    /// A day or a time gives way to nothing else: "on friday no from rome".
    func isOtherThanWhen(_ reparandum: Range<Int>, _ end: Int, _ tokens: [CorrectionToken]) -> Bool {
        guard isWhen(reparandum, tokens), !tokens[end].has(.number), !tokens[end].has(.clock) else {
            return false
        }
        return !(end..<min(end + Self.longestRepair, tokens.count)).contains {
            isWhen(end..<($0 + 1), tokens)
        }
    }

    /// The start of the day or time that ends at the edit term; nil if there is none, or if one is said again.
    func sparedTime(behind start: Int, before cue: Int, _ end: Int, _ tokens: [CorrectionToken]) -> Int? {
        let repair = end..<tokens.count
        guard (1...Self.longestRepair).contains(repair.count), start < cue,
            !tokens[start...].contains(where: { $0.has(.quoted) || $0.has(.hesitation) }),
            !(repair.lowerBound + 1..<repair.upperBound).contains(where: {
                isWhen($0..<repair.upperBound, tokens)
            })
        else { return nil }
        return (start..<cue).first { isWhen($0..<cue, tokens) }
    }

    /// "Tomorrow", "on monday", "by half past three", "this evening".
    private func isWhen(_ words: Range<Int>, _ tokens: [CorrectionToken]) -> Bool {
        guard let first = words.first(where: { !tokens[$0].has(.opensTime) }) else { return false }
        // By index: a copy of a token would count its string's references.
        return (first..<words.upperBound).allSatisfy { place in
            tokens[place].has(.time)
                || (first > words.lowerBound && (tokens[place].has(.number) || tokens[place].has(.clock)))
        }
    }
}
