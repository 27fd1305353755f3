import SelfCorrection

/// A word or a short phrase that the speaker repeated while searching for the next one is written once. Words
/// that may be meant twice stay: emphasis ("very very"), numbers, names in capitals, letters spelled out, and
/// doubles that grammar makes ("had had", "that that"; "I told you you could").
struct Repetitions: WordRule {
    let rule = CleaningRule.repetitions

    /// The longest phrase looked for, in words. Longer restarts are rarely word for word.
    static let longestPhrase = 6
    /// How far before the end of a clause its question word may be. Words without marks have no other end of a clause.
    static let longestClause = 6

    func apply(to draft: inout Draft) -> Bool {
        let words = draft.words
        var kept: [Word] = []
        kept.reserveCapacity(words.count)
        var actions: [CleanedText.Action] = []
        // By index: a copy of a word would count its strings' references.
        for index in words.indices {
            kept.append(words[index])
            guard Self.isSaidAgain(words[index].hash, in: kept) else { continue }
            let next = index + 1 < words.count ? words[index + 1] : nil
            guard let length = repeatedLength(at: kept, next: next, language: draft.language) else {
                continue
            }
            // The first copy keeps its capital, the last one the marks that follow it.
            let phrase = kept.suffix(length).map(\.text).joined(separator: " ")
            actions.append(.init(rule: rule, before: phrase + " " + phrase, after: phrase))
            let copy = kept.suffix(length).map(\.trail)
            kept.removeLast(length)
            for (offset, trail) in copy.enumerated() { kept[kept.count - length + offset].trail = trail }
        }
        guard !actions.isEmpty else { return false }
        draft.replace(with: kept, actions: actions)
        return true
    }

    /// Hardly any word is, and the rest is looked at only then.
    ///
    /// - Parameters:
    ///   - word: its hash.
    ///   - words: up to the word itself.
    private static func isSaidAgain(_ word: UInt32, in words: [Word]) -> Bool {
        let place = words.count - 1
        return (max(0, place - longestPhrase)..<place).contains { words[$0].hash == word }
    }

    /// The length of the phrase with which the words end twice, where once is enough.
    private func repeatedLength(at words: [Word], next: Word?, language: Language) -> Int? {
        guard words.count > 1, let last = words.last, last.isPlain, !last.isSilent else { return nil }
        for length in 1...Self.longestPhrase where words.count >= 2 * length {
            let second = words.count - length
            let first = second - length
            guard words[second - 1].key == last.key else { continue }
            // "Show me Show me the list": both copies begin a sentence.
            let begins = length > 1 && (first == 0 || words[first - 1].endsSentence)
            guard
                (0..<length).allSatisfy({
                    isCopy(words[second + $0], of: words[first + $0], isFirst: $0 == 0, begins: begins)
                })
            else { continue }
            // In "fainter and fainter; and" and in "gratitude; gratitude" both are meant.
            guard
                words[first..<(words.count - 1)].allSatisfy({
                    $0.isPlain && !$0.hasTerminal && !$0.trail.contains(where: { ";:".contains($0) })
                })
            else { continue }
            let mayGo =
                length == 1
                ? wordMayGo(at: second, in: words, next: next, language)
                : phraseMayGo(words, first, second, next, language)
            if mayGo { return length }
        }
        return nil
    }

    /// A capital within a sentence makes a name of the second copy ("will Will", "the The").
    ///
    /// - Parameter begins: the first copy begins its sentence, where any word has a capital.
    private func isCopy(_ word: Word, of other: Word, isFirst: Bool, begins: Bool) -> Bool {
        guard word.key == other.key else { return false }
        if word.isFirstPerson || word.core == other.core, !isFirst || begins { return true }
        return isFirst && (word.isFirstPerson || !word.isCapitalized)
    }

