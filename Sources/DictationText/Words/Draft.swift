import SelfCorrection

/// One line while the rules work on it: its words, and the changes so far.
struct Draft {
    private(set) var words: [Word]
    private(set) var actions: [CleanedText.Action] = []
    private(set) var abandonedPatterns: [String] = []
    /// The time that is left for the user's patterns.
    var patternBudget = PatternBudget()
    let language: Language
    /// Whether the last sentence asks; nil if only its words show it.
    var asks: Bool?
    /// Sentences in which nothing was retracted, by their hash: to look again is the greater part of the work.
    private var settled: Set<UInt64> = []
    /// The words as input of the model of self-corrections.
    var tokens = CorrectionTokens()
    var scores = CorrectionScores()

    init(words: [Word], language: Language) {
        self.language = language
        self.words = Self.joiningMarks(words, language)
    }

    /// - Parameter pauses: seconds of silence after each of the words, as far as they are known.
    init(line: String, pauses: [Float] = [], language: Language) {
        var words = line.utf8.split(separator: UInt8(ascii: " ")).map {
            Word(Substring($0), language: language)
        }
        for (place, pause) in zip(words.indices, pauses) { words[place].pause = pause }
        Self.markQuoted(&words)
        if language.capitals.keepsSmall { Self.markShortened(&words, months: language.numbers.dates.months) }
        self.init(words: words, language: language)
    }

    /// “Are you coming?” she asked.
    private static func markQuoted(_ words: inout [Word]) {
        var isWritten: Bool?
        for place in words.indices.dropLast() where words[place].hasTerminal {
            var last = place
            // « Pourquoi ? » et
            if !words[place].closesQuote, words[place + 1].isSilent, words[place + 1].closesQuote {
                last += 1
            }
            guard words[last].closesQuote, last + 1 < words.count, words[last + 1].lead.isEmpty,
                words[last + 1].core.first?.isLowercase == true
            else { continue }
            if isWritten == nil { isWritten = words.contains(where: \.isCapitalized) }
            words[place].endsNothing = isWritten == true
        }
    }

    /// "Z. B. morgen", "am 5. kommt er", "Avda. de América": a recognizer that writes capitals writes none
    /// after these. Others write none at all; there only letters decide: "p. ej. mañana".
    private static func markShortened(_ words: inout [Word], months: Set<String>) {
        var isWritten: Bool?
        for place in words.indices.dropLast() where words[place].trail == "." {
            let next = words[place + 1]
            guard next.lead.isEmpty, let first = next.core.first, first.isLetter else { continue }
            let isLetter = words[place].core.count == 1 && !words[place].hasDigits
            let isBehindLetter =
                place > 0 && words[place - 1].endsNothing && words[place].core.count <= longestLetters
            if first.isLowercase {
                if !isLetter, !isBehindLetter, isWritten == nil {
                    isWritten = words.contains(where: \.isCapitalized)
                }
                words[place].endsNothing = isLetter || isBehindLetter || isWritten == true
            } else {
                // "Am 5. Mai"; the first letter of "z. B." and of "S. A. de C. V.".
                words[place].endsNothing =
                    words[place].hasDigits && months.contains(next.key)
                    || isLetter && next.core.count == 1 && next.trail.hasPrefix(".")
            }
        }
    }

    /// Of a part of an abbreviation: "p. ej.".
    private static let longestLetters = 2

    /// None of its words has a mark yet. The period of "Mr." and the apostrophe of "the dogs'" are part of the word: recognizers
    /// without marks write them as well, and what was typed before them stays as it is.
    var isBare: Bool {
        words.allSatisfy { $0.trail.isEmpty || $0.trail == "'" || ($0.trail == "." && !$0.endsSentence) }
    }

    /// And it does not begin with a capital, except "I": from a recognizer that writes none of these. A later
    /// word does not count, so that what is typed while the text is spoken stays as it is.
    var isUnwritten: Bool { isBare && words.first.map { !$0.isCapitalized || $0.isFirstPerson } ?? true }

