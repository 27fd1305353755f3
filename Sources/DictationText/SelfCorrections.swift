import SelfCorrection

/// Removes words that the speaker took back, together with the edit term: "to bob, no, to alice" becomes "to
/// alice". "Scratch that" goes with the words that it scratches.
struct SelfCorrections: WordRule {
    let rule = CleaningRule.selfCorrections
    private let finder: CorrectionFinder

    init(language: Language) { finder = CorrectionFinder(words: language.corrections, model: .shipped) }

    func apply(to draft: inout Draft) -> Bool {
        var found: [Range<Int>] = []
        for place in draft.sentences {
            guard !isPlain(place, draft.words), !draft.isSettled(place) else { continue }
            let sentence = CorrectionSentence(
                draft.words[place], language: draft.language, classes: finder.model.classes,
                known: &draft.tokens)
            let corrections = finder.corrections(in: sentence, scores: &draft.scores)
                .filter {
                    !losesSign($0, in: draft.words[place]) && !crossesClause($0, in: draft.words[place])
                        && !contrasts($0, in: draft.words[place], draft.language)
                }
            if corrections.isEmpty { draft.settle(place) }
            for correction in corrections {
                let removed = draft.gather(correction, in: place, rule: rule)
                draft.removeClosingComma(behind: removed, rule: rule)
                found.append(removed)
            }
        }
        draft.remove(found, rule: rule)
        return !found.isEmpty
    }

    /// Nothing in the sentence can be a correction: quick to see, and true of most.
    private func isPlain(_ sentence: Range<Int>, _ words: [Word]) -> Bool {
        // By index: a copy of a word would count its strings' references.
        sentence.allSatisfy { place in
            words[place].kinds.isDisjoint(with: Self.signs)
                && (words[place].trail.isEmpty || !words[place].trail.contains("?"))
        }
    }

    /// "It costs $20, no, 25": nothing says what the second number counts.
    private func losesSign(_ correction: Correction, in sentence: ArraySlice<Word>) -> Bool {
        let first = sentence[sentence.startIndex + correction.span.lowerBound]
        let repair = sentence.startIndex + correction.span.upperBound
        guard first.isNumber, sentence.indices.contains(repair), sentence[repair].isNumber else {
            return false
        }
        return first.hasUnitSign && !sentence[repair].hasUnitSign
    }

    /// "It was not done; instead the result is returned": speakers do not correct words before a semicolon.
    private func crossesClause(_ correction: Correction, in sentence: ArraySlice<Word>) -> Bool {
        let removed = correction.span.dropLast()
        return sentence[
            (sentence.startIndex + removed.lowerBound)..<(sentence.startIndex + removed.upperBound)
        ].contains { $0.trail.contains(";") }
    }

    /// "Nicht nach links, nein, nach rechts": the words after the "no" replace those that are denied
    /// directly, and without these they would be denied themselves.
    private func contrasts(
        _ correction: Correction, in sentence: ArraySlice<Word>, _ language: Language
    ) -> Bool {
        guard !language.corrections.contradicting.isEmpty, correction.span.lowerBound > 0 else {
            return false
        }
        let start = sentence.startIndex + correction.span.lowerBound
        guard language.negations.contains(sentence[start - 1].key) else { return false }
        let removed = sentence[start..<(sentence.startIndex + correction.span.upperBound)]
        let said = removed.last { !$0.kinds.contains(.hesitation) }
        return said.map { language.corrections.contradicting.contains($0.key) } == true
    }

    private static let signs: WordKinds = [.editTermStart, .hesitation, .question, .auxiliary]
}

extension CorrectionSentence {
    /// The sentences of a line.
    package static func sentences(
        of line: String, language: Language, classes: WordClasses
    ) -> [CorrectionSentence] {
        let draft = Draft(line: line, language: language)
        var known = CorrectionTokens()
        return draft.sentences.map {
            Self(draft.words[$0], language: language, classes: classes, known: &known)
        }
    }

    fileprivate init(
        _ words: ArraySlice<Word>, language: Language, classes: WordClasses, known: inout CorrectionTokens
    ) {
        // A question word begins it or ends it ("… is due to what"), or its mark says so, or will.
        let mayAsk =
            words.prefix(3).contains { $0.kinds.contains(.question) }
            || words.suffix(2).contains { $0.kinds.contains(.question) }
        let isQuestion =
            words.last?.trail.contains("?") == true
            || words.last?.hasTerminal == false
                && (mayAsk && !Self.isCondition(words, language)
                    || Questions(language: language).isQuestion(Array(words)))
        self.init(
            tokens: words.indices.map { known.token(of: words[$0], language: language, classes: classes) },
            // What the model has learned of questions is English: in other languages they are as statements.
            isQuestion: isQuestion && language.corrections.english.isEmpty)
    }

