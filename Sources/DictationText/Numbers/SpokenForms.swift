/// The written text for spoken words, and where these words end.
struct WrittenForm: Equatable {
    /// May hold spaces: "25 july 2012".
    var text: String
    var end: Int
}

/// A kind of spoken expression that is written in another way: a small value with a name, like a rule.
protocol SpokenForm: Sendable {
    var rule: CleaningRule { get }
    /// The form that begins at the place, if it is of this kind.
    func read(at place: Int, in reader: NumberReader) -> WrittenForm?
}

/// Writes numbers, dates, addresses and the like as people write them. At each word the forms are asked in their
/// order; the first that knows what begins there writes it.
///
/// Small numbers in prose stay words: "one of two reasons".
struct SpokenForms {
    /// In the order in which they are tried: forms of more words come first.
    static let all: [any SpokenForm] = [
        InternetNumbers(), Addresses(), Abbreviations(), CountedDoses(), DoseSchedules(), Money(), Measures(),
        Prices(), NumberLists(), NumberChoices(), Dates(),
        Versions(), NamedNumbers(), DigitRows(), Times(), ShortHundreds(), Codes(), Fractions(), Decimals(),
        Ordinals(), NumberPairs(), Cardinals(),
    ]

    let forms: [any SpokenForm]

    init(rules: Set<CleaningRule>) { forms = Self.all.filter { rules.contains($0.rule) } }

    func apply(to draft: inout Draft) {
        guard !forms.isEmpty, draft.words.indices.contains(where: { mayBegin(at: $0, draft.words) }) else {
            return
        }
        let words = draft.words
        let reader = NumberReader(words: words, language: draft.language.numbers)
        var written: [Word] = []
        var actions: [CleanedText.Action] = []
        written.reserveCapacity(words.count)
        var place = 0
        while place < words.count {
            guard mayBegin(at: place, words), let (form, rule) = form(at: place, in: reader) else {
                written.append(words[place])
                place += 1
                continue
            }
            let range = place..<form.end
            // Meant as words: "fifty fifty".
            guard let rule else {
                written += words[range]
                place = form.end
                continue
            }
            actions.append(
                .init(rule: rule, before: words[range].map(\.text).joined(separator: " "), after: form.text))
            written += Self.words(form.text, in: words[range], language: draft.language)
            place = form.end
        }
        guard !actions.isEmpty else { return }
        draft.replace(with: written, actions: actions)
    }

    private func mayBegin(at place: Int, _ words: [Word]) -> Bool {
        if words[place].kinds.contains(.spokenForm) { return true }
        guard place + 1 < words.count else { return false }
        let next = words[place + 1].kinds
        if next.contains(.addressSign) { return true }
        // "Smith seventy two at example dot com"
        return next.contains(.number)
            && words[(place + 2)...].prefix(Self.longestNumber).contains { $0.kinds.contains(.addressSign) }
    }

    /// The most words of a number after a name in an address, minus one.
    private static let longestNumber = 3

    /// - Returns: without a rule if the words stay as they are.
    private func form(at place: Int, in reader: NumberReader) -> (WrittenForm, CleaningRule?)? {
        if let end = reader.match(reader.language.whole.idioms, at: place, from: place, longest: 3) {
            return (WrittenForm(text: "", end: end), nil)
        }
        for form in forms {
            guard let written = form.read(at: place, in: reader) else { continue }
            let spoken = reader.words[place..<written.end].map(\.core).joined(separator: " ")
            return (written, spoken == written.text ? nil : form.rule)
        }
        return nil
    }

    /// The words of the written text, with the marks around the spoken ones.
    private static func words(_ text: String, in spoken: ArraySlice<Word>, language: Language) -> [Word] {
        var words = text.split(separator: " ").map { Word($0, language: language) }
        guard let first = spoken.first, let last = spoken.last, !words.isEmpty else { return words }
        words[0].lead = first.lead + words[0].lead
        let end = words.count - 1
        // The period of "am 21." belongs to the number.
        for place in words.indices where words[place].hasDigits && words[place].trail == "." {
            words[place].endsNothing = place < end || last.trail.isEmpty
        }
        words[end].pause = last.pause
        // "Dr." has its own full stop.
        words[end].trail += words[end].trail.hasSuffix(".") && last.trail.hasPrefix(".") ? "" : last.trail
        return words
    }
}

/// "minus twenty five", "two hundred and five", "nineteen": written in digits from thirteen on.
struct Cardinals: SpokenForm {
    let rule = CleaningRule.cardinals

    func read(at place: Int, in reader: NumberReader) -> WrittenForm? {
        let language = reader.language
        if let number = reader.exactArticleNumber(at: place), !number.hasScaleWord {
            return WrittenForm(text: number.digits, end: number.end)
        }
        guard let number = reader.number(at: place), !number.digits.contains(language.signs.decimalMark)
        else {
            return nil
        }
        guard let value = number.value, !number.hasScaleWord else {
            return WrittenForm(text: number.digits, end: number.end)
        }
        guard
            value < 0 || value >= NumberWords.smallestInDigits
                || beginsRange(value, number.end, place, reader)
        else { return nil }
        return WrittenForm(text: number.digits, end: number.end)
    }

