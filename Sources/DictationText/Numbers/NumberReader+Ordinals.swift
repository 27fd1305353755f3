extension NumberReader {
    /// "twenty first", "eleven hundred twenty first".
    func ordinal(at start: Int) -> Reading? {
        guard let first = key(start, from: start) else { return nil }
        if let value = ordinalWord(first) {
            return Reading(digits: suffixed(value), end: start + 1, value: value)
        }
        guard let whole = whole(at: start, from: start), let count = whole.value, count > 0,
            !isCountOfUnits(whole, from: start),
            let last = key(whole.end, from: start).flatMap({ language.ordinals.words[$0] })
        else { return nil }
        let value: Int
        if last >= 100 {
            guard count < 1_000 else { return nil }
            value = count * last
        } else {
            let fits = count % 100 == 0 || (count % 10 == 0 && count % 100 >= 20 && last < 10)
            guard fits else { return nil }
            value = count + last
        }
        return Reading(digits: suffixed(value), end: whole.end + 1, value: value)
    }

    /// "A sixty second timer".
    private func isCountOfUnits(_ count: Reading, from start: Int) -> Bool {
        guard let unit = key(count.end, from: start), language.ordinals.units.contains(unit),
            let before = keyBefore(start)
        else { return false }
        return language.ordinals.beforeUnits.contains(before) && isNoun(at: count.end + 1, from: start)
    }

    private func ordinalWord(_ key: String) -> Int? {
        if let value = language.ordinals.words[key] { return value }
        guard key.utf8.contains(UInt8(ascii: "-")) else { return nil }
        let parts = key.split(separator: "-").map(String.init)
        guard parts.count == 2, let tens = language.whole.small[parts[0]], tens >= 20, tens % 10 == 0,
            tens < 100,
            let ones = language.ordinals.words[parts[1]], ones < 10
        else { return nil }
        return tens + ones
    }

    private func suffixed(_ value: Int) -> String {
        let endings = language.ordinals.endings
        guard let usual = endings.last else { return "\(value)" }
        let isTeen = value % 100 / 10 == 1
        let suffix = !isTeen && (1..<endings.count).contains(value % 10) ? endings[value % 10 - 1] : usual
        return "\(value)\(suffix)"
    }
}
