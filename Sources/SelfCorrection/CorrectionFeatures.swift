/// Takes the features of a candidate, as places in the model's weights.
package protocol FeatureSink {
    mutating func add(_ place: Int)
}

/// The features of a candidate, which suggest that it is a correction, or that it is none.
struct CorrectionFeatures<Sink: FeatureSink> {
    private(set) var sink: Sink

    // Some hundred calls for each candidate, which share the registers that hold the sum and the weights.
    @inline(__always)
    mutating func add(_ template: UInt32, _ first: UInt32 = 0, _ second: UInt32 = 0) {
        let hash = Hash.mixed(first &* 0x9E37_79B1 &+ second &* 0x85EB_CA77 &+ template &* 0xC2B2_AE3D)
        sink.add(Int(hash) & (CorrectionModel.size - 1))
    }

    static var edge: UInt32 { CorrectionNeighbors.edge }

    init(_ sink: Sink) { self.sink = sink }

    /// - Parameter tokens: the sentence of the candidate. The sentences around it do not matter, so that it is read the
    ///   same way anywhere in a text.
    mutating func collect(_ candidate: CorrectionCandidate, in tokens: [CorrectionToken]) {
        candidate.isLate && !candidate.sparesTime
            ? collectLate(candidate, in: tokens) : collectUsual(candidate, in: tokens)
    }

    private mutating func collectUsual(_ candidate: CorrectionCandidate, in tokens: [CorrectionToken]) {
        let (start, cue, end) = (candidate.start, candidate.editTerm.lowerBound, candidate.end)
        let taken = cue - start
        let atStart = start == 0
        let near = CorrectionNeighbors(candidate, tokens)
        let (before, beforeWord) = (near.before.kind, near.before.word)
        let first = tokens[start]
        let last = tokens[cue - 1]
        let again = tokens[end]
        let second = near.next.kind
        let phrase = phrase(of: candidate, tokens)
        let opening = cue < end ? spoken(cue, tokens) : 0
        let closing = cue < end ? spoken(candidate.editTerm.upperBound - 1, tokens) : 0
        let length = UInt32(min(taken, 8))
        let copies = Copies(start..<cue, end, tokens)

        add(1)
        addPassage(candidate, tokens)
        add(2, phrase)
        add(3, opening, closing)
        add(4, UInt32(end - cue))
        add(5, length, cue == end ? 1 : 0)
        add(6, atStart ? 1 : 0, length)
        add(7, atStart ? 1 : 0, again.kind)
        add(8, first.word == again.word ? 1 : 0, cue == end ? 1 : 0)
        add(9, first.kind == again.kind ? 1 : 0, length)
        add(10, first.kind, again.kind)
        add(11, before, again.kind)
        add(12, beforeWord, again.word)
        add(13, last.kind, opening)
        add(14, last.kind, again.kind)
        add(15, closing, again.kind)
        add(16, before, first.kind)
        add(17, Hash.mix(before, first.kind), again.kind)
        add(18, copies.key)
        add(19, copies.key, atStart ? 1 : 0)
        add(20, copies.key, phrase)
        add(21, copies.lastIsCopied ? 1 : 0, length)
        add(22, copies.fraction, length)
        add(23, again.has(.question) ? 1 : 0, Hash.mix(first.has(.question) ? 1 : 0, atStart ? 1 : 0))
        add(24, first.has(.function) ? 1 : 0, Hash.mix(again.has(.function) ? 1 : 0, length))
        add(25, again.kind, second)
        add(26, again.has(.number) ? 1 : 0, last.has(.number) ? 1 : 0)
        add(27, Hash.mix(first.has(.number) ? 1 : 0, again.has(.number) ? 1 : 0), length)
        add(28, last.has(.comma) ? 1 : 0, cue < end && tokens[end - 1].has(.comma) ? 1 : 0)
        add(29, before, Hash.mix(again.kind, second))
        add(31, UInt32(min(remaining(after: end, tokens), 6)), length)
        add(32, phrase, remaining(after: end, tokens) == 1 ? 1 : 0)
        add(33, last.word, opening)
        add(34, first.word, phrase)
        add(35, again.word, phrase)
        add(36, atStart ? 1 : 0, phrase)
        add(37, precededByCue(cue, tokens), followedByCue(end, tokens))
        add(38, last.kind, tokens[min(end + max(taken, 1) - 1, tokens.count - 1)].kind)
        // The words that end the repair, if it is as long as what it replaces.
        let after = end + taken < tokens.count ? tokens[end + taken].kind : Self.edge
        add(39, last.kind == again.kind ? 1 : 0, after)
        add(40, shape(first, again), length)
        add(41, shape(last, again), atStart ? 1 : 0)
        let rival = Rival(candidate, tokens)
        add(42, rival.word, length)
        add(43, rival.kind, cue == end ? 1 : 0)
        add(44, rival.word, first.word == again.word ? 1 : 0)
        let capitals = capital(start - 1, tokens) << 2 | capital(start, tokens) << 1 | capital(end, tokens)
        add(45, capitals, atStart ? 1 : 0)
        add(46, capital(cue - 1, tokens) << 1 | capital(end, tokens), opening)
        add(47, capitals, length)
        add(48, inner(start..<cue, tokens), length)
        add(49, inner(start..<cue, tokens), Hash.mix(again.has(.function) ? 1 : 0, atStart ? 1 : 0))
        add(50, before, Hash.mix(last.kind, again.kind))
        add(51, UInt32(min(start, 6)), length)
        add(52, Hash.mix(first.kind, last.kind), again.kind)
        addTags(candidate, tokens, near, opening, phrase)
        addSentence(candidate, tokens, near)
        addClasses(candidate, tokens, near, phrase: phrase)
        addReturns(candidate, tokens)
        // Recognizers that write capitals omit most hesitations: those that remain mean more.
        let isOnlyHesitation = cue < end && tokens[cue..<end].allSatisfy({ $0.has(.hesitation) })
        let hesitation: UInt32 = isOnlyHesitation ? (tokens[0].has(.capitalized) ? 2 : 1) : 0
        add(160, hesitation, length)
        add(161, hesitation, Hash.mix(last.kind == again.kind ? 1 : 0, UInt32(end - cue)))
        add(162, hesitation, Hash.mix(last.tag, again.tag))
        let isSibling = first.series > 0 && first.series == again.series
        add(120, isSibling ? 1 : 0, length)
        add(121, isSibling ? 1 : 0, phrase)
        add(122, isSibling ? 1 : 0, Hash.mix(beforeWord, length))
        add(123, Hash.mix(first.has(.saidAlone) ? 1 : 0, again.has(.saidAlone) ? 1 : 0), phrase)
        addCommas(candidate, tokens, opening: opening)
        addAsking(candidate, tokens)
    }

