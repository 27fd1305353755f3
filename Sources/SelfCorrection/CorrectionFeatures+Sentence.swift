/// Features of the sentence without the words of a candidate.
extension CorrectionFeatures {
    /// Whether it still asks once and has its verb, and which words would be neighbors.
    mutating func addSentence(
        _ candidate: CorrectionCandidate, _ tokens: [CorrectionToken], _ near: CorrectionNeighbors
    ) {
        let (start, cue, end) = (candidate.start, candidate.editTerm.lowerBound, candidate.end)
        let stop = min(tokens.count, end + CorrectionWindows.farReach)
        let (before, taken, after) = (
            Tally(max(0, start - CorrectionWindows.farReach)..<start, tokens), Tally(start..<cue, tokens),
            Tally(end..<stop, tokens)
        )
        // Not by key paths: they are slow.
        let questions = before.questions << 4 | taken.questions << 2 | after.questions
        let verbs = before.auxiliaries << 4 | taken.auxiliaries << 2 | after.auxiliaries
        let prepositions = before.prepositions << 4 | taken.prepositions << 2 | after.prepositions
        let asksFirst: UInt32 = start > 0 && tokens[0].has(.question) ? 1 : 0
        add(80, questions)
        add(81, verbs)
        add(82, questions, verbs)
        add(83, prepositions, tokens[start].has(.preposition) ? 1 : 0)
        add(84, verbs, Hash.mix(near.again.tag, asksFirst))
        add(85, verbs, Hash.mix(near.before.tag, near.again.tag))

        add(90, near.before2.tag, Hash.mix(near.before.kind, near.again.kind))
        add(91, near.before.kind, Hash.mix(near.again.kind, near.next.tag))
        add(92, near.before.kind, Hash.mix(near.again.tag, near.next.tag))
        add(93, near.before.tag, Hash.mix(near.again.kind, near.next.tag))
        add(94, near.before2.kind, Hash.mix(near.before.kind, near.again.tag))
        add(95, near.before.tag, near.first.kind)
        add(96, near.before.kind, near.first.tag)
        add(97, near.before2.kind, Hash.mix(near.before.kind, near.first.tag))
    }

    /// The same places as by the parts of speech, by word class.
    mutating func addClasses(
        _ candidate: CorrectionCandidate, _ tokens: [CorrectionToken], _ near: CorrectionNeighbors,
        phrase: UInt32
    ) {
        let (start, cue) = (candidate.start, candidate.editTerm.lowerBound)
        let length = UInt32(min(cue - start, 5))
        let join = Hash.mix(near.before.wordClass, near.again.wordClass)
        let cut = Hash.mix(near.before.wordClass, near.first.wordClass)
        add(100, near.before.wordClass, Hash.mix(near.first.wordClass, near.again.wordClass))
        add(101, join, Hash.mix(near.before2.wordClass, near.next.wordClass))
        add(102, cut)
        add(103, join, Hash.mix(near.last.wordClass, length))
        add(104, Hash.mix(near.first.wordClass, near.last.wordClass), Hash.mix(near.again.wordClass, length))
        add(
            105, Hash.mix(near.first.wordClass, near.second.wordClass),
            Hash.mix(near.again.wordClass, near.next.wordClass))
        add(
            106, Hash.mix(near.last2.wordClass, near.last.wordClass),
            Hash.mix(near.again.wordClass, near.next.wordClass))
        add(107, join)
        add(108, near.last.wordClass, near.again.wordClass)
        add(109, join, near.next.wordClass)
        add(110, near.before2.wordClass, join)
        add(111, near.first.wordClass, near.again.wordClass)
        add(
            112, Hash.mix(near.before.wordClass, near.before2.wordClass),
            Hash.mix(near.first.wordClass, length))
        add(113, cut, near.second.wordClass)
        add(114, phrase, Hash.mix(near.last.wordClass, near.again.wordClass))
        let unlike = unlikeness(candidate, tokens)
        add(115, unlike, length)
        add(116, unlike, join)
        add(117, unlike, phrase)
    }

