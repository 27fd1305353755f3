// Code that configures a session need not know its module: settings use it as well.
@_exported import enum DictationSystem.VoiceDetection

/// The voices up to the end of the sound that was heard.
public struct VoiceActivity: Sendable, Equatable {
    /// Whether somebody speaks now.
    public var isSpeech = false
    /// Whether somebody has spoken at all.
    public var hasHeardSpeech = false
    /// For how long nobody has spoken: since the last sound that may be speech, or since the beginning.
    public var silence = Duration.zero
    /// Whether anything was as loud as speech, a voice or not.
    public var isAudible = false
}

/// Holds sound back until somebody speaks: noise without a voice becomes no words, and the
/// recognizer need not hear the silence before the first one. Sound as loud as speech may be a voice that the
/// model detects late.
///
/// A pure value.
struct LeadingSilence {
    /// The model is sure of a voice 0.1 s after its beginning, and half a second after it if there is
    /// hissing; a soft consonant before that is part of the word.
    private static let keptOfSilence = Duration.seconds(1)
    /// This much is decoded in two or three seconds when a voice is finally detected.
    private static let keptOfSound = Duration.seconds(10)
    /// A sound that ends so soon after it became loud may be a word that was over before the model was sure of a voice.
    private static let shortest = Duration.seconds(1)

    private var held: [AudioChunk] = []
    /// The sample at which it became as loud as speech.
    private var loudFrom: Int?
    private var isOver: Bool

    /// - Parameter isHeld: whether to hold sound back.
    init(isHeld: Bool) { isOver = !isHeld }

    /// Takes the next sound.
    ///
    /// - Parameter activity: the voices up to its end.
    /// - Returns: the sound to recognize now.
    mutating func add(_ chunk: AudioChunk, _ activity: VoiceActivity) -> [AudioChunk] {
        guard !isOver else { return [chunk] }
        held.append(chunk)
        if activity.isAudible, loudFrom == nil { loudFrom = chunk.position }
        if activity.hasHeardSpeech {
            isOver = true
            defer { held = [] }
            return held
        }
        let end = chunk.position + chunk.samples.count
        let kept = activity.isAudible ? Self.keptOfSound : Self.keptOfSilence
        let begin = end - SpeechAudio.samples(in: kept)
        held.removeAll { $0.position + $0.samples.count <= begin }
        return []
    }

    /// The sound has ended.
    ///
    /// - Returns: the rest of the sound that is recognized all the same.
    mutating func finish() -> [AudioChunk] {
        defer { held = [] }
        guard let loudFrom, let last = held.last,
            last.position + last.samples.count - loudFrom < SpeechAudio.samples(in: Self.shortest)
        else { return [] }
        return held
    }
}