    /// Some recognizers write "hello." as "hello .", and so does a rule that removes the word before a mark.
    /// In languages without lists a space before "?" and "!" may be right: French has one.
    private static func joiningMarks(_ words: [Word], _ language: Language) -> [Word] {
        // Only by its parts: copying a word would retain its four strings.
        guard words.indices.contains(where: { words[$0].core.isEmpty && words[$0].isMark }) else {
            return words
        }
        var joined: [Word] = []
        joined.reserveCapacity(words.count)
        for word in words {
            if word.isMark, let last = joined.indices.last, joined[last].trail.isEmpty,
                !language.tables.kinds.isEmpty || !word.trail.contains(where: { "?!".contains($0) })
            {
                joined[last].trail = word.trail
            } else {
                joined.append(word)
            }
        }
        return joined
    }

    /// Written out by hand: `joined(separator:)` takes five times as long.
    var text: String {
        var text = ""
        text.reserveCapacity(length)
        for place in words.indices {
            if place > 0 { text += " " }
            if !words[place].lead.isEmpty { text += words[place].lead }
            text += words[place].core
            if !words[place].trail.isEmpty { text += words[place].trail }
        }
        return text
    }

    /// The length of the text, in UTF-8.
    var length: Int { words.reduce(max(0, words.count - 1)) { $0 + $1.length } }

    /// From each beginning of a sentence to the next one.
    var sentences: [Range<Int>] {
        var sentences: [Range<Int>] = []
        var start = 0
        for place in words.indices where words[place].endsSentence && !words[place].isInitial {
            sentences.append(start..<(place + 1))
            start = place + 1
        }
        if start < words.count { sentences.append(start..<words.count) }
        return sentences
    }

    func isSettled(_ sentence: Range<Int>) -> Bool { settled.contains(hash(of: sentence)) }

    mutating func settle(_ sentence: Range<Int>) { settled.insert(hash(of: sentence)) }

    private func hash(of sentence: Range<Int>) -> UInt64 {
        sentence.reduce(0) { hash, place in
            // The first word has its capital from the sentence.
            let isCapitalized = place > sentence.lowerBound && words[place].isCapitalized
            let looks: UInt32 = (words[place].isPlain ? 1 : 0) | (isCapitalized ? 2 : 0)
            let marks = words[place].trail.isEmpty ? 0 : Hash.of(words[place].trail)
            return Hash.adding(UInt64(words[place].hash) << 32 | UInt64(marks ^ looks), to: hash)
        }
    }

    /// The word is the first one, or the word before it ends a sentence.
    func beginsSentence(at index: Int) -> Bool {
        index == 0 || words[index - 1].endsSentence
    }

    /// Removes the words of the given ranges, which are in order and do not overlap. An article before them takes the
    /// form that the word after them needs.
    mutating func remove(_ ranges: [Range<Int>], rule: CleaningRule) {
        guard !ranges.isEmpty else { return }
        var kept: [Word] = []
        kept.reserveCapacity(words.count)
        var next = 0
        for (place, range) in ranges.enumerated() {
            kept += words[next..<range.lowerBound]
            note(rule, before: words[range], after: [])
            if let last = words[range].last { Self.passOn(last, to: &kept) }
            next = range.upperBound
            let isSetOff = rule == .fillerPhrases || rule == .hesitations
            if isSetOff, words[next - 1].hasComma, let last = kept.indices.last, kept[last].hasComma,
                isWithinPhrase(range.lowerBound - 1, next)
                    || !needsComma(behind: range.lowerBound - 1, before: next, apartFrom: range)
            {
                kept[last].removeComma()
            }
            let isLast = place + 1 == ranges.count || ranges[place + 1].lowerBound > next
            if isLast { fitArticle(&kept, before: next, rule: rule) }
        }
        kept += words[next...]
        words = Self.joiningMarks(kept, language)
    }

    private mutating func fitArticle(_ kept: inout [Word], before next: Int, rule: CleaningRule) {
        guard next < words.count, let last = kept.indices.last,
            let form = language.articleForms.form(of: kept[last], before: words[next]),
            // Abbreviations are spelled, or not: "an HTML page", "a HUD".
            language.isOrdinary(words[next].key)
        else { return }
        let core = kept[last].isCapitalized ? form.prefix(1).uppercased() + form.dropFirst() : form
        let word = Word(Substring(core), language: language)
        note(rule, before: kept[last].text, after: word.text)
        kept[last] = word
    }