    /// How much the repair differs from what is retracted, in their best alignment: 0 if every word is repeated, 8 if
    /// none is similar. Another word of the same class counts half.
    private func unlikeness(_ candidate: CorrectionCandidate, _ tokens: [CorrectionToken]) -> UInt32 {
        let (start, cue, end) = (candidate.start, candidate.editTerm.lowerBound, candidate.end)
        let count = min(cue - start + 2, tokens.count - end) + 1
        // A fifth of the time of all features: the words of the repair lie side by side, without the rest of their tokens.
        return withUnsafeTemporaryAllocation(of: Cell.self, capacity: count) { row in
            for column in 0..<count {
                let other = max(end, end + column - 1)
                row[column] = Cell(
                    cost: column, word: tokens[other].word, wordClass: tokens[other].wordClass)
            }
            for place in start..<cue {
                let (word, wordClass) = (tokens[place].word, tokens[place].wordClass)
                var diagonal = row[0].cost
                var left = place - start + 1
                row[0].cost = left
                for column in 1..<count {
                    let above = row[column]
                    let cost = word == above.word ? 0 : wordClass == above.wordClass ? 1 : 2
                    left = min(diagonal + cost, min(above.cost, left) + 2)
                    diagonal = above.cost
                    row[column].cost = left
                }
            }
            let least = row[1...].reduce(Int.max) { min($0, $1.cost) }
            return UInt32(min(8, least * 4 / (cue - start)))
        }
    }

    /// Which of the words before the correction the repair goes back to: the last similar to its first one,
    /// an earlier one, or none. If a similar one was said before the removed words, too little would be
    /// removed.
    mutating func addReturns(_ candidate: CorrectionCandidate, _ tokens: [CorrectionToken]) {
        let (start, cue, end) = (candidate.start, candidate.editTerm.lowerBound, candidate.end)
        let again = tokens[end]
        let length = UInt32(min(cue - start, 5))
        var (words, kinds, classes, tags) = (Returns(), Returns(), Returns(), Returns())
        for place in max(0, cue - CorrectionCandidates.longestReparandum)..<cue {
            words.add(place, start, tokens[place].word == again.word)
            kinds.add(place, start, tokens[place].kind == again.kind)
            classes.add(place, start, tokens[place].wordClass == again.wordClass)
            tags.add(place, start, tokens[place].tag == again.tag)
        }
        add(140, words.key, length)
        add(141, kinds.key, length)
        add(142, classes.key, length)
        add(143, tags.key, length)
        add(144, words.key, tags.key)
        add(145, classes.key, again.tag)
        add(146, tags.key, again.tag)
        add(147, words.key, again.kind)
        func group(_ place: Int) -> UInt32 { place < tokens.count ? tokens[place].wordClass : Self.edge }
        let aligned = end + cue - start - 1
        add(150, group(cue - 1), Hash.mix(group(aligned), length))
        add(151, group(cue - 1), Hash.mix(group(aligned), group(aligned + 1)))
        add(
            152, group(aligned) == group(cue - 1) ? 1 : 0,
            Hash.mix(group(start) == group(end) ? 1 : 0, length))
    }

    /// Whether the speaker goes back to the beginning of a part of the sentence.
    mutating func addCommas(
        _ candidate: CorrectionCandidate, _ tokens: [CorrectionToken], opening: UInt32
    ) {
        let (start, cue, end) = (candidate.start, candidate.editTerm.lowerBound, candidate.end)
        let inside = min(2, (start..<(cue - 1)).count { tokens[$0].has(.comma) })
        let before: UInt32 = start == 0 ? 2 : tokens[start - 1].has(.comma) ? 1 : 0
        let isBehind: UInt32 =
            tokens[max(0, start - CorrectionWindows.farReach)..<start].contains(where: { $0.has(.comma) })
            ? 1 : 0
        let commas = UInt32(inside) << 4 | before << 1 | isBehind
        add(130, commas, UInt32(min(cue - start, 5)))
        add(131, commas, opening)
        add(132, commas, tokens[end].kind)
        add(133, commas, tokens[start].kind)
    }
}

/// How many words of a kind a segment has, up to three.
private struct Tally {
    var questions: UInt32 = 0
    var auxiliaries: UInt32 = 0
    var prepositions: UInt32 = 0

    // By index: a copy of a token would count its string's references.
    init(_ range: Range<Int>, _ tokens: [CorrectionToken]) {
        for place in range {
            if tokens[place].has(.question) { questions = min(3, questions + 1) }
            if tokens[place].has(.auxiliary) { auxiliaries = min(3, auxiliaries + 1) }
            if tokens[place].has(.preposition) { prepositions = min(3, prepositions + 1) }
        }
    }
}

/// How often something comes before what would go, at its first word, and within it.
private struct Returns {
    private var before: UInt32 = 0
    private var first: UInt32 = 0
    private var within: UInt32 = 0

    mutating func add(_ place: Int, _ start: Int, _ isAlike: Bool) {
        guard isAlike else { return }
        if place < start {
            before = min(2, before + 1)
        } else if place == start {
            first = 1
        } else {
            within = min(2, within + 1)
        }
    }

    var key: UInt32 { before << 4 | first << 2 | within }
}

/// A step of an alignment: the cost up to a word of the repair, and that word.
private struct Cell {
    var cost: Int
    let word: UInt32
    let wordClass: UInt32
}
