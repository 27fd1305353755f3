import SelfCorrection

/// The features of a place between two words, and of a sentence, that suggest a comma, a stop or a question
/// mark.
///
/// A place is seen with three words behind it, and with what has been said of its sentence. So once two words have followed the
/// word behind a mark, nothing that is said later changes it: ``TextCleaner/usualWait``.
struct MarkFeatures<Sink: FeatureSink> {
    private(set) var sink: Sink

    init(_ sink: Sink) { self.sink = sink }

    private mutating func add(_ template: UInt32, _ first: UInt32 = 0, _ second: UInt32 = 0) {
        sink.add(
            Int(Hash.mixed(first &* 0x9E37_79B1 &+ second &* 0x85EB_CA77 &+ template &* 0xC2B2_AE3D)))
    }

    /// - Parameters:
    ///   - place: the word that the mark would join; another one follows.
    ///   - clause: the words since the last mark.
    mutating func collect(behind place: Int, in tokens: [MarkToken], _ clause: MarkClause) {
        func token(_ offset: Int) -> MarkToken {
            let index = place + offset
            return index >= clause.sentence && index < tokens.count ? tokens[index] : .edge
        }
        let (last, next, then) = (token(0), token(1), token(2))
        let (before, earlier) = (token(-1), token(-2))
        let third = token(3)
        let pair = Hash.mix(last.part, next.part)
        add(1)
        add(2, last.word)
        add(3, next.word)
        add(4, before.word)
        add(5, then.word)
        add(6, last.word, next.word)
        add(7, before.word, last.word)
        add(8, next.word, then.word)
        add(9, last.word, then.word)
        add(10, before.word, next.word)
        add(11, Hash.mix(before.word, last.word), next.word)
        add(12, Hash.mix(last.word, next.word), then.word)
        add(13, pair)
        add(14, before.part, pair)
        add(15, pair, then.part)
        add(16, Hash.mix(before.part, then.part), pair)
        add(17, last.part, next.word)
        add(18, last.word, next.part)
        add(19, last.part, Hash.mix(next.word, then.word))
        add(20, last.part, Hash.mix(next.word, then.part))
        add(21, Hash.mix(earlier.part, before.part), pair)
        add(22, last.word, Hash.mix(next.part, then.part))
        add(23, then.part, third.part)
        add(24, Hash.mix(next.part, then.part), third.part)
        add(26, next.word, Hash.mix(then.part, third.part))
        add(27, Hash.mix(last.part, next.part), Hash.mix(then.part, third.part))
        add(28, Hash.mix(next.word, then.word), third.word)
        let length = Self.length(place + 1 - clause.sentence)
        let part = Self.length(place + 1 - clause.start)
        add(30, length)
        add(31, length, next.part)
        add(32, length, next.word)
        add(33, part, next.word)
        add(34, part, pair)
        let first = tokens[clause.sentence]
        add(35, first.word, next.word)
        add(36, first.word, length)
        let opening = tokens[clause.start]
        add(37, opening.word, next.part)
        add(38, opening.word, part)
        add(39, opening.word, Hash.mix(next.word, clause.seen))
        add(40, clause.seen, next.word)
        add(41, clause.seen, pair)
        add(42, Hash.mix(clause.seen, next.part), then.part)
    }

    /// A number of words: each of the first few, then wider steps.
    private static func length(_ words: Int) -> UInt32 {
        switch words {
        case ..<7: UInt32(words)
        case ..<10: 7
        case ..<14: 8
        case ..<20: 9
        case ..<30: 10
        default: 11
        }
    }

    /// How far from its beginning a question word or an inversion makes a difference.
    private static var reach: Int { 4 }

    /// - Parameter tokens: of one sentence.
    mutating func collect(sentence tokens: ArraySlice<MarkToken>) {
        func token(_ offset: Int) -> MarkToken {
            let index = tokens.startIndex + offset
            return index >= tokens.startIndex && index < tokens.endIndex ? tokens[index] : .edge
        }
        add(60)
        add(61, Self.length(tokens.count))
        add(62, token(0).word, Self.length(tokens.count))
        add(63, token(0).word)
        add(64, token(0).word, token(1).word)
        add(65, Hash.mix(token(0).word, token(1).word), token(2).word)
        add(66, token(0).part, Hash.mix(token(1).part, token(2).part))
        add(67, Hash.mix(token(0).part, token(1).part), Hash.mix(token(2).part, token(3).part))
        add(68, token(0).word, token(1).part)
        add(69, token(0).word, Hash.mix(token(1).part, token(2).part))
        add(70, token(1).word, token(2).word)
        let count = tokens.count
        add(72, token(count - 1).word)
        add(73, token(count - 2).word, token(count - 1).word)
        add(74, token(count - 1).part)
        let start = tokens.prefix { $0.kinds.contains(.opener) }.count
        add(75, token(start).word, token(start + 1).word)
        add(76, token(start).word, token(start + 1).part)
        for offset in 0..<count {
            let place = UInt32(min(offset, Self.reach))
            if token(offset).kinds.contains(.question) {
                add(80, token(offset).word, place)
                add(81, token(offset).word, token(offset + 1).word)
                add(82, token(offset).word, Hash.mix(token(offset + 1).part, place))
                add(83, token(offset - 1).word, token(offset).word)
                add(84, token(offset).word, offset == count - 1 ? 1 : 0)
            }
            if token(offset).kinds.contains(.auxiliary), token(offset + 1).kinds.contains(.subject) {
                add(85, token(offset).word, Hash.mix(token(offset + 1).word, place))
                add(86, token(offset - 1).part, Hash.mix(token(offset).word, token(offset + 1).word))
            }
        }
    }
}

/// The part of a sentence that has been said so far.
struct MarkClause {
    /// Where the sentence begins.
    private(set) var sentence = 0
    /// Where the part of it begins that follows its last comma.
    private(set) var start = 0
    /// The kinds of words since then: bits for a subject, an auxiliary, a conjunction and a question word.
    private(set) var seen: UInt32 = 0

    mutating func add(_ token: MarkToken) {
        if token.kinds.contains(.subject) { seen |= 1 }
        if token.kinds.contains(.auxiliary) { seen |= 2 }
        if token.kinds.contains(.conjunction) { seen |= 4 }
        if token.kinds.contains(.question) { seen |= 8 }
    }

    /// The next part begins there.
    mutating func end(at place: Int, isSentence: Bool) {
        (start, seen) = (place, 0)
        if isSentence { sentence = place }
    }
}
