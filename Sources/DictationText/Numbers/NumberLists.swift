/// "Ten twenty or thirty people", "gates ten twelve and fourteen", "rooms one oh one one oh two and one oh three": several
/// numbers, and no time of the day, year or row of digits. Round ones are written as a list. Others may have been meant in another
/// way ("five ten or twenty" may be 510), and stay as they were said.
struct NumberLists: SpokenForm {
    let rule = CleaningRule.cardinals

    func read(at place: Int, in reader: NumberReader) -> WrittenForm? {
        guard !reader.language.signs.alternatives.isEmpty else { return nil }
        return three(at: place, in: reader) ?? hundreds(at: place, in: reader)
    }

    private struct List {
        let place: Int
        let values: [Int]
        /// Where the second number ends, and the third.
        let second: Int
        let end: Int
        let isJoined: Bool

        /// All steps are equal.
        var isEven: Bool { values[2] - values[1] == values[1] - values[0] }
        var isCounting: Bool { isEven && values[1] - values[0] == 1 }
        var areRound: Bool { values.allSatisfy { $0 % 5 == 0 } }

        /// The first two; the third one is written with what it counts.
        var written: WrittenForm {
            WrittenForm(text: "\(values[0]), \(values[1])" + (isJoined ? "" : ","), end: second)
        }
    }

    /// Three numbers below a hundred, each larger than the one before it.
    private func list(at place: Int, in reader: NumberReader) -> List? {
        let language = reader.language
        guard let first = reader.belowHundred(at: place, from: place), first.value > 0,
            let second = reader.belowHundred(at: first.end, from: place), first.value < second.value,
            let joint = reader.key(second.end, from: place)
        else { return nil }
        let isJoined =
            joint == language.whole.and || language.signs.joints.contains(joint)
            || language.signs.alternatives.contains(joint)
        guard
            let third = reader.belowHundred(at: isJoined ? second.end + 1 : second.end, from: place),
            second.value < third.value
        else { return nil }
        return List(
            place: place, values: [first.value, second.value, third.value], second: second.end,
            end: third.end, isJoined: isJoined)
    }

    private func three(at place: Int, in reader: NumberReader) -> WrittenForm? {
        guard let list = list(at: place, in: reader) else { return nil }
        let isMeasured =
            reader.hasUnit(at: list.end, from: place)
            || reader.key(list.end, from: place).map(reader.language.times.others.behind.contains) == true
        // "At ten twenty or thirty" is a time, and "at five ten and fifteen minutes" may be one.
        let cues = reader.language.times.cues
        if let before = reader.keyBefore(place), cues.sure.contains(before) || cues.late.contains(before) {
            return isMeasured ? reader.asSaid(place..<list.end) : nil
        }
        let isCounted = isMeasured || reader.isNoun(at: list.end, from: place)
        if list.isJoined {
            return joined(list, isCounted: isCounted, isMeasured: isMeasured, in: reader)
        }
        return sideBySide(list, isCounted: isCounted, isMeasured: isMeasured, in: reader)
    }

    private func joined(
        _ list: List, isCounted: Bool, isMeasured: Bool, in reader: NumberReader
    ) -> WrittenForm? {
        let said = reader.asSaid(list.place..<list.end)
        // "Pages ten eleven and twelve", but not "in nineteen twenty and twenty one".
        if list.isCounting, list.values[2] <= 12 { return said }
        if isCounted, list.values[0] >= 10, list.areRound, list.isEven || !mayBeYear(list, in: reader) {
            return list.written
        }
        // "Pressure one twenty and eighty".
        if reader.followsMeasured(list.place) { return nil }
        if isMeasured { return said }
        guard !mayBeYear(list, in: reader) else { return nil }
        if isCounted {
            return list.values[0] >= 10 || list.isCounting
                || list.values.dropFirst().allSatisfy { $0 % 5 == 0 }
                ? said : nil
        }
        // "Gates ten twelve and fourteen" are no time, but "room two thirty and forty" are 230 and 40.
        return list.values[0] >= 10 || list.areRound && list.isEven ? said : nil
    }

