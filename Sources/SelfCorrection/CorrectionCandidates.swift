/// A place where the speaker may have made a correction: "to [bob no wait] to alice".
package struct CorrectionCandidate: Sendable, Equatable {
    /// The first word that was retracted.
    package let start: Int
    /// After the last word that was retracted: before the edit term if the repair comes late, otherwise equal
    /// to its start.
    let stop: Int
    /// The edit term; empty if there is none. Words of grammar between it and `end` go with it: "no [the]".
    package let editTerm: Range<Int>
    /// The first word of the repair.
    package let end: Int
    /// In a question: the model has learned most from these.
    let isInQuestion: Bool
    /// The edit term hardly ever means anything else ("no wait", "scratch that", "or rather"), or one name,
    /// day or color replaces another.
    let isClear: Bool
    /// How many of the words that go with the edit term were said before everything that was retracted.
    let passageRepeats: Int
    /// Late only because a day or a time stays; otherwise of the usual kind.
    private(set) var sparesTime = false

    /// - Parameters:
    ///   - stop: where the edit term begins, unless the repair comes late.
    ///   - end: where the edit term ends, unless other words go with it.
    init(
        start: Int, stop: Int? = nil, editTerm: Range<Int>, end: Int? = nil, isInQuestion: Bool = true,
        isClear: Bool, passageRepeats: Int = 0
    ) {
        (self.start, self.stop) = (start, stop ?? editTerm.lowerBound)
        (self.editTerm, self.end) = (editTerm, end ?? editTerm.upperBound)
        (self.isInQuestion, self.isClear) = (isInQuestion, isClear)
        self.passageRepeats = passageRepeats
    }

    /// The same, but a day or a time that begins there was not retracted.
    func sparing(from place: Int) -> Self {
        var candidate = Self(
            start: start, stop: place, editTerm: editTerm, end: end, isInQuestion: isInQuestion,
            isClear: isClear)
        candidate.sparesTime = true
        return candidate
    }

    /// The repair comes at the end of the sentence, and belongs further back.
    package var isLate: Bool { stop < editTerm.lowerBound }

    /// Which words go and which change their places, as one number.
    var words: Int { start << 32 | (end - start) << 16 | (isLate ? stop - start : 0) }

    /// - Parameter count: how many words the sentence has.
    package func correction(inSentenceOf count: Int) -> Correction {
        Correction(
            span: start..<end,
            late: isLate ? .init(kept: stop..<editTerm.lowerBound, instead: end..<count) : nil)
    }
}

