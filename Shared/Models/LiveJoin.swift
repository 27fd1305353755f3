/// The whole text of a dictation whose beginning is typed: the typed part stays, and the rest of the final
/// text follows it.
///
/// ```
/// typed                   final                            joined
/// I went to               I went to the store.             I went to the store.
/// I went two the          I went to the store.             I went two the store.      1 word is wrong
/// Meet me on Monday       Meet me on Tuesday.              Meet me on Monday Tuesday. 1
/// ```
///
/// Where both differ, a word may come twice, but none that was said is left out: a word of the final text
/// that does not sound like a typed one comes behind it.
package struct LiveJoin: Equatable {
    package let text: String
    /// Words of the typed beginning that the final text has otherwise, marks and capitals included.
    package let wrongWords: Int

    package init(_ typed: String, _ final: String) {
        guard !typed.isEmpty, !final.unicodeScalars.starts(with: typed.unicodeScalars) else {
            (text, wrongWords) = (final, 0)
            return
        }
        let left = typed.split(whereSeparator: \.isWhitespace)
        let right = final.split(whereSeparator: \.isWhitespace)
        // The beginning is nearly always the same.
        let same = zip(left, right).prefix { $0 == $1 }.count
        let end = Self.align(left.dropFirst(same).map(Said.init), right.dropFirst(same).map(Said.init))
        wrongWords = end.wrong
        let count = same + end.count
        guard count > 0, let typedLast = left.last else {
            text = right.isEmpty ? typed : typed + " " + final
            return
        }
        // The marks behind the last word that both have are not typed yet.
        let last = right[count - 1]
        let behind = last.hasPrefix(typedLast) ? last.dropFirst(typedLast.count) : ""
        let marks = behind.contains { $0.isLetter || $0.isNumber } ? "" : behind
        text = typed + marks + final[last.endIndex...]
    }

    private struct Said {
        let word: Substring
        /// Letters and digits only, in lower case.
        let bare: [Character]

        init(_ word: Substring) {
            self.word = word
            bare = word.lowercased().filter { $0.isLetter || $0.isNumber }
        }
    }

    /// The costs of a word that only one of the texts has, and of two that take each other's place: rather than to take a
    /// word for another one that is unlike it, both are kept.
    private static let (step, like, unlike) = (2, 1, 5)

    /// - Returns: how many words of the right are taken for those of the left, and how many of the left are not the same there.
    private static func align(_ left: [Said], _ right: [Said]) -> (count: Int, wrong: Int) {
        // The typed part may be as long as a dictation: one row of costs, with the wrong words beside them.
        var row = (0...right.count).map { (cost: $0 * step, wrong: 0) }
        for (number, typed) in left.enumerated() {
            let isLast = number == left.count - 1
            var next = [(cost: row[0].cost + step, wrong: row[0].wrong + 1)]
            next.reserveCapacity(row.count)
            for (index, other) in right.enumerated() {
                let change = typed.bare == other.bare ? 0 : typed.bare.isLike(other.bare) ? like : unlike
                // Marks behind the last word may follow.
                let isSame =
                    typed.word == other.word
                    || isLast && typed.bare == other.bare && other.word.hasPrefix(typed.word)
                var best = (cost: row[index].cost + change, wrong: row[index].wrong + (isSame ? 0 : 1))
                let (without, besides) = (row[index + 1].cost + step, next[index].cost + step)
                if without < best.cost { best = (without, row[index + 1].wrong + 1) }
                if besides < best.cost { best = (besides, next[index].wrong) }
                next.append(best)
            }
            row = next
        }
        // Of equally good ends the first: rather a word twice than none.
        let count = row.indices.min { row[$0].cost < row[$1].cost } ?? 0
        return (count, row[count].wrong)
    }
}

extension [Character] {
    /// Whether most of two words is the same: their beginning and their end, together.
    fileprivate func isLike(_ other: [Character]) -> Bool {
        let beginning = zip(self, other).prefix { $0 == $1 }.count
        let shorter = Swift.min(count, other.count)
        let end = Swift.min(zip(reversed(), other.reversed()).prefix { $0 == $1 }.count, shorter - beginning)
        return 2 * (beginning + end) >= Swift.max(count, other.count)
    }
}
