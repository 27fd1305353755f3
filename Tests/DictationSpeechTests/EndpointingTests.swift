import Foundation
import Testing

@testable import DictationSpeech

@Suite("Telling speech from background")
struct SpeechDetectorTests {
    /// White noise of this level in dBFS.
    private func noise(_ decibels: Double, seconds: Double) -> [Int16] {
        var generator = SystemRandomNumberGenerator()
        // The root mean square of an even distribution is its limit over the root of three.
        let limit = min(32767, 32768 * pow(10, decibels / 20) * 3.0.squareRoot())
        return (0..<Int(seconds * 16_000)).map { _ in
            Int16(Double.random(in: -limit...limit, using: &generator).rounded())
        }
    }

    @Test(
        "real speech is found within a tenth of a second, and its pauses and end as well",
        arguments: Recording.allCases)
    func realSpeech(recording: Recording) throws {
        let speech = try AudioFile.samples(of: recording.url)
        var detector = SpeechDetector(sensitivity: .high)
        detector.add(noise(-70, seconds: 1))
        #expect(!detector.hasHeardSpeech)
        var loud = SpeechLevel()
        loud.add(speech)
        detector.add(speech)
        #expect(detector.hasHeardSpeech)
        detector.add(noise(-70, seconds: 0.5))
        #expect(!detector.isSpeech)
        #expect(detector.silence >= .milliseconds(480))
    }

    @Test(
        "steady noise is no speech, however loud", arguments: [-70.0, -50, -35, -20],
        SpeechSensitivity.allCases)
    func steadyNoise(decibels: Double, sensitivity: SpeechSensitivity) {
        var detector = SpeechDetector(sensitivity: sensitivity)
        detector.add(noise(decibels, seconds: 5))
        #expect(!detector.hasHeardSpeech)
        #expect(detector.silence > .seconds(4.9))
    }

    @Test("a click is no speech; a syllable is, in a quiet and in a noisy room", arguments: [-75.0, -45])
    func shortSounds(room: Double) {
        var detector = SpeechDetector()
        detector.add(noise(room, seconds: 1))
        detector.add(noise(-15, seconds: 0.03))
        detector.add(noise(room, seconds: 1))
        #expect(!detector.hasHeardSpeech)
        detector.add(noise(-25, seconds: 0.15))
        #expect(detector.isSpeech)
        detector.add(noise(room, seconds: 0.2))
        #expect(detector.isSpeech, "a gap inside a word")
        detector.add(noise(room, seconds: 0.2))
        #expect(!detector.isSpeech)
    }

    @Test("pieces of any length give the same as the whole", arguments: [1, 319, 320, 321, 5000])
    func pieces(length: Int) {
        let sound = noise(-70, seconds: 0.5) + noise(-25, seconds: 0.5) + noise(-70, seconds: 0.2)
        var (whole, parts) = (SpeechDetector(), SpeechDetector())
        whole.add(sound)
        for start in stride(from: 0, to: sound.count, by: length) {
            parts.add(Array(sound[start..<min(sound.count, start + length)]))
        }
        #expect(whole == parts)
    }

    @Test("digital silence is silence")
    func digitalSilence() {
        var detector = SpeechDetector(sensitivity: .high)
        detector.add(Array(repeating: 0, count: 32_000))
        #expect(!detector.hasHeardSpeech)
        #expect(detector.silence == .seconds(2))
    }
}

@Suite("When a recording ends")
struct EndpointingTests {
    /// When speech was heard, and silence since then.
    private func activity(silentFor silence: Duration, afterSpeech: Bool = true) -> VoiceActivity {
        var detector = SpeechDetector()
        detector.add(Array(repeating: 0, count: 16_000))
        if afterSpeech { detector.add((0..<16_000).map { Int16(9000 * sin(Double($0) / 5)) }) }
        detector.add(Array(repeating: 0, count: SpeechAudio.samples(in: silence)))
        return detector.activity
    }

    @Test(
        "the tail is the shorter, the longer the speaker has been silent",
        arguments: [(0, 300), (100, 200), (300, 0), (2000, 0)])
    func tail(silence: Int, milliseconds: Int) {
        let tail = Endpointing().tail(after: activity(silentFor: .milliseconds(silence)))
        #expect(tail == .milliseconds(milliseconds))
    }

    @Test(
        "a silence ends the recording only if that is set, and only after speech",
        arguments: [
            (nil, 9.0, true, false), (2.0, 1.9, true, false), (2.0, 2.1, true, true),
            (2.0, 9.0, false, false),
        ] as [(Double?, Double, Bool, Bool)])
    func autoStop(limit: Double?, silence: Double, afterSpeech: Bool, isOver: Bool) {
        let endpointing = Endpointing(silence: limit.map { .seconds($0) })
        let activity = activity(silentFor: .seconds(silence), afterSpeech: afterSpeech)
        #expect(endpointing.isOver(activity) == isOver)
    }

    @Test(
        "a long segment is cut in a gap, and without one at half as long again",
        arguments: [(9, 500, false), (10, 500, true), (10, 100, false), (14, 100, false), (15, 100, true)])
    func cutting(seconds: Int, silence: Int, isCut: Bool) {
        let endpointing = Endpointing(longestSegment: .seconds(10))
        let activity = activity(silentFor: .milliseconds(silence))
        #expect(endpointing.isToBeCut(segment: .seconds(seconds), activity) == isCut)
        #expect(!Endpointing(longestSegment: nil).isToBeCut(segment: .seconds(seconds), activity))
    }
}
