import Testing

@testable import DictationSpeech

@Suite("Speech before and after a short pause")
struct SegmentSeamTests {
    private static let second = SpeechAudio.sampleRate
    private static let before = SegmentCutter.Piece(start: 0, samples: .init(repeating: 1, count: 3 * second))

    private static let cut = SegmentCutter.Piece(
        start: 0, samples: .init(repeating: 1, count: 3 * second), isCutInSpeech: true)

    private static func behind(_ gap: Double, seconds: Double = 2) -> SegmentCutter.Piece {
        .init(
            start: before.end + Int(gap * Double(second)),
            samples: .init(repeating: 2, count: Int(seconds * Double(second))))
    }

    private func recognition(_ text: String) -> Recognition {
        let words = text.split(separator: " ").map {
            RecognizedWord(text: String($0), range: 0..<1, confidence: 1)
        }
        return Recognition(text: text, words: words, range: 0..<1)
    }

    @Test(
        "goes together as it was heard across the pause, and no word is another one",
        arguments: [
            (
                "It was printed in Mainz.", "By a goldsmith.", "in Mainz by a", "It was printed in Mainz",
                "by a goldsmith."
            ),
            (
                "All the crafts.", "In being modern.", "the crafts, in being", "All the crafts,",
                "in being modern."
            ),
            ("When you hear it,", "Come quickly.", "you hear it, come", "When you hear it,", "come quickly."),
            ("He met.", "John at noon.", "He met John at", "He met", "John at noon."),
            ("Is it?", "I wonder.", "is it I wonder", "Is it", "I wonder."),
        ])
    func mended(left: String, right: String, heard: String, first: String, second: String) throws {
        var seam = try #require(SegmentSeam(recognition(left), of: Self.before))
        var behind = recognition(right)
        seam.hear(heard)
        seam.mend(&behind, of: Self.behind(0.1))
        #expect(seam.left.text == first && behind.text == second)
        #expect(seam.left.words.map(\.text).joined(separator: " ") == first)
        #expect(behind.words.map(\.text).joined(separator: " ") == second)
    }

    @Test(
        "stays as it is if a sentence ends, or other words, or the same ones twice, were heard across",
        arguments: ["it is. No more", "it was no more", "it is no, it is no", "is", "", "? !"])
    func kept(heard: String) throws {
        var seam = try #require(SegmentSeam(recognition("Here it is."), of: Self.before))
        var behind = recognition("No more.")
        seam.hear(heard)
        seam.mend(&behind, of: Self.behind(0.1))
        #expect(seam.left.text == "Here it is." && behind.text == "No more.")
    }

    @Test(
        "if speech was cut, a period and a capital are there only if they were heard across the cut",
        arguments: [
            ("with movable time.", "Types, the", "movable time types the", "with movable time", "types, the"),
            ("with movable", "Types, the", "with movable types", "with movable", "types, the"),
            (
                "has been surpassed", "printing, then", "been surpassed. Printing then",
                "has been surpassed.", "Printing, then"
            ),
            (
                "has been surpassed.", "Printing, then", "been surpassed. Printing then",
                "has been surpassed.", "Printing, then"
            ),
            (
                "engraved in relief.", "For centuries", "engraved in real if", "engraved in relief",
                "for centuries"
            ),
            ("and yet.", "I think", nil, "and yet", "I think"),
            ("and yet.", "I'm here", nil, "and yet", "I'm here"),
            ("at least.", "NASA said", nil, "at least", "NASA said"),
            ("at least,", "It was", nil, "at least,", "it was"),
            ("he met.", "John at", "he met John", "he met", "John at"),
        ] as [(String, String, String?, String, String)])
    func cutInSpeech(left: String, right: String, heard: String?, first: String, second: String) throws {
        var seam = try #require(SegmentSeam(recognition(left), of: Self.cut))
        var behind = recognition(right)
        if let heard { seam.hear(heard) }
        #expect(seam.text(with: right, of: Self.behind(0)) == "\(first) \(second)")
        seam.mend(&behind, of: Self.behind(0))
        #expect(seam.left.text == first && behind.text == second)
        #expect(behind.words.map(\.text).joined(separator: " ") == second)
    }

    @Test("holds the last word alone, if the others are wanted at once")
    func certain() throws {
        let words = [("It", 1.0), ("was", 1.5), ("late.", 2.0)].map { word, start in
            RecognizedWord(text: word, range: start..<start + 0.4, confidence: 1)
        }
        var seam = try #require(
            SegmentSeam(Recognition(text: "It was late.", words: words, range: 1..<2.5), of: Self.before))
        let taken = seam.takeCertain()
        #expect(taken == Recognition(text: "It was", words: Array(words[..<2]), range: 1..<2))
        #expect(seam.left == Recognition(text: "late.", words: Array(words[2...]), range: 2..<2.5))
        let more = seam.takeCertain()
        #expect(more == nil)
        var behind = recognition("When we came.")
        seam.hear("late when we")
        seam.mend(&behind, of: Self.behind(0.1))
        #expect(seam.left.text == "late" && behind.text == "when we came.")
    }

    @Test("shares the time by the letters, if the words have no times")
    func shared() throws {
        var seam = try #require(
            SegmentSeam(Recognition(text: "It was late.", range: 1..<2.1), of: Self.before))
        let taken = seam.takeCertain()
        let certain = try #require(taken)
        #expect(certain.text == "It was" && certain.words.isEmpty)
        #expect(
            abs(certain.range.upperBound - 1.6) < 0.001
                && seam.left.range.lowerBound == certain.range.upperBound)
        #expect(seam.left.range.upperBound == 2.1)
    }

    @Test("needs no change without a mark, or if nothing was recognized")
    func without() {
        #expect(SegmentSeam(recognition("hello there"), of: Self.before) == nil)
        #expect(SegmentSeam(recognition(""), of: Self.before) == nil)
    }

    @Test("is heard once, as soon as there is enough of what follows, and not after a long pause")
    func sound() throws {
        var seam = try #require(SegmentSeam(recognition("Here."), of: Self.before))
        #expect(seam.sound(into: Self.behind(0, seconds: 1), isEnded: false) == nil)
        let sound = try #require(seam.sound(into: Self.behind(0.1), isEnded: false))
        #expect(sound.start == Self.second && sound.samples.count == Self.second * 32 / 10)
        let short = try #require(seam.sound(into: Self.behind(0.1, seconds: 0.4), isEnded: true))
        #expect(short.samples.count == Self.second * 24 / 10)
        #expect(seam.sound(into: Self.behind(0.3), isEnded: true) == nil)
        seam.hear("here and there")
        #expect(seam.sound(into: Self.behind(0.1), isEnded: true) == nil)
        var late = recognition("And there.")
        seam.mend(&late, of: Self.behind(0.3))
        #expect(late.text == "And there." && seam.left.text == "Here.")
    }
}
