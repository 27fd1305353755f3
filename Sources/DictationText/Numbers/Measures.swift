/// A number with its unit: "two hundred meters", "eighteen point six percent", "nine gigabits per second".
struct Measures: SpokenForm {
    let rule = CleaningRule.measures

    func read(at place: Int, in reader: NumberReader) -> WrittenForm? {
        let words = reader.language.measures
        guard
            var number = hundreds(at: place, in: reader) ?? reader.number(at: place)
                ?? reader.articleNumber(at: place)
        else { return oneAndHundredths(at: place, in: reader) }
        if let (per, end) = rate(at: number.end, from: place, in: reader) {
            return WrittenForm(text: "\(number.digits) /\(per)", end: end)
        }
        guard
            let (unit, end) = reader.match(
                words.units, at: number.end, from: place, longest: MeasureWords.longest)
        else { return nil }
        let spoken = reader.words[number.end].key
        // A leading point is easily overlooked: a dose of .5 mg is read as 5 mg.
        if number.digits.hasPrefix(reader.language.signs.decimalMark) { number.digits = "0" + number.digits }
        if let (rest, end) = hundredths(behind: spoken, at: end, from: place, in: reader), number.value != nil
        {
            return WrittenForm(
                text: number.digits + reader.language.signs.decimalMark + rest + unit, end: end)
        }
        if let end = reader.half(behindUnitAt: end, from: place), number.value != nil {
            return WrittenForm(text: number.digits + reader.language.signs.decimalMark + "5" + unit, end: end)
        }
        // "One foot", "six foot two".
        if words.everyday.contains(spoken),
            number.value == 1 || reader.digit(at: end, from: place) != nil
                || reader.belowHundred(at: end, from: place).map({ $0.value < 12 }) == true
                    && inches(behind: spoken, at: end, from: place, in: reader) == nil
        {
            return nil
        }
        if words.everyday.contains(spoken) || spoken.count == 1, let before = reader.keyBefore(place),
            words.possessives.contains(before)
        {
            return nil
        }
        if let (per, perEnd) = rate(at: end, from: place, in: reader) {
            return WrittenForm(text: "\(number.digits)\(unit)/\(per)", end: perEnd)
        }
        if reader.belongsToNoun(number, from: place, unitEnd: end) {
            return WrittenForm(text: "\(reader.words[place].core) \(number.digits)\(unit)", end: end)
        }
        if let (inches, inchEnd) = inches(behind: spoken, at: end, from: place, in: reader) {
            return WrittenForm(text: number.digits + unit + " " + inches, end: inchEnd)
        }
        return WrittenForm(text: number.digits + unit, end: end)
    }

    /// "One twenty milligrams", but not "two twenty volt outlets".
    private func hundreds(at place: Int, in reader: NumberReader) -> NumberReader.Reading? {
        let words = reader.language.measures
        guard !reader.language.times.cues.sure.isEmpty, reader.estimate(at: place) == nil,
            let number = reader.shortHundreds(at: place, from: place),
            let (_, end) = reader.match(
                words.units, at: number.end, from: place, longest: MeasureWords.longest),
            reader.words[end - 1].key.hasSuffix("s") || reader.words[end - 1].key.count == 1
                || number.value == nil
        else { return nil }
        return number
    }

    /// "Two meters ten", if nothing says what is counted.
    private func hundredths(
        behind unit: String, at place: Int, from start: Int, in reader: NumberReader
    ) -> (text: String, end: Int)? {
        guard reader.language.measures.inHundredths.contains(unit),
            let (value, end) = reader.belowHundred(at: place, from: start), value > 9,
            !reader.isMeasured(at: end, from: start),
            // "Ten meters fifteen times", but "two meters ten tall".
            !reader.isNoun(at: end, from: start)
                || reader.key(end, from: start).map(reader.language.measures.behindHundredths.contains)
                    == true
        else { return nil }
        return ("\(value)", end)
    }

    /// "Ein Meter achtzig": the word for one is no number elsewhere.
    private func oneAndHundredths(at place: Int, in reader: NumberReader) -> WrittenForm? {
        let words = reader.language.measures
        guard let key = reader.key(place, from: place), words.money.one.contains(key),
            let unit = reader.key(place + 1, from: place), let symbol = words.units[[unit]],
            let (rest, end) = hundredths(behind: unit, at: place + 2, from: place, in: reader)
        else { return nil }
        return WrittenForm(text: "1" + reader.language.signs.decimalMark + rest + symbol, end: end)
    }

    /// "Five feet ten inches"
    private func inches(
        behind unit: String, at place: Int, from start: Int, in reader: NumberReader
    ) -> (text: String, end: Int)? {
        let words = reader.language.measures
        guard let part = words.parts[unit], let (count, end) = reader.belowHundred(at: place, from: start),
            let key = reader.key(end, from: start), part.words.contains(key)
        else { return nil }
        return ("\(count) \(part.symbol)", end + 1)
    }

    /// "per square meter"
    private func rate(at place: Int, from start: Int, in reader: NumberReader) -> (String, Int)? {
        let words = reader.language.measures
        guard let per = reader.key(place, from: start), words.per.contains(per),
            let (unit, end) = reader.match(
                words.units, at: place + 1, from: start, longest: MeasureWords.longest)
                ?? single(at: place + 1, from: start, in: reader)
        else { return nil }
        return (String(unit.drop { $0 == " " }), end)
    }

    /// "per hour"
    private func single(at place: Int, from start: Int, in reader: NumberReader) -> (value: String, end: Int)?
    {
        guard let key = reader.key(place, from: start),
            let unit = reader.language.measures.timeUnits[key]
        else { return nil }
        return (unit, place + 1)
    }
}

