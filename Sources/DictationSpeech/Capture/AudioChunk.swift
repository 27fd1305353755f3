import Foundation

/// The format that every recognizer here takes: 16 kHz, mono, 16 bit.
public enum SpeechAudio {
    /// Samples a second. Speech models are trained at this rate: frequencies above 8 kHz do not help to
    /// distinguish words.
    public static let sampleRate = 16_000

    /// The length of that many samples.
    public static func duration(ofSamples count: Int) -> Duration {
        .nanoseconds(Int64(count) * 1_000_000_000 / Int64(sampleRate))
    }

    /// How many samples fill `duration`; never negative.
    public static func samples(in duration: Duration) -> Int {
        let parts = duration.components
        let whole = Int(parts.seconds) * sampleRate
        let rest = Int(parts.attoseconds / 1_000_000_000) * sampleRate / 1_000_000_000
        return max(0, whole + rest)
    }
}

/// A piece of recorded sound: 16 kHz, mono, 16 bit.
public struct AudioChunk: Sendable, Equatable {
    public var samples: [Int16]
    /// How many samples came before this chunk since the recording began. Times are counted in samples, so
    /// that they cannot drift.
    public var position: Int

    public init(samples: [Int16], position: Int) {
        self.samples = samples
        self.position = position
    }

    /// Seconds from the beginning of the recording to the first sample.
    public var time: TimeInterval { Double(position) / Double(SpeechAudio.sampleRate) }

    public var duration: Duration { SpeechAudio.duration(ofSamples: samples.count) }

    /// How loud the chunk is, for a meter.
    public var level: AudioLevel { AudioLevel(samples) }
}

/// How loud a segment of sound is.
public struct AudioLevel: Sendable, Equatable {
    /// Root mean square, in dB relative to full scale: 0 is the loudest possible square wave, silence is
    /// ``AudioLevel/floor``.
    public let rms: Double
    /// The loudest sample, in dB relative to full scale.
    public let peak: Double

    /// The level of digital silence: below the quantization noise of 16 bits (−98 dB).
    public static let floor = -100.0

    public init(_ samples: some Collection<Int16>) {
        var energy = 0.0
        var loudest = 0
        for sample in samples {
            energy += Double(sample) * Double(sample)
            loudest = max(loudest, abs(Int(sample)))
        }
        rms = samples.isEmpty ? Self.floor : Self.decibels((energy / Double(samples.count)).squareRoot())
        peak = Self.decibels(Double(loudest))
    }

    /// An amplitude (full scale is 32768) in dB relative to full scale.
    static func decibels(_ amplitude: Double) -> Double {
        amplitude > 0 ? max(floor, 20 * log10(amplitude / 32768)) : floor
    }
}
