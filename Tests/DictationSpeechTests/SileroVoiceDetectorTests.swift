import Foundation
import TestSupport
import Testing

@testable import DictationSpeech

@Suite("The model that knows voices", .serialized, .timeLimit(.minutes(5)))
struct SileroVoiceDetectorTests {
    private func detector(_ sensitivity: SpeechSensitivity = .medium) throws -> SileroVoiceDetector {
        try SileroVoiceDetector(
            SherpaLibrary(Engines.folder.sherpaLibrary), model: Engines.folder.voiceActivityModel,
            sensitivity: sensitivity)
    }

    private func mixed(_ speech: [Int16], _ noise: [Int16], loudness: Double) -> [Int16] {
        zip(speech, noise).map { Int16(clamping: Int(Double($0) + loudness * Double($1))) }
    }

    @Test("no noise is a voice, however loud", arguments: Noise.allCases, SpeechSensitivity.allCases)
    func noise(noise: Noise, sensitivity: SpeechSensitivity) throws {
        let detector = try detector(sensitivity)
        detector.add(noise.samples())
        #expect(!detector.activity.hasHeardSpeech && !detector.activity.isSpeech)
        #expect(detector.activity.silence > .seconds(2.9))
        detector.flush()
        #expect(detector.takeSegments().isEmpty)
    }

    @Test(
        "a voice is noticed within the second that is held back, quiet or with noise",
        arguments: Recording.allCases, [1, 0.05])
    func speech(recording: Recording, loudness: Double) throws {
        let samples = try AudioFile.samples(of: recording.url).map { Int16(Double($0) * loudness) }
        let hiss = Noise.hiss.samples(seconds: Double(samples.count) / 16_000)
        for sound in [samples, mixed(samples, hiss, loudness: 0.02 * loudness)] {
            let detector = try detector()
            // From the first loud sample on.
            let limit = 0.1 * Double(samples.map { abs(Int($0)) }.max() ?? 0)
            let onset = try #require(samples.firstIndex { abs(Double($0)) > limit })
            detector.add(Array(sound[..<(onset + 12_000)]))
            #expect(detector.activity.hasHeardSpeech)
            detector.add(Array(sound[(onset + 12_000)...]) + ToneModel.silence(1))
            #expect(!detector.activity.isSpeech && detector.activity.silence > .seconds(0.9))
        }
    }

    @Test(
        "while somebody speaks there is no long silence, though nothing stands out: in noise, and with a quiet microphone",
        arguments: Recording.allCases, [0.1, 0.2, 0])
    func unclear(recording: Recording, noise: Double) throws {
        let speech = try AudioFile.samples(of: recording.url)
        let hiss = Noise.hiss.samples(seconds: Double(speech.count) / 16_000)
        let sound = noise > 0 ? mixed(speech, hiss, loudness: noise) : speech.map { $0 / 60 }
        let detector = try detector()
        var longest = Duration.zero
        for start in stride(from: 0, to: sound.count, by: 320) {
            let piece = Array(sound[start..<min(start + 320, sound.count)])
            detector.add(piece)
            if detector.activity.isSpeech { longest = max(longest, detector.activity.silence) }
        }
        #expect(detector.activity.hasHeardSpeech)
        // How much earlier than the model the loudness shows a pause.
        #expect(longest <= .milliseconds(250))
    }

    @Test(
        "after the last sound of a voice that never stands out, as much is recorded as after a loud one",
        arguments: Recording.allCases)
    func softEnd(recording: Recording) throws {
        let detector = try detector()
        var tails: Set<Duration> = []
        let samples = try AudioFile.samples(of: recording.url).map { $0 / 300 }
        for start in stride(from: 0, to: samples.count, by: 512) {
            detector.add(Array(samples[start..<min(start + 512, samples.count)]))
            if detector.activity.isSpeech { tails.insert(Endpointing().tail(after: detector.activity)) }
        }
        #expect(detector.activity.hasHeardSpeech && !detector.activity.isAudible)
        #expect(tails == [Endpointing().tail])
    }
}
