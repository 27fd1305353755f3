import Foundation
import TestSupport

@testable import DictationSpeech

/// Sounds without a voice, as loud as speech and louder.
enum Noise: String, CaseIterable, Sendable {
    case hiss, tone, hum, knocks, gusts

    func samples(seconds: Double = 3) -> [Int16] {
        var generator = SeededGenerator(seed: 5)
        return (0..<Int(seconds * Double(SpeechAudio.sampleRate))).map { index in
            let time = Double(index) / Double(SpeechAudio.sampleRate)
            let white = Double.random(in: -1...1, using: &generator)
            let beat = (time * 2).truncatingRemainder(dividingBy: 1)
            let turns = 2 * Double.pi * time
            let value: Double =
                switch self {
                case .hiss: 10_000 * white
                case .tone: 12_000 * sin(440 * turns)
                case .hum:
                    (1...8).map(Double.init).reduce(0.0) { $0 + 4_000 / $1 * sin(50 * $1 * turns) }
                case .knocks: (beat < 0.05 ? 20_000 : 10) * white
                case .gusts: (beat < 0.5 ? 9_000 : 20) * white
                }
            return Int16(value.rounded())
        }
    }
}
