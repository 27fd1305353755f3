/// Reads spoken numbers from words.
struct NumberReader {
    let words: [Word]
    let language: NumberWords

    /// A number that was read, as digits, and where its words end.
    struct Reading: Equatable {
        var digits: String
        var end: Int
        /// As a number, if it is a whole one that fits.
        var value: Int?
        /// A word of a scale is part of the digits: "5.2 million".
        var hasScaleWord = false
    }

    /// The key of a word that follows the one before it without a mark between them.
    func key(_ place: Int, from start: Int) -> String? {
        guard place < words.count, !words[place].isFixed else { return nil }
        if place > start {
            guard words[place].lead.isEmpty, words[place - 1].trail.isEmpty else { return nil }
        }
        return words[place].key
    }

    func keyBefore(_ place: Int) -> String? {
        guard place > 0, words[place - 1].trail.isEmpty else { return nil }
        return words[place - 1].key
    }

    /// The longest of these phrases that begins at the place, and where it ends.
    func match<Value>(
        _ phrases: [[String]: Value], at place: Int, from start: Int, longest: Int
    )
        -> (value: Value, end: Int)?
    {
        var keys: [String] = []
        while keys.count < longest, let key = key(place + keys.count, from: start) { keys.append(key) }
        while !keys.isEmpty {
            if let value = phrases[keys] { return (value, place + keys.count) }
            keys.removeLast()
        }
        return nil
    }

    /// The same if only the end matters.
    func match(_ phrases: Set<[String]>, at place: Int, from start: Int, longest: Int) -> Int? {
        var keys: [String] = []
        while keys.count < longest, let key = key(place + keys.count, from: start) { keys.append(key) }
        while !keys.isEmpty, !phrases.contains(keys) { keys.removeLast() }
        return keys.isEmpty ? nil : place + keys.count
    }

    // MARK: - Whole numbers

    func small(at place: Int) -> Int? {
        let key = words[place].key
        // Most words are not numbers, and their kinds show that faster than the list.
        if words[place].isNumber, let value = language.whole.small[key] {
            // The "ciento" of "12 por ciento" counts nothing.
            let isOfUnit = keyBefore(place).map { language.measures.units[[$0, key]] != nil } ?? false
            return isOfUnit ? nil : value
        }
        guard key.utf8.contains(UInt8(ascii: "-")) else { return nil }
        let parts = key.split(separator: "-").compactMap { language.whole.small[String($0)] }
        guard parts.count == 2, parts[0] % 10 == 0, (20...90).contains(parts[0]), (1...9).contains(parts[1])
        else { return nil }
        return parts[0] + parts[1]
    }

    /// A digit by itself.
    func digit(at place: Int, from start: Int) -> Int? {
        key(place, from: start).flatMap { language.whole.small[$0] }.flatMap { $0 < 10 ? $0 : nil }
    }

    /// "twenty five", "nineteen", "seven": below a hundred. "twenty-five" is one word.
    func belowHundred(at place: Int, from start: Int) -> (value: Int, end: Int)? {
        guard key(place, from: start) != nil else { return nil }
        if let split = onesAndTens(at: place, from: start) { return split }
        guard let value = small(at: place), value < 100 else { return nil }
        // If the ones come first, "fünfzig eins" are two numbers.
        guard value >= 20, value % 10 == 0, language.whole.onesAnd.isEmpty else { return (value, place + 1) }
        var next = place + 1
        if !language.whole.tensAnd.isEmpty {
            guard key(next, from: start) == language.whole.tensAnd else { return (value, place + 1) }
            next += 1
        }
        if let ones = digit(at: next, from: start), ones > 0 { return (value + ones, next + 1) }
        return isLastOne(at: next, from: start) ? (value + 1, next + 1) : (value, place + 1)
    }

    /// "Vier und zwanzig" in two words, but not "zwischen vier und zwanzig".
    private func onesAndTens(at place: Int, from start: Int) -> (value: Int, end: Int)? {
        guard !language.whole.onesAnd.isEmpty, key(place + 1, from: start) == language.whole.onesAnd,
            let ones = isCompoundOne(at: place) ? 1 : small(at: place), (1...9).contains(ones),
            key(place + 2, from: start) != nil, let tens = small(at: place + 2), (20...90).contains(tens),
            tens % 10 == 0, keyBefore(place).map(language.signs.between.contains) != true
        else { return nil }
        return (ones + tens, place + 3)
    }

    private func isCompoundOne(at place: Int) -> Bool {
        !language.whole.compoundOne.isEmpty && words[place].key == language.whole.compoundOne
    }

    private func isLastOne(at place: Int, from start: Int) -> Bool {
        key(place, from: start).map(language.whole.lastOnes.contains) ?? false
    }

    /// "Doscientas una personas", but not "gasté doscientos un día": what is counted is a plural, or a scale.
    private func countsWithLastOne(at place: Int, from start: Int) -> Bool {
        guard isLastOne(at: place, from: start), let next = key(place + 1, from: start) else { return false }
        return next.hasSuffix("s") || language.whole.scales[next] != nil
    }

