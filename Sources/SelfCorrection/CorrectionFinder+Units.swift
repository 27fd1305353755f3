/// "Take 20 mg, no, 40": the second number is of the same things as the first.
extension CorrectionFinder {
    /// The longest that a number counts, in words: "cups of brown sugar".
    private static let longestUnit = 4

    /// - Parameter removed: the retracted words with their edit term.
    /// - Returns: the correction of the number alone, if only a number is said in place of a number and what it counts.
    static func keepingUnit(
        of removed: Range<Int>, _ editTerms: [Range<Int>], _ tokens: [CorrectionToken]
    ) -> Correction? {
        guard
            let cue = editTerms.first(where: {
                $0.upperBound == removed.upperBound && $0.lowerBound > removed.lowerBound
            })
        else { return nil }
        // The "oh" of an edit term may be a number as well.
        let number = CorrectionCandidates.endOfNumber(at: removed.lowerBound, tokens)
        let unit = min(number, cue.lowerBound)..<cue.lowerBound
        let end = CorrectionCandidates.endOfNumber(at: removed.upperBound, tokens)
        guard unit.lowerBound > removed.lowerBound, !unit.isEmpty, unit.count <= longestUnit,
            end > removed.upperBound,
            tokens[unit.lowerBound].counts, !tokens[unit.lowerBound - 1].has(.comma),
            unit.allSatisfy({ tokens[$0].traits.isDisjoint(with: notCounted) }),
            !unit.dropLast().contains(where: { tokens[$0].has(.comma) })
        else { return nil }
        // "150 over 90, no, 160 over 90".
        let isOfTwoParts = unit.contains { tokens[$0].word == tokens[min(end, tokens.count - 1)].word }
        // "Ten minutes no fifteen seconds" has its own.
        let isAlone =
            end == tokens.count || tokens[end - 1].has(.comma) || !tokens[end].counts && !isOfTwoParts
        return isAlone
            ? Correction(span: removed, late: .init(kept: unit, instead: removed.upperBound..<end)) : nil
    }

    private static let notCounted: CorrectionToken.Traits = [
        .number, .auxiliary, .subject, .question, .quoted, .hesitation, .connective,
    ]
}

extension CorrectionToken {
    /// A thing or a unit that numbers are said of.
    fileprivate var counts: Bool { has(.saidAlone) && !has(.time) || has(.clock) }
}