/// Finds all candidates of a sentence. Without an edit term, a candidate must begin again with the same word, or with
/// another question.
package struct CorrectionCandidates: Sendable {
    /// The longest that is retracted at once, in words. In Disfl-QA 99 of 100 are shorter.
    static let longestReparandum = 16
    /// The longest edit term, in words: "no i'm sorry i meant to say".
    static let longestEditTerm = 8
    /// The longest that is begun again without an edit term.
    static let longestRestart = 8

    /// In a statement: the longest that is retracted without a word of it said again; the longest that is gone
    /// back over; the longest number.
    static let longestUnparalleled = 2
    static let longestRetrace = 5
    static let longestNumber = 8
    /// How far before "rather" its "would" may be.
    private static let longestSubject = 3

    let words: CorrectionWords

    package init(words: CorrectionWords) { self.words = words }

    /// - Returns: those with an edit term, then, in a question, their other readings, and those in which it
    ///   begins again.
    package func candidates(in sentence: CorrectionSentence) -> [CorrectionCandidate] {
        candidates(in: sentence, editTerms: editTerms(in: sentence.tokens))
    }

    func candidates(in sentence: CorrectionSentence, editTerms: [Range<Int>]) -> [CorrectionCandidate] {
        let (tokens, isQuestion) = (sentence.tokens, sentence.isQuestion)
        let firstAsking = placeOfQuestion(in: tokens)
        var found: [CorrectionCandidate] = []
        for cue in editTerms where cue.lowerBound > 0 {
            // A hesitation before or after a phrase is part of it.
            let before = tokens[cue.lowerBound - 1]
            // "Monday is full, what about Wednesday?"
            if firstAsking == cue.lowerBound, words.inClauses.contains(tokens[cue].map(\.key)) { continue }
            if isMeantAlready(cue, tokens) || isReason(cue, tokens) || isFurtherOrder(cue, tokens) {
                continue
            }
            let isOwn = isQuestionOfItsOwn(at: firstAsking, behind: cue, tokens)
            // "The door is open, hold on, is someone in there?" says nothing again.
            if isOwn, tokens[firstAsking].has(.auxiliary) { continue }
            if !before.has(.hesitation) || before.has(.comma) {
                add(cue, isQuestion && !isOwn, tokens, to: &found)
            }
        }
        found = found.map { candidate in
            spared(by: candidate, tokens).map(candidate.sparing) ?? candidate
        }
        guard isQuestion else { return found }
        let asked = found.filter(\.isInQuestion)
        found += late(asked, tokens) + wider(asked, tokens)
        for place in tokens.indices.dropFirst() {
            guard let start = beginningAgain(at: place, tokens) else { continue }
            found.append(.init(start: start, editTerm: place..<place, isClear: false))
        }
        return found
    }

    private func add(
        _ cue: Range<Int>, _ isQuestion: Bool, _ tokens: [CorrectionToken],
        to found: inout [CorrectionCandidate]
    ) {
        guard cue.upperBound < tokens.count, !tokens[cue.upperBound].has(.hesitation),
            !tokens[cue].contains(where: { $0.has(.quoted) })
        else { return }
        // "Highway one oh one".
        if cue.count == 1, tokens[cue.lowerBound].has(.number), tokens[cue.lowerBound - 1].has(.number) {
            return
        }
        let withNeighbors = tokens[(cue.lowerBound - 1)...cue.upperBound].map(\.key)
        guard !words.notBetween.contains(withNeighbors) else { return }
        let term = EditTerm(cue, tokens, words)
        if belongsToSentence(term, isQuestion, tokens) { return }
        let isTakenBack = term.plain.contains { words.retracting.contains($0) }
        let again = tokens[cue.upperBound]
        var start = cue.lowerBound
        while start > max(0, cue.lowerBound - Self.longestReparandum), !tokens[start - 1].has(.quoted) {
            start -= 1
            guard mayRetract(from: start, term, isTakenBack: isTakenBack, isQuestion, tokens) else {
                continue
            }
            // "At seven make it eight", "at seven, no, eight".
            let isNumber =
                (term.said.count > 1 || isSetOff(cue, tokens)) && again.has(.number)
                && tokens[start..<cue.lowerBound].allSatisfy { $0.has(.number) }
                || isMeasure(start..<cue.lowerBound, cue.upperBound, tokens)
            found.append(
                .init(
                    start: start, editTerm: cue, isInQuestion: isQuestion,
                    isClear: !term.isWeak || isNumber || isOfOneKind(tokens[start], again)))
        }
    }

    /// The words that may be an edit term.
    private struct EditTerm {
        let place: Range<Int>
        /// "Um no" says no more than "no".
        let said: [CorrectionToken]
        let plain: [String]
        /// They often mean something else.
        let isWeak: Bool
        /// "People who work and no people who sleep".
        let isOne: Bool

        init(_ place: Range<Int>, _ tokens: [CorrectionToken], _ words: CorrectionWords) {
            self.place = place
            said = tokens[place].filter { !$0.has(.hesitation) }
            plain = said.map(\.key)
            // And so does "correction or".
            let isJoined = said.last?.has(.list) == true && words.weak.contains(Array(plain.dropLast()))
            isWeak = plain.isEmpty || isJoined || words.weak.contains(plain)
            isOne = place.count == 1 && !plain.isEmpty
        }
    }

    /// The words mean what they say, and retract nothing.
    private func belongsToSentence(
        _ term: EditTerm, _ isQuestion: Bool, _ tokens: [CorrectionToken]
    ) -> Bool {
        let (cue, plain) = (term.place, term.plain)
        let before = tokens[cue.lowerBound - 1]
        // "I would rather wait".
        if let first = plain.first, words.verbs.qualifying.contains(first), before.has(.auxiliary),
            plain.dropFirst().allSatisfy({
                words.verbs.qualifying.contains($0) || words.verbs.beginning.contains($0)
            })
        {
            return true
        }
        if term.isOne, deniesOrQualifies(cue.lowerBound, tokens) { return true }
        if !isQuestion, isNoun(cue, plain, tokens) || isPhraseOfItsOwn(cue, plain, tokens) { return true }
        if isNegation(cue, plain, isQuestion, tokens) || isChoice(cue, plain, tokens) { return true }
        if isAnswer(cue, plain, tokens) || leadsOn(cue, plain, tokens) { return true }
        if isOtherOrder(cue, plain, tokens) { return true }
        if isSaidBefore(plain, before: cue.lowerBound, tokens) { return true }
        if !isQuestion, term.isWeak, isObject(cue, plain, tokens) { return true }
        let isVerb = plain.first.map(words.verbs.beginning.contains) == true
        // "She said no", "he kept saying no, no, no", "the sign says sorry no vacancies".
        let isAllSaid =
            !before.has(.comma)
            && term.said.allSatisfy {
                words.retracting.contains($0.key) || words.verbs.beginning.contains($0.key)
            }
        if before.has(.aside), term.isOne || isVerb || isAllSaid { return true }
        // "We have to wait", "you must hold on", "the more we wait".
        let wantsVerb = before.has(.auxiliary) || before.has(.list) || before.has(.subject)
        if !isQuestion, wantsVerb, isVerb { return true }
        if isVerb, isGoverned(cue.lowerBound, tokens) || isLasting(cue, tokens) { return true }
        // "Red or blue" is a choice.
        if term.isOne, term.said.allSatisfy({ $0.has(.list) }) { return true }
        return term.isWeak && (term.isOne || !isQuestion) && before.has(.connective)
    }

    /// Whether an edit term may retract all words from `start` to it.
    private func mayRetract(
        from start: Int, _ term: EditTerm, isTakenBack: Bool, _ isQuestion: Bool, _ tokens: [CorrectionToken]
    ) -> Bool {
        let (cue, isWeak) = (term.place, term.isWeak)
        // "But I mean" retracts no "but", "when or rather where" a "when".
        if start == cue.lowerBound - 1, tokens[start].has(.connective), !tokens[start].has(.question) {
            return false
        }
        // "He kept saying no, no, no, and then he signed it" goes on.
        if !isQuestion, tokens[cue.upperBound].joinsNumbers, tokens[start].word != tokens[cue.upperBound].word
        {
            return false
        }
        // "Doctor miller no wait mister brown" leaves no "doctor mister brown".
        if tokens[cue.upperBound].has(.title), start > 0, tokens[start - 1].has(.title) { return false }
        // "Forty no fifty is too low" says no to what was asked.
        if start == 0, term.isOne, !isQuestion, tokens[start].has(.number), isSubject(cue.upperBound, tokens)
        {
            return false
        }
        let reparandum = start..<cue.lowerBound
        if !isQuestion, isOtherThanWhen(reparandum, cue.upperBound, tokens) { return false }
        if !isQuestion,
            beginsClause(start, cue, tokens) || losesVerb(reparandum, cue.upperBound, tokens)
                || isContrast(reparandum, term.plain, tokens) || words.adding.contains(term.plain)
        {
            return false
        }
        if isLongerRow(reparandum, cue.upperBound, tokens) { return false }
        guard
            isQuestion || isParallel(reparandum, cue.upperBound, tokens)
                || (isTakenBack && isAlike(reparandum, cue.upperBound, tokens))
                || (!isWeak && isShort(reparandum, cue, tokens))
                || (reparandum.count == 1 && isReplaced(reparandum, cue, tokens))
                || sparedTime(behind: start + 1, before: cue.lowerBound, cue.upperBound, tokens) == start + 1
                    && isOfOneKind(tokens[start], tokens[cue.upperBound])
        else { return false }
        return !isPartOfNumber(start, before: cue, tokens)
    }

    /// "Why did they find no bugs", "why would they rather pay cash": without a comma before it, the word belongs to the
    /// one after it, which is no word of grammar.
    private func deniesOrQualifies(_ cue: Int, _ tokens: [CorrectionToken]) -> Bool {
        let (before, word, after) = (tokens[cue - 1], tokens[cue], tokens[cue + 1])
        // "Would you rather have tea".
        let reach = max(0, cue - Self.longestSubject)..<cue
        if words.verbs.qualifying.contains(word.key), !before.has(.comma), !after.has(.question),
            reach.contains(where: { words.verbs.preferring.contains(tokens[$0].key) })
        {
            return true
        }
        // "Blocks with no block header".
        if words.verbs.denying.contains(word.key), !before.has(.comma), before.has(.preposition),
            after.has(.saidAlone), !after.has(.name), !after.has(.number)
        {
            return true
        }
        // "Turn left no turn right" goes back to a word.
        let isGoneBack = tokens[max(0, cue - Self.longestRetrace)..<cue].contains { $0.word == after.word }
        guard !before.has(.comma), after.has(.saidAlone), !isGoneBack else { return false }
        if words.verbs.denying.contains(word.key) {
            // "The report no the list".
            let isNoun = cue > 1 && tokens[cue - 2].has(.article)
            // "There is no point", "there's no point".
            let isVerb = before.has(.auxiliary) || before.key.contains("'")
            return (words.verbs.denied.contains(before.key) || isVerb) && !isNoun
        }
        return words.verbs.qualifying.contains(word.key)
            && before.has(.subject)
    }

    /// How far before a noun its article may be: "the average table wait".
    private static let longestNoun = 3

    /// The words before want a verb or a noun: "can you please [tell]", "how long to [wait]", "put a [hold] on".
    private func isGoverned(_ cue: Int, _ tokens: [CorrectionToken]) -> Bool {
        guard !tokens[cue - 1].has(.comma) else { return false }
        var place = cue - 1
        while place > 0, words.verbs.courtesies.contains(tokens[place].key) { place -= 1 }
        let before = tokens[place]
        if before.has(.personal) || before.has(.auxiliary) || before.has(.subject) || before.has(.beforeVerb)
        {
            return true
        }
        // "Why is there a hold on my account", "what wait times are usual"; but "the fan wait no the heater".
        return words.verbs.nouns.contains(tokens[cue].key)
            && !(cue + 1 < tokens.count && words.verbs.denying.contains(tokens[cue + 1].key))
            && tokens[max(0, cue - Self.longestNoun)..<cue].contains { $0.has(.article) || $0.has(.question) }
    }

    /// Retracted without a word of it said again: a word or two, or all of a sentence that is scratched.
    private func isShort(
        _ reparandum: Range<Int>, _ cue: Range<Int>, _ tokens: [CorrectionToken]
    ) -> Bool {
        let isNumber = tokens[cue.upperBound].has(.number) && tokens[cue.lowerBound - 1].has(.number)
        if reparandum.lowerBound == 0 {
            return tokens[cue].contains { words.scratching.contains($0.key) }
        }
        guard !isNumber, reparandum.count <= Self.longestUnparalleled else { return false }
        // "No history of asthma, no wait, she had it" begins a sentence, and corrects no noun.
        let (last, again) = (tokens[reparandum.lowerBound], tokens[cue.upperBound])
        if reparandum.count == 1 { return !(last.has(.saidAlone) && again.has(.subject)) }
        // "Call john or rather mary" retracts no "call".
        let first = tokens[reparandum.lowerBound]
        let isEndRepeated =
            cue.upperBound + 1 < tokens.count
            && (first.has(.saidAlone) || !tokens[cue.upperBound + 1].has(.number))
            && tokens[cue.upperBound + 1].word == tokens[cue.lowerBound - 1].word
        return first.word == again.word || (first.has(.function) && again.has(.function)) || isEndRepeated
            || (first.has(.title) && again.has(.title))
    }

    /// The repair begins with another word of the kind that it goes back to: an article for an article, a preposition
    /// for a preposition, or, if the sentence is a command, a command for a command.
    private func isAlike(_ reparandum: Range<Int>, _ end: Int, _ tokens: [CorrectionToken]) -> Bool {
        guard end + 1 < tokens.count, reparandum.count > 1 else { return false }
        let (first, again, next) = (tokens[reparandum.lowerBound], tokens[end], tokens[end + 1])
        if first.has(.article), again.has(.article) || again.has(.number) {
            return reparandum.count <= Self.longestRetrace
        }
        if first.has(.preposition), again.has(.preposition) { return reparandum.count <= Self.longestRetrace }
        // "Make sure there is no change" has nothing that is changed after it.
        let isWhole = next.has(.article) || next.has(.object)
        return reparandum.lowerBound == 0 && isWhole && isOrder(0, tokens) && isOrder(end, tokens)
            && reparandum.count <= Self.longestRestart
    }

    /// A day for a day, a title for a title.
    private func isOfOneKind(_ first: CorrectionToken, _ again: CorrectionToken) -> Bool {
        (first.series > 0 && first.series == again.series) || (first.has(.title) && again.has(.title))
    }

    /// The repair begins with the word that it goes back to, or a number replaces a number, a day a day.
    /// Ordinary prose has edit terms as well ("and wait for", "would rather"): there nothing less will do.
    private func isParallel(_ reparandum: Range<Int>, _ end: Int, _ tokens: [CorrectionToken]) -> Bool {
        let (first, last, again) = (
            tokens[reparandum.lowerBound], tokens[reparandum.upperBound - 1], tokens[end]
        )
        if first.has(.number), last.has(.number), again.has(.number) {
            // "Three million, I mean billion" replaces no "three"; "from eight to nine no nine thirty" no "eight to nine".
            if again.has(.scale) { return reparandum.count == 1 && first.has(.scale) }
            return isNumber(reparandum, tokens) || isMeasure(reparandum, end, tokens)
        }
        if isMeasure(reparandum, end, tokens) { return true }
        if first.series > 0, first.series == again.series, first.word != again.word {
            // "June tenth sorry July tenth".
            let isDated =
                end + 1 < tokens.count && tokens[end + 1].has(.number)
                && isNumber(reparandum.dropFirst(), tokens)
            return reparandum.count == 1 || isDated
        }
        // "Half past two no wait a quarter to three", but not only the "two" of it.
        let next = min(end + 2, tokens.count)
        if isTime(reparandum, tokens), isTime(end..<next, tokens) || again.has(.number) { return true }
        // "Doctor miller no mister brown".
        if first.has(.title), again.has(.title) {
            return !last.has(.title) && reparandum.count <= Self.longestUnparalleled
        }
        // "Answer b no c".
        if reparandum.count == 1, first.isLetter, again.isLetter, first.word != again.word { return true }
        // "A for loop no while loop", but "I call tomorrow no the day after tomorrow" retracts no "call".
        if end + 1 < tokens.count, last.has(.saidAlone), last.word == tokens[end + 1].word {
            // All numbers are one word: "room 5, no, suite 6", but "es ist 5, nein, halb 6".
            if reparandum.count == 2,
                last.has(.number) ? first.has(.saidAlone) : last.series == 0 || !first.has(.saidAlone)
            {
                return true
            }
            if reparandum.count == 1, last.series > 0 { return true }
        }
        guard first.word == again.word, reparandum.count <= Self.longestRetrace else { return false }
        return reparandum.count > 1
    }

    /// The start of the words that begin again at `place` without an edit term.
    private func beginningAgain(at place: Int, _ tokens: [CorrectionToken]) -> Int? {
        let again = tokens[place]
        guard again.has(.function) || again.has(.question), !again.has(.number) else { return nil }
        let earliest = max(0, place - Self.longestRestart)
        var start = place
        while start > earliest, !tokens[start - 1].has(.quoted) {
            start -= 1
            if tokens[start].word == again.word { return start }
        }
        guard start == 0, again.has(.question), place - start > 1 || tokens[start].has(.question),
            tokens[start].has(.question) || tokens[start + 1].has(.question),
            // "Who or what".
            place - start > 2 || !tokens[place - 1].has(.list)
        else { return nil }
        return start
    }
}
