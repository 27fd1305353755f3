import Foundation

/// The loudness of the speech in a recording, without pauses.
///
/// Frames of 20 ms are counted in a histogram of 1 dB steps. Those within 25 dB of the loudest count as
/// speech: this includes quiet consonants, and excludes room noise and pauses. The histogram makes that exact
/// for a stream, whose loudest frame may come last, in constant memory.
public struct SpeechLevel: Sendable, Equatable {
    private static let frame = SpeechAudio.sampleRate / 50
    private static let range = 25
    private static let bins = 101

    private var counts = Array(repeating: 0, count: bins)
    private var energies = Array(repeating: 0.0, count: bins)
    private var frames = Frames<Int16>(of: frame)

    public init() {}

    public mutating func add(_ samples: [Int16]) {
        for frame in frames.add(samples) { count(frame) }
    }

    private mutating func count(_ samples: ArraySlice<Int16>) {
        let energy = samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(samples.count)
        let decibels = AudioLevel.decibels(energy.squareRoot())
        let bin = min(Self.bins - 1, max(0, Int((decibels - AudioLevel.floor).rounded())))
        counts[bin] += 1
        energies[bin] += energy
    }

    /// Seconds of sound that count as speech.
    public var activeSeconds: Double { Double(counts[activeBins].reduce(0, +)) / 50 }

    /// Seconds of sound that are loud enough to be speech, independent of the loudest part: above −60 dBFS,
    /// which is where the noise of a quiet room begins.
    public var audibleSeconds: Double { Double(counts[Self.audible...].reduce(0, +)) / 50 }
    private static let audible = 40

    /// The root mean square of the speech, in dB relative to full scale; nil before anything was heard.
    public var decibels: Double? {
        let count = counts[activeBins].reduce(0, +)
        let energy = energies[activeBins].reduce(0, +)
        return count > 0 && energy > 0 ? AudioLevel.decibels((energy / Double(count)).squareRoot()) : nil
    }

    private var activeBins: Range<Int> {
        guard let loudest = counts.lastIndex(where: { $0 > 0 }), loudest > 0 else { return 0..<0 }
        return max(1, loudest - Self.range)..<loudest + 1
    }
}

/// Brings speech to the loudness that the recognizer knows.
public enum LevelNormalization {
    /// −26 dBFS RMS: measured as the best of −20 to −30 for the acoustic model en-us.
    public static let target = -26.0
    /// At most 30 dB: more would only raise noise.
    public static let largestGain = 30.0

    /// The factor that brings speech of `level` dBFS to the target; 1 when the level is not known.
    public static func gain(forLevel level: Double?) -> Double {
        guard let level else { return 1 }
        return pow(10, min(largestGain, target - level) / 20)
    }

    /// The level to expect next from a device, after an utterance on it.
    ///
    /// - Parameters:
    ///   - known: the level that was expected so far; nil for a device that was never heard.
    ///   - heard: the utterance's level.
    ///   - seconds: how much speech that level rests on.
    public static func expected(known: Double?, heard: Double, seconds: Double) -> Double {
        guard let known else { return heard }
        // Two seconds of speech weigh as much as all that was heard before: a microphone's setting changes
        // rarely, but when it does, the next utterance should profit.
        let weight = seconds / (seconds + 2)
        return known + (heard - known) * weight
    }

    static func apply(_ gain: Double, to samples: [Int16]) -> [Int16] {
        guard gain != 1 else { return samples }
        return samples.map { Int16(max(-32768, min(32767, (Double($0) * gain).rounded()))) }
    }
}
