/// "the twenty fifth of july twenty twelve", "june thirty", "nineteen eighties", "seven fifty b c".
struct Dates: SpokenForm {
    let rule = CleaningRule.dates

    func read(at place: Int, in reader: NumberReader) -> WrittenForm? {
        guard let key = reader.key(place, from: place) else { return nil }
        let words = reader.language.dates
        if words.months.contains(key) { return monthFirst(at: place, in: reader) }
        if key == words.article {
            return dayFirst(at: place + 1, from: place, in: reader)
        }
        return dayFirst(at: place, from: place, in: reader) ?? numberedMonth(at: place, in: reader)
            ?? bareYear(at: place, in: reader)
    }

    private func dayFirst(at place: Int, from start: Int, in reader: NumberReader) -> WrittenForm? {
        let words = reader.language.dates
        guard let day = reader.ordinal(at: place) ?? reader.whole(at: place, from: start),
            let value = day.value,
            (1...31).contains(value), reader.key(place, from: start) != nil
        else { return nil }
        let other = otherDay(behind: day, from: start, in: reader)
        var next = other?.end ?? day.end
        let hasOf = reader.key(next, from: start).map(words.of.contains) ?? false
        if hasOf { next += 1 } else if !words.of.isEmpty, words.dayMark.isEmpty { return nil }
        guard let month = reader.key(next, from: start), words.months.contains(month) else { return nil }
        let name = reader.words[next].core
        let joint = words.joint.isEmpty ? " " : " \(words.joint) "
        var text = "\(value)\(words.dayMark)\(other?.text ?? "")\(joint)\(name)"
        next += 1
        var yearPlace = next
        if !words.joint.isEmpty, reader.key(next, from: start).map(words.of.contains) ?? false {
            yearPlace += 1
        }
        if let year = year(at: yearPlace, from: start, in: reader) {
            text += joint + year.digits
            next = year.end
        }
        return WrittenForm(text: text, end: next)
    }

    /// "Am dritten fünften zweitausendvierundzwanzig": a day, and a month by its number.
    private func numberedMonth(at place: Int, in reader: NumberReader) -> WrittenForm? {
        let words = reader.language.dates
        guard let before = reader.keyBefore(place), words.beforeDays.contains(before),
            let day = reader.ordinal(at: place), (1...31).contains(day.value ?? 0),
            reader.key(day.end, from: place) != nil,
            let month = reader.ordinal(at: day.end), (1...12).contains(month.value ?? 0),
            // "Am ersten, zweiten und dritten Mai", "die ersten zweiten Plätze".
            !reader.isNoun(at: month.end, from: place),
            reader.key(month.end, from: place).map({
                !reader.language.signs.joints.contains($0) && !words.months.contains($0)
            }) ?? true
        else { return nil }
        let text = day.digits + month.digits
        guard let year = year(at: month.end, from: place, in: reader) else {
            return WrittenForm(text: text, end: month.end)
        }
        return WrittenForm(text: text + year.digits, end: year.end)
    }

    private func monthFirst(at place: Int, in reader: NumberReader) -> WrittenForm? {
        let words = reader.language.dates
        // A language that puts the day first does not put it second.
        guard words.dayMark.isEmpty, words.joint.isEmpty else { return nil }
        let name = reader.words[place].core
        let isAmbiguous = words.ambiguousMonths.contains(reader.words[place].key)
        // "You may first want to".
        if isAmbiguous, reader.followsSubject(place) { return nil }
        // "July fifteen twenty twenty" is a day and a year, "july twenty twelve" a year.
        let year = year(at: place + 1, from: place, in: reader).map {
            WrittenForm(text: "\(name) \($0.digits)", end: $0.end)
        }
        let day = dayBehind(name, at: place, isAmbiguous: isAmbiguous, in: reader)
        guard let year else { return day }
        return day.map { $0.end > year.end ? $0 : year } ?? year
    }

    /// "june thirty", "february twenty fifth twenty sixteen"
    private func dayBehind(
        _ name: String, at place: Int, isAmbiguous: Bool, in reader: NumberReader
    ) -> WrittenForm? {
        let words = reader.language.dates
        var next = place + 1
        if reader.key(next, from: place) == words.article { next += 1 }
        let ordinal = reader.ordinal(at: next)
        guard reader.key(next, from: place) != nil, let day = ordinal ?? reader.whole(at: next, from: place),
            let value = day.value
        else { return nil }
        guard (1...31).contains(value) else {
            return lastDay(of: value, day.end, month: place, isAmbiguous: isAmbiguous, in: reader)
        }
        // "may two people", "june thirty dollars"
        let ends = day.end == reader.words.count || !reader.words[day.end - 1].trail.isEmpty
        let year = year(at: day.end, from: place, in: reader)
        guard ordinal != nil || year != nil || !isAmbiguous || ends else { return nil }
        let text = "\(name) \(value)"
        guard let year else {
            guard let other = otherDay(behind: day, from: place, in: reader),
                !reader.isNoun(at: other.end, from: place)
            else { return WrittenForm(text: text, end: day.end) }
            return WrittenForm(text: text + other.text, end: other.end)
        }
        return WrittenForm(text: "\(text) \(year.digits)", end: year.end)
    }

