/// A correction that a speaker made in a sentence.
package struct Correction: Sendable, Equatable {
    /// From the first word that was retracted to the last one that goes with the edit term.
    package let span: Range<Int>
    /// If the repair comes late, "what did [mongols] think [no] turks", "take [20] mg [no] 40": the words
    /// within the span that stay, and those right after it, which replace what was retracted.
    package let late: Late?

    package struct Late: Sendable, Equatable {
        package let kept: Range<Int>
        package let instead: Range<Int>
    }

    /// The words between what was retracted and the edit term, if there are any, were not.
    init(span: Range<Int>, late: Late? = nil) {
        self.span = span
        self.late = late
    }

    /// The words that were retracted; with the edit term, unless the repair comes late.
    package var retracted: Range<Int> { span.lowerBound..<(late?.kept.lowerBound ?? span.upperBound) }

    /// - Returns: the words of the sentence that are left, in their new order.
    package func applied<Word>(to words: [Word]) -> [Word] {
        let instead = late?.instead ?? span.upperBound..<words.count
        return Array(words[..<span.lowerBound] + words[instead]) + (late.map { Array(words[$0.kept]) } ?? [])
            + words[instead.upperBound...]
    }

    /// How far two corrections move or remove the same words: 1 if they are the same, 0 if they share none.
    func likeness(to other: Correction) -> Float {
        let (first, second) = (retracted, editTermAndAfter)
        let (otherFirst, otherSecond) = (other.retracted, other.editTermAndAfter)
        let both =
            first.clamped(to: otherFirst).count + first.clamped(to: otherSecond).count
            + second.clamped(to: otherFirst).count + second.clamped(to: otherSecond).count
        let all = first.count + second.count + otherFirst.count + otherSecond.count
        return 2 * Float(both) / Float(all)
    }

    /// The same for two corrections that only remove words.
    static func likeness(_ span: Range<Int>, _ other: Range<Int>) -> Float {
        let both = min(span.upperBound, other.upperBound) - max(span.lowerBound, other.lowerBound)
        return 2 * Float(max(0, both)) / Float(span.count + other.count)
    }

    private var editTermAndAfter: Range<Int> {
        late.map { $0.kept.upperBound..<$0.instead.upperBound } ?? span.upperBound..<span.upperBound
    }
}
