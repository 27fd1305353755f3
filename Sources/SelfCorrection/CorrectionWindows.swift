/// The words around each candidate of a sentence as one number: everything that its score depends on.
///
/// Those near it count as they are. Farther away the features only count words of some kinds and look for commas, so
/// that a change there seldom matters.
struct CorrectionWindows {
    /// How many words before and after a candidate the features look at.
    static let farReach = 24
    /// How many words after its repair they look at, besides as many as were retracted.
    static let nearReach = 4

    private let tokens: [CorrectionToken]
    /// Of the words before each place: the hash of a window is the difference of two of these.
    private let hashes: [UInt64]
    /// The same for the numbers of words of some kinds.
    private let counts: [UInt64]
    /// The first word that is more than a sign; after it a capital means something.
    private let firstWord: Int

    private static let longestWindow = 128
    private static let base: UInt64 = 0x9E37_79B9_7F4A_7C15
    private static let powers: [UInt64] = (0..<longestWindow).reduce(into: [1]) { powers, _ in
        powers.append((powers.last ?? 1) &* base)
    }
    /// Each has 16 bits of a number.
    private static let counted: [CorrectionToken.Traits] = [.question, .auxiliary, .preposition, .comma]

    init(_ tokens: [CorrectionToken]) {
        self.tokens = tokens
        var (hash, count): (UInt64, UInt64) = (0, 0)
        var (hashes, counts) = ([hash], [count])
        hashes.reserveCapacity(tokens.count + 1)
        counts.reserveCapacity(tokens.count + 1)
        for place in tokens.indices {
            hash = hash &* Self.base &+ tokens[place].fingerprint
            for (index, trait) in Self.counted.enumerated() where tokens[place].has(trait) {
                count &+= 1 << UInt64(16 * index)
            }
            hashes.append(hash)
            counts.append(count)
        }
        (self.hashes, self.counts) = (hashes, counts)
        firstWord = tokens.firstIndex { !$0.key.isEmpty } ?? tokens.count
    }

    /// - Returns: nil for a late correction, which depends on the whole sentence.
    func key(of candidate: CorrectionCandidate) -> UInt64? {
        guard !candidate.isLate || candidate.sparesTime else { return nil }
        let (start, cue, end) = (candidate.start, candidate.editTerm.lowerBound, candidate.end)
        let first = max(0, min(start - 2, cue - CorrectionCandidates.longestReparandum))
        let window = first..<min(tokens.count, end + cue - start + Self.nearReach)
        guard window.count < Self.longestWindow else { return nil }
        let hash = hashes[window.upperBound] &- hashes[window.lowerBound] &* Self.powers[window.count]
        // Where its parts are in the window, and how far the sentence continues.
        var parts: UInt64 = 0
        func add(_ value: Int, bits: UInt64) { parts = parts << bits | UInt64(value) }
        add(start - window.lowerBound, bits: 7)
        add(cue - start, bits: 7)
        add(candidate.editTerm.count, bits: 7)
        add(end - candidate.editTerm.upperBound, bits: 7)
        add(window.upperBound - end, bits: 7)
        add(min(start, 6), bits: 3)
        add(min(tokens.count - end, 8), bits: 4)
        add(candidate.passageRepeats, bits: 2)
        // Whether a capital says something there.
        for place in [start - 1, start, cue - 1, end] { add(place > firstWord ? 1 : 0, bits: 1) }
        add(tokens[0].has(.question) ? 1 : 0, bits: 1)
        let isHesitation = cue < end && (cue..<end).allSatisfy { tokens[$0].has(.hesitation) }
        add(isHesitation && tokens[0].has(.capitalized) ? 1 : 0, bits: 1)
        return max(1, Hash.adding(far(start, end), to: Hash.adding(parts, to: hash)))
    }

    /// What the features see of the words that are farther away.
    private func far(_ start: Int, _ end: Int) -> UInt64 {
        let before = counts[start] &- counts[max(0, start - Self.farReach)]
        let behind = counts[min(tokens.count, end + Self.farReach)] &- counts[end]
        var seen: UInt64 = 0
        for index in Self.counted.indices {
            let shift = UInt64(16 * index)
            let (before, behind) = (before >> shift & 0xFFFF, behind >> shift & 0xFFFF)
            seen = seen << 4 | min(3, before) << 2 | min(3, behind)
        }
        return seen
    }
}
