/// Features of the readings that only questions have.
extension CorrectionFeatures {
    /// Whether words of grammar go with the edit term: "what [prevents no the] slows".
    mutating func addPassage(_ candidate: CorrectionCandidate, _ tokens: [CorrectionToken]) {
        let (start, cue, end) = (candidate.start, candidate.editTerm.lowerBound, candidate.end)
        let passage = tokens[candidate.editTerm.upperBound..<end]
        guard let opening = passage.first else {
            add(180)
            return
        }
        let count = UInt32(passage.count)
        let words = passage.reduce(5) { Hash.mix($0, $1.word) }
        let tags = passage.reduce(5) { Hash.mix($0, $1.tag) }
        let (first, again) = (tokens[start], tokens[end])
        let before = start > 0 ? tokens[start - 1].word : Self.edge
        let beforeTag = start > 0 ? tokens[start - 1].tag : Self.edge
        let isReturn: UInt32 = first.word == opening.word ? 1 : 0
        add(181, count)
        add(182, count, words)
        add(183, count, tags)
        add(184, words, again.tag)
        add(185, words, first.word)
        add(186, words, first.tag)
        add(187, words, beforeTag)
        add(188, words, before)
        add(189, tags, Hash.mix(beforeTag, first.tag))
        add(190, words, tokens[candidate.editTerm.upperBound - 1].word)
        add(191, words, UInt32(min(cue - start, 5)))
        add(192, tokens[end - 1].tag, Hash.mix(again.tag, tokens[cue - 1].tag))
        add(193, words, isReturn)
        add(194, count, isReturn)
        add(195, words, UInt32(min(tokens.count - end, 4)))
        let copied = repeats(of: passage, in: tokens[start..<cue])
        let earlier = UInt32(candidate.passageRepeats)
        add(196, count, copied)
        add(197, count, earlier)
        add(198, Hash.mix(copied, earlier), tags)
    }

    /// How many of the words were said there.
    private func repeats(
        of words: ArraySlice<CorrectionToken>, in said: ArraySlice<CorrectionToken>
    ) -> UInt32 {
        UInt32(words.count { token in said.contains { $0.word == token.word } })
    }

    /// "What did [the mongols] think [no the] turks": whether the two can replace each other, which words would be
    /// neighbors, and whether the words in between have others that could be meant.
    mutating func collectLate(_ candidate: CorrectionCandidate, in tokens: [CorrectionToken]) {
        let (start, stop, cue, end) = (
            candidate.start, candidate.stop, candidate.editTerm.lowerBound, candidate.end
        )
        let (first, final, again, last) = (
            tokens[start], tokens[stop - 1], tokens[end], tokens[tokens.count - 1]
        )
        let repair = tokens.count - end
        let lengths = Hash.mix(UInt32(stop - start), UInt32(min(repair, 5)))
        let distance = UInt32(min(cue - stop, 6))
        let (firsts, lasts) = (Hash.mix(first.mask, again.mask), Hash.mix(final.mask, last.mask))
        add(300)
        add(301, phrase(of: candidate, tokens))
        add(302, lengths)
        add(303, stop - start == repair ? 1 : 0, distance)
        add(304, UInt32(min(start, 6)))
        add(305, firsts)
        add(306, lasts)
        add(307, firsts, lasts)
        add(308, first.word == again.word ? 1 : 0, lengths)
        add(309, final.word == last.word ? 1 : 0, lengths)
        add(310, first.tag == again.tag ? 1 : 0, final.tag == last.tag ? 1 : 0)
        add(311, first.wordClass == again.wordClass ? 1 : 0, final.wordClass == last.wordClass ? 1 : 0)
        add(333, last.mask, distance)
        add(338, shape(first, again), shape(final, last))
        let passage = tokens[candidate.editTerm.upperBound..<end].reduce(17) { Hash.mix($0, $1.word) }
        add(321, passage)
        add(322, passage, first.mask)
        let shared = repeats(of: tokens[start..<stop], in: tokens[end...])
        add(332, shared, lengths)
        add(342, tokens[cue - 1].has(.comma) ? 1 : 0, tokens[end - 1].has(.comma) ? 1 : 0)
        addLateJoins(candidate, tokens)
        addLateRivals(candidate, tokens)
    }

