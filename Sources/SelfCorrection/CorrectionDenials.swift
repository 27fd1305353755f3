/// Finds corrections that name what was wrong: "to bob, no, not bob but alice". They leave no doubt, so they need no
/// model; the model would remove only one of the two.
struct CorrectionDenials {
    /// The longest that is said again to be denied, in words.
    private static let longest = 6
    /// How far the words of grammar are looked back over that the repair begins with as well.
    private static let longestReturn = 3

    let words: CorrectionWords

    /// - Returns: the retracted words with their edit terms, in order and without overlaps.
    func corrections(in tokens: [CorrectionToken], editTerms: [Range<Int>]) -> [Range<Int>] {
        guard tokens.contains(where: { $0.has(.denying) }) else { return [] }
        var found: [Range<Int>] = []
        for cue in editTerms
        where cue.lowerBound >= found.last?.upperBound ?? 1 {
            guard let range = correction(after: cue, tokens),
                range.lowerBound >= found.last?.upperBound ?? 0
            else { continue }
            found.append(range)
        }
        return found
    }

    private func correction(after cue: Range<Int>, _ tokens: [CorrectionToken]) -> Range<Int>? {
        // "No not" is an edit term as well.
        let isPart = cue.count > 1 && tokens[cue.upperBound - 1].has(.denying)
        let denial = isPart ? cue.upperBound - 1 : cue.upperBound
        guard denial < tokens.count, tokens[denial].has(.denying),
            !tokens[cue.lowerBound..<denial].allSatisfy({ $0.has(.hesitation) }),
            let denied = denied(behind: denial, saidBefore: cue.lowerBound, tokens)
        else { return nil }
        var repair = denied.upperBound
        let isContrasted = repair < tokens.count && words.contrasting.contains(tokens[repair].key)
        if isContrasted { repair += 1 }
        guard repair < tokens.count, isContrasted || isInPlace(of: denied, repair, tokens) else { return nil }
        let start = self.start(before: cue.lowerBound - denied.count, repair, tokens)
        return tokens[start..<repair].contains(where: { $0.has(.quoted) }) ? nil : start..<repair
    }

    /// The words after "not" that were the last ones before the edit term.
    private func denied(
        behind denial: Int, saidBefore cue: Int, _ tokens: [CorrectionToken]
    ) -> Range<Int>? {
        let first = denial + 1
        let reach = min(Self.longest, cue, tokens.count - first)
        guard reach > 0 else { return nil }
        return (1...reach).reversed().lazy.map { first..<(first + $0) }.first { range in
            zip(tokens[range], tokens[(cue - range.count)..<cue]).allSatisfy { $0.key == $1.key }
                && tokens[range].contains { $0.has(.saidAlone) || $0.has(.number) || $0.series > 0 }
        }
    }

    /// Without a "but" it may be the repair that has the "not": "are allowed, sorry, not allowed to".
    private func isInPlace(of denied: Range<Int>, _ repair: Int, _ tokens: [CorrectionToken]) -> Bool {
        let (first, last, again) = (tokens[denied.lowerBound], tokens[denied.upperBound - 1], tokens[repair])
        let isOfOneSeries = first.series > 0 && first.series == again.series
        if first.has(.number) && again.has(.number) || isOfOneSeries || first.has(.name) && again.has(.name) {
            return true
        }
        if denied.count > 1, begin(alike: first, again) { return true }
        return last.has(.comma) && again.has(.saidAlone)
    }

    /// A preposition replaces a preposition, an article an article.
    private func begin(alike first: CorrectionToken, _ again: CorrectionToken) -> Bool {
        return first.has(.preposition) && again.has(.preposition)
            || first.has(.article) && again.has(.article)
    }

    /// "In the house no not the house but in the garden" goes back to the "in".
    private func start(before place: Int, _ repair: Int, _ tokens: [CorrectionToken]) -> Int {
        let again = tokens[repair]
        var start = place
        while start > 0, place - start < Self.longestReturn {
            start -= 1
            let token = tokens[start]
            guard token.has(.function) || token.has(.preposition) else { break }
            if token.key == again.key || begin(alike: token, again) { return start }
        }
        return place
    }
}
