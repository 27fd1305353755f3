/// Finds corrections that name what was wrong: "to bob, no, not bob but alice". Who says it again to deny it leaves no
/// doubt, so that these need no model; it would take only one of the two away.
struct CorrectionDenials {
    /// The longest that is said again to be denied, in words.
    private static let longest = 6
    /// How far the words of grammar are looked back over that the repair begins with as well.
    private static let longestReturn = 3

    let language: Language

    /// - Returns: what was taken back, together with what says so, in order and without overlaps.
    func corrections(in tokens: [CorrectionToken]) -> [Range<Int>] {
        guard tokens.contains(where: \.isDenying) else { return [] }
        var found: [Range<Int>] = []
        for cue in CorrectionCandidates(language: language).cues(in: tokens)
        where cue.lowerBound >= found.last?.upperBound ?? 1 {
            guard let range = correction(announcedBy: cue, tokens),
                range.lowerBound >= found.last?.upperBound ?? 0
            else { continue }
            found.append(range)
        }
        return found
    }

    private func correction(announcedBy cue: Range<Int>, _ tokens: [CorrectionToken]) -> Range<Int>? {
        // "No not" announces something as well.
        let isPart = cue.count > 1 && tokens[cue.upperBound - 1].isDenying
        let denial = isPart ? cue.upperBound - 1 : cue.upperBound
        guard denial < tokens.count, tokens[denial].isDenying,
            !tokens[cue.lowerBound..<denial].allSatisfy(\.isHesitation),
            let denied = denied(behind: denial, saidBefore: cue.lowerBound, tokens)
        else { return nil }
        var repair = denied.upperBound
        let isContrasted = repair < tokens.count && language.contrastingWords.contains(tokens[repair].key)
        if isContrasted { repair += 1 }
        guard repair < tokens.count, isContrasted || isInPlace(of: denied, repair, tokens) else { return nil }
        let start = self.start(before: cue.lowerBound - denied.count, repair, tokens)
        return tokens[start..<repair].contains(where: \.isQuoted) ? nil : start..<repair
    }

    /// The words behind "not" that were the last ones before the announcement.
    private func denied(
        behind denial: Int, saidBefore cue: Int, _ tokens: [CorrectionToken]
    ) -> Range<Int>? {
        let first = denial + 1
        let reach = min(Self.longest, cue, tokens.count - first)
        guard reach > 0 else { return nil }
        return (1...reach).reversed().lazy.map { first..<(first + $0) }.first { range in
            zip(tokens[range], tokens[(cue - range.count)..<cue]).allSatisfy { $0.key == $1.key }
                && tokens[range].contains { $0.isSaidAlone || $0.isNumber || $0.series > 0 }
        }
    }

    /// Without a "but" it may be the repair that has the "not": "are allowed, sorry, not allowed to".
    private func isInPlace(of denied: Range<Int>, _ repair: Int, _ tokens: [CorrectionToken]) -> Bool {
        let (first, last, again) = (tokens[denied.lowerBound], tokens[denied.upperBound - 1], tokens[repair])
        let isOfOneSeries = first.series > 0 && first.series == again.series
        if first.isNumber && again.isNumber || isOfOneSeries || first.isName && again.isName { return true }
        if denied.count > 1, begin(alike: first, again) { return true }
        return last.hasComma && again.isSaidAlone
    }

    /// A preposition stands for a preposition, an article for an article.
    private func begin(alike first: CorrectionToken, _ again: CorrectionToken) -> Bool {
        let articles = language.restarts.articles
        return first.isPreposition && again.isPreposition
            || articles.contains(first.key) && articles.contains(again.key)
    }

    /// "In the house no not the house but in the garden" goes back to the "in".
    private func start(before place: Int, _ repair: Int, _ tokens: [CorrectionToken]) -> Int {
        let again = tokens[repair]
        var start = place
        while start > 0, place - start < Self.longestReturn {
            start -= 1
            let token = tokens[start]
            guard token.isFunction || token.isPreposition else { break }
            if token.key == again.key || begin(alike: token, again) { return start }
        }
        return place
    }
}
