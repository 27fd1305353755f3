/// Numbers and times of day, as a repair replaces them.
extension CorrectionCandidates {
    /// From so many words on, numbers without "hundred" are digits said one by one, and no time or year: "five five five one two".
    private static let shortestRow = 4

    /// One number, such as "four hundred and fifty". "Five, six" are two.
    func isNumber(_ range: Range<Int>, _ tokens: [CorrectionToken]) -> Bool {
        range.count <= Self.longestNumber
            && range.allSatisfy { place in
                let isInside = place + 1 < range.upperBound
                return tokens[place].has(.number) && !(isInside && tokens[place].has(.comma))
                    || tokens[place].joinsNumbers && place > range.lowerBound && isInside
            }
    }

    /// "150 over 90 no 160 over 90".
    func isOfTwoParts(_ range: Range<Int>, _ end: Int, _ tokens: [CorrectionToken]) -> Bool {
        range.count == 3 && end + 1 < tokens.count
            && tokens[range.lowerBound + 1].word == tokens[end + 1].word
            && !tokens[range.lowerBound + 1].has(.number)
    }

    /// "Four hundred and [fifty sorry] five hundred and fifty": the repair has a number of its own, and not only another end.
    func isPartOfNumber(_ start: Int, before cue: Range<Int>, _ tokens: [CorrectionToken]) -> Bool {
        let repair = cue.upperBound
        guard start > 0, tokens[start].has(.number) || tokens[start].joinsNumbers,
            tokens[repair].has(.number),
            repair + 1 < tokens.count, tokens[repair + 1].has(.number)
        else { return false }
        let before = tokens[start - 1].joinsNumbers && start > 1 ? start - 2 : start - 1
        guard isNumber(before..<cue.lowerBound, tokens) else { return false }
        // "Five five five [one two no] one three" are digits.
        let digits = row(before: cue.lowerBound, tokens)
        let again = row(behind: repair, tokens)
        return digits.count < Self.shortestRow || again.isEmpty || cue.lowerBound - start != again.count
    }

    /// "Five five five one two no one three": only so many digits are replaced as are said.
    func isLongerRow(_ reparandum: Range<Int>, _ repair: Int, _ tokens: [CorrectionToken]) -> Bool {
        let again = row(behind: repair, tokens)
        guard !again.isEmpty, tokens[reparandum.lowerBound].has(.number) else { return false }
        return row(before: reparandum.upperBound, tokens).count >= Self.shortestRow
            && reparandum.count != again.count && isNumber(reparandum, tokens)
    }

    /// The numbers side by side that end there, and those that begin there; none if they have a "hundred".
    private func row(before end: Int, _ tokens: [CorrectionToken]) -> Range<Int> {
        var start = end
        while start > max(0, end - Self.longestNumber), tokens[start - 1].has(.number),
            start == end || !tokens[start - 1].has(.comma)
        {
            start -= 1
        }
        return tokens[start..<end].contains { $0.has(.scale) } ? end..<end : start..<end
    }

    private func row(behind start: Int, _ tokens: [CorrectionToken]) -> Range<Int> {
        var end = start
        while end < min(tokens.count, start + Self.longestNumber), tokens[end].has(.number),
            end == start || !tokens[end - 1].has(.comma)
        {
            end += 1
        }
        return tokens[start..<end].contains { $0.has(.scale) } ? start..<start : start..<end
    }

    /// A time of day: "half past three", "a quarter to ten", "noon".
    func isTime(_ range: Range<Int>, _ tokens: [CorrectionToken]) -> Bool {
        range.count <= Self.longestNumber
            && range.allSatisfy { tokens[$0].has(.number) || tokens[$0].has(.clock) || tokens[$0].key == "a" }
            && range.contains { tokens[$0].has(.clock) }
    }

    /// The number there has a verb behind it.
    func isSubject(_ place: Int, _ tokens: [CorrectionToken]) -> Bool {
        tokens[place...].first { !$0.has(.number) }?.has(.auxiliary) == true
    }
}
