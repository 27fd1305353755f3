/// Features of the sentence without the words of a candidate.
extension CorrectionFeatures {
    /// Whether it still asks once and has its verb, and which words would be neighbors.
    mutating func addSentence(_ candidate: CorrectionCandidate, _ tokens: [CorrectionToken]) {
        let (start, cue, end) = (candidate.start, candidate.editTerm.lowerBound, candidate.end)
        let stop = min(tokens.count, end + longestView)
        let (before, taken, after) = (
            Tally(max(0, start - longestView)..<start, tokens), Tally(start..<cue, tokens),
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
        add(84, verbs, Hash.mix(tokens[end].tag, asksFirst))
        add(85, verbs, Hash.mix(start == 0 ? Self.edge : tokens[start - 1].tag, tokens[end].tag))

        func kind(_ place: Int) -> UInt32 {
            place < 0 || place >= tokens.count ? Self.edge : tokens[place].kind
        }
        func tag(_ place: Int) -> UInt32 {
            place < 0 || place >= tokens.count ? Self.edge : tokens[place].tag
        }
        add(90, tag(start - 2), Hash.mix(kind(start - 1), kind(end)))
        add(91, kind(start - 1), Hash.mix(kind(end), tag(end + 1)))
        add(92, kind(start - 1), Hash.mix(tag(end), tag(end + 1)))
        add(93, tag(start - 1), Hash.mix(kind(end), tag(end + 1)))
        add(94, kind(start - 2), Hash.mix(kind(start - 1), tag(end)))
        add(95, tag(start - 1), kind(start))
        add(96, kind(start - 1), tag(start))
        add(97, kind(start - 2), Hash.mix(kind(start - 1), tag(start)))
    }

    /// The same places as by the parts of speech, by what is used alike.
    mutating func addClasses(
        _ candidate: CorrectionCandidate, _ tokens: [CorrectionToken], phrase: UInt32
    ) {
        let (start, cue, end) = (candidate.start, candidate.editTerm.lowerBound, candidate.end)
        func group(_ place: Int) -> UInt32 {
            place < 0 || place >= tokens.count ? Self.edge : tokens[place].wordClass
        }
        let length = UInt32(min(cue - start, 5))
        let join = Hash.mix(group(start - 1), group(end))
        let cut = Hash.mix(group(start - 1), group(start))
        add(100, group(start - 1), Hash.mix(group(start), group(end)))
        add(101, join, Hash.mix(group(start - 2), group(end + 1)))
        add(102, cut)
        add(103, join, Hash.mix(group(cue - 1), length))
        add(104, Hash.mix(group(start), group(cue - 1)), Hash.mix(group(end), length))
        add(105, Hash.mix(group(start), group(start + 1)), Hash.mix(group(end), group(end + 1)))
        add(106, Hash.mix(group(cue - 2), group(cue - 1)), Hash.mix(group(end), group(end + 1)))
        add(107, join)
        add(108, group(cue - 1), group(end))
        add(109, join, group(end + 1))
        add(110, group(start - 2), join)
        add(111, group(start), group(end))
        add(112, Hash.mix(group(start - 1), group(start - 2)), Hash.mix(group(start), length))
        add(113, cut, group(start + 1))
        add(114, phrase, Hash.mix(group(cue - 1), group(end)))
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
        return withUnsafeTemporaryAllocation(of: Int.self, capacity: count) { row in
            for column in 0..<count { row[column] = column }
            for place in start..<cue {
                let (word, wordClass) = (tokens[place].word, tokens[place].wordClass)
                var diagonal = row[0]
                row[0] = place - start + 1
                for column in 1..<count {
                    let other = end + column - 1
                    let cost = word == tokens[other].word ? 0 : wordClass == tokens[other].wordClass ? 1 : 2
                    let best = min(diagonal + cost, min(row[column], row[column - 1]) + 2)
                    diagonal = row[column]
                    row[column] = best
                }
            }
            return UInt32(min(8, (row[1...].min() ?? 0) * 4 / (cue - start)))
        }
    }

    /// Which of the words before the correction the repair goes back to: the last that is like its first one, an earlier
    /// one, or none. Where one like it was said before what would go, too little would go.
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
            tokens[max(0, start - longestView)..<start].contains(where: { $0.has(.comma) }) ? 1 : 0
        let commas = UInt32(inside) << 4 | before << 1 | isBehind
        add(130, commas, UInt32(min(cue - start, 5)))
        add(131, commas, opening)
        add(132, commas, tokens[end].kind)
        add(133, commas, tokens[start].kind)
    }
}

/// The furthest that a sentence is looked at before and behind a candidate, in words.
private let longestView = 24

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
