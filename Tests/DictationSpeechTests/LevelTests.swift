import DictationSpeech
import Foundation
import Testing

@Suite("A speaker who is louder or quieter than expected", .serialized, .timeLimit(.minutes(5)))
struct LevelTests {
    private func scaled(_ recording: Recording, by factor: Double) throws -> [Int16] {
        try AudioFile.samples(of: recording.url).map { Int16(max(-32768, min(32767, Double($0) * factor))) }
    }

    @Test("is understood at once, also after another one into the same microphone", arguments: [0.02, 4])
    func otherLevel(factor: Double) async throws {
        let recognizer = PocketSphinxRecognizer()
        _ = try await recognizer.hear(try scaled(.demo, by: 1 / factor.squareRoot()))
        let text = try await recognizer.hear(try scaled(.demo, by: factor.squareRoot()))
            .map(\.text).joined(separator: " ")
        #expect(wordErrorRate(text, reference: try Recording.demo.reference()) <= 0.2, "heard: \(text)")
    }

    @Test("leaves no word out, and gives no word twice, when it is heard again")
    func wordsOnce() async throws {
        let recognizer = PocketSphinxRecognizer()
        let finals = try await recognizer.hear(try scaled(.demo, by: 0.05))
        let times = finals.flatMap(\.words).map(\.range)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound + 0.05 })
        let text = finals.map(\.text).joined(separator: " ")
        #expect(wordErrorRate(text, reference: try Recording.demo.reference()) <= 0.2, "heard: \(text)")
    }
}