    /// "Tell me", "I want to know what": a new question retracts the whole question before it, or all but its first words.
    private mutating func addAsking(_ candidate: CorrectionCandidate, _ tokens: [CorrectionToken]) {
        let (start, cue, end) = (candidate.start, candidate.editTerm.lowerBound, candidate.end)
        func cueWord(_ place: Int) -> UInt32 { place < cue ? Self.edge : spoken(place, tokens) }
        let (opening, closing) = (cueWord(min(cue, end - 1)), cueWord(end - 1))
        let ending = Hash.mix(cueWord(end - 2), closing)
        let again = tokens[end]
        let atStart: UInt32 = start == 0 ? 1 : 0
        let place = UInt32(min(start, 4))
        add(170, closing, atStart)
        add(171, opening, atStart)
        add(172, ending, atStart)
        add(173, ending, UInt32(min(cue - start, 8)))
        add(174, ending, again.kind)
        add(175, ending, Hash.mix(atStart, again.has(.question) ? 1 : 0))
        add(176, ending, Hash.mix(place, again.tag))
        add(177, closing, Hash.mix(place, again.kind))
    }

    /// The parts of speech around the places where the words would be joined or cut.
    private mutating func addTags(
        _ candidate: CorrectionCandidate, _ tokens: [CorrectionToken], _ near: CorrectionNeighbors,
        _ opening: UInt32, _ phrase: UInt32
    ) {
        let (start, cue, end) = (candidate.start, candidate.editTerm.lowerBound, candidate.end)
        let join = Hash.mix(near.before.tag, near.again.tag)
        let cut = Hash.mix(near.before.tag, near.first.tag)
        let length = UInt32(min(cue - start, 5))
        add(60, near.before.tag, Hash.mix(near.first.tag, near.again.tag))
        add(61, join, Hash.mix(near.before2.tag, near.next.tag))
        add(62, cut, Hash.mix(near.before2.tag, near.second.tag))
        add(63, join, Hash.mix(near.last.tag, length))
        add(64, cut, Hash.mix(near.last.tag, near.again.tag))
        add(65, Hash.mix(near.first.tag, near.last.tag), Hash.mix(near.again.tag, length))
        add(66, Hash.mix(near.first.tag, near.second.tag), Hash.mix(near.again.tag, near.next.tag))
        add(67, Hash.mix(near.last2.tag, near.last.tag), Hash.mix(near.again.tag, near.next.tag))
        add(68, cut, length)
        add(69, join, opening)
        // The retracted words and as many of the repair, one by one.
        var pattern: UInt32 = 0
        for offset in 0..<min(cue - start, 4) {
            let isAlike =
                end + offset < tokens.count && tokens[start + offset].tag == tokens[end + offset].tag
            pattern = pattern << 1 | (isAlike ? 1 : 0)
        }
        add(70, pattern, length)
        add(71, pattern, join)
        add(72, Hash.mix(near.again.tag, near.next.tag), Hash.mix(near.next2.tag, near.first.tag))
        add(74, phrase, Hash.mix(near.last.tag, near.again.tag))
        add(75, phrase, Hash.mix(near.again.tag, near.next.tag))
        add(76, phrase, Hash.mix(near.last2.tag, near.last.tag))
        add(77, Hash.mix(phrase, pattern), length)
        add(73, Hash.mix(near.before.tag, near.before2.tag), Hash.mix(near.first.tag, length))
    }

