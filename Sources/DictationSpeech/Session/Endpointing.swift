import DictationSystem

/// When a recording ends by itself, and how much is recorded after it was asked to end.
public struct Endpointing: Sendable, Equatable {
    /// How much is recorded after the last sound that may be speech, once the user has asked for the end. The
    /// time since the last speech counts, so a speaker who stopped earlier waits less.
    public var tail: Duration
    /// The recording ends by itself after a silence of this length after speech; nil: never.
    public var silence: Duration?
    /// After this much sound without a pause long enough for the recognizer to end a segment, the words so far
    /// become final, and the recording continues: no recognizer has to hold more than this. nil: no limit.
    public var longestSegment: Duration?

    /// After a pause of this length the words so far become final, even if the recognizer would go on with
    /// it: for those who want the words while somebody speaks. nil: the recognizer decides.
    public var pause: Duration?

    public init(
        tail: Duration = .milliseconds(RecordingDefaults.tail), silence: Duration? = nil,
        longestSegment: Duration? = .seconds(60), pause: Duration? = nil
    ) {
        self.pause = pause
        self.tail = tail
        self.silence = silence
        self.longestSegment = longestSegment
    }

    /// How much is still to be recorded when the user asks for the end.
    func tail(after activity: VoiceActivity) -> Duration {
        // A loud sound without a voice may be the beginning of one: it is not certainly silence.
        if activity.isAudible, !activity.hasHeardSpeech { return tail }
        return max(.zero, tail - activity.silence)
    }

    /// Whether a silence has lasted for long enough to end the recording.
    func isOver(_ activity: VoiceActivity) -> Bool {
        guard let silence else { return false }
        return activity.hasHeardSpeech && !activity.isSpeech && activity.silence >= silence
    }

    /// Whether to cut a segment here: in a gap if there is one, at the latest after 150 % of the limit.
    func isToBeCut(segment: Duration, _ activity: VoiceActivity) -> Bool {
        // A segment that is not longer than the silence is empty.
        if let pause, activity.hasHeardSpeech, !activity.isSpeech, activity.silence >= pause,
            segment > activity.silence
        {
            return true
        }
        guard let longestSegment, segment >= longestSegment else { return false }
        return activity.silence >= Self.gap || segment >= longestSegment * 3 / 2
    }

    /// A gap between words, not one inside them.
    private static let gap = Duration.milliseconds(150)
}
