import DictationShared

/// Decides about a recording that is in the app group when the host starts: a pure value.
///
/// | what the store says of it | what happens to it |
/// | --- | --- |
/// | nothing: the store was lost, or was full when it began | a row is made, and it is recognized |
/// | error, never recognized (``FailureCode/leavesRecordingUnheard``) | it is recognized, at most ``attemptLimit`` times in all |
/// | error, and it has nothing worth keeping | removed |
/// | any other error: its words were looked for already | it is kept |
/// | not delivered: pending, claimed or held | it is kept |
/// | inserted | removed, or kept for as long as the settings say |
/// | discarded, cancelled | removed |
enum Leftover: Equatable {
    case keep
    case remove
    /// Its text was delivered.
    case deliver
    case recognize(hasRow: Bool)

    /// A recording on which recognition died three times, each time the last thing that a host did with it, is left
    /// for a person: one time may be chance (no memory, no power), three times are not.
    static let attemptLimit = 3

    /// - Parameters:
    ///   - phase: nil when the store has no row for it.
    ///   - attempts: how often recognizing it began and did not end.
    init(phase: DictationState.Phase?, attempts: Int) {
        switch phase {
        case nil:
            self = attempts < Self.attemptLimit ? .recognize(hasRow: false) : .keep
        case .failed(let failure) where failure.knownCode?.leavesRecordingUnheard == true:
            self = attempts < Self.attemptLimit ? .recognize(hasRow: true) : .keep
        case .failed(let failure) where failure.kept == nil && failure.knownCode?.isOfNothingToType == true:
            self = .remove
        case .failed, .starting, .recording, .processing, .ready(.pending), .ready(.claimed), .ready(.held):
            self = .keep
        case .ready(.inserted):
            self = .deliver
        case .ready(.discarded), .cancelled:
            self = .remove
        }
    }
}

extension DictationFailure {
    /// The recording was recognized later; the text is held with this notice.
    ///
    /// - Parameter code: why it was not recognized at once; nil if that is not known.
    static func recovered(_ id: DictationID, after code: FailureCode?) -> DictationFailure {
        let isInterrupted = [nil, .hostDied, .recoveryFailed].contains(code)
        return DictationFailure(
            code: .recovered,
            message: isInterrupted
                ? "host-agent ended in the middle of this dictation."
                : "This dictation could not be recognized when it was spoken. It was recognized later.",
            kept: "what was said\(isInterrupted ? " until then" : ""); type it with: dictstate insert \(id)")
    }

    /// There was no recognizer for the recording.
    static func notRecognized(
        _ code: FailureCode, _ message: String, recording: String
    ) -> DictationFailure {
        DictationFailure(
            code: code, message: "\(message) The recording is recognized as soon as that works again.",
            kept: "the recording: \(recording)")
    }

    /// The recording of an earlier run cannot be recognized.
    static func recoveryFailed(reason: String, attempts: Int, recording: String) -> DictationFailure {
        let next =
            attempts < Leftover.attemptLimit
            ? "host-agent tries it again at its next start."
            : "It was tried \(attempts) times, and is not tried again. Try it by hand: host-agent transcribe FILE"
        return DictationFailure(
            code: .recoveryFailed,
            message:
                "The recording of a dictation that was interrupted cannot be recognized: \(reason). \(next)",
            kept: "the recording: \(recording)")
    }

    /// Somebody spoke, but no word was understood.
    static func noWords(recording: String) -> DictationFailure {
        DictationFailure(
            code: .noWords,
            message: "No words were recognized in what was recorded before host-agent ended.",
            kept: "the recording: \(recording)")
    }
}
