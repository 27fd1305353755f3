import SelfCorrection

/// The words that show that the name of a mark is a noun of its sentence: "use comma as the separator".
struct MentionWords: LanguagePart {
    /// Between a determiner or an order and the name: "the trailing comma".
    @Words var adjectives: Set<String>
    /// What they have at their end, if they are inflected: German "wichtiger" is "wichtig" with "er". If a
    /// text has capitals, any word without one and with such an ending is an adjective.
    @Words var adjectiveEndings: Set<String>
    /// Before a name with a number after it, as one of several: German "zu Punkt drei".
    @Words var numbered: Set<String>
    /// The same, but only with an order: "delete the last comma".
    @Words var ordinals: Set<String>
    /// Verbs whose object the name is: "insert comma here".
    @Words var orders: Set<String>
    /// May be before such a verb in its clause, besides pronouns and auxiliaries: "never use comma".
    @Words var adverbs: Set<String>
    /// After the object of such a verb: "here", "instead".
    @Words var behind: Set<String>
    /// Verbs that use a mark as a means, with their prepositions: "separate them by comma".
    @Words var dividing: Set<String>
    /// The same, if they are the verb of the sentence: "end it with comma", but not "the one to end with
    /// comma I think".
    @Words var bounding: Set<String>
    @Words var prepositions: Set<String>
    /// Before a name, which is a noun after them in any sentence: "instead of".
    @Phrases var contrasts: Set<[String]>
    /// Between two names: "comma or period".
    @Words var joints: Set<String>
    /// Names of signs that are not spoken as marks: "dash and slash".
    @Words var others: Set<String>
    /// After a name they make one noun with it: "comma separated values".
    @Phrases var compounds: Set<[String]>
    static let longestContrast = 2
}

/// Finds names of marks that are nouns of their sentence and no marks: where the grammar needs a noun.
struct MentionedMarks {
    let language: Language
    /// After the last name that is a noun by its verb or adjective; another name may be joined to it.
    private var lastEnd: Int?

    init(language: Language) { self.language = language }

    private var nouns: MentionWords { language.punctuation.mentions }

    /// - Parameters:
    ///   - name: the place of the mark's name among all words.
    ///   - written: the words of the line before it. Marks that were spoken are marks there.
    mutating func isMentioned(
        _ name: Range<Int>, _ mark: SpokenMark, in words: [Word], behind written: [Word]
    ) -> Bool {
        let next = Following(name.upperBound, in: words, language)
        let isNoun =
            isJoined(at: name.lowerBound, in: words)
            || isObject(mark, behind: written, before: next, isCased: words[name.lowerBound].isCapitalized)
            || isNumbered(mark, behind: written, before: next)
            || isMeans(mark, behind: written) || joinsName(next) || isContrasted(next)
            || next.isEnd && isAskedAbout(mark, words[name.upperBound - 1], behind: written)
            || isSubject(mark, behind: written, before: next)
        if isNoun { lastEnd = name.upperBound }
        return isNoun || isCompound(next)
    }

    /// The words after a name, up to the next mark.
    private struct Following {
        let words: ArraySlice<Word>
        /// A comma is after the name, and another name: "type period, comma and dash".
        let isListed: Bool

        init(_ place: Int, in words: [Word], _ language: Language) {
            let trail = words[place - 1].trail
            self.words = trail.isEmpty ? words[place...] : []
            isListed = trail == "," && place < words.count && language.tables.marks[[words[place].key]] != nil
        }

        var first: Word? { words.first }
        var isEnd: Bool { words.isEmpty }
    }

    /// "Add comma and period", "comma, period or dash", after a name that is a noun.
    private func isJoined(at place: Int, in words: [Word]) -> Bool {
        guard let lastEnd else { return false }
        if lastEnd == place { return words[place - 1].trail == "," }
        var between = words[lastEnd..<place]
        if between.count > 1, let last = between.last, last.kinds.contains(.denying) {
            between = between.dropLast()
        }
        return between.count == 1 && between.allSatisfy { nouns.joints.contains($0.key) && $0.trail.isEmpty }
    }

