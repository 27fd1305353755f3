import SelfCorrection

extension TextCleaner {
    /// Words that are waited for before one is settled: a correction takes back the word before it more often than others.
    /// `dictation-bench cleanup` says how much that changes.
    public static let usualWait = 2

    /// The beginning of the cleaned text that no further words can change; without the white space and
    /// the marks at its end, which depend on that.
    ///
    /// ```swift
    /// TextCleaner().settledPrefix(of: "so the meeting is at twenty")         // "The meeting"
    /// TextCleaner().settledPrefix(of: "so the meeting is at twenty five um") // "The meeting is"
    /// ```
    ///
    /// The text is cleaned as it is, and again with words that may continue its end: a number, a unit, the
    /// same words again. The part on which all results agree is settled, except its last `wait` words. A
    /// correction that comes later ("scratch that", "I mean the day before") may reach farther back: then the
    /// typed text differs from the cleaned whole text. `dictation-bench cleanup` measures how often that
    /// happens.
    ///
    /// - Parameters:
    ///   - raw: words that are certain.
    ///   - unsure: words heard after them that may still change. They are not part of the result, but they count among the
    ///     `wait` words.
    ///   - wait: how many words must follow a word before it is settled.
    public func settledPrefix(of raw: String, unsure: String = "", wait: Int = usualWait) -> String {
        settledPrefix(words: raw.words, unsure: unsure.words, wait: wait) { behind in
            clean(behind.isEmpty ? raw : raw + " " + behind)
        }
    }

    /// The same for words whose times are known.
    public func settledPrefix(of words: [TimedWord], unsure: String = "", wait: Int = usualWait) -> String {
        settledPrefix(words: words.map(\.text), unsure: unsure.words, wait: wait) { behind in
            guard !behind.isEmpty else { return clean(words) }
            let end = words.last?.end ?? 0
            return clean(words + [TimedWord(text: behind, start: end, end: end)])
        }
    }

    private func settledPrefix(
        words: [String], unsure: [String], wait: Int, clean: (_ behind: String) -> CleanedText
    ) -> String {
        let heard = words + unsure
        let open = max(0, openWords(heard, wait: wait) - unsure.count)
        guard words.count > open else { return "" }
        let now = clean("").text
        var settled = now[...]
        for behind in continuations(of: heard) {
            settled = settled.wholeWords(in: clean((unsure + [behind]).joined(separator: " ")).text)
            if settled.isEmpty { return "" }
        }
        let behind = now[settled.endIndex...].split(whereSeparator: \.isWhitespace).count {
            $0.contains { $0.isLetter || $0.isNumber }
        }
        return String(settled.droppingWords(max(0, open - behind)))
    }

    /// How many words at the end may change: those that are waited for, and, if a correction begins, those
    /// before it.
    private func openWords(_ words: [String], wait: Int) -> Int {
        let recent: [String] = words.suffix(Self.longestCorrection).map {
            $0.lowercased().filter { $0.isLetter || $0 == "'" }
        }
        guard let begins = recent.indices.first(where: { isEditTerm(at: $0, in: recent) }) else {
            return wait
        }
        return max(wait, recent.endIndex - begins + Self.reach)
    }

    /// Whether an edit term begins there, as far as the words go.
    private func isEditTerm(at index: Int, in words: [String]) -> Bool {
        let following = words[index...]
        return language.corrections.editTerms[words[index]]?.contains { phrase in
            let whole = [words[index]] + phrase
            return !language.corrections.weak.contains(whole)
                && zip(whole, following).allSatisfy { $0 == $1 }
        } ?? false
    }

    /// Words within which a correction that has begun is over.
    private static let longestCorrection = 8
    /// Words that a correction takes back, nearly always.
    private static let reach = 4

    /// Words that may follow and could change the text so far: a filler, a number and its unit, the rest of an
    /// address, and the last words again, as speakers repeat them.
    private func continuations(of words: [String]) -> [String] {
        let numbers = language.numbers.whole
        func number(_ value: Int) -> [String] {
            numbers.small.filter { $0.value == value }.keys.sorted().suffix(1)
        }
        var behind = Self.fixed[language.identifier] ?? ["a"]
        behind += number(5) + [numbers.hundred].filter { !$0.isEmpty }
        if let scale = numbers.scales.keys.sorted().first { behind.append(scale) }
        behind += restsOfAddress(behind: words)
        if let last = words.last { behind.append(last) }
        if words.count > 1 { behind.append(words.suffix(2).joined(separator: " ")) }
        return behind
    }

    /// The rest of an address whose beginning the words may be. The part before its domain is searched only
    /// after a word that joins the parts of addresses: otherwise "at …" would have the effect of a
    /// correction.
    private func restsOfAddress(behind words: [String]) -> [String] {
        let address = language.numbers.addresses
        guard !address.dot.isEmpty else { return [] }
        let domain = "\(address.dot) com"
        let isJoined = words.suffix(Self.longestDomain).contains {
            let word = $0.lowercased()
            return word == address.dot || word == address.at || address.signs[word] != nil
        }
        return isJoined ? [domain, "web \(domain)", "\(address.at) web \(domain)"] : [domain]
    }

    /// Words, with those that join them, after which a further part of an address may come.
    private static let longestDomain = 4

    private static let fixed: [String: [String]] = [
        "en": [
            "and the man", "of it", "five dollars", "point five", "o'clock", "percent", "third", "p m",
            "may", "know", "mean", "i", "and ninety nine milligrams", "daily",
        ],
        "de": [
            "und der Mann", "Uhr", "Prozent", "Euro", "Mai",
            "einunddreißigsten Mai", "zum einunddreißigsten Mai", "den einunddreißigsten Mai",
            "zwanzig dreißig", "und neunundneunzig Prozent", "null eins", "täglich",
        ],
        "es": [
            "y el hombre", "euros", "por ciento", "de mayo", "treinta cuarenta", "cinco treinta",
            "y noventa y nueve por ciento", "al día",
        ],
    ]
}

extension String {
    fileprivate var words: [String] { split(whereSeparator: \.isWhitespace).map(String.init) }
}

extension Substring {
    /// The words that another text begins with as well; marks after the last of them do not count.
    fileprivate func wholeWords(in other: String) -> Substring {
        var (index, place) = (startIndex, other.startIndex)
        var end = startIndex
        while index < endIndex, place < other.endIndex, self[index] == other[place] {
            let isWord = self[index].isLetter || self[index].isNumber
            (index, place) = (self.index(after: index), other.index(after: place))
            let goesOn = index < endIndex && !self[index].isWhitespace && self[index].isPartOfWord
            let otherGoesOn = place < other.endIndex && other[place].isPartOfWord
            if isWord, !goesOn, !otherGoesOn { end = index }
        }
        return self[..<end]
    }

    fileprivate func droppingWords(_ count: Int) -> Substring {
        var rest = self
        for _ in 0..<count {
            guard let space = rest.lastIndex(where: \.isWhitespace) else { return rest[..<rest.startIndex] }
            rest = rest[..<space]
        }
        // Marks belong to what follows.
        let last = rest.lastIndex { $0.isLetter || $0.isNumber }
        return last.map { rest[...$0] } ?? rest[..<rest.startIndex]
    }
}

extension Character {
    /// Whether it continues a word: everything except white space, and marks that may come later.
    fileprivate var isPartOfWord: Bool { !isWhitespace && !".,;:?!…)]}”’\"".contains(self) }
}
