import SelfCorrection

/// "um", "uh", "er" and the like say nothing, with five exceptions: written in capitals (the
/// ER), where an abbreviation must be meant ("in the er at night"), beside quotation marks, as an answer ("uh huh", "mm hmm"),
/// and as a unit ("5 mm").
struct Hesitations: WordRule {
    let rule = CleaningRule.hesitations

    func apply(to draft: inout Draft) -> Bool {
        let hasAbbreviations = writeAbbreviations(in: &draft)
        let words = draft.words
        let found = words.indices.filter { isHesitation(at: $0, in: words, language: draft.language) }
        draft.remove(removed(for: found, from: draft), rule: rule)
        return !found.isEmpty || hasAbbreviations
    }

    /// The hesitations, and what goes with them.
    private func removed(for hesitations: [Int], from draft: Draft) -> [Range<Int>] {
        let resumptions = Resumptions(words: draft.words, language: draft.language)
        let items = ReplacedItems(words: draft.words, language: draft.language)
        var removed: [Range<Int>] = []
        for hesitation in Self.rows(of: hesitations) {
            let last = removed.last?.upperBound ?? 0
            // It was between others.
            guard hesitation.lowerBound >= last else { continue }
            let interruption = resumptions.interruption(hesitation)
            if let start = resumptions.start(before: interruption) {
                removed.append(max(start, last)..<interruption.upperBound)
            } else if resumptions.isAside(interruption) {
                removed.append(max(interruption.lowerBound, last)..<interruption.upperBound)
            } else {
                let start = items.replaced(before: hesitation) ?? hesitation.lowerBound
                removed.append(max(start, last)..<hesitation.upperBound)
            }
        }
        return removed
    }

    /// A row of hesitations is looked at once, so that the time stays linear.
    static func rows(of places: [Int]) -> [Range<Int>] {
        var rows: [Range<Int>] = []
        for place in places {
            if let last = rows.last, last.upperBound == place {
                rows[rows.count - 1] = last.lowerBound..<(place + 1)
            } else {
                rows.append(place..<(place + 1))
            }
        }
        return rows
    }

    /// In capitals no rule takes it for a hesitation.
    private func writeAbbreviations(in draft: inout Draft) -> Bool {
        var acted = false
        for index in draft.words.indices where draft.words[index].kinds.contains(.hesitation) {
            guard isAbbreviation(at: index, in: draft) else { continue }
            draft.change(at: index, rule: rule) { $0.core = $0.core.uppercased() }
            acted = true
        }
        return acted
    }

    private func isAbbreviation(at index: Int, in draft: Draft) -> Bool {
        let word = draft.words[index]
        guard let signs = draft.language.fillers.abbreviated[word.key], word.isPlain, !word.isAllCapitals
        else {
            return false
        }
        let next = index + 1 < draft.words.count && word.trail.isEmpty ? draft.words[index + 1] : nil
        if let next, signs.nouns.contains(next.key) { return true }
        guard index > 0, draft.words[index - 1].trail.isEmpty,
            signs.determiners.contains(draft.words[index - 1].key)
        else { return false }
        // Commas set a hesitation off.
        guard let next else { return !word.hasComma && !word.trailsOff }
        if signs.adverbs.contains(next.key) { return true }
        return !next.kinds.isDisjoint(with: [.preposition, .conjunction, .auxiliary])
            && !next.kinds.contains(.pronoun)
    }

    private func isHesitation(at index: Int, in words: [Word], language: Language) -> Bool {
        let word = words[index]
        guard word.isPlain, !word.isAllCapitals else { return false }
        guard word.kinds.contains(.hesitation) else {
            return isInner(at: index, in: words, language: language)
        }
        if index > 0 {
            let previous = words[index - 1]
            if previous.trail.isEmpty {
                if previous.isNumber, language.fillers.units.contains(word.key) { return false }
                if previous.hasDigits, language.fillers.writtenUnits.contains(word.key) { return false }
                if language.fillers.answers.contains([previous.key, word.key]) { return false }
            }
        }
        if index + 1 < words.count, word.trail.isEmpty,
            language.fillers.answers.contains([word.key, words[index + 1].key])
        {
            return false
        }
        return true
    }

    /// "To ah the store", but not "ah, I see".
    private func isInner(at index: Int, in words: [Word], language: Language) -> Bool {
        let word = words[index]
        guard word.kinds.contains(.opener), language.fillers.inner.contains(word.key), index > 0,
            index + 1 < words.count, word.isOpen
        else { return false }
        let (previous, next) = (words[index - 1], words[index + 1])
        // "Ah yes", "ah ha".
        guard !next.kinds.contains(.opener), !language.fillers.answers.contains([word.key, next.key]) else {
            return false
        }
        return previous.isPlain && previous.trail.isEmpty && !language.fillers.uttering.contains(previous.key)
    }
}

/// The words that show that a hesitation is an abbreviation.
struct AbbreviatedHesitation: LanguagePart {
    /// Behind one of these it is an abbreviation if no noun can follow.
    @Words var determiners: Set<String>
    /// It makes one noun with these, behind any word: "er visit".
    @Words var nouns: Set<String>
    /// No nouns, besides prepositions, conjunctions and auxiliaries: "the er yesterday".
    @Words var adverbs: Set<String>
}
