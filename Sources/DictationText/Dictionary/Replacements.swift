/// The dictionary as the rules look things up in it.
struct DictionaryIndex: Sendable {
    struct Entry: Sendable {
        let words: [String]
        /// The exact spelling, if capitals matter.
        let exact: [String]?
        let written: String
        /// The marks after it belong to it: the period of "e.g.".
        let trail: String
    }

    /// By the first word; longer ones first.
    private(set) var entries: [String: [Entry]] = [:]
    private(set) var untouchable: Set<String> = []
    private(set) var snippets: [[String]: String] = [:]
    let patterns: [TextDictionary.Pattern]
    /// Said before a snippet in the middle of a text.
    let snippetWords: Set<String>

    init(_ dictionary: TextDictionary, language: Language) {
        patterns = dictionary.patterns
        snippetWords = language.snippetWords
        for replacement in dictionary.replacements { add(replacement.heard, replacement.written, language) }
        for name in dictionary.names { add(name.lowercased(), name, language) }
        for (phrase, text) in dictionary.snippets { snippets[Self.keys(phrase)] = text }
        untouchable = Set(dictionary.untouchable.map(Word.key))
        for key in entries.keys { entries[key]?.sort { $0.words.count > $1.words.count } }
    }

    var isEmpty: Bool { entries.isEmpty && untouchable.isEmpty && snippets.isEmpty && patterns.isEmpty }

    private mutating func add(_ heard: String, _ written: String, _ language: Language) {
        // Without marks at their edges, as the words of a text are: "e.g." is found.
        let parts = heard.split(whereSeparator: \.isWhitespace).map { Word($0, language: language) }
            .filter { !$0.isSilent }
        let words = parts.map(\.core)
        let keys = words.map(Word.key)
        guard let first = keys.first else { return }
        // Of two entries for the same words the last one holds.
        entries[first]?.removeAll { $0.words == keys && $0.exact == (keys == words ? nil : words) }
        entries[first, default: []].append(
            Entry(
                words: keys, exact: keys == words ? nil : words, written: written,
                trail: parts.last?.trail ?? ""))
    }

    static func keys(_ phrase: String) -> [String] {
        phrase.split(whereSeparator: \.isWhitespace).map { Word.key(of: String($0)) }
    }

    /// The text of a snippet, if the words are exactly its phrase.
    func snippet(for words: [Word]) -> String? {
        guard !snippets.isEmpty else { return nil }
        var keys = words.map(\.key)
        if let first = keys.first, snippetWords.contains(first), let text = snippets[Array(keys.dropFirst())]
        {
            return text
        }
        keys.removeAll { $0.isEmpty }
        return snippets[keys]
    }
}

/// Writes what was heard as the user's dictionary does.
struct Replacements {
    let index: DictionaryIndex

    func apply(to draft: inout Draft) {
        guard !index.isEmpty else { return }
        replacePatterns(in: &draft)
        let words = draft.words
        var written: [Word] = []
        var actions: [CleanedText.Action] = []
        var place = 0
        while place < words.count {
            if let (text, end, trail) = entry(at: place, in: words) {
                let spoken = words[place..<end].map(\.text).joined(separator: " ")
                var heard = words[place..<end]
                if !trail.isEmpty, heard[end - 1].trail.hasPrefix(trail) {
                    heard[end - 1].trail.removeFirst(trail.count)
                }
                let new = Self.words(text, in: heard, language: draft.language)
                let after = new.map(\.text).joined(separator: " ")
                if after != spoken { actions.append(.init(rule: .dictionary, before: spoken, after: after)) }
                written += new
                place = end
            } else {
                written.append(words[place])
                if index.untouchable.contains(words[place].key) {
                    written[written.count - 1].isUntouchable = true
                }
                place += 1
            }
        }
        draft.replace(with: written, actions: actions)
    }

    private func entry(at place: Int, in words: [Word]) -> (text: String, end: Int, trail: String)? {
        if index.snippetWords.contains(words[place].key), let found = snippet(behind: place, in: words) {
            return (found.0, found.1, "")
        }
        guard let entries = index.entries[words[place].key] else { return nil }
        for entry in entries where place + entry.words.count <= words.count {
            let range = place..<(place + entry.words.count)
            let isSame =
                zip(words[range], entry.words).allSatisfy { $0.key == $1 }
                && words[range].dropLast().allSatisfy(\.trail.isEmpty)
                && words[range].dropFirst().allSatisfy(\.lead.isEmpty)
            guard isSame, entry.exact.map({ zip(words[range], $0).allSatisfy { $0.core == $1 } }) ?? true
            else { continue }
            return (entry.written, range.upperBound, entry.trail)
        }
        return nil
    }

    /// "insert my address"
    private func snippet(behind place: Int, in words: [Word]) -> (String, Int)? {
        var longest: (String, Int)?
        for (phrase, text) in index.snippets where place + phrase.count < words.count {
            let range = (place + 1)..<(place + 1 + phrase.count)
            guard range.upperBound > longest?.1 ?? 0, zip(words[range], phrase).allSatisfy({ $0.key == $1 })
            else { continue }
            longest = (text, range.upperBound)
        }
        return longest
    }

    private static func words(_ text: String, in heard: ArraySlice<Word>, language: Language) -> [Word] {
        var words = text.split(separator: " ").map { Word($0, language: language) }
        guard let first = heard.first, let last = heard.last, !words.isEmpty else { return [] }
        for place in words.indices { words[place].isFixed = true }
        words[0].lead = first.lead + words[0].lead
        words[words.count - 1].trail += last.trail
        words[words.count - 1].pause = last.pause
        return words
    }

    private func replacePatterns(in draft: inout Draft) {
        for pattern in index.patterns {
            let text = draft.text
            guard let changed = pattern.replacingMatches(in: text, &draft.patternBudget) else {
                draft.noteAbandoned(pattern)
                continue
            }
            guard changed != text else { continue }
            let words = Draft(line: changed, language: draft.language).words
            draft.replace(with: words, actions: [.init(rule: .dictionary, before: text, after: changed)])
        }
    }
}
