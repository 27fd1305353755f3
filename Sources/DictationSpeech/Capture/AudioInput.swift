/// Where sound comes from: a microphone, or a recording.
public protocol AudioInput: Sendable {
    /// Tells one source from another: level and channel estimates are kept under this name.
    var name: String { get }

    /// Begins to record at once and returns without waiting for the device; failures arrive in the stream.
    func start() -> any AudioCapture
}

/// A recording in progress.
public protocol AudioCapture: Sendable {
    /// Every frame from the first one on, queued without limit until it is read.
    ///
    /// The stream ends after ``stop(tail:)``, or throws a ``SpeechSessionError`` after the last good frame.
    var chunks: AsyncThrowingStream<AudioChunk, any Error> { get }

    /// Ends the recording, once `tail` more was recorded. May be called again, with a shorter tail too; the
    /// shortest one counts.
    func stop(tail: Duration)

    /// How often frames were lost because nobody read them in time.
    var overruns: Int { get }

    /// What the device gives, before it is converted; nil until it is open, and where there is no device.
    var format: AudioInputFormat? { get }
}

extension AudioCapture {
    public var format: AudioInputFormat? { nil }
}

/// What a device gives.
public struct AudioInputFormat: Sendable, Equatable {
    /// Frames a second.
    public var rate: Int
    public var channels: Int

    public init(rate: Int, channels: Int) {
        self.rate = rate
        self.channels = channels
    }
}