    /// "Insert comma here", "i typed comma instead", "a big question mark", "remove the trailing period".
    private func isObject(
        _ mark: SpokenMark, behind written: [Word], before next: Following, isCased: Bool
    ) -> Bool {
        var clause = Self.clause(written)
        let count = clause.count
        while let last = clause.last, isAdjective(last, isCased: isCased) { clause = clause.dropLast() }
        let isDescribed = clause.count < count
        if isDescribed {
            // "A two year period".
            while let last = clause.last, last.isNumber, clause.count > 1 { clause = clause.dropLast() }
            // "Ein ganz wichtiger Punkt".
            while let last = clause.last, nouns.adverbs.contains(last.key) { clause = clause.dropLast() }
            if let before = clause.last, language.punctuation.determiners.contains(before.key) {
                // "A big comma bad wolf" has two adjectives.
                return mark != .trailing(",") || goesOn(next)
            }
        }
        // "Delete the last comma".
        if let last = clause.last, nouns.ordinals.contains(last.key), let before = clause.dropLast().last,
            language.punctuation.determiners.contains(before.key)
        {
            clause = clause.dropLast(2)
        }
        guard let verb = clause.last, nouns.orders.contains(verb.key), opens(clause.dropLast()) else {
            return false
        }
        // "What can I write question mark", "in short, use colon", "please write new line": these can be at an end.
        if next.isEnd, !isDescribed { return !mark.mayEnd || next.isListed }
        return isDescribed && goesOn(next) || isBehind(next) || joinsName(next, isNoun: true)
    }

    /// "How long ago was the jurassic period": a speaker who ends a question by name says "question mark".
    private func isAskedAbout(_ mark: SpokenMark, _ last: Word, behind written: [Word]) -> Bool {
        guard mark == .trailing(".") || mark == .trailing(":"),
            Self.clause(written).suffix(Self.longestPhrase).contains(where: {
                language.punctuation.determiners.contains($0.key)
            })
        else { return false }
        return last.trail.contains("?") || Questions(language: language).isQuestion(written)
    }

    /// "Open bracket is missing": what is opened begins with a finite verb only in a question, which has its subject after it.
    private func isSubject(_ mark: SpokenMark, behind written: [Word], before next: Following) -> Bool {
        guard case .leading(let sign) = mark, written.last?.endsSentence ?? true, let verb = next.first,
            verb.trail.isEmpty, verb.kinds.contains(.auxiliary),
            let rest = next.words.dropFirst().first, rest.kinds.isDisjoint(with: [.subject, .pronoun])
        else { return false }
        return !next.words.indices.prefix(Self.longestQuote).contains { place in
            (1...PunctuationWords.longestPhrase).contains { length in
                guard
                    case .trailing(let closing) =
                        language.tables.marks[next.words[place...].prefix(length).map(\.key)]
                else { return false }
                return SpokenMarks.opening[closing] == sign.first
            }
        }
    }

    /// How far after what is opened it may be closed, in words.
    private static let longestQuote = 40
    /// The most words of "the late jurassic" in "the late jurassic period".
    private static let longestPhrase = 3

    private func isAdjective(_ word: Word, isCased: Bool) -> Bool {
        // "Ich finde das gut Punkt": without an ending it is not attributive.
        guard !nouns.adjectiveEndings.isEmpty else { return nouns.adjectives.contains(word.key) }
        return nouns.adjectiveEndings.contains { ending in
            guard word.key.hasSuffix(ending) else { return false }
            return nouns.adjectives.contains(String(word.key.dropLast(ending.count)))
                || isCased && !word.isCapitalized && word.kinds.subtracting(.hints).isEmpty
        }
    }

    /// "Unter Punkt drei", "wir treffen uns Punkt acht", but not "das war alles Punkt Drei Leute kommen".
    private func isNumbered(_ mark: SpokenMark, behind written: [Word], before next: Following) -> Bool {
        guard !nouns.numbered.isEmpty, mark == .trailing("."), let number = next.first, number.isNumber else {
            return false
        }
        if number.trail.isEmpty, let unit = next.words.dropFirst().first,
            !language.numbers.times.separators.contains(unit.key)
        {
            return Self.clause(written).last.map { nouns.numbered.contains($0.key) } ?? false
        }
        return true
    }