    private func wordMayGo(at index: Int, in words: [Word], next: Word?, _ language: Language) -> Bool {
        let word = words[index]
        let seams = ClauseSeams(language)
        if seams?.joinsShort(at: index - 1, in: words, next: next) == true { return false }
        if let double = language.fillers.doubled[word.key], word.isPlain, words[index - 1].trail.isEmpty,
            word.trail.isEmpty, let next, double.isAccident(at: index - 1, in: words, next: next.key)
        {
            return true
        }
        // "The last ten ten days".
        if word.isNumber, index > 1, words[index - 2].restarts.contains(.adjective), let next, !next.isNumber,
            next.kinds.subtracting(.hints).isEmpty
        {
            return words[index - 1].trail.isEmpty
        }
        if word.isNumber || word.kinds.contains(.meantTwice) { return false }
        if isOfRelativeClause(at: index - 1, in: words)
            || isListed(at: index, in: words, next: next, language)
        {
            return false
        }
        let seam = NounSeam(
            words: words, first: index - 1, second: index, end: index + 1, language: language)
        if let next, seam.isBeforeVerb(next) { return false }
        if seams?.joins(at: index - 1, in: words, next: next) == true { return false }
        let isFunction = word.kinds.contains(.function)
        // "What I listen to to fall asleep".
        if word.kinds.contains(.preposition), index > 2,
            language.fillers.stranding.contains(words[index - 2].key),
            words[..<(index - 2)].contains(where: {
                $0.kinds.contains(.question) || $0.kinds.contains(.pronoun)
            })
        {
            return false
        }
        // Letters spelled out, except for the two that are words.
        if word.core.count == 1 && !isFunction { return false }
        if isLetter(at: index - 1, in: words) { return false }
        // "a long, long time"; "whom did they lend aid to, to rebuild?"
        if words[index - 1].hasComma, !isFunction || mayEndClause(at: index - 1, in: words) { return false }
        if word.kinds.contains(.doubles) {
            return index == 1 || words[index - 2].endsSentence || words[index - 2].hasComma
                || words[index - 2].kinds.contains(.conjunction)
        }
        return true
    }

    /// "The people who came came late", "the man I met met my sister".
    private func isOfRelativeClause(at first: Int, in words: [Word]) -> Bool {
        guard first > 1, words[first].kinds.subtracting(.hints).isEmpty else { return false }
        let (noun, before) = (words[first - 2], words[first - 1])
        if before.kinds.contains(.question) { return !noun.endsSentence }
        return noun.kinds.subtracting(.hints).isEmpty && noun.trail.isEmpty
            && !before.restarts.isDisjoint(with: [.subject, .otherSubject]) && first > 2
            && words[first - 3].restarts.contains(.article)
    }

    /// "Toilet paper paper towels milk": nothing but nouns.
    private func isListed(at index: Int, in words: [Word], next: Word?, _ language: Language) -> Bool {
        guard let next, next.kinds.subtracting(.hints).isEmpty, !next.isNumber else { return false }
        let near = max(0, index - Self.longestClause)
        let start = words[near..<index].lastIndex(where: \.endsSentence).map { $0 + 1 } ?? near
        let sentence = words[start...index]
        return index - 1 > start
            && sentence.allSatisfy {
                $0.kinds.subtracting(.hints).isEmpty
                    && $0.restarts.isDisjoint(with: [.order, .orderNoun, .orderPair])
            }
    }

    /// A preposition does in "log in, in a browser", and any of them in a question. "The photo of, of the wedding" goes on.
    private func mayEndClause(at index: Int, in words: [Word]) -> Bool {
        guard words[index].kinds.contains(.preposition) else { return false }
        guard words[index].kinds.contains(.expectsMore) else { return true }
        return words[max(0, index - Self.longestSentence)..<index].contains {
            !$0.kinds.isDisjoint(with: [.question, .conjunction])
        }
    }

    /// The first "a" of "plan A, a good plan" and of "plan a a good plan".
    private func isLetter(at index: Int, in words: [Word]) -> Bool {
        guard index > 0, words[index].core.utf8.count == 1, !words[index].isFirstPerson,
            !words[index - 1].endsSentence
        else { return false }
        return words[index].isCapitalized && words[index].hasComma
            || words[index - 1].restarts.contains(.letterName)
                && !words[index - 1].kinds.contains(.preposition)
    }

