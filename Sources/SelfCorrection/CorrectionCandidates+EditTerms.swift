/// The edit terms of a sentence: phrases of the lists and hesitations, one after another.
extension CorrectionCandidates {
    /// Each as long as it gets: no part of "no wait sorry" is a term by itself.
    func editTerms(in tokens: [CorrectionToken]) -> [Range<Int>] {
        var cues: [Range<Int>] = []
        var shorter: [Range<Int>] = []
        for (place, lengths) in termLengths(in: tokens).enumerated() {
            guard let length = lengths.longest, place + length > cues.last?.upperBound ?? 0 else { continue }
            cues.append(place..<(place + length))
            // "I want to know what" may leave the question its word.
            if lengths.contains(length - 1), tokens[place + length - 1].has(.question) {
                shorter.append(place..<(place + length - 1))
            }
        }
        return cues + shorter
    }

    /// Lengths of edit terms in words, a bit each.
    private struct Lengths {
        private(set) var bits: UInt32 = 0

        var longest: Int? { bits == 0 ? nil : UInt32.bitWidth - 1 - bits.leadingZeroBitCount }

        func contains(_ length: Int) -> Bool { bits & 1 << UInt32(length) != 0 }

        mutating func insert(_ length: Int) { bits |= 1 << UInt32(length) }

        /// Those of the terms that go on with one of these others.
        mutating func insert(_ length: Int, followedBy others: Lengths) {
            bits |= others.bits << UInt32(length) & (1 << UInt32(longestEditTerm + 1) - 1)
        }
    }

    /// For each word the lengths of the edit terms that begin there.
    private func termLengths(in tokens: [CorrectionToken]) -> [Lengths] {
        var lengths = [Lengths](repeating: Lengths(), count: tokens.count)
        // A hesitation may also be the first word of a phrase: "uh like".
        for place in tokens.indices.reversed() where tokens[place].has(.beginsEditTerm) {
            var ends = Lengths()
            func add(_ length: Int) {
                ends.insert(length)
                let next = place + length
                if next < tokens.count { ends.insert(length, followedBy: lengths[next]) }
            }
            if tokens[place].has(.hesitation) { add(1) }
            for rest in words.editTerms[tokens[place].key] ?? [] where isPhrase(rest, behind: place, tokens) {
                add(rest.count + 1)
            }
            lengths[place] = ends
        }
        return lengths
    }

    /// Whether these words follow, and make up an edit term with the one before them.
    private func isPhrase(_ rest: [String], behind place: Int, _ tokens: [CorrectionToken]) -> Bool {
        let next = place + rest.count + 1
        guard next <= tokens.count,
            // By index: a copy of a token would count its string's references.
            rest.indices.allSatisfy({ tokens[place + 1 + $0].key == rest[$0] })
        else { return false }
        // "Instead of", "rather than": said of what is, not of what was said. A comma divides them: "two, no, one".
        return next == tokens.count || tokens[next - 1].has(.comma)
            || !words.notBefore.contains([tokens[next - 1].key, tokens[next].key])
    }
}
