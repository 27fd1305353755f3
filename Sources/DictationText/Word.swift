/// A word with the marks around it: in `“well,` the lead is `“`, the core `well`, the trail `,`.
struct Word: Sendable {
    var lead: String
    var core: String
    var trail: String
    /// The core in lower case with straight apostrophes: what the lists of a language hold.
    let key: String
    let kinds: WordKinds

    init(_ token: Substring, language: Language) {
        var start = token.startIndex
        var end = token.endIndex
        while end > start, Marks.isClosing(token[token.index(before: end)]) { end = token.index(before: end) }
        while start < end, Marks.isOpening(token[start]) { start = token.index(after: start) }
        lead = String(token[..<start])
        core = String(token[start..<end])
        trail = String(token[end...])
        key = Self.key(of: core)
        kinds = language.kinds(of: key)
    }

    static func key(of core: String) -> String {
        let lower = core.lowercased()
        guard lower.utf8.contains(0xE2) else { return lower }
        return String(lower.map { $0 == "’" || $0 == "ʼ" ? "'" : $0 })
    }

    var text: String { lead + core + trail }

    /// Not within or beside quotation marks or brackets. A word that is mentioned rather than used ("the word
    /// ‘um’") is never taken away.
    var isPlain: Bool { lead.isEmpty && trail.allSatisfy(Marks.isPlain) }

    var hasComma: Bool { trail.contains(",") }

    /// Ends with a mark that ends, or may end, a sentence.
    var hasTerminal: Bool { !trail.isEmpty && trail.contains(where: Marks.isTerminal) }

    /// An ellipsis trails off; the sentence goes on.
    var trailsOff: Bool { trail.contains("…") || trail.contains("..") }

    /// The next word begins a sentence.
    var endsSentence: Bool {
        guard !trail.isEmpty else { return false }
        if trail.contains("?") || trail.contains("!") { return true }
        guard trail.contains("."), !trailsOff else { return false }
        return !kinds.contains(.abbreviation) && !core.contains(".")
    }

    var isCapitalised: Bool { core.first?.isUppercase ?? false }

    /// Written in capitals throughout: an abbreviation like "ER", not the sound.
    var isAllCapitals: Bool {
        core.count > 1 && !core.contains { $0.isLowercase } && core.contains { $0.isUppercase }
    }

    var isFirstPerson: Bool { kinds.contains(.firstPerson) }

    var isNumber: Bool { kinds.contains(.number) || core.contains { $0.isNumber } }

    /// A pure mark such as "," or "..." that stands alone.
    var isMark: Bool { lead.isEmpty && core.isEmpty && trail.allSatisfy(Marks.isSentenceMark) }

    /// Nothing but marks, of whatever kind.
    var isSilent: Bool { core.isEmpty }

    mutating func removeComma() {
        trail.removeAll { $0 == "," }
    }
}

/// The marks that stand at the edges of words.
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

    static func isClosing(_ mark: Character) -> Bool {
        switch mark {
        case ")", "]", "}", "\"", "'", "”", "’", "»": true
        default: isPlain(mark)
        }
    }

    static func isOpening(_ mark: Character) -> Bool {
        switch mark {
        case "(", "[", "{", "\"", "'", "“", "‘", "«", "¿", "¡": true
        default: false
        }
    }
}
