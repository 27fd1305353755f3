/// One line while the rules work on it: its words, and what has been done to them.
struct Draft {
    private(set) var words: [Word]
    private(set) var actions: [CleanedText.Action] = []
    let language: Language
    var isRespaced = false

    init(line: String, language: Language) {
        self.language = language
        words = []
        for token in line.split(whereSeparator: \.isWhitespace) {
            let word = Word(token, language: language)
            // "hello ." is how some recognisers write "hello."
            if word.isMark, let last = words.indices.last, words[last].trail.isEmpty {
                words[last].trail = word.trail
            } else {
                words.append(word)
            }
        }
    }

    var text: String { words.lazy.map(\.text).joined(separator: " ") }

    /// The word begins a sentence: there is none before it, or the one before ends one.
    func beginsSentence(at index: Int) -> Bool {
        index == 0 || words[index - 1].endsSentence
    }

    /// Takes away the words of the given ranges, which are in order and do not overlap.
    mutating func remove(_ ranges: [Range<Int>], rule: CleaningRule) {
        guard !ranges.isEmpty else { return }
        var kept: [Word] = []
        kept.reserveCapacity(words.count)
        var next = 0
        for range in ranges {
            kept += words[next..<range.lowerBound]
            note(rule, before: words[range], after: [])
            if let last = words[range].last { Self.passOn(last, to: &kept) }
            next = range.upperBound
        }
        kept += words[next...]
        words = kept
    }

    /// Puts the words that a rule arrived at in place of those that were there.
    mutating func replace(with newWords: [Word], actions newActions: [CleanedText.Action]) {
        words = newWords
        actions += newActions
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

    private mutating func note(_ rule: CleaningRule, before: ArraySlice<Word>, after: ArraySlice<Word>) {
        actions.append(
            .init(
                rule: rule, before: before.map(\.text).joined(separator: " "),
                after: after.map(\.text).joined(separator: " ")))
    }

    /// A word that goes leaves its full stop or question mark to the word before it. The commas around it were
    /// its own, except where the word before can well end a clause: "Yes, um, we can" keeps one, "I, um, think"
    /// keeps none.
    private static func passOn(_ removed: Word, to kept: inout [Word]) {
        guard let last = kept.indices.last, !kept[last].hasTerminal else { return }
        if removed.hasTerminal && !removed.trailsOff {
            kept[last].removeComma()
            kept[last].trail += String(removed.trail.filter(Marks.isTerminal))
        } else if kept[last].hasComma, kept[last].kinds.contains(.expectsMore) {
            kept[last].removeComma()
        }
    }
}
