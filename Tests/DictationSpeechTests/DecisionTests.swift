import DictationSystem
import Foundation
import TestSupport
import Testing

@testable import DictationSpeech

@Suite("Decisions without devices")
struct DecisionTests {
    @Test(
        "opening a device is tried again after what passes by itself, and only three times",
        arguments: [
            (1, EBUSY, 50), (2, EBUSY, 100), (3, EAGAIN, 200), (4, EBUSY, nil), (1, ECONNREFUSED, 50),
            (1, ENOENT, nil),
            (1, ENODEV, nil), (0, EBUSY, nil),
        ] as [(Int, Int32, Int?)])
    func retries(failures: Int, code: Int32, milliseconds: Int?) {
        let delay =
            RetryPolicy.isTransient(code) ? RetryPolicy.openingDevice.delay(afterFailures: failures) : nil
        #expect(delay == milliseconds.map { .milliseconds($0) })
    }

    @Test(
        "the level of speech leaves pauses out",
        arguments: [(0.1, 0.0, -23.0), (0.1, 4.0, -23.0), (1.0, 1.0, -3.0), (0.01, 9.0, -43.0)])
    func levelOfSpeech(amplitude: Double, pause: Double, expected: Double) throws {
        var level = SpeechLevel()
        #expect(level.decibels == nil)
        level.add(tone(amplitude: amplitude, seconds: 1))
        level.add(Array(repeating: 0, count: Int(pause * 16_000)))
        let measured = try #require(level.decibels)
        #expect(abs(measured - expected) < 0.3)
        #expect(abs(level.activeSeconds - 1) < 0.05)
    }

    @Test("pieces of any length give the same level as the whole", arguments: [1, 7, 319, 320, 321, 5000])
    func levelInPieces(length: Int) {
        let sound = tone(amplitude: 0.2, seconds: 1.5)
        var (whole, pieces) = (SpeechLevel(), SpeechLevel())
        whole.add(sound)
        for start in stride(from: 0, to: sound.count, by: length) {
            pieces.add(Array(sound[start..<min(sound.count, start + length)]))
        }
        #expect(whole.decibels == pieces.decibels)
    }

    @Test(
        "the gain brings speech to −26 dBFS, at most 30 dB up",
        arguments: [(-26.0, 0.0), (-46, 20), (-6, -20), (-80, 30), (nil, 0)] as [(Double?, Double)])
    func gain(level: Double?, decibels: Double) {
        #expect(abs(20 * log10(LevelNormalization.gain(forLevel: level)) - decibels) < 0.001)
    }

    @Test(
        "an expected level moves towards what was heard, the more the longer it was heard",
        arguments: [(nil, -30.0, 1.0, -30.0), (-20, -30, 2, -25), (-20, -30, 18, -29), (-20, -30, 0, -20)]
            as [(Double?, Double, Double, Double)])
    func expectedLevel(known: Double?, heard: Double, seconds: Double, expected: Double) {
        let level = LevelNormalization.expected(known: known, heard: heard, seconds: seconds)
        #expect(abs(level - expected) < 0.001)
    }

    @Test(
        "resampling neither drifts nor loses a sample, with pieces of any size",
        arguments: [8_000, 11_025, 16_000, 22_050, 44_100, 48_000, 96_000], [1, 333, 4096])
    func resampling(rate: Int, piece: Int) throws {
        let input = (0..<rate / 2).map { Float(sin(Double($0) * 2 * .pi * 200 / Double(rate))) * 0.5 }
        let resampler = try Resampler(from: rate)
        var output: [Float] = []
        for start in stride(from: 0, to: input.count, by: piece) {
            let end = min(input.count, start + piece)
            output += try resampler.convert(Array(input[start..<end]), isLast: end == input.count)
        }
        #expect(output.count == Int((Double(input.count) * 16_000 / Double(rate)).rounded()))
        // In the middle it is the same tone, sample for sample.
        for index in 2000..<6000 {
            let expected = Float(sin(Double(index) * 2 * .pi * 200 / 16_000)) * 0.5
            #expect(abs(output[index] - expected) < 0.01)
        }
    }

