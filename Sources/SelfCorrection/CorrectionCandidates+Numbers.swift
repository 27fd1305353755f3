/// Numbers and times of day, as a repair replaces them.
extension CorrectionCandidates {
    /// From this many words on, numbers without "hundred" are digits said one by one, not a time or year:
    /// "five five five one two".
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

    /// After the number that begins there; the place itself if none does.
    static func endOfNumber(at place: Int, _ tokens: [CorrectionToken]) -> Int {
        var end = place
        while end < tokens.count, tokens[end].has(.number), end == place || !tokens[end - 1].has(.comma) {
            end += 1
        }
        // "Four hundred and fifty".
        guard end > place, end + 1 < tokens.count, tokens[end].joinsNumbers, !tokens[end - 1].has(.comma)
        else {
            return end
        }
        if tokens[end + 1].has(.number) { return endOfNumber(at: end + 1, tokens) }
        return isHalf(end + 1, tokens) ? end + 3 : end
    }

    /// The "a half" of "two and a half".
    private static func isHalf(_ place: Int, _ tokens: [CorrectionToken]) -> Bool {
        place + 1 < tokens.count && tokens[place].has(.article) && tokens[place + 1].has(.clock)
    }

    /// The start of the number whose words continue at `place`; `place` itself if there is none.
    private func startOfNumber(goingOnAt place: Int, _ tokens: [CorrectionToken]) -> Int {
        var start = place
        while start > 0, !tokens[start - 1].has(.comma) {
            if tokens[start - 1].has(.number) {
                start -= 1
            } else if tokens[start - 1].joinsNumbers, start > 1, tokens[start - 2].has(.number) {
                start -= 2
            } else {
                break
            }
        }
        return start
    }

    /// The longest that goes with a number, in words: "feet four inches".
    private static let longestMeasure = 4

    /// "150 over 90 no 160 over 90", "twenty five milligrams no fifty milligrams": a number for a number, and what it counts for
    /// the same.
    func isMeasure(_ reparandum: Range<Int>, _ end: Int, _ tokens: [CorrectionToken]) -> Bool {
        let place = Self.endOfNumber(at: reparandum.lowerBound, tokens)
        let again = Self.endOfNumber(at: end, tokens)
        return place > reparandum.lowerBound && place < reparandum.upperBound
            && reparandum.upperBound - place <= Self.longestMeasure && again > end && again < tokens.count
            && tokens[place].word == tokens[again].word && !tokens[place].has(.number)
    }

    /// "Four hundred and [fifty sorry] five hundred and fifty": the repair has a number of its own, and not only another end.
    func isPartOfNumber(_ start: Int, before cue: Range<Int>, _ tokens: [CorrectionToken]) -> Bool {
        let repair = cue.upperBound
        guard start > 0, tokens[repair].has(.number) else { return false }
        guard tokens[start].has(.number) || tokens[start].joinsNumbers || Self.isHalf(start, tokens) else {
            // "Two hundred [liters i mean] fifty liters": the two would be one.
            return tokens[start - 1].has(.number) && !tokens[start - 1].has(.comma)
        }
        // "120 over [80 no] 130 over 80", "five feet [four inches no] five feet five inches".
        let behind = Self.endOfNumber(at: repair, tokens)
        if behind < tokens.count, start > 1, tokens[start - 2].has(.number),
            tokens[start - 1].word == tokens[behind].word
        {
            return true
        }
        let first = startOfNumber(goingOnAt: start, tokens)
        guard first < start else { return false }
        // "Twenty [five milligrams sorry] fifty milligrams": only the last number that was said may have a
        // wrong end.
        guard Self.endOfNumber(at: first, tokens) == cue.lowerBound else { return true }
        guard repair + 1 < tokens.count, tokens[repair + 1].has(.number) else { return false }
        // "Five five five [one two no] one three" are digits.
        let digits = row(before: cue.lowerBound, tokens)
        let again = row(behind: repair, tokens)
        return digits.count < Self.shortestRow || again.isEmpty || cue.lowerBound - start != again.count
    }

    /// "Five five five one two no one three": as many digits are replaced as are said.
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

    /// The number there has a verb after it.
    func isSubject(_ place: Int, _ tokens: [CorrectionToken]) -> Bool {
        tokens[place...].first { !$0.has(.number) }?.has(.auxiliary) == true
    }
}
