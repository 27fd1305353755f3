/// Numbers with a sign, a fraction or a word of a scale.
extension NumberReader {
    /// A whole number or a decimal, with its sign; and the word of a large scale if the number is round.
    func number(at start: Int) -> Reading? {
        var place = start
        var sign = ""
        if isMinus(at: start) {
            sign = "-"
            place += 1
        }
        var reading = whole(at: place, from: start) ?? oneBeforePoint(at: place, from: start)
        let before = reading?.end ?? place
        if key(before, from: start) == language.signs.point,
            let fraction = row(at: before + 1, from: start, withTens: reading != nil),
            reading != nil || mayBegin(with: fraction, behindPointAt: before)
        {
            reading = Reading(
                digits: (reading?.digits ?? "") + language.signs.decimalMark + fraction.digits,
                end: fraction.end)
        }
        guard var found = reading ?? zeroDecimal(at: place, from: start) else { return nil }
        scaled(&found, from: place)
        if !sign.isEmpty {
            found.digits = sign + found.digits
            found.value = found.value.map { -$0 }
        }
        return found
    }

    /// "Minus five", but not "ten minus three", "plus or minus five", "al menos veinte".
    private func isMinus(at place: Int) -> Bool {
        guard let key = key(place, from: place), language.signs.minus.contains(key) else { return false }
        guard let before = keyBefore(place) else { return true }
        let isWithPlus =
            before == language.signs.plus
            || language.signs.alternatives.contains(before) && keyBefore(place - 1) == language.signs.plus
        return small(at: place - 1) == nil && !isWithPlus
            && (language.signs.beforeMinus.isEmpty || language.signs.beforeMinus.contains(before))
    }

    /// "Ein Komma fünf": elsewhere the word is an article.
    private func oneBeforePoint(at place: Int, from start: Int) -> Reading? {
        guard let key = key(place, from: start), language.whole.oneBeforePoint.contains(key),
            self.key(place + 1, from: start) == language.signs.point,
            rowStep(at: place + 2, from: start) != nil
        else { return nil }
        return Reading(digits: "1", end: place + 1, value: 1)
    }

    /// "Oh point five milliliters", if a unit or the word before it shows that "oh" is a zero.
    private func zeroDecimal(at place: Int, from start: Int) -> Reading? {
        guard let zero = key(place, from: start), language.rows.zeros.contains(zero),
            key(place + 1, from: start) == language.signs.point,
            let fraction = row(at: place + 2, from: start),
            keyBefore(start).map(language.signs.beforePoint.contains) == true
                // "p s a oh point nine", "sodium oh point nine"
                || key(fraction.end, from: start) == nil && start > 0
                    && (isNoun(at: start - 1, from: start - 1) || keyBefore(start)?.count == 1)
                || match(
                    language.measures.units, at: fraction.end, from: start, longest: MeasureWords.longest)
                    != nil
        else { return nil }
        return Reading(digits: "0" + language.signs.decimalMark + fraction.digits, end: fraction.end)
    }

    /// "Point five" without a whole number before it. "At some point five people left" has none.
    private func mayBegin(with fraction: Reading, behindPointAt point: Int) -> Bool {
        guard !language.signs.beforePoint.isEmpty else { return false }
        if let before = keyBefore(point) { return language.signs.beforePoint.contains(before) }
        guard fraction.digits.count == 1, let next = key(fraction.end, from: point) else { return true }
        return language.whole.scales[next] != nil
            || match(language.measures.units, at: fraction.end, from: point, longest: 2) != nil
    }

    /// "400 million" and "1.5 billion" keep the word.
    private func scaled(_ reading: inout Reading, from place: Int) {
        if reading.value == nil || reading.digits.contains(language.signs.decimalMark) {
            guard let key = key(reading.end, from: place), let scale = language.whole.scales[key],
                scale >= NumberWords.firstWrittenScale
            else { return }
            reading.digits += " " + words[reading.end].core
            reading.end += 1
            reading.hasScaleWord = true
            return
        }
        guard reading.end - place > 1, let scale = language.whole.scales[words[reading.end - 1].key],
            scale >= NumberWords.firstWrittenScale, let (value, end) = group(at: place, from: place),
            end == reading.end - 1
        else { return }
        reading.digits = "\(value) \(words[reading.end - 1].core)"
        reading.hasScaleWord = true
    }
}
