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

/// "two thirty", "half past three", "ten to eleven pm", "five am", "eight o'clock".
struct Times: SpokenForm {
    let rule = CleaningRule.times

    private struct Clock {
        var hour: Int
        var minute: Int?
        var end: Int
        /// Said as a time and nothing else.
        var isSure: Bool
        /// "Half past", "ten to".
        var isRelative = false
    }

    func read(at place: Int, in reader: NumberReader) -> WrittenForm? {
        guard let clock = relative(at: place, in: reader) ?? plain(at: place, in: reader) else { return nil }
        let words = reader.language.times
        var end = clock.end
        var half: String?
        if let (found, halfEnd) = reader.match(words.halves, at: end, from: place, longest: 2),
            reader.key(halfEnd, from: place) != "i"
        {
            half = found
            end = halfEnd
        }
        let zone = self.zone(at: end, from: place, in: reader)
        guard clock.isSure || half != nil || zone != nil else { return nil }
        if half == nil, zone == nil, let minute = clock.minute {
            // "At twelve thirty four main street", but not "at five thirty Wall Street closes".
            if !clock.isRelative, minute > 9, minute % 5 != 0,
                isStreet(at: clock.end, from: place, in: reader)
            {
                return WrittenForm(text: "\(clock.hour)\(minute)", end: clock.end)
            }
            guard mayStandAlone(clock, at: place, in: reader) else { return nil }
            guard clock.isRelative || isAnnounced(clock.hour, minute, place..<clock.end, in: reader) else {
                return nil
            }
        }
        var text = "\(clock.hour)"
        if let minute = clock.minute {
            text += ":" + (minute < 10 ? "0" : "") + "\(minute)"
        } else if half == nil {
            text += ":00"
        }
        if let half { text += " " + half }
        text += words.suffix
        if let zone { text += " " + zone.text }
        return WrittenForm(text: text, end: zone?.end ?? end)
    }

    /// "Main street", "north Main street".
    private func isStreet(at place: Int, from start: Int, in reader: NumberReader) -> Bool {
        (1...2).contains { count in
            guard let last = reader.key(place + count, from: start) else { return false }
            return reader.language.times.others.streets.contains(last)
                && (place..<(place + count)).allSatisfy { reader.isNoun(at: $0, from: start) }
        }
    }

    /// "half past three", "ten to eleven", "one minute to one".
    private func relative(at place: Int, in reader: NumberReader) -> Clock? {
        let words = reader.language.times
        if let (minutes, end) = reader.match(words.relative.offsets, at: place, from: place, longest: 4),
            let hour = hour(at: end, from: place, in: reader),
            !reader.isCounted(at: hour.end, from: place)
        {
            return clock(hour.value, minutes, hour.end)
        }
        guard let (count, end) = reader.belowHundred(at: place, from: place), (1...30).contains(count) else {
            return nil
        }
        var next = end
        let saysMinutes = reader.key(next, from: place).map(words.relative.minutes.contains) ?? false
        if saysMinutes { next += 1 }
        guard let direction = reader.key(next, from: place) else { return nil }
        let isPast = words.relative.past.contains(direction)
        guard isPast || words.relative.to.contains(direction),
            let hour = hour(at: next + 1, from: place, in: reader),
            // "Ten minutes to five miles".
            !reader.isCounted(at: hour.end, from: place)
        else {
            return nil
        }
        // "Ten to eleven people" is a range: before or behind it has to be said that it is a time. "From two to four PM" and
        // "from five to seven PM" are ranges as well.
        let isRange = !isPast && reader.keyBefore(place).map(words.relative.ranges.contains) == true
        let hasHalf = reader.match(words.halves, at: hour.end, from: place, longest: 2) != nil
        let isTime =
            isPast
            ? count % 5 == 0 || hasHalf
            : count % 5 == 0 && !isRange && (hasHalf || isAt(place, hour.end, in: reader))
        guard saysMinutes || isTime else { return nil }
        return clock(hour.value, isPast ? count : -count, hour.end)
    }

    /// "At twenty to eight", "ten to five in the morning".
    private func isAt(_ place: Int, _ end: Int, in reader: NumberReader) -> Bool {
        let words = reader.language.times
        if let before = reader.keyBefore(place), words.relative.cues.contains(before) { return true }
        return reader.match(words.relative.partsOfDay, at: end, from: place, longest: 3) != nil
    }