    /// "When that happens there is no point": a question has its verb after such a word, or an edit term.
    private static func isCondition(_ words: ArraySlice<Word>, _ language: Language) -> Bool {
        guard let first = words.first, let next = words.dropFirst().first else { return false }
        return first.kinds.contains(.question) && !first.kinds.contains(.determining)
            && !language.questions.subjects.contains(first.key)
            && !language.questions.contracted.contains(first.key)
            && next.kinds.isDisjoint(with: [.auxiliary, .hesitation, .question])
            && (next.kinds.contains(.pronoun) || !next.kinds.contains(.editTermStart))
    }
}

/// The words of a text as the model sees them, each made once: most are said more than once, and are read again after
/// each change.
struct CorrectionTokens {
    /// By the hash of the key, and by the looks that matter besides.
    private var tokens: [UInt64: CorrectionToken] = [:]

    fileprivate mutating func token(
        of word: Word, language: Language, classes: WordClasses
    ) -> CorrectionToken {
        let looks: UInt64 =
            (word.isCapitalized ? 1 : 0) | (word.isNumber ? 2 : 0) | (word.hasComma ? 4 : 0)
            | (word.isPlain ? 8 : 0) | (word.isCapitalHesitation ? 16 : 0)
        let place = UInt64(word.hash) << 5 | looks
        // Two words may have one hash.
        if let known = tokens[place], known.key == word.key { return known }
        let token = CorrectionToken(word, language: language, classes: classes)
        tokens[place] = token
        return token
    }
}

extension CorrectionToken {
    fileprivate init(_ word: Word, language: Language, classes: WordClasses) {
        let traits = Traits(word, language: language)
        let hash = traits.contains(.number) ? Self.number : language.tables.modelWords[word.key] ?? word.hash
        let isGrammar = !word.kinds.isDisjoint(with: [.function, .pronoun, .question, .preposition, .opener])
        let lastLetters = Hash.of(word.key.utf8.suffix(3)) ^ 0x55
        let (tag, isKnown) = Self.tag(of: word, language: language)
        self.init(
            key: word.key, word: hash, kind: traits.contains(.number) || isGrammar ? hash : lastLetters,
            tag: tag,
            wordClass: isKnown ? tag : classes[hash] ?? tag,
            series: word.kinds.contains(.sibling) ? language.tables.series[word.key] ?? 0 : 0, traits: traits)
    }

    /// Kinds of grammar words, the first that fits; a word may be of several.
    private static let grammar: [WordKinds] = [
        .number, .question, .preposition, .auxiliary, .pronoun, .conjunction, .subject, .opener, .function,
    ]

    /// - Returns: also whether it is the tag of a grammar word.
    private static func tag(of word: Word, language: Language) -> (UInt32, Bool) {
        if word.isNumber { return (1, true) }
        if let place = grammar.firstIndex(where: { !word.kinds.isDisjoint(with: $0) }) {
            return (UInt32(place + 1), true)
        }
        return (UInt32(language.ending(of: word.key)) << 5 | (word.isCapitalized ? 16 : 0), false)
    }
}

extension CorrectionToken.Traits {
    private static let ofKinds: [(WordKinds, Self)] = [
        (.clock, .clock), ([.function, .pronoun], .function), ([.conjunction, .opener], .connective),
        (.preposition, .preposition), (.auxiliary, .auxiliary), (.question, .question),
        (.hesitation, .hesitation), ([.editTermStart, .hesitation], .beginsEditTerm), (.time, .time),
        (.timeOpening, .opensTime), (.personal, .personal), (.denying, .denying), (.proper, .name),
        ([.function, .pronoun, .question, .auxiliary, .preposition, .passed], .passed),
    ]

    private static let ofRestarts: [(RestartKinds, Self)] = [
        (.article, .article), (.subject, .subject), (.object, .object), ([.order, .orderNoun], .order),
        (.beforeVerb, .beforeVerb), (.aside, .aside), (.list, .list),
    ]

    fileprivate init(_ word: Word, language: Language) {
        self = []
        for (kinds, trait) in Self.ofKinds where !word.kinds.isDisjoint(with: kinds) { insert(trait) }
        for (kinds, trait) in Self.ofRestarts where !word.restarts.isDisjoint(with: kinds) { insert(trait) }
        if word.isNumber { insert(.number) }
        let whole = language.numbers.whole
        if whole.scales[word.key] != nil || !word.key.isEmpty && word.key == whole.hundred { insert(.scale) }
        if !word.key.isEmpty, word.key == language.numbers.signs.point { insert(.point) }
        if word.kinds.subtracting(.hints).isEmpty { insert(.saidAlone) }
        // Titles are among the words with which a written form may begin.
        if word.kinds.contains(.spokenForm), language.numbers.abbreviations.titles[word.key] != nil {
            insert(.title)
        }
        if word.isCapitalized, !word.isFirstPerson {
            insert(.capitalized)
            insert(.name)
        }
        if word.hasComma { insert(.comma) }
        if !word.isPlain { insert(.quoted) }
        if word.isCapitalHesitation { subtract([.hesitation, .beginsEditTerm]) }
    }
}

extension Word {
    /// "The ER": no hesitation, and no edit term.
    fileprivate var isCapitalHesitation: Bool { kinds.contains(.hesitation) && isAllCapitals }
}
