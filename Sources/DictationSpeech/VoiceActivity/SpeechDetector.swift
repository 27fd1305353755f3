import Foundation

/// How easily sound counts as speech.
public enum SpeechSensitivity: String, Sendable, Codable, CaseIterable {
    /// For noisy places: only sound well above the noise counts.
    case low
    case medium
    /// For quiet speakers: rather too much than too little.
    case high

    /// How far above the noise speech begins, in dB. Speech is 15 dB and more above the noise of an ordinary room;
    /// consonants are some 10 dB below vowels.
    var margin: Double {
        switch self {
        case .low: 14
        case .medium: 9
        case .high: 6
        }
    }

    /// Quieter sound is never speech, in dBFS RMS.
    var floor: Double {
        switch self {
        case .low: -50
        case .medium: -58
        case .high: -65
        }
    }
}

/// Distinguishes speech from background only by loudness: no model, some microseconds for a second of sound.
///
/// The noise is assumed to be as loud as the quietest moment of the last two seconds: even fluent speech has
/// gaps, in which the room is heard. Sound that stands out from it for 60 ms is speech; it is over after 300
/// ms in which nothing does. It cannot distinguish a voice from a door: where silero's model is installed,
/// that one decides.
///
/// A pure value; times are counted in samples.
public struct SpeechDetector: Sendable, Equatable {
    public var sensitivity: SpeechSensitivity
    /// Whether speech is heard now.
    public private(set) var isSpeech = false
    /// Whether speech was heard at all.
    public private(set) var hasHeardSpeech = false
    /// How long nothing has stood out: since the last loud moment, or since the beginning.
    public var silence: Duration { SpeechAudio.duration(ofSamples: position - lastLoud) }

    public var activity: VoiceActivity {
        VoiceActivity(
            isSpeech: isSpeech, hasHeardSpeech: hasHeardSpeech, silence: silence, isAudible: hasHeardSpeech)
    }

    private static let frame = SpeechAudio.sampleRate / 50
    /// Frames in a row that make speech: shorter sounds are clicks and keys.
    private static let onset = 3
    /// Frames without a loud one after which speech is over: longer than the silence inside words ("stopped", 0.1 s).
    private static let hangover = 15
    /// Two seconds, in pieces of 0.2 s; the quietest frame of each counts.
    private static let windowPieces = 10
    private static let framesInPiece = 10

    private var frames = Frames<Int16>(of: frame)
    private var position = 0
    private var lastLoud = 0
    private var loudFrames = 0
    private var quietFrames = 0
    private var minima: [Double] = []
    private var pieceMinimum = 0.0
    private var framesInThisPiece = 0

    public init(sensitivity: SpeechSensitivity = .medium) { self.sensitivity = sensitivity }

    /// Takes the next piece of sound, of any length.
    public mutating func add(_ samples: [Int16]) {
        for frame in frames.add(samples) { take(frame) }
    }

    private mutating func take(_ frame: ArraySlice<Int16>) {
        let level = AudioLevel(frame).rms
        position += frame.count
        updateNoise(level)
        if level >= max(sensitivity.floor, noise + sensitivity.margin) {
            loudFrames += 1
            quietFrames = 0
            lastLoud = position
        } else {
            loudFrames = 0
            quietFrames += 1
        }
        if loudFrames >= Self.onset {
            isSpeech = true
            hasHeardSpeech = true
        } else if quietFrames >= Self.hangover {
            isSpeech = false
        }
    }

    /// The loudness of the background, dBFS RMS.
    private var noise: Double { min(minima.min() ?? 0, framesInThisPiece > 0 ? pieceMinimum : 0) }

    private mutating func updateNoise(_ level: Double) {
        pieceMinimum = framesInThisPiece == 0 ? level : min(pieceMinimum, level)
        framesInThisPiece += 1
        guard framesInThisPiece == Self.framesInPiece else { return }
        minima.append(pieceMinimum)
        if minima.count > Self.windowPieces { minima.removeFirst() }
        framesInThisPiece = 0
    }
}
