/// Edit terms between clauses that are both meant: "he lives in Paris, actually London is his home town", "maybe Monday, maybe
/// Tuesday".
extension CorrectionCandidates {
    /// The words of the edit term were said shortly before, and no "no" or "sorry" is among them: the two sentences are alike, and
    /// the second one corrects nothing.
    ///
    /// - Parameter plain: the words of the edit term without hesitations.
    func isSaidBefore(_ plain: [String], before cue: Int, _ tokens: [CorrectionToken]) -> Bool {
        guard let first = plain.first, !plain.contains(where: words.retracting.contains) else { return false }
        // "Cancel that order, cancel this one".
        let said = words.verbs.beginning.contains(first) ? [first] : plain
        let reach = max(0, cue - Self.longestReparandum)..<max(0, cue - said.count)
        return reach.contains { place in said.indices.allSatisfy { tokens[place + $0].key == said[$0] } }
    }

    /// "Sorry for the rush" asks to be forgiven, and "I love Rome, I mean who doesn't?" goes on.
    func leadsOn(_ cue: Range<Int>, _ plain: [String], _ tokens: [CorrectionToken]) -> Bool {
        let next = tokens[cue.upperBound]
        guard let last = plain.last, !tokens[cue.upperBound - 1].has(.comma) else { return false }
        if words.apologies.contains([last, next.key]), !plain.contains(where: words.contradicting.contains) {
            // "Sorry about Monday, sorry about everything", but "for five sorry for six".
            let place = returned(to: next, before: cue.lowerBound, tokens)
            if place.map({ $0 > 0 && tokens[$0 - 1].key == last }) ?? true { return true }
        }
        // What is asked before could be said again; a statement is whole.
        return next.has(.question) && words.asking.contains(plain)
            && (tokens[cue.lowerBound - 1].has(.comma) || tokens[0].has(.subject))
            && !tokens[0].has(.auxiliary) && !tokens[0].has(.preposition)
            && !tokens[..<cue.lowerBound].contains { $0.has(.question) }
    }

    /// "Book the flight or cancel that hotel", "call the client, cancel that contract": a second order, with its noun. "Or make
    /// that pasta" and "cancel that, the contract" correct.
    func isOtherOrder(_ cue: Range<Int>, _ plain: [String], _ tokens: [CorrectionToken]) -> Bool {
        let next = tokens[cue.upperBound]
        let isJoined = tokens[cue.lowerBound].has(.list)
        guard isJoined || tokens[cue.lowerBound - 1].has(.comma),
            let verb = plain.dropFirst(isJoined ? 1 : 0).first, words.verbs.ordering.contains(verb),
            !tokens[cue.upperBound - 1].has(.comma), next.has(.saidAlone)
        else { return false }
        return next.traits.isDisjoint(with: [.number, .name, .time])
    }

    /// The repair has a verb after it, and those before the edit term have theirs already: "I told Anna, sorry, Maria is out".
    func beginsClause(_ start: Int, _ cue: Range<Int>, _ tokens: [CorrectionToken]) -> Bool {
        let repair = cue.upperBound
        guard repair + 1 < tokens.count, !tokens[repair].has(.comma), start > 0 else { return false }
        // "Closed on Monday, sorry, Tuesday we open": a day that no preposition governs.
        let isWhen =
            tokens[repair].has(.time) && tokens[repair + 1].has(.subject)
            && tokens[start - 1].has(.preposition)
            && !(repair + 2 < tokens.count && tokens[repair + 2].has(.aside))
        let isNumber = tokens[repair].has(.number)
        guard isWhen || (isNumber ? isSubject(repair, tokens) : tokens[repair + 1].has(.auxiliary)),
            isNumber || tokens[repair].has(.saidAlone) || tokens[repair].has(.name)
        else { return false }
        // "Out of coffee, sorry, tea is available", "no table for five, sorry, four is our maximum": no clause yet.
        if tokens[start - 1].has(.preposition),
            words.verbs.denying.contains(tokens[0].key)
                || tokens[..<start].allSatisfy({
                    $0.has(.preposition) || words.verbs.leaving.contains($0.key)
                })
                    && start > 1
        {
            return true
        }
        for place in (max(0, start - Self.longestReparandum)..<start).reversed() {
            let token = tokens[place]
            if token.has(.auxiliary) || token.has(.subject) || token.isContraction { return true }
            // "I lost the ticket, sorry, Anna has hers": a name has no article.
            if place == start - 1, token.has(.article), tokens[repair].has(.name), !tokens[start].has(.name) {
                continue
            }
            // "The train to Paris, sorry, London is late", "I think Bob, no, Alice is coming".
            if token.has(.article) || token.has(.aside) || token.has(.connective) || token.has(.question)
                || token.has(.comma) || token.has(.name) && !isOrder(place, tokens)
            {
                return false
            }
        }
        // "Tell Peter, sorry, Paul can't come".
        return isOrder(0, tokens)
    }

    /// "The food was good, I mean the best I ever had", "nobody came, I mean nobody": a clause is only
    /// replaced by a clause.
    func losesVerb(_ reparandum: Range<Int>, _ repair: Int, _ tokens: [CorrectionToken]) -> Bool {
        let isWhole = repair + 1 == tokens.count || tokens[repair].has(.comma)
        if isWhole, reparandum.count > 1, tokens[reparandum.lowerBound].word == tokens[repair].word,
            !tokens[repair].has(.number)
        {
            return true
        }
        guard reparandum.count > 2,
            tokens[reparandum.lowerBound + 1].word != tokens[min(repair + 1, tokens.count - 1)].word,
            tokens[reparandum].contains(where: { $0.has(.auxiliary) })
        else { return false }
        let reach = min(tokens.count, repair + Self.longestReparandum)
        return !tokens[repair..<reach].contains { $0.has(.auxiliary) || $0.key.contains("'") }
    }

    /// "The work was not done, instead the result is returned" takes nothing back.
    func isContrast(_ reparandum: Range<Int>, _ plain: [String], _ tokens: [CorrectionToken]) -> Bool {
        plain.first.map(words.verbs.qualifying.contains) == true
            && tokens[reparandum].contains { $0.has(.denying) }
    }

    /// "Take the stairs, never mind the elevator", "I'll come by bus instead, by the next one": no edit term.
    func isPhraseOfItsOwn(_ cue: Range<Int>, _ plain: [String], _ tokens: [CorrectionToken]) -> Bool {
        let (last, next) = (tokens[cue.upperBound - 1], tokens[cue.upperBound])
        if last.has(.comma) {
            return cue.count == 1 && words.verbs.qualifying.contains(last.key)
                && words.afterthoughts.contains(last.key)
                && !tokens[cue.lowerBound - 1].has(.comma)
        }
        return words.taking.contains(plain) && !next.has(.order)
            && !next.traits.isDisjoint(with: [.article, .saidAlone, .name])
    }

    /// "Just make that call", "delete that deployment", "the only change that is needed": no edit term at all.
    func isObject(_ cue: Range<Int>, _ plain: [String], _ tokens: [CorrectionToken]) -> Bool {
        guard plain.count == 2, let first = plain.first, words.verbs.beginning.contains(first) else {
            return false
        }
        let (before, next) = (tokens[cue.lowerBound - 1], tokens[cue.upperBound])
        guard !tokens[cue.upperBound - 1].has(.comma) else { return false }
        return next.has(.auxiliary)
            || next.has(.saidAlone) && !next.has(.number) && !next.has(.name)
                && (next.series == 0 || next.series != before.series)
    }
}