    @Test(
        "volatile words are shown when several partial results agree",
        arguments: [
            (["go", "go", "go"], ["go"]), (["go", "no", "go"], []),
            (["go", "go on", "go on then", "go on then", "go on then"], ["go", "go on", "go on then"]),
            (["a b", "a b", "a b", "a c", "a c", "a c"], ["a b", "a", "a c"]),
            // A model ends what it has heard so far with a stop each time.
            (["It is.", "It is?", "It is.", "It is in", "It is in.", "It is in,"], ["It is", "It is in"]),
            (["No.", "No!", "No…"], ["No"]), (["...", "?", "…"], []),
        ])
    func stabilizing(partials: [String], shown: [String]) {
        var stabilizer = PartialStabilizer(agreement: 3)
        #expect(partials.compactMap { stabilizer.update($0) } == shown)
    }

    @Test("samples of every kind of device become the same sound", arguments: SampleFormat.allCases)
    func formats(format: SampleFormat) {
        let half: [UInt8] =
            switch format {
            case .int16: [0, 0xC0]
            case .int32: [0, 0, 0, 0xC0]
            case .float32: [0, 0, 0, 0xBF]
            case .int24in3: [0, 0, 0xC0]
            case .int24in4: [0, 0, 0xC0, 0]
            case .unsigned8: [64]
            }
        #expect(format.decode(half + half) == [-0.5, -0.5])
    }

    @Test("stereo becomes its mean, and loud sound is clipped")
    func conversion() {
        var downmix = Downmix(channels: 2)
        #expect(downmix.mix([1, 0, 0.5, 0.5]) == [0.5, 0.5])
        #expect(SampleConversion.quantized([2, -2, .nan, 0.5]) == [32767, -32768, 0, 16384])
    }

    @Test(
        "sound that cancels itself out in the mean is heard from its louder channel, and all else as the mean",
        arguments: [2, 4])
    func oppositePhase(channels: Int) {
        var generator = SeededGenerator(seed: 3)
        let voice = (0..<8000).map { _ in Float.random(in: -0.5...0.5, using: &generator) }
        let other = (0..<8000).map { _ in Float.random(in: -0.5...0.5, using: &generator) }
        // Pieces of 10 ms, as a device gives them; the gains of a cable's two wires are never quite the same.
        func mixed(_ frame: (Int) -> [Float]) -> [Float] {
            var downmix = Downmix(channels: channels)
            return stride(from: 0, to: voice.count, by: 160).flatMap { start in
                downmix.mix((start..<start + 160).flatMap(frame))
            }
        }
        let rest = Array(repeating: Float(0), count: channels - 2)
        #expect(mixed { [voice[$0], -0.98 * voice[$0]] + rest } == voice)
        #expect(mixed { [-0.5 * voice[$0], 0.51 * voice[$0]] + rest } == voice.map { 0.51 * $0 })
        let count = Float(channels)
        #expect(mixed { [voice[$0], 0] + rest } == voice.map { $0 / count })
        #expect(mixed { [voice[$0], voice[$0]] + rest } == voice.map { 2 * $0 / count })
        #expect(
            mixed { [voice[$0], other[$0]] + rest } == zip(voice, other).map { ($0 + $1) * (1 / count) })
    }

    @Test("levels read as a meter shows them")
    func meter() {
        #expect(AudioLevel([Int16]()).rms == AudioLevel.floor)
        #expect(AudioLevel([0, 0]).peak == AudioLevel.floor)
        #expect(abs(AudioLevel([16384, -16384]).rms + 6.02) < 0.01)
        #expect(AudioLevel([Int16.min]).peak == 0)
    }

    private func tone(amplitude: Double, seconds: Double) -> [Int16] {
        (0..<Int(seconds * 16_000)).map { index in
            Int16((amplitude * 32767 * sin(Double(index) * 2 * .pi * 500 / 16_000)).rounded())
        }
    }
}