    /// "Sechshundert eins null eins": the digit is the first of several, and not the end of the number before it.
    private func beginsDigits(at place: Int, from start: Int) -> Bool {
        guard digit(at: place, from: start) != nil, let second = rowStep(at: place + 1, from: start) else {
            return false
        }
        return rowStep(at: second.end, from: start) != nil
    }

    /// "two hundred and five", "eleven hundred", "doscientos cinco".
    func group(at place: Int, from start: Int, isOne: Bool = false) -> (value: Int, end: Int)? {
        guard let first = key(place, from: start) else { return nil }
        var hundreds = 0
        var next = place
        if isOne, first == language.whole.hundred {
            (hundreds, next) = (100, place + 1)
        } else if isCompoundOne(at: place), let scale = key(place + 1, from: start),
            scale == language.whole.hundred || language.whole.bareScales.contains(scale)
        {
            // "Ein hundert", "ein tausend".
            guard scale == language.whole.hundred else { return (1, place + 1) }
            (hundreds, next) = (100, place + 2)
        } else if let value = small(at: place), value >= 100 {
            guard value % 100 == 0 else { return (value, place + 1) }
            (hundreds, next) = (value, place + 1)
        } else {
            guard let (value, end) = belowHundred(at: place, from: start) else { return nil }
            guard !language.whole.hundred.isEmpty, key(end, from: start) == language.whole.hundred, value > 0,
                value < 10 || value % 10 > 0
            else { return (value, end) }
            (hundreds, next) = (value * 100, end + 1)
        }
        var rest = next
        if key(rest, from: start) == language.whole.and { rest += 1 }
        if let (value, end) = belowHundred(at: rest, from: start), value > 0,
            rest > next || !beginsDigits(at: rest, from: start),
            // "Between one hundred and two hundred", "two hundred three hundred" are two numbers.
            language.whole.hundred.isEmpty || key(end, from: start) != language.whole.hundred
        {
            return (hundreds + value, end)
        }
        if countsWithLastOne(at: next, from: start) { return (hundreds + 1, next + 1) }
        return (hundreds, next)
    }

    /// "zweitausendzwölf"
    private func compound(_ key: String) -> (thousands: Int, rest: Int)? {
        let joint = language.whole.compoundThousand
        guard !joint.isEmpty, key != joint, let range = key.firstRange(of: joint) else { return nil }
        let (head, tail) = (String(key[..<range.lowerBound]), String(key[range.upperBound...]))
        let isOne = head.isEmpty || head == language.whole.compoundOne
        guard let thousands = isOne ? 1 : language.whole.small[head],
            let rest = tail.isEmpty ? 0 : language.whole.small[tail]
        else { return nil }
        return (thousands, rest)
    }

    /// A whole number of any size.
    /// - Parameter isOne: "hundred" or "thousand" at its beginning is one of them, because an article comes before it.
    func whole(at place: Int, from start: Int, isOne: Bool = false) -> Reading? {
        // "Ein paar hundert", "mehrere tausend", "2 mil".
        if !isOne, let before = keyBefore(place),
            language.whole.vague.contains(before) || words[place - 1].hasDigits,
            let first = key(place, from: start),
            first == language.whole.hundred || language.whole.bareScales.contains(first)
        {
            return nil
        }
        var groups: [Int: Int] = [:]
        var next = place
        var last = Int.max
        while last > 0 {
            var begin = next
            if next > place, key(next, from: start) == language.whole.and { begin += 1 }
            guard let first = key(begin, from: start) else { break }
            if let (thousands, rest) = compound(first), last > 1 {
                groups[1] = thousands
                groups[0] = rest
                (next, last) = (begin + 1, 0)
                break
            }
            let isFirst = isOne && next == place
            let isBare =
                language.whole.bareScales.contains(first) || isFirst && language.whole.scales[first] != nil
            let hasLastOne = next > place && countsWithLastOne(at: begin, from: start)
            guard
                let (value, end) = isBare
                    ? (1, begin)
                    : hasLastOne ? (1, begin + 1) : group(at: begin, from: start, isOne: isFirst)
            else { break }
            if begin > next, value >= 100 { break }
            if next > place, begin == next, value < 10, beginsDigits(at: begin, from: start) { break }
            var scale = key(end, from: start).flatMap { language.whole.scales[$0] } ?? 0
            // "Mil quinientos millones" are 1500 of them: the word of the scale stays.
            if last == 1, scale >= NumberWords.firstWrittenScale, !language.whole.bareScales.isEmpty {
                scale = 0
            }
            guard scale < last, next == place || value > 0 else { break }
            if value > 999, scale > 0 || next > place { break }
            groups[scale] = value
            next = scale > 0 ? end + 1 : end
            last = scale
        }
        guard next > place else { return nil }
        let digits = Self.digits(groups)
        return Reading(digits: digits, end: next, value: Int(digits))
    }

    private static func digits(_ groups: [Int: Int]) -> String {
        guard let largest = groups.keys.max() else { return "" }
        var text = ""
        for scale in stride(from: largest, through: 0, by: -1) {
            let digits = String(groups[scale] ?? 0)
            text += text.isEmpty ? digits : String(repeating: "0", count: max(0, 3 - digits.count)) + digits
        }
        return text
    }

