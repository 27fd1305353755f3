/// Digits said one by one: telephone and card numbers, Internet addresses, codes. From four digits on; fewer
/// may be a speaker who counts.
struct DigitRows: SpokenForm {
    let rule = CleaningRule.digitRows

    static let shortest = 4

    func read(at place: Int, in reader: NumberReader) -> WrittenForm? {
        let language = reader.language
        if let form = international(at: place, in: reader) ?? tollFree(at: place, in: reader)
            ?? fullHour(at: place, in: reader)
        {
            return form
        }
        guard let row = reader.row(at: place, from: place), row.end - place > 1 else { return nil }
        if row.digits.count < Self.shortest { return beforePairs(row, from: place, in: reader) }
        guard !isCounting(place..<row.end, in: reader) || isAnnounced(place, in: reader) else { return nil }
        let digits = row.digits
        if digits.count == 9, isSecurityNumber(place, in: reader) {
            return WrittenForm(text: cut(digits, [3, 2, 4], "-"), end: row.end)
        }
        // One with a zero at its beginning is of another country, which cuts it in its own way.
        if digits.count == Self.local + 1, !digits.hasPrefix("0") {
            return WrittenForm(
                text: "\(digits.prefix(1)) " + grouped(String(digits.dropFirst()), language), end: row.end)
        }
        return WrittenForm(text: grouped(digits, language), end: row.end)
    }

    /// "Six one two thirty four fifty six": digits and pairs of one number.
    private func beforePairs(
        _ row: NumberReader.Reading, from start: Int, in reader: NumberReader
    ) -> WrittenForm? {
        var parts = [row.digits]
        var end = row.end
        while let pair = reader.belowHundred(at: end, from: start), pair.value > 9 {
            parts.append("\(pair.value)")
            end = pair.end
        }
        // "One two thirty" may be anything.
        return parts.count > 2 ? WrittenForm(text: parts.joined(separator: " "), end: end) : nil
    }

    /// "Oh nine hundred hours".
    private func fullHour(at place: Int, in reader: NumberReader) -> WrittenForm? {
        let language = reader.language
        guard let key = reader.key(place, from: place),
            language.rows.zeros.contains(key) || language.whole.small[key] == 0,
            let hour = reader.digit(at: place + 1, from: place), hour > 0, !language.whole.hundred.isEmpty,
            reader.key(place + 2, from: place) == language.whole.hundred,
            reader.belowHundred(at: place + 3, from: place) == nil
        else { return nil }
        return WrittenForm(text: "0\(hour)00", end: place + 3)
    }

    /// Digits of a number within a country.
    private static let local = 10

    /// "plus four nine one seven two …", "plus forty nine …": a number with its country.
    private func international(at place: Int, in reader: NumberReader) -> WrittenForm? {
        guard reader.key(place, from: place) == reader.language.signs.plus,
            // "Two plus two".
            reader.keyBefore(place).map({ reader.language.whole.small[$0] == nil }) ?? true,
            let row = reader.row(at: place + 1, from: place, withTens: true),
            !isCounting((place + 1)..<row.end, in: reader),
            let digits = Self.countryDigits(row.digits), Self.withCountry ~= row.digits.count
        else { return nil }
        let local = String(row.digits.dropFirst(digits))
        return WrittenForm(
            text: "+\(row.digits.prefix(digits)) " + grouped(local, reader.language), end: row.end)
    }

    /// Digits of a number with its country: no shorter one is in use; the longest by ITU-T E.164.
    private static let withCountry = 9...15

    /// How many digits the country has, by ITU-T E.164: one in North America and Russia, three if no shorter code
    /// begins like them. Nil if no country begins so.
    private static func countryDigits(_ digits: String) -> Int? {
        guard let first = digits.first, first != "0" else { return nil }
        if first == "1" || first == "7" { return 1 }
        return twoDigitCountries.contains(String(digits.prefix(2))) ? 2 : 3
    }

    private static let twoDigitCountries: Set<String> = [
        "20", "27", "30", "31", "32", "33", "34", "36", "39", "40", "41", "43", "44", "45", "46", "47", "48",
        "49",
        "51", "52", "53", "54", "55", "56", "57", "58", "60", "61", "62", "63", "64", "65", "66", "81", "82",
        "84",
        "86", "90", "91", "92", "93", "94", "95", "98",
    ]

    /// "one eight hundred five five five …", also without the one: a hundred before seven digits is not
    /// a quantity.
    private func tollFree(at place: Int, in reader: NumberReader) -> WrittenForm? {
        let language = reader.language
        guard let group = language.rows.groups[Self.local], !language.whole.hundred.isEmpty,
            let first = reader.digit(at: place, from: place)
        else { return nil }
        var area = place
        if first == 1, reader.digit(at: place + 1, from: place) != nil { area += 1 }
        guard let hundreds = reader.digit(at: area, from: place), hundreds > 1,
            reader.key(area + 1, from: place) == language.whole.hundred,
            let row = reader.row(at: area + 2, from: place, withTens: true),
            row.digits.count == Self.local - 3
        else { return nil }
        let number = cut("\(hundreds)00\(row.digits)", group.sizes, group.mark)
        return WrittenForm(text: area > place ? "\(first)\(group.mark)\(number)" : number, end: row.end)
    }