    /// One hesitation is like another.
    private func spoken(_ place: Int, _ tokens: [CorrectionToken]) -> UInt32 {
        tokens[place].has(.hesitation) ? 3 : tokens[place].word
    }

    /// The words of the edit term.
    func phrase(of candidate: CorrectionCandidate, _ tokens: [CorrectionToken]) -> UInt32 {
        (candidate.editTerm.lowerBound..<candidate.editTerm.upperBound).reduce(17) {
            Hash.mix($0, spoken($1, tokens))
        }
    }

    private func capital(_ place: Int, _ tokens: [CorrectionToken]) -> UInt32 {
        guard place > 0, tokens[place].has(.capitalized) else { return 0 }
        // The first word of a sentence has its capital from the sentence.
        return tokens[..<place].allSatisfy(\.key.isEmpty) ? 0 : 1
    }

    /// The kinds of words that are retracted: a question word, a preposition, an auxiliary, an article.
    private func inner(_ range: Range<Int>, _ tokens: [CorrectionToken]) -> UInt32 {
        var mask: UInt32 = 0
        for place in range.dropFirst() {
            let token = tokens[place]
            if token.has(.question) { mask |= 1 }
            if token.has(.preposition) { mask |= 2 }
            if token.has(.function) { mask |= 4 }
            if token.has(.number) { mask |= 8 }
        }
        return mask
    }

    private func remaining(after end: Int, _ tokens: [CorrectionToken]) -> Int { min(tokens.count - end, 8) }

    func shape(_ first: CorrectionToken, _ second: CorrectionToken) -> UInt32 {
        var shape: UInt32 = first.has(.function) == second.has(.function) ? 1 : 0
        if first.edges & 0xFFFF == second.edges & 0xFFFF { shape |= 2 }
        if first.edges >> 16 == second.edges >> 16 { shape |= 4 }
        return shape
    }

    private func precededByCue(_ cue: Int, _ tokens: [CorrectionToken]) -> UInt32 {
        tokens[cue - 1].has(.hesitation) ? 3 : (tokens[cue - 1].has(.function) ? tokens[cue - 1].word : 0)
    }

    private func followedByCue(_ end: Int, _ tokens: [CorrectionToken]) -> UInt32 {
        tokens[end].has(.hesitation) ? 3 : (tokens[end].has(.function) ? tokens[end].word : 0)
    }
}

/// Whether the word that comes again was already said after `start`, so that a shorter candidate would begin
/// there.
private struct Rival {
    var word: UInt32 = 0
    var kind: UInt32 = 0

    init(_ candidate: CorrectionCandidate, _ tokens: [CorrectionToken]) {
        let again = tokens[candidate.end]
        for place in candidate.start..<candidate.editTerm.lowerBound {
            let isFirst = place == candidate.start
            if tokens[place].word == again.word { word |= isFirst ? 1 : 2 }
            if tokens[place].kind == again.kind { kind |= isFirst ? 1 : 2 }
        }
    }
}

/// How much of the retracted words is said again.
private struct Copies {
    var fraction: UInt32 = 0
    var lastIsCopied = false
    var key: UInt32 = 0

    init(_ reparandum: Range<Int>, _ end: Int, _ tokens: [CorrectionToken]) {
        let reach = min(tokens.count, end + reparandum.count + 4)
        var count: UInt32 = 0
        var next = end
        for place in reparandum {
            if let found = (next..<max(next, reach)).first(where: {
                tokens[$0].word == tokens[place].word && !tokens[place].has(.hesitation)
            }) {
                count += 1
                next = found + 1
                if place == reparandum.upperBound - 1 { lastIsCopied = true }
            }
        }
        fraction = UInt32(reparandum.isEmpty ? 0 : count * 4 / UInt32(reparandum.count))
        let leading = end < tokens.count && tokens[reparandum.lowerBound].word == tokens[end].word
        key = min(count, 4) << 8 | fraction << 4 | (lastIsCopied ? 2 : 0) | (leading ? 1 : 0)
    }
}
