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
            if !clock.isRelative, minute > 9, let end = endOfStreet(at: clock.end, from: place, in: reader),
                minute % 5 != 0 || reader.isEnd(end)
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
    private func endOfStreet(at place: Int, from start: Int, in reader: NumberReader) -> Int? {
        (1...2).first { count in
            guard let last = reader.key(place + count, from: start) else { return false }
            return reader.language.times.others.streets.contains(last)
                && (place..<(place + count)).allSatisfy { reader.isNoun(at: $0, from: start) }
        }.map { place + $0 + 1 }
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
        // "Ten to eleven people" is a range: a word before or after it must mark it as a time. "From two to
        // four PM" and "from five to seven PM" are ranges as well.
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

    /// Neither next to another number nor before a countable noun: "two twenty dollar bills".
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

extension NumberReader {
    /// Nothing follows there, or what is no verb: "Oak Street, Springfield", "Oak Street in Springfield".
    fileprivate func isEnd(_ place: Int) -> Bool {
        guard place < words.count, words[place - 1].trail.isEmpty else { return true }
        return !words[place].kinds.isDisjoint(with: [.preposition, .conjunction])
    }
}