    private func phraseMayGo(
        _ words: [Word], _ first: Int, _ second: Int, _ next: Word?, _ language: Language
    ) -> Bool {
        let phrase = words[second...]
        if phrase.contains(where: \.isNumber) || phrase.allSatisfy({ $0.kinds.contains(.meantTwice) }) {
            return false
        }
        let isFirst = first == 0 || words[first - 1].endsSentence
        // "Turn off turn off the light"; "bye bye, bye bye" ends there.
        guard
            phrase.contains(where: { $0.kinds.contains(.function) }) || isNamedTwice(words, first, second)
                || (isFirst && next != nil && words.last?.trail.isEmpty == true)
        else { return false }
        if language.fillers.meantTwice.contains(phrase.map(\.key)) { return false }
        if beginsClause(words, first, second, next, language) || isAnswered(words, first, second, next) {
            return false
        }
        // "If it works it works".
        if isFirstSubject(words, first, second), next == nil { return false }
        // "Auf und ab, auf und ab", but not "you and I you and I".
        if phrase.count == 3, words[second + 1].kinds.contains(.conjunction), words[second + 1].trail.isEmpty,
            [words[second], words[second + 2]].allSatisfy({ $0.kinds.isDisjoint(with: [.pronoun, .subject]) })
        {
            return false
        }
        guard phrase.count == 2 else { return true }
        if endsClause(words, first, language) { return false }
        // "For years and years and years".
        if words[second].kinds.subtracting(.hints).isEmpty, words[second + 1].kinds.contains(.conjunction) {
            return false
        }
        // "It was it was it was late".
        let isGrammar = phrase.allSatisfy {
            $0.kinds.contains(.function) && !$0.restarts.contains(.list)
        }
        if isGrammar { return true }
        // "over and over and over", "step by step by step"
        let isVerb = words[second].kinds.contains(.auxiliary)
        if let next, next.key == words[second].key, !isVerb { return false }
        return first == 0 || words[first - 1].key != words[second + 1].key
    }

    /// Behind a conjunction that begins the sentence, a subject and its verb.
    private func isFirstSubject(_ words: [Word], _ first: Int, _ second: Int) -> Bool {
        first > 0 && words[first - 1].kinds.contains(.conjunction)
            && (first == 1 || words[first - 2].endsSentence)
            && words.count - second == 2 && words[second].kinds.contains(.subject)
    }

    /// "My total due total due".
    private func isNamedTwice(_ words: [Word], _ first: Int, _ second: Int) -> Bool {
        guard first > 0, words[first - 1].kinds.contains(.function), words[first - 1].trail.isEmpty,
            words[second].key != words[second + 1].key
        else { return false }
        return words[first...].allSatisfy {
            $0.kinds.subtracting(.hints).isEmpty && !$0.kinds.contains(.proper)
        }
    }

    /// "Before you read the output, the output may be lost": the second copy is the subject of what follows.
    private func beginsClause(
        _ words: [Word], _ first: Int, _ second: Int, _ next: Word?, _ language: Language
    ) -> Bool {
        guard let next, let last = words.last,
            !words[second].restarts.isDisjoint(with: [.article, .possessive])
        else { return false }
        let seam = NounSeam(words: words, first: first, second: second, end: words.count, language: language)
        if seam.isBeforeVerb(next) { return true }
        guard words[second].restarts.contains(.article),
            last.kinds.subtracting(.hints).isEmpty
        else { return false }
        let near = max(0, first - Self.longestSentence)
        let start = words[near..<first].lastIndex(where: \.endsSentence).map { $0 + 1 } ?? near
        let isVerb = next.kinds.contains(.auxiliary)
        let isOpened =
            first - start >= Self.shortestClause
            && (!words[start].kinds.isDisjoint(with: [.conjunction, .preposition, .question])
                || words[max(start, first - Self.longestClause)..<(first - 1)].contains {
                    !$0.kinds.isDisjoint(with: [.conjunction, .question])
                })
        return words[second - 1].hasComma ? isVerb && first > start || isOpened : isVerb && isOpened
    }

