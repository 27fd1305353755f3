import SelfCorrection

/// Capitals of words that always have them: days, months, languages, abbreviations, and letters that were
/// spelled ("u s b"); titles, and the names after them.
struct ProperWords: WordRule {
    let rule = CleaningRule.properWords

    func apply(to draft: inout Draft) -> Bool {
        let acted = joinLetters(in: &draft)
        var changed = false
        for index in draft.words.indices where draft.words[index].kinds.contains(.proper) {
            guard let written = written(at: index, in: draft) else { continue }
            draft.change(at: index, rule: rule) { $0.core = written }
            changed = true
        }
        for index in draft.words.indices where draft.words[index].kinds.contains(.proper) {
            for place in phrase(at: index, in: draft) where draft.words[place].core.first?.isLowercase == true
            {
                draft.change(at: place, rule: rule) {
                    $0.core = $0.core.prefix(1).uppercased() + $0.core.dropFirst()
                }
                changed = true
            }
        }
        for index in draft.words.indices.dropLast() where isTitle(at: index, in: draft) {
            for place in [index, index + 1] where draft.words[place].core.first?.isLowercase == true {
                draft.change(at: place, rule: rule) {
                    $0.core = $0.core.prefix(1).uppercased() + $0.core.dropFirst()
                }
                changed = true
            }
        }
        return acted || changed
    }

    /// "mr. brown": a short title, and what can be a name after it.
    private func isTitle(at index: Int, in draft: Draft) -> Bool {
        let (word, name) = (draft.words[index], draft.words[index + 1])
        return word.trail == "."
            && draft.language.numbers.abbreviations.titles.values.contains(word.key + ".")
            && !name.isFixed && name.lead.isEmpty && name.kinds.subtracting(.hints).isEmpty
            && name.core.count > 1 && name.core.allSatisfy { $0.isLetter || $0 == "-" || $0 == "'" }
    }

    /// "new york"
    private func phrase(at index: Int, in draft: Draft) -> Range<Int> {
        guard let phrases = draft.language.capitals.phrases[draft.words[index].key] else {
            return index..<index
        }
        let ends = phrases.map { rest in
            let end = index + 1 + rest.count
            guard end <= draft.words.count,
                zip(draft.words[(index + 1)..<end], rest).allSatisfy({ $0.key == $1 }),
                draft.words[index..<(end - 1)].allSatisfy({ $0.trail.isEmpty }),
                draft.words[index..<end].allSatisfy({ !$0.isFixed })
            else { return index }
            return end
        }
        return index..<(ends.max() ?? index)
    }

    private func written(at index: Int, in draft: Draft) -> String? {
        let word = draft.words[index]
        guard !word.isFixed, word.core == word.core.lowercased(),
            let written = draft.language.tables.properWords[word.key]
        else { return nil }
        guard let beside = draft.language.capitals.doubtful[word.key] else { return written }
        let before = index > 0 ? draft.words[index - 1] : nil
        let next = index + 1 < draft.words.count && word.trail.isEmpty ? draft.words[index + 1] : nil
        // "You may two or three times".
        let modals = draft.language.numbers.dates.modals
        let isVerb =
            before.map { $0.trail.isEmpty && ($0.kinds.contains(.pronoun) || modals.contains($0.key)) }
            ?? false
        if isVerb, draft.language.numbers.dates.ambiguousMonths.contains(word.key) { return nil }
        let isNamed =
            before.map { $0.trail.isEmpty && (beside.contains($0.key) || $0.hasDigits) } ?? false
            || next?.hasDigits ?? false
        return isNamed ? written : nil
    }

    /// Three letters and more, or two that are a known abbreviation.
    private func joinLetters(in draft: inout Draft) -> Bool {
        guard
            draft.words.indices.dropLast().contains(where: {
                isLetter(draft.words[$0]) && isLetter(draft.words[$0 + 1])
            })
        else { return false }
        let language = draft.language
        var joined: [Word] = []
        var actions: [CleanedText.Action] = []
        var place = 0
        let words = draft.words
        while place < words.count {
            var end = place
            while end < words.count, isLetter(words[end]), end == place || words[end - 1].trail.isEmpty {
                end += 1
            }
            if let length = abbreviation(words[place..<max(place, end)], language),
                !areWords(place..<(place + length), in: words, language)
            {
                let range = place..<(place + length)
                let spoken = words[range].map(\.core).joined()
                let letters = language.tables.abbreviations[spoken.lowercased()] ?? spoken.uppercased()
                let text = words[place].lead + letters + words[range.upperBound - 1].trail
                actions.append(
                    .init(rule: rule, before: words[range].map(\.text).joined(separator: " "), after: text))
                joined.append(Word(Substring(text), language: language))
                place += length
            } else {
                joined.append(words[place])
                place += 1
            }
        }
        guard !actions.isEmpty else { return false }
        draft.replace(with: joined, actions: actions)
        return true
    }

    private func isLetter(_ word: Word) -> Bool {
        word.core.utf8.count == 1 && word.lead.isEmpty && !word.hasDigits && !word.isFixed
    }

    /// "Give me a I mean two", "is it with a c or a k".
    private func areWords(_ range: Range<Int>, in words: [Word], _ language: Language) -> Bool {
        guard range.count == 2, words[range.lowerBound].key == "a" else { return false }
        let (first, letter) = (words[range.lowerBound], words[range.lowerBound + 1])
        // "You edit a C program": in a text with capitals, the letter differs from the article.
        if first.core == "a", letter.core != letter.key, !letter.isFirstPerson { return true }
        if letter.isFirstPerson {
            return range.upperBound == words.count || !letter.trail.isEmpty
                || language.capitals.notBehindSpelled.contains(words[range.upperBound].key)
        }
        // "An" does not precede the other letters, and these words have no noun after them, unlike "turn on".
        guard language.capitals.consonants.contains(letter.key), range.lowerBound > 0 else { return false }
        let before = words[..<range.lowerBound].suffix(2)
        return before.allSatisfy(\.trail.isEmpty)
            && before.last?.kinds.isDisjoint(with: [.preposition, .conjunction, .auxiliary]) == false
            && !language.restarts.orderPairs.contains(before.map(\.key))
    }

    /// How many of the letters are one abbreviation.
    private func abbreviation(_ letters: ArraySlice<Word>, _ language: Language) -> Int? {
        guard letters.count > 1 else { return nil }
        let all = letters.count
        let isWhole = all > 2 && areSpelled(letters, language)
        var length = all
        while length > 1 {
            let word = letters.prefix(length).map(\.key).joined()
            if language.tables.properWords[word] != nil || language.tables.abbreviations[word] != nil {
                // "P r n" is not "PR n".
                return isWhole && length + 1 == all && length == 2 ? all : length
            }
            length -= 1
        }
        return isWhole ? all : nil
    }

    /// None of the letters is a word: "a d n a test", "i n r" but not "should i u r l encode it".
    private func areSpelled(_ letters: ArraySlice<Word>, _ language: Language) -> Bool {
        guard let first = letters.first, let last = letters.last,
            !language.capitals.letterWords.contains(last.key)
        else { return false }
        // Spanish "x y z", "n o n".
        if letters.contains(where: { $0.kinds.contains(.conjunction) }) { return false }
        guard language.capitals.letterWords.contains(first.key) else { return true }
        let rest = letters.dropFirst().map(\.key).joined()
        return first.isFirstPerson && language.tables.properWords[rest] == nil
            && language.tables.abbreviations[rest] == nil
    }
}