    private func clock(_ hour: Int, _ offset: Int, _ end: Int) -> Clock {
        guard offset < 0 else {
            return Clock(hour: hour, minute: offset, end: end, isSure: true, isRelative: true)
        }
        return Clock(
            hour: hour == 1 ? 12 : hour - 1, minute: 60 + offset, end: end, isSure: true, isRelative: true)
    }

    private func hour(at place: Int, from start: Int, in reader: NumberReader) -> (value: Int, end: Int)? {
        guard let hour = reader.belowHundred(at: place, from: start), (1...12).contains(hour.value) else {
            return nil
        }
        return hour
    }

    /// "two thirty", "eight oh six", "eight o'clock", and "five", which only "pm" makes a time.
    private func plain(at place: Int, in reader: NumberReader) -> Clock? {
        let words = reader.language.times
        guard let hour = reader.belowHundred(at: place, from: place), (0...23).contains(hour.value) else {
            return nil
        }
        let next = reader.key(hour.end, from: place)
        let isSeparated = next.map(words.separators.contains) ?? false
        let minutePlace = isSeparated ? hour.end + 1 : hour.end
        let isAt = reader.keyBefore(place).map(words.cues.late.contains) ?? false
        if isSeparated || (words.separators.isEmpty && (1...(isAt ? 23 : 12)).contains(hour.value)) {
            if let next = reader.key(minutePlace, from: place),
                reader.language.rows.zeros.contains(next)
                    || isSeparated && reader.digit(at: minutePlace, from: place) == 0,
                let digit = reader.digit(at: minutePlace + 1, from: place)
            {
                return Clock(hour: hour.value, minute: digit, end: minutePlace + 2, isSure: true)
            }
            if let minute = reader.belowHundred(at: minutePlace, from: place),
                (isSeparated ? 0...59 : 10...59).contains(minute.value)
            {
                return Clock(hour: hour.value, minute: minute.value, end: minute.end, isSure: true)
            }
        }
        // "Las diez y cuarto", "las ocho y diez" stay words.
        if isAt, hour.value > 0, let sign = next.flatMap({ words.minuteSigns[$0] }),
            let minute = reader.belowHundred(at: hour.end + 1, from: place),
            hour.value >= NumberWords.smallestInDigits || minute.value >= NumberWords.smallestInDigits,
            (1...59).contains(minute.value)
        {
            return clock(hour.value, sign * minute.value, minute.end)
        }
        if isSeparated, isRelative(at: place, in: reader) { return nil }
        if isSeparated { return Clock(hour: hour.value, minute: nil, end: hour.end + 1, isSure: true) }
        guard (1...12).contains(hour.value) else { return nil }
        if let next, words.oclock.contains(next) {
            return Clock(hour: hour.value, minute: nil, end: hour.end + 1, isSure: true)
        }
        return Clock(hour: hour.value, minute: nil, end: hour.end, isSure: false)
    }

    /// "Halb acht Uhr", "zehn vor zwölf Uhr", but not "vor zwölf Uhr".
    private func isRelative(at place: Int, in reader: NumberReader) -> Bool {
        let words = reader.language.times.relative
        guard let before = reader.keyBefore(place) else { return false }
        if words.quarters.contains(before) { return true }
        guard words.besides.contains(before) else { return false }
        return reader.keyBefore(place - 1).map {
            words.quarters.contains($0) || reader.words[place - 2].isNumber
        } ?? false
    }

    /// Neither beside another number nor before what would be counted: "two twenty dollar bills".
    private func mayStandAlone(_ clock: Clock, at place: Int, in reader: NumberReader) -> Bool {
        if place > 0, reader.words[place - 1].trail.isEmpty, reader.words[place - 1].isNumber { return false }
        guard let next = reader.key(clock.end, from: place) else { return true }
        return !reader.words[clock.end].isNumber && !reader.language.times.others.behind.contains(next)
            && (clock.isRelative || !isMeasured(next, behind: clock.end, from: place, in: reader))
    }

    /// "g m t", "EST"
    private func zone(at place: Int, from start: Int, in reader: NumberReader) -> (text: String, end: Int)? {
        var letters = ""
        var next = place
        while letters.count < 4, let key = reader.key(next, from: start), key.count == 1 {
            letters += key
            next += 1
            if reader.language.times.zones.contains(letters) { return (letters.uppercased(), next) }
        }
        guard let key = reader.key(place, from: start), reader.language.times.zones.contains(key) else {
            return nil
        }
        return (key.uppercased(), place + 1)
    }
}
