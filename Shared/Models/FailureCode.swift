/// The short word for a failure that the store and `--json` hold.
///
/// A newer version may write others: ``DictationFailure/code`` keeps them as they are, and ``DictationFailure/knownCode``
/// is nil then.
public enum FailureCode: String, Sendable, CaseIterable {
    // The microphone and the disk.
    case noMicrophone = "no-microphone"
    case unusableMicrophone = "unusable-microphone"
    case microphoneLost = "microphone-lost"
    case microphoneSilent = "microphone-silent"
    case unreadableAudio = "unreadable-audio"
    case recordingFailed = "recording-failed"
    case conversionFailed = "conversion-failed"

    // The recognizer.
    case modelMissing = "model-missing"
    case modelUnusable = "model-unusable"
    case engineMissing = "engine-missing"
    case engineUnfit = "engine-unfit"
    case engineFailed = "engine-failed"
    case serverFailed = "server-failed"
    case unsupportedLocale = "unsupported-locale"
    case featureMissing = "feature-missing"
    case unusableWord = "unusable-word"
    case alreadyTranscribing = "already-transcribing"
    /// An error of no known kind.
    case speechFailed = "speech-failed"

    // Nothing to type.
    case noSpeech = "no-speech"
    case noVoice = "no-voice"
    /// Nothing was heard, and the mixer says that the microphone is muted, or its volume 0.
    case microphoneMuted = "microphone-muted"
    case noWords = "no-words"
    /// "Scratch that" took back all that was said.
    case scratched
    /// The user's own words left nothing of the text.
    case emptied
    /// A spoken command that edits was not carried out.
    case notEdited = "not-edited"
    /// The selected text was not changed.
    case notTransformed = "not-transformed"

    // A host that ended, and its recordings.
    case hostDied = "host-died"
    case recoveryFailed = "recovery-failed"
    case recovered
    /// For a text that was recognized again from the recording of another dictation.
    case recognizedAgain = "recognized-again"

    // The clean-up and the typing; the text is there.
    case notPolished = "not-polished"
    case notCleaned = "not-cleaned"
    case slowPattern = "slow-pattern"
    case copied
    case methodFallback = "method-fallback"
    case hookFailed = "hook-failed"

    /// Whether the recording was not recognized completely: it is recognized as soon as possible.
    public var leavesRecordingUnheard: Bool {
        switch self {
        case .modelMissing, .modelUnusable, .engineMissing, .engineUnfit, .engineFailed, .serverFailed,
            .unsupportedLocale, .featureMissing, .unusableWord, .alreadyTranscribing, .conversionFailed,
            .speechFailed, .hostDied, .recoveryFailed:
            true
        // The sound until then was recognized while it was recorded.
        case .noMicrophone, .unusableMicrophone, .microphoneLost, .microphoneSilent, .recordingFailed,
            .noSpeech, .microphoneMuted, .noVoice, .noWords, .scratched, .emptied, .notEdited,
            .notTransformed:
            false
        // No program reads it.
        case .unreadableAudio: false
        case .recovered, .recognizedAgain, .notPolished, .notCleaned, .slowPattern, .copied, .methodFallback,
            .hookFailed:
            false
        }
    }

    /// Whether there is nothing to type. If the failure keeps nothing, the recording is not needed either.
    public var isOfNothingToType: Bool {
        switch self {
        case .noSpeech, .noVoice, .microphoneMuted, .noWords, .scratched, .emptied, .notEdited,
            .notTransformed:
            true
        default: false
        }
    }

    /// Whether the recognizer is not there or not fit: that says nothing about the recording, which may be tried again
    /// any number of times.
    public var isOfMissingRecognizer: Bool {
        switch self {
        case .modelMissing, .modelUnusable, .engineMissing, .engineUnfit, .serverFailed, .unsupportedLocale:
            true
        case .engineFailed, .featureMissing, .unusableWord, .alreadyTranscribing, .conversionFailed,
            .speechFailed, .hostDied, .recoveryFailed, .noMicrophone, .unusableMicrophone, .microphoneLost,
            .microphoneSilent, .recordingFailed, .unreadableAudio, .noSpeech, .microphoneMuted, .noVoice,
            .noWords, .scratched, .emptied, .notEdited, .notTransformed,
            .recovered,
            .recognizedAgain, .notPolished, .notCleaned, .slowPattern, .copied, .methodFallback,
            .hookFailed:
            false
        }
    }
}
