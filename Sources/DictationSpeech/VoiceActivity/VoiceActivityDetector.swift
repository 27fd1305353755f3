/// Finds the segments of a recording in which somebody speaks. Not for two threads at once.
protocol VoiceActivityDetector: AnyObject {
    func reset()
    /// The next sound.
    func add(_ samples: [Int16])
    /// The sound has ended.
    func flush()
    /// The activity at the end of the added sound.
    var activity: VoiceActivity { get }
    /// Those that have ended since the last call: ranges of samples from the beginning of the recording.
    func takeSegments() -> [Range<Int>]
}

/// By loudness alone, if there is no model.
final class LoudnessVoiceDetector: VoiceActivityDetector {
    private var loudness: SpeechDetector
    private var position = 0
    private var begin: Int?
    private var found: [Range<Int>] = []

    private static let frame = SpeechAudio.sampleRate / 50
    /// The loudness needs this long to be sure that speech has begun.
    private static let onset = SpeechAudio.sampleRate * 6 / 100

    init(sensitivity: SpeechSensitivity = .high) { loudness = SpeechDetector(sensitivity: sensitivity) }

    /// Applies from now on.
    var sensitivity: SpeechSensitivity {
        get { loudness.sensitivity }
        set { loudness.sensitivity = newValue }
    }

    func reset() {
        loudness = SpeechDetector(sensitivity: sensitivity)
        position = 0
        begin = nil
        found = []
    }

    func add(_ samples: [Int16]) {
        // A file comes in long pieces, in which speech may begin and end.
        for start in stride(from: 0, to: samples.count, by: Self.frame) {
            take(Array(samples[start..<min(start + Self.frame, samples.count)]))
        }
    }

    private func take(_ samples: [Int16]) {
        position += samples.count
        loudness.add(samples)
        if loudness.isSpeech {
            begin = begin ?? max(0, position - samples.count - Self.onset)
        } else if let begin {
            found.append(begin..<max(begin, position - SpeechAudio.samples(in: loudness.silence)))
            self.begin = nil
        }
    }

    func flush() {
        guard let begin else { return }
        found.append(begin..<position)
        self.begin = nil
    }

    var activity: VoiceActivity { loudness.activity }

    func takeSegments() -> [Range<Int>] {
        defer { found = [] }
        return found
    }
}
