/// In a question, of which the training data has enough, the repair may begin later than right after the edit
/// term, and belong further back than right before it.
extension CorrectionCandidates {
    /// Where the words begin to ask: with a question word, or with a verb before its subject. The end if they
    /// never do.
    func placeOfQuestion(in tokens: [CorrectionToken]) -> Int {
        tokens.indices.first { place in
            if tokens[place].has(.question) { return true }
            guard tokens[place].has(.auxiliary) else { return false }
            guard place > 0 else { return true }
            let before = tokens[place - 1]
            return !before.traits.isDisjoint(with: [.comma, .connective, .hesitation])
                || place + 1 < tokens.count && tokens[place + 1].has(.subject)
        } ?? tokens.count
    }

    /// "Dinner is ready, wait, where is Tom?": what is before the edit term is a statement, with a verb and a comma.
    func isQuestionOfItsOwn(at place: Int, behind cue: Range<Int>, _ tokens: [CorrectionToken]) -> Bool {
        place < tokens.count && place == cue.upperBound && tokens[cue.lowerBound - 1].has(.comma)
            && tokens[..<cue.lowerBound].contains { $0.has(.auxiliary) || $0.isContraction }
    }

    /// How many words may go with an edit term: "no [the]", "or rather [which one did]".
    static let longestPassage = 3
    /// The same, and the longest that is said late and retracted then, in words.
    private static let longestLatePassage = 2
    private static let longestLate = 5
    private static let longestTaken = 4

    /// The same candidates, but words of grammar or speech go with the edit term: "what [prevents no the] slows",
    /// "when was it [built no no when was it] sold".
    func wider(
        _ candidates: [CorrectionCandidate], _ tokens: [CorrectionToken]
    ) -> [CorrectionCandidate] {
        var wider: [CorrectionCandidate] = []
        var places = FirstPlaces(tokens)
        for candidate in candidates {
            let first = candidate.end
            var repeats = 0
            for place in first..<max(first, min(first + Self.longestPassage, tokens.count - 1)) {
                guard tokens[place].has(.passed) else { break }
                if places.place(of: tokens[place].word) < candidate.start { repeats += 1 }
                wider.append(
                    CorrectionCandidate(
                        start: candidate.start, editTerm: candidate.editTerm.lowerBound..<first,
                        end: place + 1, isClear: candidate.isClear, passageRepeats: repeats))
            }
        }
        return wider
    }

    /// The place where each word was said first; searched once.
    private struct FirstPlaces {
        private let tokens: [CorrectionToken]
        private var known: [UInt32: Int] = [:]

        init(_ tokens: [CorrectionToken]) { self.tokens = tokens }

        mutating func place(of word: UInt32) -> Int {
            if let place = known[word] { return place }
            let place = tokens.firstIndex { $0.word == word } ?? tokens.count
            known[word] = place
            return place
        }
    }

    /// "What did [the mongols] think [no the] turks": the last words of the question replace some of those before.
    /// Hesitations never trigger a late correction.
    func late(
        _ candidates: [CorrectionCandidate], _ tokens: [CorrectionToken]
    ) -> [CorrectionCandidate] {
        var terms: Set<Range<Int>> = []
        // No other one is near enough to the end.
        let earliest = tokens.count - Self.longestLate - Self.longestLatePassage
        return candidates.flatMap { candidate -> [CorrectionCandidate] in
            let editTerm = candidate.editTerm.lowerBound..<candidate.end
            guard editTerm.upperBound >= earliest, terms.insert(editTerm).inserted,
                !tokens[editTerm].allSatisfy({ $0.has(.hesitation) })
            else { return [] }
            let passage = tokens[editTerm.upperBound...].prefix(Self.longestLatePassage)
                .prefix(while: { $0.has(.passed) }).count
            return (0...passage).flatMap {
                late(editTerm, editTerm.upperBound + $0, candidate.isClear, tokens)
            }
        }
    }

    private func late(
        _ editTerm: Range<Int>, _ end: Int, _ isClear: Bool, _ tokens: [CorrectionToken]
    ) -> [CorrectionCandidate] {
        guard let last = tokens.last, (1...Self.longestLate).contains(tokens.count - end),
            !tokens[end...].contains(where: { $0.has(.quoted) || $0.has(.hesitation) }),
            last.isOfMeaning || last.has(.auxiliary) || last.has(.question)
        else { return [] }
        let cue = editTerm.lowerBound
        var found: [CorrectionCandidate] = []
        for start in max(0, cue - Self.longestReparandum)..<(cue - 1)
        where !tokens[start..<cue].contains(where: { $0.has(.quoted) }) && begins(start, like: end, tokens) {
            for stop in (start + 1)...min(start + Self.longestTaken, cue - 1)
            where tokens[stop - 1].isLike(last) {
                found.append(
                    .init(start: start, stop: stop, editTerm: editTerm, end: end, isClear: isClear))
            }
        }
        return found
    }

    private func begins(_ start: Int, like end: Int, _ tokens: [CorrectionToken]) -> Bool {
        let (first, again) = (tokens[start], tokens[end])
        return first.isLike(again) || (first.has(.preposition) && again.has(.preposition))
            || (first.has(.article) && again.has(.article))
    }
}

extension CorrectionToken {
    /// A noun, a verb, a name, a number.
    fileprivate var isOfMeaning: Bool {
        !traits.isDisjoint(with: [.saidAlone, .number, .name]) || series > 0
    }

    fileprivate func isLike(_ other: CorrectionToken) -> Bool {
        word == other.word || tag == other.tag || (isOfMeaning && other.isOfMeaning)
    }
}
