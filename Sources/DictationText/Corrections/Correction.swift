/// What a speaker took back in a sentence.
package struct Correction: Sendable, Equatable {
    /// From the first word that was taken back to the last one that goes with its announcement.
    let span: Range<Int>
    /// Where what was said instead comes late, "what did [mongols] think [no] turks": the words within it that stay,
    /// and behind it the rest of the sentence, which comes in place of what was taken back.
    let late: Late?

    struct Late: Sendable, Equatable {
        let kept: Range<Int>
        let instead: Range<Int>
    }

    /// The words between what was taken back and its announcement, if there are any, were not.
    init(span: Range<Int>, late: Late? = nil) {
        self.span = span
        self.late = late
    }

    /// The words that were taken back, where nothing is late together with what says so.
    var takenBack: Range<Int> { span.lowerBound..<(late?.kept.lowerBound ?? span.upperBound) }

    /// - Returns: the words of the sentence that are left, in their new order.
    package func applied<Word>(to words: [Word]) -> [Word] {
        let (before, instead) = (words[..<span.lowerBound], words[span.upperBound...])
        return Array(before + instead) + (late.map { Array(words[$0.kept]) } ?? [])
    }

    /// How many of the words that one of them takes from their places the other one takes as well: 1 where they are the
    /// same, 0 where they have none in common.
    func likeness(to other: Correction) -> Float {
        let (first, second) = (takenBack, announcementAndAfter)
        let (otherFirst, otherSecond) = (other.takenBack, other.announcementAndAfter)
        let both =
            first.clamped(to: otherFirst).count + first.clamped(to: otherSecond).count
            + second.clamped(to: otherFirst).count + second.clamped(to: otherSecond).count
        let all = first.count + second.count + otherFirst.count + otherSecond.count
        return 2 * Float(both) / Float(all)
    }

    private var announcementAndAfter: Range<Int> {
        late.map { $0.kept.upperBound..<$0.instead.upperBound } ?? span.upperBound..<span.upperBound
    }
}
