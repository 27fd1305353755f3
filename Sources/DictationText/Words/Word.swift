import SelfCorrection

/// A word with the marks around it: in `“well,` the lead is `“`, the core `well`, the trail `,`.
struct Word: Sendable {
    var lead: String
    var core: String
    var trail: String
    /// The core in lower case with straight apostrophes, as in the lists of a language.
    let key: String
    /// The hash of the key: comparing words by it needs no strings.
    let hash: UInt32
    /// The key has one: "don't".
    let hasApostrophe: Bool
    let hasDigits: Bool
    /// A number in words, or a word with one in it.
    let isNumber: Bool
    let kinds: WordKinds
    let restarts: RestartKinds
    /// The user's dictionary protects it: no rule removes or changes it.
    var isUntouchable = false {
        didSet { if isUntouchable { isFixed = true } }
    }
    /// Written as in the user's dictionary.
    var isFixed = false
    /// Its mark ends no sentence: the recognizer continues without a capital.
    var endsNothing = false
    /// Seconds of silence after it, as far as they are known.
    var pause: Float = 0

    init(_ token: Substring, language: Language) {
        // Most words have no marks; bytes show that fastest.
        if let first = token.utf8.first, let last = token.utf8.last,
            !Bytes.isAlphanumeric(first) || !Bytes.isAlphanumeric(last)
        {
            var start = token.startIndex
            var end = token.endIndex
            while end > start, Marks.isClosing(token[token.index(before: end)]) {
                end = token.index(before: end)
            }
            while start < end, Marks.isOpening(token[start]) { start = token.index(after: start) }
            lead = String(token[..<start])
            core = String(token[start..<end])
            trail = String(token[end...])
        } else {
            (lead, core, trail) = ("", String(token), "")
        }
        key = Self.key(of: core)
        (kinds, restarts) = language.allKinds(of: key)
        var (hash, hasApostrophe, hasDigits, isASCII) = (Hash.empty, false, false, true)
        for byte in key.utf8 {
            hash = Hash.adding(byte, to: hash)
            if byte == UInt8(ascii: "'") { hasApostrophe = true }
            if Bytes.isDigit(byte) { hasDigits = true }
            if byte >= 0x80 { isASCII = false }
        }
        (self.hash, self.hasApostrophe, self.hasDigits) = (hash, hasApostrophe, hasDigits)
        isNumber = kinds.contains(.number) || hasDigits || !isASCII && core.contains { $0.isNumber }
    }

    static func key(of core: String) -> String {
        let lower = core.lowercased()
        guard lower.utf8.contains(0xE2) else { return lower }
        return String(lower.map { $0 == "’" || $0 == "ʼ" ? "'" : $0 })
    }

    var text: String { lead.isEmpty && trail.isEmpty ? core : lead + core + trail }

    /// The length of its text, in UTF-8.
    var length: Int { lead.utf8.count + core.utf8.count + trail.utf8.count }

    /// Not inside or next to quotation marks or brackets. A word that is mentioned rather than used ("the word
    /// ‘um’") is never removed.
    var isPlain: Bool { !isUntouchable && lead.isEmpty && (trail.isEmpty || Marks.arePlain(trail)) }

    var hasComma: Bool { !trail.isEmpty && trail.contains(",") }

    /// Ends with a mark that ends, or may end, a sentence.
    var hasTerminal: Bool { !trail.isEmpty && trail.contains(where: Marks.isTerminal) }

    /// Nothing but a comma follows it: nothing ends there.
    var isOpen: Bool { trail.isEmpty || trail == "," }

    /// An ellipsis trails off; the sentence continues.
    var trailsOff: Bool { trail.contains("…") || trail.contains("..") }

    /// The next word begins a sentence.
    var endsSentence: Bool { !trail.isEmpty && trailEndsSentence }

    private var trailEndsSentence: Bool {
        guard !endsNothing else { return false }
        if trail.contains("?") || trail.contains("!") { return true }
        // "On the 5., no, on the 6."
        guard trail.contains("."), !trailsOff, trail != ".," else { return false }
        return !kinds.contains(.abbreviation) && !core.contains(".")
    }

    /// "John D. Rockefeller" is one name, and its mark ends nothing.
    var isInitial: Bool { trail == "." && core.utf8.count == 1 && isCapitalized && !isFirstPerson }

    var isCapitalized: Bool {
        guard let first = core.utf8.first else { return false }
        return first < 0x80 ? Bytes.isCapital(first) : core.first?.isUppercase ?? false
    }

    /// Written in capitals throughout: an abbreviation like "ER", not the sound.
    var isAllCapitals: Bool {
        core.count > 1 && !core.contains { $0.isLowercase } && core.contains { $0.isUppercase }
    }

    var isFirstPerson: Bool { kinds.contains(.firstPerson) }

    /// Sentence marks without a word, such as "," or "...".
    var isMark: Bool { lead.isEmpty && core.isEmpty && trail.allSatisfy(Marks.isSentenceMark) }

    /// Nothing but marks of any kind.
    var isSilent: Bool { core.isEmpty }

    /// "$20", "30%": a number with its unit.
    var hasUnitSign: Bool { text.contains { $0.isCurrencySymbol || $0 == "%" || $0 == "°" } }

    /// Quotation marks, without a word: « ? ».
    var closesQuote: Bool { trail.contains(where: Marks.isClosingQuote) }

    mutating func removePlainMarks() { trail.removeAll(where: Marks.isSentenceMark) }

    /// Takes the marks and the pause of another word.
    mutating func takeEnd(of other: Word) {
        (trail, pause) = (other.trail, other.pause)
    }

    mutating func removeComma() {
        trail.removeAll { $0 == "," }
    }
}

/// Tests for ASCII bytes, which answer for most words, and much faster than tests for characters.
enum Bytes {
    static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    static func isCapital(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }
    static func isAlphanumeric(_ byte: UInt8) -> Bool {
        isDigit(byte) || isCapital(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }
}

/// The marks at the edges of words.
enum Marks {
    static func isTerminal(_ mark: Character) -> Bool {
        switch mark {
        case ".", "?", "!", "…": true
        default: false
        }
    }

    static func isSentenceMark(_ mark: Character) -> Bool {
        mark == "," || isTerminal(mark)
    }

    static func isDash(_ mark: Character) -> Bool {
        mark == "-" || mark == "–" || mark == "—"
    }

    static func isPlain(_ mark: Character) -> Bool {
        isSentenceMark(mark) || isDash(mark) || mark == ";" || mark == ":"
    }

    static func arePlain(_ marks: String) -> Bool { marks.allSatisfy(isPlain) }

    static func isClosing(_ mark: Character) -> Bool {
        switch mark {
        case ")", "]", "}", "\"", "'", "”", "’", "»": true
        default: isPlain(mark)
        }
    }

    static func isClosingQuote(_ mark: Character) -> Bool {
        switch mark {
        case "\"", "”", "’", "“", "»": true
        default: false
        }
    }

    static func isOpening(_ mark: Character) -> Bool {
        switch mark {
        case "(", "[", "{", "\"", "'", "“", "‘", "«", "¿", "¡": true
        default: false
        }
    }
}
