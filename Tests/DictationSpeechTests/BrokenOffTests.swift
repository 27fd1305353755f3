import Foundation
import Testing

@testable import DictationSpeech

/// A key that is let go too soon, or a microphone that is lost, ends the sound in the middle of a word.
@Suite("Speech that breaks off in PocketSphinx", .timeLimit(.minutes(5)))
struct BrokenOffTests {
    @Test(
        "the words before it are there, also if the last pass finds no way to the end",
        arguments: [25_440, 25_920, 27_360, 45_600, 72_960])
    func keepsWords(samples: Int) async throws {
        let whole = try AudioFile.samples(of: Recording.demo.url)
        let recognizer = PocketSphinxRecognizer()
        try await recognizer.begin(UtteranceContext(source: "test"))
        var results: [Recognition] = []
        for start in stride(from: 0, to: samples, by: 1_600) {
            let chunk = AudioChunk(
                samples: Array(whole[start..<min(start + 1_600, samples)]), position: start)
            results += try await recognizer.accept(chunk)
        }
        results += try await recognizer.finish()
        let said = results.map(\.text).joined(separator: " ")
        #expect(said.contains("produced the"), "\(said)")
        #expect(
            results.allSatisfy { !$0.words.isEmpty && $0.range.upperBound <= Double(samples) / 16_000 + 0.1 })
    }
}
