/// "It costs two ninety nine": $299 or $2.99, which only the speaker knows. It stays as it was said, and is neither a year nor
/// a time of the day.
struct Prices: SpokenForm {
    let rule = CleaningRule.cardinals

    func read(at place: Int, in reader: NumberReader) -> WrittenForm? {
        guard let pair = reader.joined(at: place, from: place) else { return nil }
        // "Two fifty thousand" is neither two nor 50,000.
        if reader.digit(at: place, from: place) != nil, let scale = reader.key(pair.end, from: place),
            reader.language.whole.scales[scale] != nil
        {
            return reader.asSaid(place..<(pair.end + 1))
        }
        guard
            reader.followsPrice(place) && !reader.isCounted(at: pair.end, from: place)
                || isRate(at: pair.end, from: place, in: reader)
        else { return nil }
        return reader.asSaid(place..<pair.end)
    }

    /// "Nine fifty each", "twelve fifty a month", but not "in nineteen fifty a year later".
    private func isRate(at place: Int, from start: Int, in reader: NumberReader) -> Bool {
        let money = reader.language.measures.money
        guard let key = reader.key(place, from: start) else { return false }
        if let before = reader.keyBefore(start), !money.beforeAmount.contains(before),
            reader.words[start - 1].kinds.contains(.preposition)
        {
            return false
        }
        if money.each.contains(key) { return true }
        return money.perOne.contains(key) && reader.isOneUnit(at: place + 1, from: start)
    }
}

/// "Twelve ninety five", "thirty eight five": two numbers that are no other form stay words, not one of them.
struct NumberPairs: SpokenForm {
    let rule = CleaningRule.cardinals

    func read(at place: Int, in reader: NumberReader) -> WrittenForm? {
        guard let first = reader.belowHundred(at: place, from: place),
            let second = reader.belowHundred(at: first.end, from: place),
            Self.isSmall(first.value) != Self.isSmall(second.value),
            // "Noventa y uno tres cinco siete ocho nueve": the number of a telephone.
            reader.row(at: first.end, from: place).map({ $0.digits.count < DigitRows.shortest }) ?? true,
            // "Ten fifty dollar bills", "38 five years ago".
            !reader.isOneUnit(at: second.end, from: place),
            !(Self.isSmall(first.value)
                ? reader.isMeasured(at: second.end, from: place)
                : reader.isCounted(at: second.end, from: place))
        else { return nil }
        // "No one 30 years old".
        if let before = reader.keyBefore(place), first.value == 1,
            reader.language.times.others.beforeOne.contains(before),
            reader.key(second.end, from: place) != nil
        {
            return nil
        }
        return reader.asSaid(place..<second.end)
    }

    private static func isSmall(_ value: Int) -> Bool { value < NumberWords.smallestInDigits }
}

/// "Two to four milligrams", "ten or fifteen people": both numbers are written in the same way.
struct NumberChoices: SpokenForm {
    let rule = CleaningRule.cardinals

    func read(at place: Int, in reader: NumberReader) -> WrittenForm? {
        guard !reader.language.signs.alternatives.isEmpty else { return nil }
        return estimate(at: place, in: reader) ?? pair(at: place, in: reader)
            ?? dimension(at: place, in: reader)
    }

    /// "Twenty thirty people" are two numbers, and no year. "Five ten minutes" stays as it was said.
    private func estimate(at place: Int, in reader: NumberReader) -> WrittenForm? {
        guard let (first, second) = reader.estimate(at: place) else { return nil }
        guard first.value >= NumberWords.smallestInDigits else { return reader.asSaid(place..<second.end) }
        return WrittenForm(text: "\(first.value), \(second.value)", end: second.end)
    }

    /// "Two by three meters".
    private func dimension(at place: Int, in reader: NumberReader) -> WrittenForm? {
        guard let first = reader.number(at: place), let joint = reader.key(first.end, from: place),
            reader.language.signs.dimensions.contains(joint),
            Measures().read(at: first.end + 1, in: reader) != nil
                // "A nine by thirteen pan".
                || (reader.number(at: first.end + 1)?.value ?? 0) >= NumberWords.smallestInDigits
        else { return nil }
        return WrittenForm(text: first.digits, end: first.end)
    }

