import SelfCorrection

/// The features of a sentence that suggest a question mark.
struct MarkFeatures<Sink: FeatureSink> {
    private(set) var sink: Sink

    init(_ sink: Sink) { self.sink = sink }

    private mutating func add(_ template: UInt32, _ first: UInt32 = 0, _ second: UInt32 = 0) {
        sink.add(
            Int(Hash.mixed(first &* 0x9E37_79B1 &+ second &* 0x85EB_CA77 &+ template &* 0xC2B2_AE3D)))
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
