import Foundation
import Testing

@testable import DictationSpeech

@Suite("When speech begins in a short sound")
struct SpeechOnsetTests {
    /// A tone in place of a voice, in quiet noise.
    private func sound(from onset: Int, milliseconds: Int, amplitude: Int = 8_000) -> [Int16] {
        (0..<milliseconds * 16).map { position in
            let isSpeech = position >= onset * 16
            return Int16((isSpeech ? amplitude : 20) * (position % 40 < 20 ? 1 : -1))
        }
    }

    @Test("it is where the sound gets about as loud as it ever gets", arguments: [0, 50, 120, 300])
    func onset(milliseconds: Int) throws {
        let found = try #require(SpeechOnset.find(in: sound(from: milliseconds, milliseconds: 400)))
        #expect(abs(found / .milliseconds(1) - Double(milliseconds)) <= 30)
    }

    @Test("a quiet room has none, and neither has empty sound")
    func none() {
        #expect(SpeechOnset.find(in: sound(from: 500, milliseconds: 400)) == nil)
        #expect(SpeechOnset.find(in: []) == nil)
        #expect(SpeechOnset.find(in: sound(from: 0, milliseconds: 20)) == nil)
    }

    @Test("of people who were speaking already it is the beginning, in most places of a recording")
    func background() throws {
        let samples = try AudioFile.samples(of: Recording.calligraphy.url)
        let onsets = stride(from: 8_000, to: samples.count - 6_400, by: 4_800).map {
            SpeechOnset.find(in: samples[$0..<$0 + 5_600])
        }
        let early = onsets.count { $0.map { $0 < .milliseconds(60) } ?? true }
        #expect(Double(early) >= 0.7 * Double(onsets.count), "\(early) of \(onsets.count)")
    }
}