    /// The fewest words of a clause before its object: "if it is [an array]".
    private static let shortestClause = 3
    /// How far back a sentence is looked at, so that one without an end takes no longer.
    private static let longestSentence = 40

    /// "If you know, you know."
    private func isAnswered(_ words: [Word], _ first: Int, _ second: Int, _ next: Word?) -> Bool {
        guard first > 0, words[second - 1].hasComma, next == nil || words.last?.endsSentence == true else {
            return false
        }
        return !words[first - 1].kinds.isDisjoint(with: [.conjunction, .question])
    }

    /// "That is what I want, I want a table", "what genre is it, is it new": the first copy, a subject and its verb, ends
    /// a clause that began with a question word.
    private func endsClause(_ words: [Word], _ first: Int, _ language: Language) -> Bool {
        let copy = words[first..<(first + 2)]
        // "What is done is done".
        if first > 0, words[first - 1].kinds.contains(.question), words[first].kinds.contains(.auxiliary),
            words[first + 1].kinds.subtracting(.hints).isEmpty
        {
            return true
        }
        guard
            copy.contains(where: { !$0.restarts.isDisjoint(with: [.subject, .otherSubject]) }),
            copy.contains(where: { $0.kinds.contains(.auxiliary) || $0.kinds.subtracting(.hints).isEmpty })
        else { return false }
        let near = max(0, first - Self.longestClause)
        // "When we met, but it seems".
        let clause = words[near..<first].lastIndex {
            $0.endsSentence || $0.kinds.contains(.conjunction) && !$0.kinds.contains(.question)
        }
        let before = words[(clause.map { $0 + 1 } ?? near)..<first]
        // "How did you did you" is one question.
        let isInverted = words[first].kinds.contains(.auxiliary)
        return (isInverted ? before.dropLast() : before).contains { $0.kinds.contains(.question) }
    }
}

/// Where a word that grammar or emphasis doubles is doubled by accident.
struct DoubledWord: LanguagePart {
    /// The word before both; nil for any.
    var after: Words?
    @Words var notAfter: Set<String>
    /// Verbs behind which both are meant if something comes before their subject.
    @Words var strandedAfter: Set<String>
    /// The word behind both; nil for any.
    var before: Words?
    @Words var notBefore: Set<String>
    @Flag var onlyAtStart: Bool
    /// Not if a question word or a pronoun comes before it in its sentence.
    @Flag var isOnlyInStatement: Bool

    /// - Parameter first: the place of the first of the two.
    func isAccident(at first: Int, in words: [Word], next: String) -> Bool {
        let begins = first == 0 || words[first - 1].endsSentence
        // "Turn it on on Monday" is "turn on" as well.
        let isBehindObject =
            first > 1 && words[first].restarts.contains(.preposition)
            && !words[first - 1].restarts.isDisjoint(with: [.object, .otherSubject])
        let previous = begins ? "" : words[isBehindObject ? first - 2 : first - 1].key
        let isThird = first == 1 && previous == words[first].key
        if onlyAtStart, !begins, !isThird { return false }
        guard after?.contains(previous) ?? true, !notAfter.contains(previous), before?.contains(next) ?? true,
            !notBefore.contains(next)
        else { return false }
        let sentence = words[..<first].lastIndex(where: \.endsSentence).map { $0 + 1 } ?? 0
        if strandedAfter.contains(previous), first - 2 > sentence { return false }
        guard isOnlyInStatement else { return true }
        return !words[max(sentence, first - Repetitions.longestClause)..<first].contains {
            !$0.kinds.isDisjoint(with: [.question, .pronoun])
        }
    }
}
