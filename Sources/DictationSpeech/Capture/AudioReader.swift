/// A recording that is read as a stream, without a session: for a meter, or a check.
///
/// ```swift
/// let microphone = ALSAInput().start()
/// for try await chunk in microphone.chunks { show(chunk.level) }
/// ```
public final class AudioReader: Sendable {
    /// Every chunk from the first one on, queued without limit until it is read. Ends after ``stop(tail:)``, or throws a
    /// ``SpeechSessionError`` after the last good chunk.
    public let chunks: AsyncThrowingStream<AudioChunk, any Error>
    private let capture: PausableCapture

    init(_ input: any AudioInput) {
        let (chunks, output) = AsyncThrowingStream<AudioChunk, any Error>.makeStream()
        self.chunks = chunks
        capture = PausableCapture(
            input, onChunk: { output.yield($0) }, onEnd: { output.finish(throwing: $0) })
    }

    deinit { stop(tail: .zero) }

    /// As ``AudioCapture/stop(tail:)``.
    public func stop(tail: Duration) { capture.stop(tail: tail) }

    /// As ``AudioCapture/overruns``.
    public var overruns: Int { capture.overruns }
}

extension AudioInput {
    /// Begins to record at once; dropping the reader ends it.
    public func start() -> AudioReader { AudioReader(self) }

    /// How loud its first sound is.
    ///
    /// - Throws: ``SpeechSessionError``.
    public func level(over duration: Duration) async throws -> AudioLevel {
        let reader = start()
        defer { reader.stop(tail: .zero) }
        var samples: [Int16] = []
        for try await chunk in reader.chunks {
            samples += chunk.samples
            if SpeechAudio.duration(ofSamples: samples.count) >= duration { break }
        }
        return AudioLevel(samples)
    }
}
