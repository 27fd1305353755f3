import Foundation
import Testing

@testable import DictationSpeech

/// A speaker who talks on, with no pause of half a second for the library to end a segment in.
@Suite("Speech without a long pause in PocketSphinx", .timeLimit(.minutes(5)))
struct LongSegmentTests {
    /// Several recordings, one after another, with pauses shortened to 0.2 s.
    private func speech() throws -> (samples: [Int16], reference: String) {
        let recordings: [Recording] = [.demo, .calligraphy, .casting, .demo]
        let window = SpeechAudio.sampleRate / 50
        var samples: [Int16] = []
        var quiet = 0
        for recording in recordings {
            let all = try AudioFile.samples(of: recording.url)
            for start in stride(from: 0, to: all.count - window, by: window) {
                let piece = all[start..<start + window]
                quiet = AudioLevel(Array(piece)).rms < -42 ? quiet + 1 : 0
                if quiet <= 10 { samples += piece }
            }
        }
        return (samples, try recordings.map { try $0.reference() }.joined(separator: " "))
    }

    @Test("it becomes final while one speaks on, between words, so that little is left to do at the end")
    func endsBetweenWords() async throws {
        let (samples, reference) = try speech()
        let seconds = Double(samples.count) / Double(SpeechAudio.sampleRate)
        try #require(seconds > 20)
        let recognizer = PocketSphinxRecognizer()
        try await recognizer.begin(UtteranceContext(source: "test"))
        var results: [Recognition] = []
        for start in stride(from: 0, to: samples.count, by: 1_600) {
            let piece = Array(samples[start..<min(start + 1_600, samples.count)])
            results += try await recognizer.accept(AudioChunk(samples: piece, position: start))
        }
        let before = results.count
        results += try await recognizer.finish()
        #expect(before >= 1, "all of it was left until the end")
        #expect(
            zip(results, results.dropFirst()).allSatisfy { $0.range.upperBound <= $1.range.lowerBound + 0.05 }
        )
        let last = try #require(results.last)
        #expect(last.range.upperBound <= seconds + 0.1)
        #expect(results.allSatisfy { $0.range.upperBound - $0.range.lowerBound < 20 })
        let text = results.map(\.text).joined(separator: " ")
        #expect(wordErrorRate(text, reference: reference) < 0.35, "\(text)")
    }
}
