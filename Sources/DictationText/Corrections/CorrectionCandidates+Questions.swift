/// In a question, of which the model has seen enough to tell, what was said instead may begin later than behind its
/// announcement, and belong further back than before it.
extension CorrectionCandidates {
    /// How many words may go with an announcement that is known: "no [the]", "or rather [which one did]".
    static let longestPassage = 3
    /// The same, and the longest that is said late and taken back then, in words.
    private static let longestLatePassage = 2
    private static let longestLate = 5
    private static let longestTaken = 4

    /// The same candidates, but words of grammar or speech go with the announcement: "what [prevents no the] slows",
    /// "when was it [built no no when was it] sold".
    func wider(
        _ candidates: [CorrectionCandidate], _ tokens: [CorrectionToken]
    ) -> [CorrectionCandidate] {
        candidates.flatMap { candidate -> [CorrectionCandidate] in
            let first = candidate.end
            let reach = min(Self.longestPassage, tokens.count - 1 - first)
            return (0..<max(0, reach)).prefix { tokens[first + $0].isPassed }.map {
                CorrectionCandidate(
                    start: candidate.start, stop: candidate.cue, announcement: candidate.cue..<first,
                    end: first + $0 + 1, isClear: candidate.isClear)
            }
        }
    }

    /// "What did [the mongols] think [no the] turks": the last words of the question stand for some of those before. Who
    /// only hesitates says nothing late.
    func late(
        _ candidates: [CorrectionCandidate], _ tokens: [CorrectionToken]
    ) -> [CorrectionCandidate] {
        var announcements: Set<Range<Int>> = []
        return candidates.flatMap { candidate -> [CorrectionCandidate] in
            let announcement = candidate.cue..<candidate.end
            guard announcements.insert(announcement).inserted,
                !tokens[announcement].allSatisfy(\.isHesitation)
            else { return [] }
            let passage = tokens[announcement.upperBound...].prefix(Self.longestLatePassage)
                .prefix(while: \.isPassed).count
            return (0...passage).flatMap {
                late(announcement, announcement.upperBound + $0, candidate.isClear, tokens)
            }
        }
    }

    private func late(
        _ announcement: Range<Int>, _ end: Int, _ isClear: Bool, _ tokens: [CorrectionToken]
    ) -> [CorrectionCandidate] {
        guard let last = tokens.last, (1...Self.longestLate).contains(tokens.count - end),
            !tokens[end...].contains(where: { $0.isQuoted || $0.isHesitation }),
            last.isOfMeaning || last.isAuxiliary || last.isQuestion
        else { return [] }
        let cue = announcement.lowerBound
        var found: [CorrectionCandidate] = []
        for start in max(0, cue - Self.longestReparandum)..<(cue - 1)
        where !tokens[start..<cue].contains(where: \.isQuoted) && begins(start, like: end, tokens) {
            for stop in (start + 1)...min(start + Self.longestTaken, cue - 1)
            where tokens[stop - 1].isLike(last) {
                found.append(
                    .init(start: start, stop: stop, announcement: announcement, end: end, isClear: isClear))
            }
        }
        return found
    }

    private func begins(_ start: Int, like end: Int, _ tokens: [CorrectionToken]) -> Bool {
        let (first, again) = (tokens[start], tokens[end])
        let articles = language.restarts.articles
        return first.isLike(again) || (first.isPreposition && again.isPreposition)
            || (articles.contains(first.key) && articles.contains(again.key))
    }
}

extension CorrectionToken {
    /// A noun, a verb, a name, a number.
    fileprivate var isOfMeaning: Bool { isSaidAlone || isNumber || isName || series > 0 }

    fileprivate func isLike(_ other: CorrectionToken) -> Bool {
        word == other.word || tag == other.tag || (isOfMeaning && other.isOfMeaning)
    }
}