    private func grouped(_ digits: String, _ language: NumberWords) -> String {
        guard let group = language.rows.groups[digits.count] else { return digits }
        return cut(digits, group.sizes, group.mark)
    }

    private func cut(_ digits: String, _ sizes: [Int], _ mark: String) -> String {
        var rest = digits[...]
        var parts: [Substring] = []
        for size in sizes {
            parts.append(rest.prefix(size))
            rest = rest.dropFirst(size)
        }
        return parts.joined(separator: mark)
    }

    /// "one two three four": each is one more than the one before it.
    private func isCounting(_ range: Range<Int>, in reader: NumberReader) -> Bool {
        let values = range.compactMap { reader.language.whole.small[reader.words[$0].key] }
        return values.count == range.count && zip(values, values.dropFirst()).allSatisfy { $1 == $0 + 1 }
    }

    /// "Account number one two three four"
    private func isAnnounced(_ place: Int, in reader: NumberReader) -> Bool {
        guard let before = reader.keyBefore(place) else { return false }
        return reader.language.announcesRows(before, at: place, in: reader)
    }

    /// "ssn is", just before the digits.
    private func isSecurityNumber(_ place: Int, in reader: NumberReader) -> Bool {
        reader.words[max(0, place - 3)..<place].contains {
            reader.language.rows.securityNumbers.contains($0.key)
        }
    }
}

/// "one twenty three dot one two three dot o dot four o": four numbers below 256.
struct InternetNumbers: SpokenForm {
    let rule = CleaningRule.addresses

    func read(at place: Int, in reader: NumberReader) -> WrittenForm? {
        var parts: [String] = []
        var next = place
        while parts.count < 4 {
            guard let part = reader.row(at: next, from: place, withTens: true),
                let value = Int(part.digits), value < 256
            else { return nil }
            parts.append(part.digits)
            next = part.end
            guard parts.count < 4 else { break }
            guard reader.key(next, from: place) == reader.language.addresses.dot else { return nil }
            next += 1
        }
        return WrittenForm(text: parts.joined(separator: "."), end: next)
    }
}

/// "version two", "three point two point one": a number with two points is no decimal.
struct Versions: SpokenForm {
    let rule = CleaningRule.versions

    func read(at place: Int, in reader: NumberReader) -> WrittenForm? {
        let language = reader.language
        let isAnnounced = reader.keyBefore(place).map(language.names.versions.contains) ?? false
        guard let first = part(at: place, from: place, in: reader) else { return nil }
        var parts = [first.digits]
        var next = first.end
        // "Drei Punkt elf": what is no decimal point.
        let isDotted =
            reader.key(next, from: place) == language.addresses.dot
            && language.addresses.dot != language.signs.point
        while let key = reader.key(next, from: place),
            key == language.signs.point || key == language.addresses.dot,
            reader.key(next + 1, from: place) != nil, let more = part(at: next + 1, from: place, in: reader)
        {
            parts.append(more.digits)
            next = more.end
        }
        guard isAnnounced || parts.count > 2 || isDotted && parts.count == 2 else { return nil }
        return WrittenForm(text: parts.joined(separator: "."), end: next)
    }

    /// A number, or digits one by one.
    private func part(at place: Int, from start: Int, in reader: NumberReader) -> NumberReader.Reading? {
        if let row = reader.row(at: place, from: start), row.end > place + 1 { return row }
        if let whole = reader.whole(at: place, from: start) { return whole }
        return reader.row(at: place, from: start)
    }
}

/// Letters and digits that are spelled: "a b nine", "five w k r a three one", "x eighty six".
struct Codes: SpokenForm {
    let rule = CleaningRule.codes

    func read(at place: Int, in reader: NumberReader) -> WrittenForm? {
        if let pairs = pairs(at: place, in: reader) { return pairs }
        var text = ""
        var letters = 0
        var numbers = 0
        var largest = 0
        var next = place
        var isBeforeYear = false
        while let key = reader.key(next, from: place) {
            // "Q three twenty twenty four" is a quarter and its year.
            if letters == 1, numbers == 1, largest < 10,
                let year = Dates().pair(at: next, from: place, in: reader)?.value,
                Self.years ~= year
            {
                isBeforeYear = true
                break
            }
            if isLetter(key, at: next, in: reader) {
                text += reader.words[next].core
                letters += 1
                next += 1
            } else if let (step, end) = number(at: next, from: place, in: reader) {
                text += step
                numbers += 1
                largest = max(largest, Int(step) ?? 0)
                next = end
            } else {
                break
            }
        }
        guard letters > 0, numbers > 0 else { return nil }
        // "t s h two point one": letters, and a decimal.
        if reader.key(next, from: place) == reader.language.signs.point,
            reader.rowStep(at: next + 1, from: place) != nil
        {
            return nil
        }
        let first = reader.words[place].key
        // "a thirty six", "i twenty": an article or a pronoun before a number.
        if letters == 1, reader.language.abbreviations.notCodes.contains(first) { return nil }
        // "B p one ten", "new york n y one zero zero zero one"
        if letters > 1, let spelled = leadingLetters(at: place, in: reader),
            reader.language.abbreviations.notCodes.contains(spelled)
        {
            return nil
        }
        // "hepatitis b two weeks": one letter and a small number need not belong together.
        let isNamed = reader.keyBefore(place).map(reader.language.names.numbered.contains) ?? false
        guard letters > 1 || isNamed || isBeforeYear || largest >= NumberWords.smallestInDigits else {
            return nil
        }
        return WrittenForm(text: isNamed || isBeforeYear ? text.uppercased() : text, end: next)
    }