    /// "On June thirty five patients were seen": nothing has 35 days, so that the five count what follows.
    private func lastDay(
        of value: Int, _ end: Int, month: Int, isAmbiguous: Bool, in reader: NumberReader
    ) -> WrittenForm? {
        guard !isAmbiguous, (32...39).contains(value), end == month + 3, reader.isNoun(at: end, from: month)
        else { return nil }
        return reader.asSaid(month..<end)
    }

    /// "May fourth and fifth", "the fourth to sixth of may": a later day of the same month, as an ordinal like the first.
    private func otherDay(
        behind day: NumberReader.Reading, from start: Int, in reader: NumberReader
    ) -> WrittenForm? {
        let signs = reader.language.signs
        let words = reader.language.dates
        guard day.digits.last?.isNumber == false, let value = day.value,
            let joint = reader.key(day.end, from: start),
            joint == reader.language.whole.and || signs.joints.contains(joint) || signs.range.contains(joint)
                || signs.alternatives.contains(joint)
        else { return nil }
        var place = day.end + 1
        var between = joint
        if let article = reader.key(place, from: start) {
            if article == words.article {
                place += 1
            } else if words.laterArticles.contains(article) {
                place += 1
                between += " " + article
            }
        }
        guard reader.key(place, from: start) != nil, let other = reader.ordinal(at: place),
            let later = other.value, value < later, later <= 31
        else { return nil }
        return WrittenForm(text: " \(between) \(later)\(words.dayMark)", end: other.end)
    }

    private func bareYear(at place: Int, in reader: NumberReader) -> WrittenForm? {
        let words = reader.language.dates
        if let first = reader.belowHundred(at: place, from: place) {
            if (11...20).contains(first.value), let key = reader.key(first.end, from: place),
                let decade = words.decades[key]
            {
                return WrittenForm(text: "\(first.value * 100 + decade)s", end: first.end + 1)
            }
            let number = reader.joined(at: place, from: place) ?? reader.whole(at: place, from: place)
            if let number, let (era, end) = reader.match(words.eras, at: number.end, from: place, longest: 2)
            {
                return WrittenForm(text: "\(number.digits) \(era)", end: end)
            }
        }
        guard let year = pair(at: place, from: place, in: reader), let value = year.value,
            !isCounting(at: place, in: reader)
        else { return nil }
        // "The train leaves at seventeen forty five".
        if value % 100 < 60, value < 2_400,
            reader.keyBefore(place).map(reader.language.times.cues.late.contains) ?? false
        {
            return nil
        }
        let isAnnounced = reader.keyBefore(place).map(words.beforeYears.contains) ?? false
        // "eleven fifty five" is a time of the day unless it is said to be a year.
        guard value >= 1300 || isAnnounced else { return nil }
        return WrittenForm(text: year.digits, end: year.end)
    }

    /// "Thirteen fourteen fifteen", but "twenty twenty one twenty two" may be a season.
    private func isCounting(at place: Int, in reader: NumberReader) -> Bool {
        guard let first = reader.belowHundred(at: place, from: place), first.value < 20,
            let second = reader.belowHundred(at: first.end, from: place), second.value == first.value + 1
        else { return false }
        let third = reader.belowHundred(at: second.end, from: place)
        return third?.value == second.value + 1
            || reader.keyBefore(place) != nil && reader.small(at: place - 1) == first.value - 1
    }

    /// "nineteen eighty four", "nineteen oh five", "two thousand twelve".
    private func year(at place: Int, from start: Int, in reader: NumberReader) -> NumberReader.Reading? {
        if let year = pair(at: place, from: start, in: reader) { return year }
        guard let whole = reader.whole(at: place, from: start), let value = whole.value,
            (1_000...2_099).contains(value)
        else { return nil }
        return whole
    }

    func pair(at place: Int, from start: Int, in reader: NumberReader) -> NumberReader.Reading? {
        guard let first = reader.belowHundred(at: place, from: start), (10...20).contains(first.value),
            let key = reader.key(first.end, from: start)
        else { return nil }
        if reader.language.rows.zeros.contains(key),
            let digit = reader.digit(at: first.end + 1, from: start), digit > 0, first.value > 10
        {
            return .init(
                digits: "\(first.value * 100 + digit)", end: first.end + 2, value: first.value * 100 + digit)
        }
        guard let second = reader.belowHundred(at: first.end, from: start), second.value >= 10,
            first.value > 10
        else { return nil }
        let value = first.value * 100 + second.value
        return .init(digits: "\(value)", end: second.end, value: value)
    }
}