    // MARK: - Digits one by one

    /// One step of a row of digits: "four", "oh", "double seven".
    func rowStep(at place: Int, from start: Int) -> (digits: String, end: Int)? {
        guard let key = key(place, from: start) else { return nil }
        if let value = language.whole.small[key], value < 10 { return (String(value), place + 1) }
        if language.rows.zeros.contains(key) { return ("0", place + 1) }
        if let times = language.rows.multipliers[key], let (digit, end) = rowStep(at: place + 1, from: start),
            digit.count == 1
        {
            return (String(repeating: digit, count: times), end)
        }
        return nil
    }

    /// "one four oh two", "one twenty three".
    func row(at place: Int, from start: Int, withTens: Bool = false) -> Reading? {
        var digits = ""
        var next = place
        while true {
            if let (step, end) = rowStep(at: next, from: start) {
                digits += step
                next = end
                // "Oh seven seven double oh nine hundred"
                if digits.count > 3, step.count == 1, step != "0", !language.whole.hundred.isEmpty,
                    key(next, from: start) == language.whole.hundred
                {
                    digits += "00"
                    next += 1
                }
            } else if withTens, let (value, end) = belowHundred(at: next, from: start), value > 9 {
                digits += String(value)
                next = end
            } else {
                break
            }
        }
        return next > place ? Reading(digits: digits, end: next) : nil
    }

    /// "one fifty five" is 155, "forty fifty" 4050: numbers below a hundred side by side.
    func joined(at place: Int, from start: Int) -> Reading? {
        guard let (first, middle) = belowHundred(at: place, from: start), first > 0,
            let (second, end) = belowHundred(at: middle, from: start), second >= 10
        else { return nil }
        return Reading(digits: "\(first)\(second)", end: end, value: first * 100 + second)
    }

    /// "one forty", "four oh four": hundreds without their word, as heights of blood pressure and numbers of errors
    /// are said.
    func shortHundreds(at place: Int, from start: Int) -> Reading? {
        guard let hundreds = digit(at: place, from: start), hundreds > 0,
            keyBefore(place).map({
                language.whole.small[$0] == nil && language.rows.zeros.contains($0) == false
            })
                ?? true
        else { return nil }
        var reading = joined(at: place, from: start)
        if let zero = key(place + 1, from: start), language.rows.zeros.contains(zero),
            let ones = digit(at: place + 2, from: start)
        {
            reading = Reading(digits: "\(hundreds)0\(ones)", end: place + 3, value: hundreds * 100 + ones)
        }
        // "One oh one point four"
        if let whole = reading, key(whole.end, from: start) == language.signs.point,
            let fraction = row(at: whole.end + 1, from: start)
        {
            return Reading(
                digits: whole.digits + language.signs.decimalMark + fraction.digits, end: fraction.end)
        }
        return reading
    }

    // MARK: - With an article

    /// "a hundred", "a million", if something countable follows; "a hundred and fifty".
    func articleNumber(at start: Int) -> Reading? {
        guard !language.whole.article.isEmpty, key(start, from: start) == language.whole.article,
            let first = key(start + 1, from: start),
            first == language.whole.hundred || language.whole.scales[first] != nil,
            !(keyBefore(start).map(language.measures.halfOf.contains) ?? false),
            var number = whole(at: start + 1, from: start, isOne: true)
        else { return nil }
        // "A thousand two years ago": one digit belongs to what follows.
        if number.end == start + 3, digit(at: start + 2, from: start) != nil {
            let isHundred = first == language.whole.hundred
            let scale = isHundred ? 0 : language.whole.scales[first] ?? 0
            let digits = isHundred ? "100" : "1" + String(repeating: "000", count: scale)
            number = Reading(digits: digits, end: start + 2, value: Int(digits))
        }
        if let scale = language.whole.scales[words[number.end - 1].key],
            scale >= NumberWords.firstWrittenScale
        {
            let zeros = String(repeating: "000", count: scale)
            guard number.digits.hasSuffix(zeros) else { return number }
            number.digits = "\(number.digits.dropLast(zeros.count)) \(words[number.end - 1].core)"
            number.value = nil
            number.hasScaleWord = true
        }
        return number
    }

    /// "A hundred dollar bill": one bill, and the article is its own.
    func belongsToNoun(_ number: Reading, from start: Int, unitEnd: Int) -> Bool {
        guard key(start, from: start) == language.whole.article, number.end == start + 2,
            let unit = key(unitEnd - 1, from: start), key(unitEnd, from: start) != nil
        else { return false }
        let plural = words[number.end..<unitEnd].dropLast().map(\.key) + [unit + "s"]
        return language.measures.units[plural] != nil || language.measures.money.currencies[plural] != nil
    }

    /// "a hundred and fifty", which is always a number; "a hundred" by itself is a figure of speech.
    func exactArticleNumber(at start: Int) -> Reading? {
        guard let number = articleNumber(at: start),
            ((start + 1)..<number.end).contains(where: { small(at: $0) != nil })
        else { return nil }
        return number
    }
}