    /// The clause ends after the name, or continues.
    private func goesOn(_ next: Following) -> Bool {
        next.isEnd || isBehind(next)
            || next.first.map { nouns.joints.contains($0.key) || $0.kinds.contains(.auxiliary) } == true
    }

    /// The next words continue the clause, and begin no other.
    private func isBehind(_ next: Following) -> Bool {
        guard let word = next.first else { return false }
        return nouns.behind.contains(word.key)
    }

    /// "Separate the fields by comma", "instead of period".
    private func isMeans(_ mark: SpokenMark, behind written: [Word]) -> Bool {
        let clause = Self.clause(written)
        for length in 1...MentionWords.longestContrast
        where nouns.contrasts.contains(clause.suffix(length).map(\.key)) {
            return !mark.isTerminal || mark == .trailing(".")
        }
        let before = clause.dropLast()
        guard let preposition = clause.last, nouns.prepositions.contains(preposition.key),
            // "Change the text that you have to comma for example change".
            before.last?.kinds.contains(.auxiliary) == false,
            let verb = before.suffix(Self.reach).lastIndex(where: {
                nouns.dividing.contains($0.key) || nouns.bounding.contains($0.key)
            })
        else { return false }
        // "This is what I replace it with period".
        return opens(before[..<verb]) || nouns.dividing.contains(before[verb].key) && !mark.isTerminal
    }

    /// "Period instead of comma".
    private func isContrasted(_ next: Following) -> Bool {
        (1...MentionWords.longestContrast).contains { length in
            guard nouns.contrasts.contains(next.words.prefix(length).map(\.key)) else { return false }
            let rest = next.words.dropFirst(length)
            return (1...PunctuationWords.longestPhrase).contains {
                language.tables.marks[rest.prefix($0).map(\.key)] != nil
            }
        }
    }

    /// The most words between a verb and its preposition, and the verb.
    private static let reach = 6

    /// A clause begins with the words, and its verb may follow: "please do not", "and then i".
    private func opens(_ words: ArraySlice<Word>) -> Bool {
        words.allSatisfy {
            !$0.kinds.isDisjoint(with: [.pronoun, .auxiliary, .opener, .denying])
                || nouns.adverbs.contains($0.key)
        }
    }

    /// "Comma or period": no clause ends with the word between them, so that the second name is no mark. But a comma, a
    /// dash or a bracket can be after it: "and comma of course comma he came".
    ///
    /// - Parameter isNoun: the first name is a noun in any case.
    private func joinsName(_ next: Following, isNoun: Bool = false) -> Bool {
        guard let joint = next.first, joint.trail.isEmpty, nouns.joints.contains(joint.key) else {
            return false
        }
        var rest = next.words.dropFirst()
        if isNoun, let word = rest.first, word.kinds.contains(.denying), word.trail.isEmpty {
            rest = rest.dropFirst()
        }
        guard let name = rest.first else { return false }
        if nouns.others.contains(name.key) { return true }
        return (1...min(PunctuationWords.longestPhrase, rest.count)).contains { length in
            switch language.tables.marks[rest.prefix(length).map(\.key)] {
            // "Keep the notice semicolon and period", as the items of some lists end.
            case .trailing(let sign): isNoun || sign != "," && (sign != "." || length < rest.count)
            case .joining: true
            case .alone: isNoun || length == rest.count
            default: false
            }
        }
    }

    private func isCompound(_ next: Following) -> Bool {
        (1...2).contains { nouns.compounds.contains(next.words.prefix($0).map(\.key)) }
    }

    /// The words after the last mark. Shorten it with `dropLast`: removing from a slice copies the whole text.
    private static func clause(_ written: [Word]) -> ArraySlice<Word> {
        let end = written.lastIndex { !$0.trail.isEmpty || $0.isSilent }
        return written[((end ?? -1) + 1)...]
    }
}

extension SpokenMark {
    /// May be the end of a sentence.
    fileprivate var isTerminal: Bool {
        guard case .trailing(let sign) = self else { return false }
        return sign.allSatisfy(Marks.isTerminal)
    }

    /// May be after the last word of a text.
    fileprivate var mayEnd: Bool {
        switch self {
        case .line, .paragraph, .endOfParagraph, .bullet, .trailing(":"): true
        default: isTerminal
        }
    }
}
