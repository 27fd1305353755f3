import Foundation
import Synchronization

extension SpeechSession {
    /// Recognizes a recording of any kind that libsndfile reads: WAV, FLAC, Ogg …
    ///
    /// It waits for the utterances that are under way, and those that begin later wait for it.
    ///
    /// - Parameters:
    ///   - url: the recording.
    ///   - earlier: the final results of an attempt that was broken off, in order. All but the last are taken over, and the
    ///     sound from the pause behind them on is recognized.
    ///   - onProgress: called with the part of the file that is done, 0…1, never backward; first with where it begins.
    ///   - onResult: called with each result that is new.
    /// - Throws: ``SpeechSessionError/unreadableAudio(path:reason:)`` and the recognizer's errors;
    ///   `CancellationError` when the task is cancelled.
    public func transcribe(
        audioFile url: URL, after earlier: [TranscriptionResult] = [],
        onProgress: (@Sendable (Double) -> Void)? = nil,
        onResult: (@Sendable (TranscriptionResult) -> Void)? = nil
    ) async throws -> Transcript {
        let length = Mutex(0.0)
        let resumption = TranscriptResumption(after: earlier)
        var transcript = Transcript(results: resumption.kept)
        let results = stream(
            url, from: resumption.start, onProgress: onProgress,
            onLength: { seconds in length.withLock { $0 = seconds } })
        for try await result in results where result.isFinal {
            transcript.results.append(result)
            onResult?(result)
        }
        try Task.checkCancellation()
        transcript.duration = length.withLock { $0 }
        return transcript
    }

    /// Recognizes a recording as ``transcribe(audioFile:after:onProgress:onResult:)`` does, and gives each segment of speech as soon
    /// as it is final. Letting go of the stream ends it.
    public func streamTranscription(
        from url: URL, onProgress: (@Sendable (Double) -> Void)? = nil
    ) -> AsyncThrowingStream<TranscriptionResult, any Error> {
        stream(url, from: 0, onProgress: onProgress, onLength: { _ in })
    }

    /// - Parameter start: seconds; the sound before it is passed over.
    private func stream(
        _ url: URL, from start: TimeInterval, onProgress: (@Sendable (Double) -> Void)?,
        onLength: @escaping @Sendable (Double) -> Void
    ) -> AsyncThrowingStream<TranscriptionResult, any Error> {
        let (results, output) = AsyncThrowingStream<TranscriptionResult, any Error>.makeStream()
        let task = state.withLock { state in
            let (previous, pipeline) = (state.lastTask, state.pipeline)
            let task = Task {
                await previous?.value
                do {
                    try pipeline.checkLocale()
                    onLength(
                        try await Self.transcribe(
                            url, from: start, by: pipeline, into: output, onProgress: onProgress))
                    output.finish()
                } catch {
                    await pipeline.recognizer.cancel()
                    output.finish(throwing: error)
                }
                self.scheduleRelease()
            }
            state.lastTask = task
            return task
        }
        output.onTermination = { reason in if case .cancelled = reason { task.cancel() } }
        return results
    }

    /// - Returns: the seconds of sound.
    private static func transcribe(
        _ url: URL, from start: TimeInterval, by pipeline: SpeechPipeline,
        into output: AsyncThrowingStream<TranscriptionResult, any Error>.Continuation,
        onProgress: (@Sendable (Double) -> Void)?
    ) async throws -> Double {
        let (recognizer, marks) = (pipeline.recognizer, pipeline.marks)
        // The first reading finds out how loud the speech is, which a live recording can only expect.
        var level = SpeechLevel()
        var all = 0
        let survey = try AudioFile(url: url)
        while let chunk = try survey.next() {
            try Task.checkCancellation()
            level.add(chunk.samples)
            all += chunk.samples.count
        }
        let first = min(all, Int(start * Double(SpeechAudio.sampleRate)))
        onProgress?(all > 0 ? Double(first) / Double(all) : 0)
        // A recognizer counts from where it began.
        func deliver(_ finals: [Recognition]) async {
            for recognition in finals {
                output.yield(TranscriptionResult(final: await marks.set(in: recognition.later(by: first))))
            }
        }
        try await recognizer.begin(UtteranceContext(source: "file:\(url.path)", level: level.decibels))
        var done = 0
        let file = try AudioFile(url: url)
        while let chunk = try file.next() {
            try Task.checkCancellation()
            defer { done += chunk.samples.count }
            let samples = chunk.samples.dropFirst(max(0, first - done))
            if samples.isEmpty { continue }
            await deliver(
                try await recognizer.accept(
                    AudioChunk(
                        samples: Array(samples),
                        position: chunk.position + chunk.samples.count - samples.count)))
            let heard = done + chunk.samples.count
            // The last words are still to come.
            if heard < all { onProgress?(Double(heard) / Double(all)) }
        }
        await deliver(try await recognizer.finish())
        onProgress?(1)
        return SpeechAudio.duration(ofSamples: done) / .seconds(1)
    }
}
