import SelfCorrection

/// Gives words without punctuation the commas, periods and question marks that a model is certain enough of.
/// If pauses are known, they count, and an action names them if the words alone were not enough.
struct BareWords: WordRule {
    let rule = CleaningRule.marks
    let heedsPauses: Bool
    /// The shipped one, if nil.
    var model: MarkModel?

    func apply(to draft: inout Draft) -> Bool {
        guard !draft.words.isEmpty else { return false }
        let model = model ?? .shipped
        let tokens = draft.words.map { MarkToken($0, language: draft.language) }
        let hasPauses = heedsPauses && draft.words.contains { $0.pause > 0 }
        var clause = MarkClause()
        var reader = MarkNetwork.Reader(tokens, by: model.network)
        var acted = false
        for place in tokens.indices.dropLast() {
            reader.read(behind: place == 0 ? .stop : draft.words[place - 1].mark)
            guard draft.words[place].trail.isEmpty, tokens[place].mayEnd(before: tokens[place + 1]) else {
                continue
            }
            let scores = reader.scores
            func mark(pause: Float?) -> String? {
                switch model.mark(scores, pause: pause) {
                case .comma: ","
                case .stop where maySentenceEnd(behind: place, in: tokens, clause):
                    asks(clause.sentence...place, tokens, draft, model) ? "?" : "."
                case .stop, nil:
                    introducesQuestion(behind: place, tokens, clause, draft)
                        || isLeadIn(clause.sentence...place, tokens, draft) ? "," : nil
                }
            }
            var (sign, by) = (mark(pause: nil), rule)
            if hasPauses {
                let silent =
                    mark(pause: draft.words[place].pause)
                    ?? Pauses.mark(behind: place, from: clause.sentence, in: draft)
                if silent != sign { (sign, by) = (silent, .pauses) }
            }
            guard let sign else { continue }
            draft.change(at: place, rule: by) { $0.trail = sign }
            clause.end(at: place + 1, isSentence: sign != ",")
            acted = true
        }
        draft.asks = asks(clause.sentence...(tokens.count - 1), tokens, draft, model)
        return acted
    }

    /// "Yes" and "okay then" are sentences; other short ones are seldom meant, and a last word belongs to what is before it.
    private func maySentenceEnd(behind place: Int, in tokens: [MarkToken], _ clause: MarkClause) -> Bool {
        guard tokens.count - place - 1 >= Pauses.leastRest else { return false }
        let sentence = tokens[clause.sentence...place]
        return sentence.count >= Pauses.shortestSentence
            || sentence.allSatisfy { $0.kinds.contains(.opener) }
    }

    /// "Yes, I will": its subject follows.
    private func isLeadIn(_ words: ClosedRange<Int>, _ tokens: [MarkToken], _ draft: Draft) -> Bool {
        tokens[words.upperBound + 1].kinds.contains(.subject)
            && draft.language.punctuation.leadIns.contains(draft.words[words].map(\.key))
    }

    /// The fewest words of a phrase before a question that has a comma.
    private static let shortestIntroduction = 3

    /// "In a market economy, what is inequality": the phrase before a question that belongs to it. The texts that the model has
    /// learned from have few of them.
    private func introducesQuestion(
        behind place: Int, _ tokens: [MarkToken], _ clause: MarkClause, _ draft: Draft
    ) -> Bool {
        let words = draft.language.punctuation
        let first = clause.sentence
        guard tokens[place + 1].kinds.contains(.question),
            words.introduced.contains(draft.words[place + 1].key), clause.start == first,
            place + 1 - first >= Self.shortestIntroduction, place + 2 < tokens.count,
            words.introductions.contains(draft.words[first].key),
            // "When was", "in which".
            !tokens[first + 1].kinds.contains(.auxiliary),
            !tokens[(first + 1)...place].contains(where: {
                $0.kinds.contains(.question) || $0.kinds.contains(.pronoun)
            })
        else { return false }
        // "To what", "asks what".
        return tokens[place].kinds.isDisjoint(with: [.preposition, .conjunction, .auxiliary, .expectsMore])
            && !words.embedding.contains(draft.words[place].key)
    }

    /// "At four, how long will it take": after the comma it is a question by the rules.
    private func asksAfterIntroduction(_ sentence: ArraySlice<Word>, _ questions: Questions) -> Bool {
        guard let first = sentence.first, let comma = sentence.firstIndex(where: \.hasComma) else {
            return false
        }
        let (rest, words) = (sentence[(comma + 1)...], questions.language.punctuation)
        return words.introductions.contains(first.key)
            && rest.first.map { words.introduced.contains($0.key) } == true
            && questions.isQuestion(Array(rest))
    }

    private func asks(
        _ sentence: ClosedRange<Int>, _ tokens: [MarkToken], _ draft: Draft, _ model: MarkModel
    ) -> Bool {
        let questions = Questions(language: draft.language)
        let words = draft.words[sentence]
        return questions.isQuestion(Array(words)) || asksAfterIntroduction(words, questions)
            || (questions.mayAsk(words) && model.isQuestion(tokens[sentence]))
    }
}

extension Word {
    /// The mark after it, as the network reads it.
    fileprivate var mark: MarkModel.Mark? {
        if endsSentence { return .stop }
        return hasComma ? .comma : nil
    }
}

extension MarkModel {
    /// The marks that the model puts after bare words; after the last one, "?" or ".".
    ///
    /// - Parameter pauses: seconds of silence after each word; empty if none is known.
    package func marks(behind words: [String], pauses: [Float] = [], language: Language) -> [String] {
        var draft = Draft(line: words.joined(separator: " "), pauses: pauses, language: language)
        _ = BareWords(heedsPauses: true, model: self).apply(to: &draft)
        return draft.words.dropLast().map(\.trail) + [draft.asks == true ? "?" : "."]
    }
}