/// "five dollars", "four dollars and sixty nine cents", "one point six nine billion yuan".
struct Money: SpokenForm {
    let rule = CleaningRule.money

    func read(at place: Int, in reader: NumberReader) -> WrittenForm? {
        let words = reader.language.measures
        if let end = doubtfulAmount(at: place, in: reader) { return reader.asSaid(place..<end) }
        guard let amount = amount(at: place, in: reader) else { return oneAndCents(at: place, in: reader) }
        if let key = reader.key(amount.end, from: place), words.money.cents.contains(key),
            !amount.hasScaleWord,
            let value = amount.value, (0...99).contains(value), !words.money.centSymbol.isEmpty
        {
            return WrittenForm(text: words.money.centSymbol + "0." + Self.cents(value), end: amount.end + 1)
        }
        guard
            let (currency, end) = reader.match(
                words.money.currencies, at: amount.end, from: place, longest: MeasureWords.longest),
            amount.value != 1 || !currency.isPlural,
            amount.value.map({ abs($0) >= currency.least.value }) ?? true
        else { return nil }
        if !currency.isBehind, reader.belongsToNoun(amount, from: place, unitEnd: end) {
            return WrittenForm(
                text: "\(reader.words[place].core) \(currency.symbol)\(amount.digits)", end: end)
        }
        var digits = amount.digits
        var last = end
        if amount.value != nil,
            let (value, centsEnd) = hundredths(
                at: end, from: place, in: reader, isBehind: currency.isBehind)
        {
            digits += reader.language.signs.decimalMark + Self.cents(value)
            last = centsEnd
        }
        if amount.value != nil, last == end, let half = reader.half(behindUnitAt: end, from: place) {
            digits += reader.language.signs.decimalMark + Self.cents(50)
            last = half
        }
        if currency.isBehind { return WrittenForm(text: "\(digits) \(currency.symbol)", end: last) }
        let isNegative = digits.hasPrefix("-")
        return WrittenForm(
            text: (isNegative ? "-" : "") + currency.symbol + digits.drop { $0 == "-" }, end: last)
    }

    /// "Fifty sixty dollars" are two amounts, and "twelve ninety five dollars" may have cents. "Two fifty dollars" are 250.
    private func doubtfulAmount(at place: Int, in reader: NumberReader) -> Int? {
        guard let joined = reader.joined(at: place, from: place), reader.digit(at: place, from: place) == nil,
            let (currency, end) = reader.match(
                reader.language.measures.money.currencies, at: joined.end, from: place,
                longest: MeasureWords.longest), currency.isPlural
        else { return nil }
        return end
    }

    private func amount(at place: Int, in reader: NumberReader) -> NumberReader.Reading? {
        if let joined = reader.joined(at: place, from: place),
            let (currency, _) = reader.match(
                reader.language.measures.money.currencies, at: joined.end, from: place,
                longest: MeasureWords.longest), currency.isPlural
        {
            // Not "two twenty dollar bills".
            return joined
        }
        return reader.number(at: place) ?? reader.articleNumber(at: place)
    }

    /// "Ein Euro fünfzig". Without cents it is as often no number: "für einen Euro".
    private func oneAndCents(at place: Int, in reader: NumberReader) -> WrittenForm? {
        let words = reader.language.measures
        guard let key = reader.key(place, from: place), words.money.one.contains(key),
            let (currency, end) = reader.match(
                words.money.currencies, at: place + 1, from: place, longest: MeasureWords.longest),
            currency.isBehind,
            let (value, centsEnd) = hundredths(at: end, from: place, in: reader, isBehind: true)
        else { return nil }
        let amount = "1" + reader.language.signs.decimalMark + Self.cents(value)
        return WrittenForm(text: "\(amount) \(currency.symbol)", end: centsEnd)
    }

    /// "and sixty nine cents", "sixty three"
    private func hundredths(
        at place: Int, from start: Int, in reader: NumberReader, isBehind: Bool
    ) -> (Int, Int)? {
        var next = place
        let joint = reader.key(place, from: start)
        let isJoined =
            joint == reader.language.whole.and
            || joint.map(reader.language.measures.money.joints.contains) == true
        if isJoined { next += 1 }
        guard let (value, end) = reader.belowHundred(at: next, from: start), value > 0 else { return nil }
        if let key = reader.key(end, from: start), reader.language.measures.money.cents.contains(key) {
            return (value, end + 1)
        }
        // "five dollars twenty", "drei Euro fünfzig bitte", but not "five dollars and twenty people".
        let endsHere = end == reader.words.count || !reader.words[end - 1].trail.isEmpty
        let isSaidSo = !isJoined || joint.map(reader.language.measures.money.decimalJoints.contains) == true
        return isSaidSo && value > 9 && (endsHere || !isNoun(at: end, in: reader, isBehind: isBehind))
            ? (value, end) : nil
    }

    /// Only known words are not nouns. If a currency follows its number, nothing more is counted without an
    /// "and": "für drei Euro fünfzig verkauft".
    private func isNoun(at place: Int, in reader: NumberReader, isBehind: Bool) -> Bool {
        if isBehind {
            return reader.words[place].isCapitalized || reader.isMeasured(at: place, from: place)
        }
        return reader.words[place].kinds.isDisjoint(with: [
            .function, .preposition, .conjunction, .pronoun, .opener,
        ])
    }

    private static func cents(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
}

extension NumberReader {
    /// Where "and a half" ends, after a number and its unit.
    fileprivate func half(behindUnitAt place: Int, from start: Int) -> Int? {
        match(language.fractions.halvesBehindUnits, at: place, from: start, longest: 3)
    }
}
