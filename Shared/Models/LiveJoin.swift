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
/// If both differ, a word may come twice, but none that was said is left out: a word of the final text
/// that does not sound like a typed one comes after it.
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
        let end = Self.align(Array(left.dropFirst(same)), Array(right.dropFirst(same)))
        wrongWords = end.wrong
        let count = same + end.count
        guard count > 0, let typedLast = left.last else {
            text = right.isEmpty ? typed : typed + " " + final
            return
        }
        // The marks after the last common word are not typed yet.
        let last = right[count - 1]
        let behind = last.hasPrefix(typedLast) ? last.dropFirst(typedLast.count) : ""
        let marks = behind.contains { $0.isLetter || $0.isNumber } ? "" : behind
        text = typed + marks + final[last.endIndex...]
    }

    /// The words of both texts, by numbers: equal ones have the same.
    private struct Words {
        struct Said {
            let word: Int
            /// Letters and digits only, in lower case.
            let bare: Int
            let (first, last): (Int, Int)
        }

        private var words = Numbered<Substring>()
        private var bares = Numbered<[Character]>()
        private var characters = Numbered<Character?>()

        mutating func said(_ word: Substring) -> Said {
            let bare = word.lowercased().filter { $0.isLetter || $0.isNumber }.map(\.self)
            return Said(
                word: words.number(of: word), bare: bares.number(of: bare),
                first: characters.number(of: bare.first), last: characters.number(of: bare.last))
        }

        func areLike(_ one: Said, _ other: Said) -> Bool {
            // Usually both differ at once.
            (one.first == other.first || one.last == other.last)
                && bares.all[one.bare].isLike(bares.all[other.bare])
        }

        func begins(_ longer: Said, with shorter: Said) -> Bool {
            words.all[longer.word].hasPrefix(words.all[shorter.word])
        }
    }

    private struct Numbered<Key: Hashable> {
        private(set) var all: [Key] = []
        private var numbers: [Key: Int] = [:]

        mutating func number(of key: Key) -> Int {
            if let number = numbers[key] { return number }
            numbers[key] = all.count
            all.append(key)
            return all.count - 1
        }
    }

    /// The costs of a word that only one of the texts has, and of two that take each other's place: rather than to take a
    /// word for another one that is unlike it, both are kept.
    private static let (step, like, unlike) = (2, 1, 5)

    private struct Cell {
        var cost: Int
        var wrong = 0

        /// No way leads there.
        static let unreachable = Cell(cost: .max / 2)
    }

    /// Two texts of one dictation differ in few words, so the words that belong together have nearly the same
    /// number in both: only those are compared. The typed part may be as long as a dictation, and all of it
    /// is aligned for each result.
    ///
    /// - Returns: how many words of the right correspond to those of the left, and how many of the left are
    ///   not the same there.
    private static func align(_ left: [Substring], _ right: [Substring]) -> (count: Int, wrong: Int) {
        var words = Words()
        let (left, right) = (left.map { words.said($0) }, right.map { words.said($0) })
        var reach = 16
        while true {
            // Any way that leads farther from the diagonal has more words that only one text has.
            let isWhole = reach >= max(left.count, right.count)
            if let end = align(left, right, of: words, within: reach), isWhole || end.cost <= step * reach {
                return (end.count, end.wrong)
            }
            reach *= 2
        }
    }

    /// - Parameter reach: how much the numbers of two words that are compared may differ.
    /// - Returns: nil if the left ends farther after the right than that.
    private static func align(
        _ left: [Words.Said], _ right: [Words.Said], of words: Words, within reach: Int
    ) -> (count: Int, wrong: Int, cost: Int)? {
        // One row of costs, with the wrong words next to them.
        var row = (0...right.count).map { Cell(cost: $0 * step) }
        var next = row
        for (number, typed) in left.enumerated() {
            let isLast = number == left.count - 1
            let (first, last) = (max(0, number + 1 - reach), min(right.count, number + 1 + reach))
            guard first <= last else { return nil }
            if number + reach < right.count { row[last] = .unreachable }
            next[max(0, first - 1)] =
                first > 0 ? .unreachable : Cell(cost: row[0].cost + step, wrong: row[0].wrong + 1)
            for count in stride(from: max(1, first), through: last, by: 1) {
                let other = right[count - 1]
                let isAlike = typed.bare == other.bare
                let change = isAlike ? 0 : words.areLike(typed, other) ? like : unlike
                // Marks after the last word may follow.
                let isSame =
                    isAlike && (typed.word == other.word || isLast && words.begins(other, with: typed))
                var best = Cell(
                    cost: row[count - 1].cost + change, wrong: row[count - 1].wrong + (isSame ? 0 : 1))
                let (without, besides) = (row[count].cost + step, next[count - 1].cost + step)
                if without < best.cost { best = Cell(cost: without, wrong: row[count].wrong + 1) }
                if besides < best.cost { best = Cell(cost: besides, wrong: next[count - 1].wrong) }
                next[count] = best
            }
            swap(&row, &next)
        }
        let ends = max(0, left.count - reach)...min(right.count, left.count + reach)
        // The first of equally good ends: a repeated word is better than a missing one.
        let count = ends.min { row[$0].cost < row[$1].cost } ?? 0
        return (count, row[count].wrong, row[count].cost)
    }
}

extension [Character] {
    /// Whether most of two words is the same: their beginning and their end, together.
    fileprivate func isLike(_ other: [Character]) -> Bool {
        let shorter = Swift.min(count, other.count)
        var beginning = 0
        while beginning < shorter, self[beginning] == other[beginning] { beginning += 1 }
        var end = 0
        while end < shorter - beginning, self[count - 1 - end] == other[other.count - 1 - end] { end += 1 }
        return 2 * (beginning + end) >= Swift.max(count, other.count)
    }
}
