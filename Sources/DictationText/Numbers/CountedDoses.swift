/// "Metformin five hundred two tablets", "lisinopril twenty one tablet daily": the last digit may count what
/// follows, and the number before it is the strength. If the noun shows this, these are two numbers;
/// otherwise they stay as they were said.
struct CountedDoses: SpokenForm {
    let rule = CleaningRule.cardinals

    func read(at place: Int, in reader: NumberReader) -> WrittenForm? {
        let measures = reader.language.measures
        guard !measures.doses.isEmpty, let number = reader.number(at: place), number.end > place + 1,
            let behind = reader.key(number.end, from: place),
            let digit = reader.digit(at: number.end - 1, from: place), digit > 0,
            let strength = strength(number, without: digit, in: reader)
        else { return nil }
        let before = reader.keyBefore(number.end - 1)
        let isJoined =
            before == reader.language.whole.and || before == reader.language.whole.tensAnd
        if measures.doses.contains(behind), digit == 1 {
            // "A twenty one tablet pack".
            guard reader.keyBefore(place).map(Self.isArticle(in: reader)) != true else { return nil }
            return isJoined
                ? reader.asSaid(place..<number.end)
                : WrittenForm(text: strength.digits, end: number.end - 1)
        }
        let isCounted =
            measures.severalDoses.contains(behind)
            ? digit > 1 && (!strength.isTens || takenOften(at: number.end + 1, from: place, in: reader))
            : takenOften(at: number.end, from: place, in: reader)
        // "Six hundred one two times a day".
        let isBeforeDigit =
            !strength.isTens
            && (reader.digit(at: number.end, from: place) != nil || reader.words[number.end].hasDigits)
            && reader.key(number.end + 1, from: place).map(reader.isPartOfNumber) != true
        guard isCounted || isBeforeDigit else { return nil }
        // "One hundred and two tablets", "treinta y dos comprimidos" are one number.
        return isJoined ? nil : reader.asSaid(place..<number.end)
    }

    /// The number before the digit; tens that belong to it more often than not.
    private func strength(
        _ number: NumberReader.Reading, without digit: Int, in reader: NumberReader
    ) -> (digits: String, isTens: Bool)? {
        if let value = number.value {
            guard value > 20, value % 10 == digit else { return nil }
            return ("\(value - digit)", value % 100 > 10)
        }
        // "Two point five one tablet".
        guard !number.hasScaleWord, number.digits.hasSuffix("\(digit)"),
            let mark = number.digits.firstRange(of: reader.language.signs.decimalMark),
            number.digits[mark.upperBound...].count > 1
        else { return nil }
        return (String(number.digits.dropLast()), false)
    }

    private static func isArticle(in reader: NumberReader) -> (String) -> Bool {
        { $0 == reader.language.whole.article || $0 == reader.language.dates.article }
    }

    /// "Three times a day", but not "daily flights".
    private func takenOften(at place: Int, from start: Int, in reader: NumberReader) -> Bool {
        guard
            let end = reader.match(
                reader.language.measures.frequencies, at: place, from: start, longest: MeasureWords.longest)
        else { return false }
        return end > place + 1 || !reader.isNoun(at: end, from: start)
    }
}

/// German "fünfzig eins null eins": a strength, and how many are taken in the morning, at noon, in the
/// evening and at night. It is written "50 1-0-1". If nothing separates it from the digits before it, it
/// stays as it was said, and is no row.
struct DoseSchedules: SpokenForm {
    let rule = CleaningRule.digitRows

    /// Times of a day at which something is taken.
    private static let times = 3...4
    private static let mostAtOnce = 4

    func read(at place: Int, in reader: NumberReader) -> WrittenForm? {
        guard !reader.language.rows.scheduleMark.isEmpty else { return nil }
        return schedule(at: place, from: place, in: reader).flatMap {
            followsStrength(place, in: reader) ? $0 : nil
        } ?? behindStrength(at: place, in: reader) ?? undivided(at: place, in: reader)
    }

    /// Digits one by one that make a schedule, and end there.
    private func schedule(at place: Int, from start: Int, in reader: NumberReader) -> WrittenForm? {
        guard let row = reader.row(at: place, from: start), row.end - place == row.digits.count,
            Self.isSchedule(row.digits), !reader.isMeasured(at: row.end, from: start)
        else { return nil }
        let text = row.digits.map(String.init).joined(separator: reader.language.rows.scheduleMark)
        return WrittenForm(text: text, end: row.end)
    }

    /// "101", "1000", "111", but not "000" and "123".
    private static func isSchedule(_ digits: some StringProtocol) -> Bool {
        let values = digits.compactMap(\.wholeNumberValue)
        return times.contains(values.count) && values.allSatisfy { $0 <= mostAtOnce }
            && values.contains { $0 > 0 } && (values.contains(0) || Set(values).count == 1)
    }

    /// "500 eins null eins", "fünfzig Milligramm eins null eins".
    private func followsStrength(_ place: Int, in reader: NumberReader) -> Bool {
        guard let before = reader.keyBefore(place), !isNamed(place - 1, in: reader) else { return false }
        if reader.words[place - 1].hasDigits { return true }
        return reader.language.measures.units[[before]] != nil && place > 1
            && reader.words[place - 2].isNumber
    }

    private func behindStrength(at place: Int, in reader: NumberReader) -> WrittenForm? {
        guard let strength = reader.number(at: place), let value = strength.value, value >= 10,
            reader.keyBefore(place) == nil || !reader.words[place - 1].isNumber, !isNamed(place, in: reader),
            let schedule = schedule(at: strength.end, from: place, in: reader)
        else { return nil }
        return WrittenForm(text: "\(strength.digits) \(schedule.text)", end: schedule.end)
    }

    /// "Zwei Komma fünf eins null eins" may be 2.5101, and "fünf eins null eins" a code.
    private func undivided(at place: Int, in reader: NumberReader) -> WrittenForm? {
        guard reader.keyBefore(place).map({ _ in !reader.words[place - 1].isNumber }) ?? true else {
            return nil
        }
        if let row = reader.row(at: place, from: place), row.end - place == row.digits.count,
            reader.key(row.end, from: place) != reader.language.signs.point
        {
            guard (4...5).contains(row.digits.count), !row.digits.hasPrefix("0"), place > 0,
                Self.isSchedule(row.digits) || Self.isSchedule(row.digits.dropFirst()),
                !isNamed(place, in: reader), !reader.isMeasured(at: row.end, from: place),
                reader.keyBefore(place) != nil, reader.words[place - 1].kinds.isDisjoint(with: .function)
            else { return nil }
            return reader.asSaid(place..<row.end)
        }
        guard let number = reader.number(at: place),
            let mark = number.digits.firstRange(of: reader.language.signs.decimalMark),
            !reader.isMeasured(at: number.end, from: place)
        else { return nil }
        let fraction = number.digits[mark.upperBound...]
        guard fraction.count > 3, !fraction.hasPrefix("0"),
            Self.times.contains(where: { $0 < fraction.count && Self.isSchedule(fraction.suffix($0)) })
        else { return nil }
        return reader.asSaid(place..<number.end)
    }

    private func isNamed(_ place: Int, in reader: NumberReader) -> Bool {
        guard let before = reader.keyBefore(place) else { return false }
        return reader.language.names.numbered.contains(before)
            || reader.language.announcesRows(before, at: place, in: reader)
    }
}
