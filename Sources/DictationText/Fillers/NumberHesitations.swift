/// A hesitation between two numbers, before the other rules take it away: "two thousand uh twenty four" is one number that goes on,
/// "one forty uh one forty five over ninety" one that is said in place of another. Two others would be read as one without it,
/// and get a comma: "one forty uh one fifty" is not 141.
struct NumberHesitations: WordRule {
    let rule = CleaningRule.hesitations

    /// The longest number beside a hesitation that is looked at, in words.
    private static let longest = 8

    func apply(to draft: inout Draft) -> Bool {
        var acted = false
        var place = draft.words.count - 2
        // From the end, so that places before it stay.
        while place > 0 {
            if draft.words[place].kinds.contains(.hesitation), let pause = pause(endingAt: place, in: draft) {
                draft.remove([pause.removed], rule: rule)
                let last = pause.removed.lowerBound - 1
                if pause.divides { draft.change(at: last, rule: rule) { $0.trail = "," } }
                acted = true
                place = last
            }
            place -= 1
        }
        return acted
    }

    private struct Pause {
        /// The hesitation, and the number before it if the one behind it is said in its place.
        var removed: Range<Int>
        var divides = false
    }

    private func pause(endingAt last: Int, in draft: Draft) -> Pause? {
        let words = draft.words
        guard isNumber(words[last + 1], draft.language) else { return nil }
        var first = last
        while first > 0, words[first - 1].kinds.contains(.hesitation) { first -= 1 }
        guard first > 0, isNumber(words[first - 1], draft.language),
            words[(first - 1)...last].allSatisfy({
                $0.isPlain && $0.isOpen && !$0.isAllCapitals && !draft.language.fillers.units.contains($0.key)
            }),
            !(words[first - 1].hasDigits && draft.language.fillers.writtenUnits.contains(words[first].key))
        else { return nil }
        // "Set a timer for ten uh fifteen minutes": one item of an order.
        guard
            ReplacedItems(words: words, language: draft.language).replaced(before: first..<(last + 1)) == nil
        else { return nil }
        var start = first - 1
        while start > 0, first - start < Self.longest, isNumber(words[start - 1], draft.language),
            words[start - 1].trail.isEmpty, words[start - 1].isPlain
        {
            start -= 1
        }
        var before = words[max(0, start - 1)..<first]
        before[first - 1].trail = ""
        let numbers = NumbersBeside(
            reader: NumberReader(
                words: Array(before + words[(last + 1)...].prefix(Self.longest)),
                language: draft.language.numbers),
            start: start > 0 ? 1 : 0, seam: before.count)
        if numbers.goOnBehindScale || numbers.goOnAsDigits { return Pause(removed: first..<(last + 1)) }
        if numbers.areReplaced { return Pause(removed: start..<(last + 1)) }
        return numbers.fuse ? Pause(removed: first..<(last + 1), divides: true) : nil
    }

    private func isNumber(_ word: Word, _ language: Language) -> Bool {
        let numbers = language.numbers
        return word.isNumber && word.key != numbers.signs.point || numbers.whole.scales[word.key] != nil
            || numbers.rows.zeros.contains(word.key) || !word.key.isEmpty && word.key == numbers.whole.hundred
    }
}

/// Two numbers between which somebody hesitated, without the hesitation.
private struct NumbersBeside {
    let reader: NumberReader
    /// Where the first one begins, and the second one.
    let start: Int
    let seam: Int

    private var whole: WholeNumberWords { reader.language.whole }
    /// Each of them without the other one.
    private var left: NumberReader {
        NumberReader(words: Array(reader.words[..<seam]), language: reader.language)
    }
    private var right: NumberReader {
        NumberReader(words: Array(reader.words[seam...]), language: reader.language)
    }

    /// "Two thousand uh twenty four": a scale, and less than one of it.
    var goOnBehindScale: Bool {
        let last = reader.words[seam - 1].key
        let isHundred = last == whole.hundred && !last.isEmpty
        guard let scale = isHundred ? 0 : whole.scales[last],
            let rest = reader.whole(at: seam, from: seam), let value = rest.value, value > 0,
            reader.key(rest.end, from: seam) != reader.language.signs.point,
            reader.whole(at: start, from: start)?.end ?? 0 >= seam
        else { return false }
        if isHundred { return value < 100 }
        // "One thousand uh two thousand".
        return String(value).count <= 3 * scale
    }

    /// "Four oh uh seven seven one": so many other digits are not said in place of the first ones.
    var goOnAsDigits: Bool {
        guard let row = left.row(at: start, from: start), row.end == seam, row.digits.count > 1,
            let rest = right.row(at: 0, from: 0), rest.digits.count > 1,
            rest.end == right.words.count || !right.words[rest.end].isNumber
        else { return false }
        return row.digits.count != rest.digits.count
    }