    private func pair(at place: Int, in reader: NumberReader) -> WrittenForm? {
        let language = reader.language
        // "Drei fünfzig oder vier Euro" are no hundreds.
        let saysHundreds = !language.times.cues.sure.isEmpty
        let hundreds = saysHundreds ? reader.shortHundreds(at: place, from: place) : nil
        guard let first = hundreds ?? reader.number(at: place) ?? reader.oneBeforeChoice(at: place),
            let value = first.value,
            value > 0,
            let joint = reader.key(first.end, from: place),
            language.signs.range.contains(joint) || language.signs.alternatives.contains(joint)
                || (joint == language.whole.and || language.signs.joints.contains(joint))
                    && reader.keyBefore(place).map(language.signs.between.contains) == true,
            let last = (saysHundreds ? reader.shortHundreds(at: first.end + 1, from: first.end + 1) : nil)
                ?? reader.number(at: first.end + 1),
            // "One twenty or thirty milligrams" may be 120 or 130.
            hundreds == nil || reader.digit(at: first.end + 1, from: place) != nil
        else { return nil }
        if value == 1, let before = reader.keyBefore(place),
            language.times.others.beforeOne.contains(before)
        {
            return nil
        }
        let next = first.end + 1
        // "Two or three hundred" may be two hundred or three hundred.
        if let count = reader.roundCount(of: last, at: next), value < count {
            return reader.asSaid(place..<last.end)
        }
        // "Two to two and a half".
        let hasHalf = Fractions().read(at: next, in: reader)?.text.contains(" ") == true
        // "From ten to two PM".
        let isTime =
            value <= 12 && reader.match(language.times.halves, at: last.end, from: place, longest: 2) != nil
            // "At ten to four PM" is one time.
            && Times().read(at: place, in: reader) == nil
        // "Von neun bis siebzehn Uhr", "um drei oder vier Uhr".
        if let time = fullHour(value, before: next, in: reader) {
            return WrittenForm(text: time, end: first.end)
        }
        if !hasHalf, !isTime, language.signs.range.contains(joint), let other = last.value, value >= other {
            return nil
        }
        if let money = Money().read(at: next, in: reader) {
            return WrittenForm(
                text: money.text.prefix { !$0.isNumber && $0 != "-" } + first.digits, end: first.end)
        }
        let other = hundreds == nil ? nil : ShortHundreds().read(at: next, in: reader)?.text
        // "One twenty or one thirty" may be two times of the day.
        if let other, other != last.digits, Times().read(at: place, in: reader) == nil {
            return reader.asSaid(place..<last.end)
        }
        guard
            isTime || last.hasScaleWord || last.digits.contains(language.signs.decimalMark) || hasHalf
                || Measures().read(at: next, in: reader) != nil
                || other == last.digits
                // "Del cinco al doce de mayo".
                || !language.dates.joint.isEmpty && Dates().read(at: next, in: reader) != nil
        else { return nil }
        return WrittenForm(text: first.digits, end: first.end)
    }
}

extension NumberChoices {
    /// The hours of a day, with the word that makes a time of the second number.
    private static let hours = 0...24

    /// The first of two hours as a time, if a word after the second one makes both of them times.
    private func fullHour(_ hour: Int, before next: Int, in reader: NumberReader) -> String? {
        let times = reader.language.times
        guard !times.separators.isEmpty, Self.hours.contains(hour),
            let number = reader.belowHundred(at: next, from: next),
            reader.key(number.end, from: next).map(times.separators.contains) == true,
            Times().read(at: next, in: reader) != nil
        else { return nil }
        return "\(hour):00"
    }
}

