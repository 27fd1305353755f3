import Foundation
import Testing

@testable import DictationSpeech

@Suite("Cutting a recording at its pauses")
struct SegmentCutterTests {
    private static let second = SpeechAudio.sampleRate

    @Test("each segment of speech is a piece, with some sound around it, and no sound is in two pieces")
    func pieces() {
        var cutter = SegmentCutter()
        let sound = (0..<10 * Self.second).map { Float($0) }
        let speech = [Self.second..<2 * Self.second, 2 * Self.second + 100..<4 * Self.second]
        var pieces = cutter.add(Array(sound[..<(5 * Self.second)]), speech: [speech[0]], isSpeaking: true)
        pieces += cutter.add(Array(sound[(5 * Self.second)...]), speech: [], isSpeaking: true)
        pieces += cutter.finish(speech: [speech[1]])
        #expect(pieces.map(\.start) == [Self.second * 7 / 10, Self.second * 22 / 10])
        #expect(pieces.allSatisfy { $0.samples.first == Float($0.start) })
        #expect(pieces.map { $0.start + $0.samples.count } == [Self.second * 22 / 10, Self.second * 42 / 10])
    }

    @Test("silence is let go of, and speech that is found late still has its beginning")
    func silence() {
        var cutter = SegmentCutter()
        let silence = [Float](repeating: 0, count: 60 * Self.second)
        #expect(cutter.add(silence, speech: [], isSpeaking: false).isEmpty)
        let piece = cutter.finish(speech: [60 * Self.second - 1_000..<60 * Self.second]).first
        #expect(piece?.start == 60 * Self.second - 1_000 - Self.second * 3 / 10)
    }

    @Test("speech without a pause is cut before a model has too much to hear, and nothing is lost")
    func long() {
        var cutter = SegmentCutter()
        var heard = 0
        for _ in 0..<90 {
            let sound = [Float](repeating: 1, count: Self.second)
            for piece in cutter.add(sound, speech: [], isSpeaking: true) {
                #expect(piece.start == heard && piece.samples.count <= SegmentCutter.longest)
                heard += piece.samples.count
            }
        }
        for piece in cutter.finish(speech: [0..<90 * Self.second]) { heard += piece.samples.count }
        #expect(heard == 90 * Self.second)
    }

    @Test(
        "speech without a pause is cut between two words, where it is quietest, and is known to continue there",
        arguments: [8.5, 12, 16.8])
    func betweenWords(gap: Double) throws {
        var sound = (0..<18 * Self.second).map { Float($0 % 7) / 10 }
        let quiet = Int(gap * Double(Self.second))..<Int((gap + 0.1) * Double(Self.second))
        for position in quiet { sound[position] /= 10 }
        // Quieter still, but too early: the piece would be short.
        for position in Self.second..<2 * Self.second { sound[position] = 0 }
        var cutter = SegmentCutter()
        let pieces = cutter.add(sound, speech: [], isSpeaking: true)
        try #require(pieces.count == 1)
        #expect(quiet.contains(pieces[0].end) && pieces[0].isCutInSpeech)
        let rest = cutter.finish(speech: [0..<sound.count])
        #expect(rest.map(\.start) == [pieces[0].end] && rest.map(\.isCutInSpeech) == [false])
        #expect(pieces[0].samples + (rest.first?.samples ?? []) == sound)
    }

    @Test(
        "speech that the voice activity detector ended in a dip is cut in it, and not in the word behind it")
    func dip() {
        let length = SegmentCutter.longestSpeech
        var cutter = SegmentCutter()
        var pieces: [SegmentCutter.Piece] = []
        let sound = [Float](repeating: 0.5, count: length)
        for start in stride(from: 0, to: length, by: Self.second) {
            pieces += cutter.add(Array(sound[start..<start + Self.second]), speech: [], isSpeaking: true)
        }
        let behind = [Float](repeating: 0, count: Self.second / 10) + sound.prefix(Self.second)
        pieces += cutter.add(behind, speech: [0..<length], isSpeaking: true)
        #expect((length...length + Self.second / 10).contains(pieces.last?.end ?? 0))
    }
}

@Suite("Words of a model's pieces")
struct SherpaWordsTests {
    private func words(_ pieces: [String], _ text: String) -> [String] {
        let tokens = pieces.enumerated().map {
            SherpaWords.Token(text: $1, start: Double($0) / 10, logProbability: -0.1)
        }
        return SherpaWords.words(of: tokens, text: text, offset: 1).map(\.text)
    }