    /// "In fifteen twenty and thirty", "nineteen ninety and ninety one".
    private func mayBeYear(_ list: List, in reader: NumberReader) -> Bool {
        if Self.latestCenturies.contains(list.values[0]) { return true }
        return reader.keyBefore(list.place) != nil
            && reader.words[list.place - 1].kinds.contains(.preposition)
    }

    private static let latestCenturies = 18...20

    /// "Ten twenty thirty percent", with no word between them.
    private func sideBySide(
        _ list: List, isCounted: Bool, isMeasured: Bool, in reader: NumberReader
    ) -> WrittenForm? {
        // More numbers before or after them may be one row.
        guard list.values[2] >= 10,
            reader.keyBefore(list.place) == nil || !reader.words[list.place - 1].isNumber,
            reader.key(list.end, from: list.place) == nil || !reader.words[list.end].isNumber
        else { return nil }
        let step = list.values[1] - list.values[0]
        let isEven = list.isEven && step > 1 && (list.areRound || step <= Self.smallStep)
        guard isMeasured && (list.values[0] >= 10 || list.areRound) || isEven && !mayBeYear(list, in: reader)
        else { return nil }
        if isCounted, list.values[0] >= 10, list.areRound { return list.written }
        // "Ten twelve fourteen and sixteen".
        let end = self.list(
            at: reader.belowHundred(at: list.place, from: list.place)?.end ?? list.end, in: reader)?.end
        return reader.asSaid(list.place..<max(list.end, end ?? 0))
    }

    /// Of numbers that are not counted by fives: "ten twelve fourteen".
    private static let smallStep = 3

    // MARK: - Numbers of three digits

    /// "Rooms two fourteen two sixteen and two eighteen".
    private func hundreds(at place: Int, in reader: NumberReader) -> WrittenForm? {
        guard !reader.language.times.cues.sure.isEmpty,
            reader.keyBefore(place) == nil || !reader.words[place - 1].isNumber
        else { return nil }
        var values: [Int] = []
        var next = place
        while let (value, end) = short(at: next, from: place, in: reader) {
            values.append(value)
            next = end
        }
        guard values.count > 1 else { return nil }
        if let joint = reader.key(next, from: place),
            joint == reader.language.whole.and || reader.language.signs.alternatives.contains(joint),
            let (value, end) = short(at: next + 1, from: place, in: reader)
        {
            values.append(value)
            next = end
        }
        guard values.count > 2, zip(values, values.dropFirst()).allSatisfy(<),
            reader.key(next, from: place) == nil || !reader.words[next].isNumber
        else { return nil }
        return reader.asSaid(place..<next)
    }

    /// "One oh two", "two fourteen"; of "one twenty one thirty" the first two words.
    private func short(at place: Int, from start: Int, in reader: NumberReader) -> (value: Int, end: Int)? {
        guard let hundreds = reader.digit(at: place, from: start), hundreds > 0,
            let next = reader.key(place + 1, from: start)
        else { return nil }
        if reader.language.rows.zeros.contains(next) {
            return reader.digit(at: place + 2, from: start).map { (hundreds * 100 + $0, place + 3) }
        }
        guard let (rest, end) = reader.belowHundred(at: place + 1, from: start), rest >= 10 else {
            return nil
        }
        guard end == place + 3, let behind = reader.key(end, from: start) else {
            return (hundreds * 100 + rest, end)
        }
        let beginsAnother =
            reader.language.rows.zeros.contains(behind)
            || reader.belowHundred(at: end, from: start).map { $0.value >= 10 } == true
        return beginsAnother ? (hundreds * 100 + rest / 10 * 10, end - 1) : (hundreds * 100 + rest, end)
    }
}