extension NumberReader {
    /// "Ein bis zwei Euro": the word for one is an article elsewhere.
    fileprivate func oneBeforeChoice(at place: Int) -> Reading? {
        guard let key = key(place, from: place), language.measures.money.one.contains(key),
            let joint = self.key(place + 1, from: place),
            language.signs.range.contains(joint) || language.signs.alternatives.contains(joint)
        else { return nil }
        return Reading(digits: "1", end: place + 1, value: 1)
    }

    /// "Twenty thirty people", "five ten minutes": round numbers side by side, between which what is counted may be.
    func estimate(at place: Int) -> (first: (value: Int, end: Int), second: (value: Int, end: Int))? {
        guard let first = belowHundred(at: place, from: place), first.value % 5 == 0, first.value > 0,
            let second = belowHundred(at: first.end, from: place), second.value % 5 == 0,
            second.value - first.value == 5 || second.value - first.value == 10 && first.value >= 10,
            keyBefore(place).map({ language.whole.small[$0] == nil && !language.times.cues.late.contains($0) }
            )
                ?? true
        else { return nil }
        let others = language.times.others
        guard let counted = key(second.end, from: place), !isPartOfNumber(counted) else { return nil }
        // "In twenty thirty people will".
        if others.plurals.contains(counted) {
            return keyBefore(place) == nil || !words[place - 1].kinds.contains(.preposition)
                ? (first, second) : nil
        }
        let isCounted =
            others.behind.isEmpty
            ? isNoun(at: second.end, from: place) : isCounted(at: second.end, from: place)
        return isCounted ? (first, second) : nil
    }

    /// A unit or a currency.
    func hasUnit(at place: Int, from start: Int) -> Bool {
        guard key(place, from: start) != nil else { return false }
        return match(language.measures.units, at: place, from: start, longest: MeasureWords.longest) != nil
            || match(
                language.measures.money.currencies, at: place, from: start, longest: MeasureWords.longest)
                != nil
    }

    func asSaid(_ range: Range<Int>) -> WrittenForm {
        WrittenForm(text: words[range].map(\.core).joined(separator: " "), end: range.upperBound)
    }

    /// "Paid nineteen ninety nine", "the total was", "it costs us about".
    func followsPrice(_ place: Int) -> Bool {
        var before = place
        while place - before < Self.reach, let key = keyBefore(before) {
            if language.measures.money.priced.contains(key) { return true }
            guard
                language.measures.money.beforeAmount.contains(key)
                    || !words[before - 1].kinds.isDisjoint(with: [.pronoun, .personal])
            else { return false }
            before -= 1
        }
        return false
    }

    /// The most words between a word of prices and its number, and that word.
    private static let reach = 3

    /// What follows a number says what is counted: "dollars", "people", "hundred".
    func isCounted(at place: Int, from start: Int) -> Bool {
        guard let key = key(place, from: start) else { return false }
        return language.times.others.behind.contains(key) || isMeasured(at: place, from: start)
    }

    /// A unit, a currency or another part of the number.
    func isMeasured(at place: Int, from start: Int) -> Bool {
        guard let key = key(place, from: start) else { return false }
        return isPartOfNumber(key) || hasUnit(at: place, from: start)
    }

    func isPartOfNumber(_ key: String) -> Bool {
        language.whole.small[key] != nil || language.whole.scales[key] != nil || key == language.whole.hundred
            || key == language.signs.point || language.fractions.denominators[key] != nil
            || language.rows.zeros.contains(key)
    }

    /// A word that is neither of grammar nor a number.
    func isNoun(at place: Int, from start: Int) -> Bool {
        guard let key = key(place, from: start), !isPartOfNumber(key) else { return false }
        return words[place].kinds.isDisjoint(with: [
            .function, .preposition, .conjunction, .auxiliary, .pronoun, .question, .number,
        ])
    }

    /// 3 for "three hundred" and for "three thousand"; nil for another number, or one whose scale is written.
    func roundCount(of number: Reading, at place: Int) -> Int? {
        guard !number.hasScaleWord, let (count, end) = belowHundred(at: place, from: place),
            end + 1 == number.end, let key = key(end, from: place),
            key == language.whole.hundred || language.whole.scales[key] != nil
        else { return nil }
        return count
    }
}