    @Test("a space before a piece begins a word; a character of Chinese is one")
    func pieces() {
        #expect(words([" he", "llo", " w", "orld", "."], "hello world.") == ["hello", "world."])
        #expect(words(["▁he", "llo", "▁", "you"], "hello you") == ["hello", "you"])
        #expect(words(["你", "好", " ok"], "你好 ok") == ["你", "好", "ok"])
        #expect(words(["he", "llo"], "Hello!").isEmpty, "the model has rewritten it")
        #expect(words([], "").isEmpty)
    }

    @Test(
        "a word ends where the next begins, or soon after its last piece; it is as sure as its weakest piece")
    func times() {
        let tokens = [
            SherpaWords.Token(text: " a", start: 0.1, logProbability: -0.5),
            .init(text: "b", start: 0.2, logProbability: -2), .init(text: " c", start: 0.3, duration: 0.08),
        ]
        let words = SherpaWords.words(of: tokens, text: "ab c", offset: 2)
        #expect(words.map { [$0.range.lowerBound, $0.range.upperBound] } == [[2.1, 2.3], [2.3, 2.38]])
        #expect(words.map(\.confidence) == [exp(-2), 1])
    }
}

@Suite("Words of a segment that has not ended")
struct UnfinishedLooksTests {
    /// The lengths, in seconds, at which a model that takes `cost` seconds for one of sound decodes in 20 s of speech.
    private func looks(cost: Double, _ limits: UnfinishedLooks.Limits = .shown) -> [Double] {
        var looks = UnfinishedLooks()
        looks.took(.seconds(cost), for: SpeechAudio.sampleRate)
        looks = looks.with(limits)
        return stride(from: 0, to: 20 * SpeechAudio.sampleRate, by: 320).compactMap { length in
            guard looks.isDue(at: length) else { return nil }
            let seconds = Double(length) / Double(SpeechAudio.sampleRate)
            looks.took(.seconds(cost * seconds), for: length)
            return seconds
        }
    }

    @Test(
        "come twice a second from a fast model, seldom from a slower one, never from a slow one",
        arguments: [(0.005, 0.5, 1.0, 20.0), (0.03, 0.5, 3.0, 10.0), (0.2, 0.5, 1.0, 1.5)])
    func pace(cost: Double, first: Double, longestGap: Double, last: Double) throws {
        let looks = looks(cost: cost)
        #expect(looks.first == first)
        #expect(zip(looks, looks.dropFirst()).allSatisfy { $1 - $0 >= 0.5 && $1 - $0 <= longestGap + 0.02 })
        #expect(try #require(looks.last) <= last)
        // The limits of the time, and of the wait after a release.
        #expect(looks.reduce(0) { $0 + $1 * cost } <= 2)
        #expect(looks.allSatisfy { $0 * cost <= 0.301 })
    }

    @Test(
        "of words that are typed come more often, in longer segments, for half of the time at most",
        arguments: [(0.005, 1.0, 0.32, 20.0), (0.03, 1.0, 1.2, 20.0), (0.2, 1.0, 1.2, 3.0)])
    func typed(cost: Double, first: Double, longestGap: Double, last: Double) throws {
        let looks = looks(cost: cost, .typed)
        #expect(looks.first == first)
        #expect(zip(looks, looks.dropFirst()).allSatisfy { $1 - $0 >= 0.299 && $1 - $0 <= longestGap + 0.02 })
        #expect(try #require(looks.last) <= last)
        #expect(looks.reduce(0) { $0 + $1 * cost } <= 10)
        #expect(looks.allSatisfy { $0 * cost <= 0.601 })
    }

    @Test("are skipped if that takes noticeably long, or nothing is known yet")
    func slow() {
        #expect(looks(cost: 1).isEmpty)
        #expect(!UnfinishedLooks().isDue(at: 20 * SpeechAudio.sampleRate))
    }
}

@Suite("The metadata of a model file")
struct ONNXFactsTests {
    @Test("properties and shapes are read without loading it")
    func facts() throws {
        let facts = try ONNXFacts(of: ToneModel.streaming.folder.appending(path: "model.onnx"))
        #expect(facts.metadata["model_type"] == "zipformer2" && facts.metadata["T"] == "16")
        #expect(facts.outputs.first == [nil, 4, 31])
        #expect(facts.outputs.count == 9)
    }

    @Test(
        "a file that is cut anywhere, or of another kind, is refused or gives less, and never more than a file"
    )
    func broken() throws {
        let folder = try Folder()
        let whole = try Data(contentsOf: ToneModel.nemo.folder.appending(path: "joiner.onnx"))
        let file = folder.url.appending(path: "cut.onnx")
        for length in stride(from: 0, to: whole.count, by: 7) {
            try whole.prefix(length).write(to: file)
            _ = try? ONNXFacts(of: file)
        }
        try Data("not a model at all".utf8).write(to: file)
        #expect(throws: (any Error).self) { try ONNXFacts(of: file) }
    }
}