    /// The words that would become neighbors, and those next to the repair as it was said.
    private mutating func addLateJoins(_ candidate: CorrectionCandidate, _ tokens: [CorrectionToken]) {
        let (start, stop, cue, end) = (
            candidate.start, candidate.stop, candidate.editTerm.lowerBound, candidate.end
        )
        let (before, next) = (start == 0 ? nil : tokens[start - 1], tokens[stop])
        let (first, final, again, last) = (
            tokens[start], tokens[stop - 1], tokens[end], tokens[tokens.count - 1]
        )
        let (tag, traits) = (before?.tag ?? Self.edge, before?.mask ?? Self.edge)
        let isOne = tokens.count - end == 1
        add(312, tag, Hash.mix(first.tag, again.tag))
        add(313, tag, again.tag)
        add(314, before?.kind ?? Self.edge, again.tag)
        add(315, last.tag, next.tag)
        add(316, last.tag, next.kind)
        add(317, final.tag, Hash.mix(last.tag, next.tag))
        add(318, tokens[cue - 1].tag, again.tag)
        add(319, tokens[cue - 1].kind, again.tag)
        add(320, tokens[cue - 1].tag, Hash.mix(again.tag, UInt32(min(tokens.count - end, 5))))
        add(323, before?.wordClass ?? Self.edge, again.wordClass)
        add(324, last.wordClass, next.wordClass)
        add(325, final.wordClass, last.wordClass)
        add(326, first.wordClass, again.wordClass)
        add(
            331, before?.has(.capitalized) == true && first.has(.capitalized) ? 1 : 0,
            next.has(.capitalized) && final.has(.capitalized) ? 1 : 0)
        add(334, isOne ? last.mask : Self.edge, tag)
        add(339, next.mask, tokens[cue - 1].mask)
        add(340, traits, next.mask)
        add(341, Hash.mix(traits, next.mask), Hash.mix(first.mask, last.mask))
    }

    /// Other words that the repair could replace, and what both ask.
    private mutating func addLateRivals(_ candidate: CorrectionCandidate, _ tokens: [CorrectionToken]) {
        let (again, last) = (tokens[candidate.end], tokens[tokens.count - 1])
        let kept = tokens[candidate.stop..<candidate.editTerm.lowerBound]
        func isLikeLast(_ token: CorrectionToken) -> Bool {
            token.has(.saidAlone) && token.has(.name) == last.has(.name)
                && token.has(.number) == last.has(.number)
        }
        func few(_ count: Int, _ most: Int) -> UInt32 { UInt32(min(count, most)) }
        let returns: UInt32 = kept.contains { $0.word == again.word } ? 1 : 0
        add(327, few(kept.count { $0.tag == again.tag }, 3), returns)
        add(328, few(kept.count(where: isLikeLast), 3), last.mask)
        add(329, returns)
        add(330, few(tokens[..<candidate.start].count(where: isLikeLast), 3), last.mask)
        let (taken, repair) = (tokens[candidate.start..<candidate.stop], tokens[candidate.end...])
        let questions = few(repair.count(where: { $0.has(.question) }), 2)
        let verbs = few(repair.count(where: { $0.has(.auxiliary) }), 2)
        add(335, questions, verbs)
        add(336, few(taken.count(where: { $0.has(.question) }), 2), questions)
        add(337, few(taken.count(where: { $0.has(.auxiliary) }), 2), verbs)
    }
}

extension CorrectionToken {
    fileprivate var mask: UInt32 {
        (has(.number) ? 1 : 0) | (has(.name) ? 2 : 0) | (has(.function) ? 4 : 0) | (has(.preposition) ? 8 : 0)
            | (has(.saidAlone) ? 16 : 0) | (has(.question) ? 32 : 0) | (has(.auxiliary) ? 64 : 0)
    }
}
