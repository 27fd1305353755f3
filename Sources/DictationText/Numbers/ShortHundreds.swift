/// "One forty over ninety", "a boeing seven forty seven": a number of
/// three digits that is said like a time of day. If it could be both, it stays as it was said.
struct ShortHundreds: SpokenForm {
    let rule = CleaningRule.cardinals

    func read(at place: Int, in reader: NumberReader) -> WrittenForm? {
        let times = reader.language.times
        guard !times.cues.sure.isEmpty, let number = reader.shortHundreds(at: place, from: place) else {
            return nil
        }
        if let next = reader.key(number.end, from: place) {
            // "Eight seventy five one tablet".
            if reader.belowHundred(at: number.end, from: place) != nil {
                return reader.asSaid(place..<number.end)
            }
            guard !reader.words[number.end].isNumber, !reader.isOneUnit(at: number.end, from: place),
                !times.others.counted.contains(next),
                !times.others.behind.contains(next) || reader.isPlural(next), next != "point", next != "dot"
            else { return nil }
        }
        // "No one twenty years old".
        if let before = reader.keyBefore(place), reader.digit(at: place, from: place) == 1,
            times.others.beforeOne.contains(before)
        {
            return nil
        }
        let spoken = reader.words[place..<number.end].map(\.core).joined(separator: " ")
        return WrittenForm(
            text: isDoubtful(number, at: place, in: reader) ? spoken : number.digits, end: number.end)
    }

    /// Nothing shows its meaning, and it may be a time of the day without a word for it.
    private func isDoubtful(_ number: NumberReader.Reading, at place: Int, in reader: NumberReader) -> Bool {
        let times = reader.language.times
        if times.others.names.contains(reader.words[place..<number.end].map(\.key)) { return true }
        guard let value = number.value else { return false }
        if countsPeople(behind: number, from: place, in: reader) { return true }
        let mayBeTime = value % 100 < 60 && value % 5 == 0
        // "The book is nine ninety nine".
        guard mayBeTime || Self.endsOfPrices.contains(value % 100) else { return false }
        // "One sixty over one ten".
        if place > 1, let before = reader.keyBefore(place), times.others.over.contains(before),
            reader.words[place - 2].isNumber
        {
            return false
        }
        if let next = reader.key(number.end, from: place) {
            if times.others.over.contains(next) || times.others.behind.contains(next) { return false }
            // "One fifty pounds".
            if reader.match(reader.language.measures.units, at: number.end, from: place, longest: 2) != nil {
                return false
            }
        }
        return !reader.followsMeasured(place)
    }

    private static let endsOfPrices = [95, 99]

    /// "At five ten people came": at five, or at 5:10, and never 510.
    private func countsPeople(
        behind number: NumberReader.Reading, from place: Int, in reader: NumberReader
    ) -> Bool {
        let times = reader.language.times
        guard reader.keyBefore(place).map(times.cues.late.contains) == true, let value = number.value,
            (10...59).contains(value % 100), let next = reader.key(number.end, from: place)
        else { return false }
        return times.others.plurals.contains(next) && !reader.hasUnit(at: number.end, from: place)
    }
}

extension Times {
    /// Whether "two thirty" is a time: the word before it shows this, or it is the whole text. From ten on,
    /// speakers hardly ever mean hundreds.
    func isAnnounced(_ hour: Int, _ minute: Int, _ range: Range<Int>, in reader: NumberReader) -> Bool {
        let words = reader.language.times
        guard !words.cues.sure.isEmpty else {
            // "Cuesta tres cincuenta" is a price.
            return words.cues.late.isEmpty
                || reader.keyBefore(range.lowerBound).map(words.cues.late.contains) == true
        }
        if let next = reader.key(range.upperBound, from: range.lowerBound), words.others.over.contains(next) {
            return false
        }
        if isFirstChoice(minute, range, in: reader) { return false }
        guard hour < 10 else { return true }
        if reader.followsMeasured(range.lowerBound) { return false }
        let isQuarter = minute % 15 == 0
        guard let before = reader.keyBefore(range.lowerBound) else {
            // "The scores were one forty, one fifty".
            if range.lowerBound > 0, reader.words[range.lowerBound - 1].isNumber,
                reader.words[range.lowerBound - 1].hasComma
            {
                return false
            }
            let endsHere = reader.key(range.upperBound, from: range.lowerBound) == nil
            return endsHere || isQuarter
        }
        if words.cues.sure.contains(before) { return true }
        if words.cues.weak.contains(before) {
            return minute % 5 == 0 && !isBehindOtherNumber(range.lowerBound - 1, in: reader)
        }
        return isQuarter && words.cues.doubtful.contains(before)
    }
}

