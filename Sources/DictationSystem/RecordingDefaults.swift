/// How voices are distinguished from other sounds: a setting, and an option of the speech library.
public enum VoiceDetection: String, Sendable, CaseIterable {
    /// By silero's model if it and sherpa-onnx are installed, otherwise by loudness. The model distinguishes
    /// a voice from a door, a fan and music; sound without a voice is not recognized.
    case automatic
    /// Only by loudness: for whispering, in which the model may hear no voice.
    case loudness
}

/// How much of a text is typed while it is still being spoken: a setting, and an option of the speech library.
public enum LiveInsertion: String, Sendable, CaseIterable {
    case off
    /// The words before a pause, at each pause.
    case segments
    /// Each word that is certain.
    case words
}

/// The values on which the settings and the speech library must agree.
public enum RecordingDefaults {
    /// Milliseconds that are recorded after the last sound that may be speech, once the user has asked for the end. People
    /// release the key while the last syllable rings, and plosives at the end of a word come up to 0.2 s late.
    public static let tail = 300
}