    private static let years = 1990...2099

    /// "L four l five": the same letter with two numbers makes two codes, and the one after them is one more, "s one".
    private func pairs(at place: Int, in reader: NumberReader) -> WrittenForm? {
        var codes: [String] = []
        var letters: [String] = []
        var next = place
        while let letter = reader.key(next, from: place), isLetter(letter, at: next, in: reader),
            let number = reader.belowHundred(at: next + 1, from: place), number.value > 0
        {
            codes.append("\(letter.uppercased())\(number.value)")
            letters.append(letter)
            next = number.end
        }
        guard codes.count > 1, zip(letters, letters.dropFirst()).contains(where: ==),
            // "L four l five b": a longer code.
            reader.key(next, from: place).map({
                $0.count > 1 && !reader.words[next].isNumber && !reader.language.rows.zeros.contains($0)
            }) ?? true
        else { return nil }
        return WrittenForm(text: codes.joined(separator: " "), end: next)
    }

    private func leadingLetters(at place: Int, in reader: NumberReader) -> String? {
        var letters = ""
        var next = place
        while let key = reader.key(next, from: place), key.count == 1, key.first?.isLetter == true {
            letters += key
            next += 1
        }
        return letters.isEmpty ? nil : letters
    }

    private func isLetter(_ key: String, at place: Int, in reader: NumberReader) -> Bool {
        guard key.count == 1, key.first?.isLetter == true, !reader.words[place].isNumber else { return false }
        // "A" before what is not spelled is an article.
        guard reader.language.abbreviations.notCodes.contains(key) else { return true }
        if let before = reader.keyBefore(place), before.count == 1 { return true }
        guard let next = reader.key(place + 1, from: place) else { return false }
        return next.count == 1
    }

    private func number(at place: Int, from start: Int, in reader: NumberReader) -> (String, Int)? {
        if let step = reader.rowStep(at: place, from: start),
            reader.belowHundred(at: place, from: start)?.end != place + 2
        {
            // "three eighty six"
            return step
        }
        if let (value, end) = reader.belowHundred(at: place, from: start) { return ("\(value)", end) }
        return nil
    }
}

/// Titles before names, and phrases with a form of their own: "mister dao", "s and p five hundred", "r t x forty fifty".
struct Abbreviations: SpokenForm {
    let rule = CleaningRule.abbreviations

    func read(at place: Int, in reader: NumberReader) -> WrittenForm? {
        let language = reader.language
        if let (text, end) = reader.match(language.abbreviations.phrases, at: place, from: place, longest: 5)
        {
            return WrittenForm(text: text, end: end)
        }
        return series(at: place, in: reader) ?? title(at: place, in: reader)
    }

    private func title(at place: Int, in reader: NumberReader) -> WrittenForm? {
        guard let key = reader.key(place, from: place), let short = reader.language.abbreviations.titles[key],
            reader.key(place + 1, from: place) != nil
        else { return nil }
        if let before = reader.keyBefore(place),
            reader.language.abbreviations.titleDeterminers.contains(before)
        {
            return nil
        }
        let name = reader.words[place + 1]
        guard name.kinds.subtracting(.hints).isEmpty,
            name.core.allSatisfy({ $0.isLetter || $0 == "-" || $0 == "'" || $0 == "’" }),
            name.core.count > 1
        else { return nil }
        // If the text has capitals, a name has one.
        let isCased = reader.words.contains { $0.isCapitalized && $0.core.count > 1 && $0.key != key }
        guard !isCased || name.isCapitalized else { return nil }
        let isCapital = reader.words[place].isCapitalized
        return WrittenForm(
            text: isCapital ? short.prefix(1).uppercased() + short.dropFirst() : short, end: place + 1)
    }

    private func series(at place: Int, in reader: NumberReader) -> WrittenForm? {
        var letters = ""
        var next = place
        while let key = reader.key(next, from: place), key.count == 1, key.first?.isLetter == true {
            letters += key
            next += 1
            guard reader.language.abbreviations.series.contains(letters) else { continue }
            var text = letters.uppercased()
            if let number = reader.joined(at: next, from: place) ?? reader.whole(at: next, from: place) {
                text += " " + number.digits
                next = number.end
                // "t i", the variant.
                while let key = reader.key(next, from: place), key.count == 1, key.first?.isLetter == true,
                    !reader.language.abbreviations.notCodes.contains(key) || text.last?.isLetter == true
                {
                    text += key
                    next += 1
                }
            }
            return WrittenForm(text: text, end: next)
        }
        return nil
    }
}