extension Times {
    /// "Room one twenty and one thirty": if the number before the "and" is not a time, this one is not either.
    private func isBehindOtherNumber(_ joint: Int, in reader: NumberReader) -> Bool {
        let cues = reader.language.times.cues
        guard reader.words[joint].kinds.contains(.conjunction), reader.keyBefore(joint) != nil,
            reader.words[joint - 1].isNumber
        else { return false }
        var start = joint - 1
        // "120 and one thirty".
        if reader.words[start].hasDigits { return (Int(reader.words[start].core) ?? 0) >= 100 }
        while reader.keyBefore(start) != nil, reader.words[start - 1].isNumber { start -= 1 }
        if let before = reader.keyBefore(start), cues.sure.contains(before) || cues.weak.contains(before) {
            return false
        }
        return reader.belowHundred(at: start, from: start).map { $0.value < 10 } == true
    }

    /// "Ten eleven or twelve": no pair follows, and no word announced a time. "Ten twelve and fourteen" are as many numbers, but
    /// "ten thirty and two" are not.
    private func isFirstChoice(_ minute: Int, _ range: Range<Int>, in reader: NumberReader) -> Bool {
        guard let key = reader.key(range.upperBound, from: range.lowerBound),
            reader.keyBefore(range.lowerBound).map(reader.language.times.cues.sure.contains) != true,
            let next = reader.belowHundred(at: range.upperBound + 1, from: range.lowerBound),
            reader.language.signs.alternatives.contains(key)
                || key == reader.language.whole.and && minute < next.value
        else { return false }
        let words = reader.language.times
        guard let behind = reader.key(next.end, from: range.lowerBound) else { return true }
        return reader.language.whole.small[behind] == nil && !words.oclock.contains(behind)
            && reader.match(words.halves, at: next.end, from: range.lowerBound, longest: 2) == nil
    }
}

extension Times {
    /// "Two ten milligram pills", but not "at two thirty gray clouds came".
    func isMeasured(
        _ unit: String, behind end: Int, from start: Int, in reader: NumberReader
    ) -> Bool {
        guard reader.hasUnit(at: end, from: start) else { return false }
        let (times, measures) = (reader.language.times, reader.language.measures)
        guard reader.keyBefore(start).map(times.cues.sure.contains) == true else { return true }
        return !measures.everyday.contains(unit) && measures.metric[unit] == nil
    }
}

extension NumberReader {
    /// "Pressure one thirty", "her weight is one thirty".
    func followsMeasured(_ place: Int) -> Bool {
        guard let before = keyBefore(place) else { return false }
        if language.times.others.measured.contains(before) { return true }
        guard language.times.others.joints.contains(before), let earlier = keyBefore(place - 1) else {
            return false
        }
        return language.times.others.measured.contains(earlier)
    }

    /// "I may", "they march": a verb, and no month.
    func followsSubject(_ place: Int) -> Bool {
        guard let before = keyBefore(place) else { return false }
        return words[place - 1].kinds.contains(.pronoun) || language.dates.modals.contains(before)
    }

    func isPlural(_ key: String) -> Bool { key.hasSuffix("s") || language.times.others.plurals.contains(key) }

    /// Whether a unit in the singular follows, as before a noun: "two twenty volt outlets", "two fifteen year
    /// olds".
    func isOneUnit(at place: Int, from start: Int) -> Bool {
        guard let key = key(place, from: start), !isPlural(key) else { return false }
        return language.times.others.behind.contains(key) || language.times.others.counted.contains(key)
            || match(language.measures.units, at: place, from: start, longest: 2) != nil
            || match(language.measures.money.currencies, at: place, from: start, longest: 2) != nil
    }
}

extension NumberWords {
    /// Whether digits that are said one by one follow the word, or the one before "is".
    func announcesRows(_ before: String, at place: Int, in reader: NumberReader) -> Bool {
        if rows.announcing.contains(before) { return true }
        guard rows.joints.contains(before), let earlier = reader.keyBefore(place - 1) else { return false }
        return rows.announcing.contains(earlier)
    }
}