    /// A whole number of three digits in place of another one: where only one can be meant, because it names something, or
    /// has another one behind it: "room two oh four uh two fourteen", "one forty uh one forty five over ninety".
    var areReplaced: Bool {
        guard let first = complete(at: start, in: left), first.end == seam,
            let other = complete(at: 0, in: right),
            reader.keyBefore(start).map({ !reader.language.times.others.over.contains($0) }) ?? true
        else { return false }
        let end = seam + other.end
        let behind = reader.key(end, from: seam)
        if let behind, reader.language.times.others.over.contains(behind) { return true }
        let joints = reader.language.signs
        return reader.keyBefore(start).map(reader.language.names.numbered.contains) == true
            && behind.map {
                $0 != whole.and && !joints.joints.contains($0) && !joints.alternatives.contains($0)
                    && !reader.words[end].isNumber
            } ?? true
    }

    private func complete(at place: Int, in reader: NumberReader) -> NumberReader.Reading? {
        if let row = reader.row(at: place, from: place), row.digits.count == 3 { return row }
        // "140 uh 145 over 90".
        if reader.words[place].hasDigits, let value = Int(reader.words[place].core), value >= 100 {
            return .init(digits: "\(value)", end: place + 1, value: value)
        }
        if let short = reader.shortHundreds(at: place, from: place), short.value != nil { return short }
        return reader.whole(at: place, from: place).flatMap { ($0.value ?? 0) >= 100 ? $0 : nil }
    }

    /// Without the hesitation they would be read as one number, and are none.
    var fuse: Bool {
        guard !goOn else { return false }
        if areNamed { return true }
        // With a number behind it, it would not be read.
        if let short = left.shortHundreds(at: start, from: start), short.end == seam { return true }
        return (start..<seam).contains { place in
            let ends = [
                reader.whole(at: place, from: place)?.end, reader.joined(at: place, from: place)?.end,
                Dates().pair(at: place, from: place, in: reader)?.end,
                reader.row(at: place, from: place).flatMap {
                    $0.digits.count >= DigitRows.shortest ? $0.end : nil
                },
            ]
            return ends.contains { $0 ?? 0 > seam }
        }
    }

    /// "Room twelve uh fourteen", "page six uh seven": both are whole, and one of them is the number of the thing.
    private var areNamed: Bool {
        guard seam - start == 1, reader.keyBefore(start).map(reader.language.names.numbered.contains) == true,
            let first = reader.belowHundred(at: start, from: start), first.end >= seam,
            let second = reader.belowHundred(at: seam, from: seam),
            second.end == reader.words.count || !reader.words[second.end].isNumber
        else { return false }
        // "Page twenty uh two", "room two uh thirty".
        let isGoingOn = first.value >= 20 && first.value % 10 == 0 && second.value < 10
        return !isGoingOn && (first.value < 10) == (second.value < 10)
    }

    /// Digits one by one, "twenty uh five", "at ten uh thirty", "nineteen uh eighty four", "room two uh thirty".
    private var goOn: Bool {
        // "Two uh hundred".
        let next = reader.words[seam].key
        if next == whole.hundred || whole.scales[next] != nil { return true }
        if areNamed { return false }
        if let row = left.row(at: start, from: start), row.digits.count > 2 || row.end == seam {
            // "Five five five twelve uh thirty four".
            if row.end < seam { return true }
            if let rest = right.row(at: 0, from: 0) {
                // Not "two oh four uh two fourteen".
                return rest.end == right.words.count || !right.words[rest.end].isNumber
                    || !right.words[rest.end - 1].trail.isEmpty
            }
            if row.digits.count > 2 { return !reader.hasUnit(at: seam + 1, from: seam) }
        }
        let last = reader.small(at: seam - 1) ?? 0
        if (20...90).contains(last), last % 10 == 0, let digit = reader.digit(at: seam, from: seam),
            digit > 0,
            reader.key(seam + 1, from: seam) == nil || !reader.words[seam + 1].isNumber
        {
            // "One forty uh five over ninety", but not "five thirty uh six".
            return left.joined(at: start, from: start)?.end != seam
                || reader.key(seam + 1, from: seam).map(reader.language.times.others.over.contains) == true
        }
        guard seam - start == 1, let second = reader.belowHundred(at: seam, from: seam) else { return false }
        // "Give five uh fifty milligrams" may be 550, or 50 in place of five; "twenty uh thirty cows" are no year.
        let isCounted =
            reader.isCounted(at: second.end, from: seam)
            || reader.isNoun(at: second.end, from: seam) && reader.isPlural(reader.words[second.end].key)
        return !isCounted || reader.keyBefore(start).map(reader.language.times.cues.late.contains) == true
    }
}