    /// "Ten to fifteen minutes": both in the same way.
    private func beginsRange(_ value: Int, _ end: Int, _ place: Int, _ reader: NumberReader) -> Bool {
        guard let key = reader.key(end, from: place),
            reader.language.signs.range.contains(key) || reader.language.signs.alternatives.contains(key),
            let last = reader.number(at: end + 1)?.value
        else { return false }
        return last >= NumberWords.smallestInDigits && value < last
    }
}

/// "room two thirty", "page five", "highway one oh one": a number that names something, whose parts are joined.
struct NamedNumbers: SpokenForm {
    let rule = CleaningRule.cardinals

    func read(at place: Int, in reader: NumberReader) -> WrittenForm? {
        guard let before = reader.keyBefore(place) else { return nil }
        let isNumbered = reader.language.names.numbered.contains(before)
        guard isNumbered || reader.language.announcesRows(before, at: place, in: reader) else { return nil }
        // Longer rows are cut as telephone numbers are.
        if let row = reader.row(at: place, from: place), row.end > place + 1,
            isNumbered || row.digits.count == DigitRows.shortest - 1
        {
            return WrittenForm(text: row.digits, end: row.end)
        }
        guard isNumbered else {
            return reader.joined(at: place, from: place).map { WrittenForm(text: $0.digits, end: $0.end) }
        }
        guard let number = reader.joined(at: place, from: place) ?? reader.number(at: place) else {
            return nil
        }
        // "apartment four b"
        if let letter = reader.key(number.end, from: place), letter.count == 1,
            letter.first?.isLetter == true,
            !reader.language.abbreviations.notCodes.contains(letter)
        {
            return WrittenForm(text: number.digits + letter.uppercased(), end: number.end + 1)
        }
        return WrittenForm(text: number.digits, end: number.end)
    }
}

/// "sixty point two", "one point five billion", "four hundred million".
struct Decimals: SpokenForm {
    let rule = CleaningRule.decimals

    func read(at place: Int, in reader: NumberReader) -> WrittenForm? {
        guard let number = reader.number(at: place) ?? reader.exactArticleNumber(at: place),
            number.hasScaleWord || number.digits.contains(reader.language.signs.decimalMark)
        else { return nil }
        return WrittenForm(text: number.digits, end: number.end)
    }
}

/// "twenty first" is "21st"; up to "twelfth" they stay words in a sentence.
struct Ordinals: SpokenForm {
    let rule = CleaningRule.ordinals

    func read(at place: Int, in reader: NumberReader) -> WrittenForm? {
        guard let ordinal = reader.ordinal(at: place), let value = ordinal.value else { return nil }
        let isAlone = place == 0 && ordinal.end == reader.words.count
        guard value >= NumberWords.smallestInDigits || isAlone else { return nil }
        return WrittenForm(text: ordinal.digits, end: ordinal.end)
    }
}

/// "two thirds", "three quarters", "two and a half".
struct Fractions: SpokenForm {
    let rule = CleaningRule.fractions

    func read(at place: Int, in reader: NumberReader) -> WrittenForm? {
        let language = reader.language
        guard let whole = reader.whole(at: place, from: place), let value = whole.value, value > 0 else {
            return nil
        }
        if let end = reader.match(language.fractions.halves, at: whole.end, from: place, longest: 3) {
            return WrittenForm(text: "\(whole.digits) 1/2", end: end)
        }
        if reader.key(whole.end, from: place) == language.whole.and,
            let part = fraction(at: whole.end + 1, from: place, in: reader)
        {
            return WrittenForm(text: "\(whole.digits) \(part.text)", end: part.end)
        }
        guard let part = fraction(at: place, from: place, in: reader) else { return nil }
        if let before = reader.keyBefore(place), language.fractions.counting.contains(before) { return nil }
        // "Twenty third" is an ordinal; only one of them is said so.
        let isOne = value == 1
        if !isOne, language.fractions.single.contains(reader.words[part.end - 1].key) { return nil }
        if !isOne, language.ordinals.words[reader.words[part.end - 1].key] != nil { return nil }
        // "one third party", "one half hour"
        let goesOn = part.end < reader.words.count && reader.words[part.end - 1].trail.isEmpty
        if isOne, goesOn, !language.dates.of.contains(reader.words[part.end].key) { return nil }
        return part
    }

    private func fraction(at place: Int, from start: Int, in reader: NumberReader) -> WrittenForm? {
        guard let (count, end) = reader.belowHundred(at: place, from: start), count > 0,
            let parts = reader.key(end, from: start).flatMap({ reader.language.fractions.denominators[$0] })
        else { return nil }
        return WrittenForm(text: "\(count)/\(parts)", end: end + 1)
    }
}