    /// Replaces all words by those that a rule made.
    mutating func replace(with newWords: [Word], actions newActions: [CleanedText.Action]) {
        words = Self.joiningMarks(newWords, language)
        actions += newActions
    }

    /// Makes the words that a correction removes from a sentence adjacent: if the repair comes late, "did bob
    /// leave no alice", the words between change places with it, "did bob no alice leave". The marks and
    /// pauses at their ends stay.
    ///
    /// - Returns: the words to remove.
    mutating func gather(_ correction: Correction, in sentence: Range<Int>, rule: CleaningRule) -> Range<Int>
    {
        let start = sentence.lowerBound + correction.span.lowerBound
        guard let late = correction.late else { return start..<(start + correction.span.count) }
        let said = Array(words[sentence])
        let taken = Array(said[correction.retracted])
        var editTerm = Array(said[late.kept.upperBound..<correction.span.upperBound])
        var (instead, kept) = (Array(said[late.instead]), Array(said[late.kept]))
        if let last = kept.indices.last { kept[last].takeEnd(of: said[late.instead.upperBound - 1]) }
        if let last = instead.indices.last { instead[last].takeEnd(of: said[late.kept.lowerBound - 1]) }
        // The intended sentence has no pause here.
        for place in editTerm.indices { editTerm[place].pause = 0 }
        let gathered = taken + editTerm + instead + kept
        note(rule, before: said[correction.span.lowerBound...], after: gathered[...])
        for (offset, word) in gathered.enumerated() { words[start + offset] = word }
        return start..<(start + taken.count + editTerm.count)
    }

    mutating func change(at index: Int, rule: CleaningRule, _ body: (inout Word) -> Void) {
        let before = words[index].text
        body(&words[index])
        let after = words[index].text
        if before != after { actions.append(.init(rule: rule, before: before, after: after)) }
    }

    /// Marks and quotation marks that no word holds together are not a text. A symbol or an emoji is.
    mutating func dropIfSilent() {
        if words.allSatisfy(\.isSilent) { words = [] }
    }

    mutating func apply(_ change: (inout Draft) -> Void) { change(&self) }

    mutating func note(_ rule: CleaningRule, before: String, after: String) {
        actions.append(.init(rule: rule, before: before, after: after))
    }

    mutating func note(_ new: [CleanedText.Action]) { actions += new }

    mutating func noteAbandoned(_ pattern: TextDictionary.Pattern) {
        abandonedPatterns.append(pattern.pattern)
    }

    /// Takes "press enter" from the end.
    mutating func takeEnterCommand() -> Bool {
        guard words.count >= 2, words.suffix(2).allSatisfy({ $0.kinds.contains(.markStart) || $0.isPlain }),
            language.punctuation.enterCommands.contains(words.suffix(2).map(\.key))
        else { return false }
        remove([(words.count - 2)..<words.count], rule: .spokenMarks)
        return true
    }

    private mutating func note(_ rule: CleaningRule, before: ArraySlice<Word>, after: ArraySlice<Word>) {
        actions.append(
            .init(
                rule: rule, before: before.map(\.text).joined(separator: " "),
                after: after.map(\.text).joined(separator: " ")))
    }

    /// A word that goes leaves its full stop or question mark to the word before it. The commas around it were
    /// its own, except if the word before can well end a clause: "Yes, um, we can" keeps one, "I, um, think"
    /// keeps none.
    private static func passOn(_ removed: Word, to kept: inout [Word]) {
        guard let last = kept.indices.last else { return }
        kept[last].pause = max(kept[last].pause, removed.pause)
        guard !kept[last].hasTerminal else { return }
        if let mark = removed.trail.first(where: Marks.isTerminal), !removed.trailsOff {
            kept[last].removeComma()
            kept[last].trail.append(mark)
        } else if kept[last].hasComma, kept[last].kinds.contains(.expectsMore) {
            kept[last].removeComma()
        }
    }
}
