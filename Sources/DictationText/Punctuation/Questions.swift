import SelfCorrection

/// Whether the last sentence of a line begins as a question: with an auxiliary before its subject, with a
/// question word and an auxiliary, or with such a clause after a comma. In doubt it is a statement.
struct Questions {
    let language: Language

    /// How many words after a question word its auxiliary may be: "which of the two countries is".
    static let reach = 6

    func isQuestion(_ words: [Word]) -> Bool {
        let start = (words.dropLast().lastIndex(where: \.endsSentence) ?? -1) + 1
        var sentence = words[start...].filter { !$0.isSilent }[...]
        if endsWithTag(sentence) { return true }
        while let first = sentence.first, first.kinds.contains(.opener), sentence.count > 1 {
            sentence.removeFirst()
        }
        if isQuestion(sentence) { return true }
        return sentence.indices.dropLast(2).contains { index in
            sentence[index].hasComma
                && isInverted(sentence[(index + 1)...], subjects: language.questions.requestSubjects)
        }
    }

    /// Whether a sentence could be a question that ``isQuestion(_:)`` does not know: not "what I want is tea", "which is why",
    /// "it depends on what you earn" or "in the morning we talked about what is new".
    func mayAsk(_ sentence: ArraySlice<Word>) -> Bool {
        let words = sentence.drop { $0.kinds.contains(.opener) }
        if tellsWhat(words) { return false }
        guard let first = words.first, let next = words.dropFirst().first else { return true }
        guard first.kinds.contains(.question) else { return !first.kinds.contains(.pronoun) }
        if language.questions.statementPairs.contains([first.key, next.key]) { return false }
        // The subject comes first: "how much I".
        let opening = words.dropFirst().prefix(Self.opening)
        guard
            let place = opening.indices.first(where: {
                isAuxiliary(words[$0]) || words[$0].kinds.contains(.pronoun)
            })
        else { return true }
        return isAuxiliary(words[place]) || place > opening.startIndex + 1 && isObject(place, in: words)
    }

    /// "What drug causes this rash", but not "what great news this is": after a noun and its verb there is an object.
    private func isObject(_ place: Int, in words: ArraySlice<Word>) -> Bool {
        guard language.questions.objects.contains(words[place].key), place + 1 < words.endIndex else {
            return false
        }
        return !isAuxiliary(words[place + 1]) && !words[place + 1].kinds.contains(.pronoun)
    }

    /// "We talked about what is new": the clause of a question word belongs to a statement that has its subject first.
    private func tellsWhat(_ words: ArraySlice<Word>) -> Bool {
        guard let asking = words.firstIndex(where: { $0.kinds.contains(.question) }),
            let before = words[..<asking].last, let next = words[asking...].dropFirst().first,
            before.kinds.contains(.preposition) || language.punctuation.embedding.contains(before.key),
            // "It is known by what name".
            isAuxiliary(next) || next.kinds.contains(.pronoun),
            let subject = words[..<asking].firstIndex(where: { $0.kinds.contains(.pronoun) })
        else { return false }
        return !words[..<subject].contains(where: isAuxiliary)
    }

    /// This many words after a question word show whether its verb or its subject comes first.
    private static let opening = 3

    private func isQuestion(_ sentence: ArraySlice<Word>) -> Bool {
        guard let first = sentence.first else { return false }
        if isInverted(sentence, subjects: nil) || isAddressed(sentence) { return true }
        if language.questions.contracted.contains(first.key) { return sentence.count > 1 }
        var rest = sentence
        // "in what country is", "from which", "to whom"
        if first.kinds.contains(.preposition), let second = rest.dropFirst().first,
            second.kinds.contains(.question)
        {
            rest.removeFirst()
        }
        guard let word = rest.first, word.kinds.contains(.question) else { return false }
        rest.removeFirst()
        guard let next = rest.first else { return true }
        if language.questions.statementPairs.contains([word.key, next.key]) { return false }
        if language.questions.pairs.contains([word.key, next.key]) { return true }
        if isAuxiliary(next) || isAddressed(rest) { return true }
        if language.questions.subjects.contains(word.key) { return !next.kinds.contains(.subject) }
        guard word.kinds.contains(.determining) else { return false }
        // "how long will", "which one is", but not "how much I" nor "what the"
        for candidate in rest.prefix(Self.reach) {
            if isAuxiliary(candidate) { return true }
            if candidate.kinds.contains(.subject) || candidate.hasComma { return false }
        }
        return false
    }

    private func isAuxiliary(_ word: Word) -> Bool {
        language.questions.inversions[word.key] != nil || language.questions.auxiliaries.contains(word.key)
    }

    /// "Kommst du mit": the listener is asked, and only a verb has such an ending.
    private func isAddressed(_ sentence: ArraySlice<Word>) -> Bool {
        guard !language.questions.addressed.isEmpty, let verb = sentence.first,
            let subject = sentence.dropFirst().first, verb.trail.isEmpty,
            language.questions.addressed.contains(subject.key),
            !language.questions.notAddressed.contains(verb.key)
        else { return false }
        return language.questions.addressedEndings.contains { verb.key.hasSuffix($0) }
            && !sentence.contains { language.questions.consequences.contains($0.key) }
    }

    private func isInverted(_ sentence: ArraySlice<Word>, subjects: Set<String>?) -> Bool {
        guard let verb = sentence.first, let subject = sentence.dropFirst().first, !verb.hasComma,
            let possible = language.questions.inversions[verb.key], possible.contains(subject.key)
        else { return false }
        if let subjects, !subjects.contains(subject.key) { return false }
        guard let third = sentence.dropFirst(2).first else { return true }
        return !language.questions.commands.contains([verb.key, subject.key, third.key])
    }

    /// "isn't it", "don't you"
    private func endsWithTag(_ sentence: ArraySlice<Word>) -> Bool {
        guard sentence.count > 2, let last = sentence.last, let verb = sentence.dropLast().last else {
            return false
        }
        return verb.key.hasSuffix("n't") && last.kinds.contains(.pronoun)
            && language.questions.inversions[verb.key]?.contains(last.key) == true
    }
}
