import DictationSystem
import Foundation
import Synchronization

extension SpeechSession {
    /// Recognizes a recording of any kind that libsndfile reads: WAV, FLAC, Ogg …
    ///
    /// It waits for the utterances that are in progress, and those that begin later wait for it.
    ///
    /// - Parameters:
    ///   - url: the recording.
    ///   - earlier: the final results of an interrupted attempt, in order. All but the last are taken over,
    ///     and the sound from the pause after them on is recognized.
    ///   - onProgress: called with the part of the file that is done, 0…1, never backward; first with where it begins.
    ///   - onResult: called with each result that is new.
    /// - Throws: ``SpeechSessionError/unreadableAudio(path:reason:)`` and the recognizer's errors;
    ///   `CancellationError` when the task is canceled.
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
    /// as it is final. Dropping the stream ends it.
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
            let (previous, pipeline, endpointing) = (state.lastTask, state.pipeline, state.endpointing)
            let task = Task {
                await previous?.value
                do {
                    try pipeline.checkLocale()
                    let pauses = pipeline.recognizer.recognizesAtEnd ? self.pauses(endpointing) : nil
                    onLength(
                        try await Self.transcribe(
                            url, from: start, by: pipeline, pauses, into: output, onProgress: onProgress))
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

    /// The pauses at which recordings are cut, as an utterance is.
    private func pauses(_ endpointing: Endpointing) -> RecordingPauses {
        monitor.prepare()
        return RecordingPauses(
            endpointing,
            monitor.modelForRecording() ?? LoudnessVoiceDetector(sensitivity: monitor.sensitivity))
    }

    /// - Parameter pauses: nil if the recognizer ends the segments itself.
    /// - Returns: the seconds of sound.
    private static func transcribe(
        _ url: URL, from start: TimeInterval, by pipeline: SpeechPipeline, _ pauses: RecordingPauses?,
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
        func deliver(_ finals: [Recognition]) async {
            for recognition in finals {
                output.yield(TranscriptionResult(final: await marks.set(in: recognition)))
            }
        }
        var parts = try await RecognizedParts(
            recognizer, UtteranceContext(source: "file:\(url.path)", level: level.decibels))
        var done = 0
        let file = try AudioFile(url: url)
        while let chunk = try file.next() {
            try Task.checkCancellation()
            defer { done += chunk.samples.count }
            let samples = chunk.samples.dropFirst(max(0, first - done))
            if samples.isEmpty { continue }
            let rest = AudioChunk(
                samples: Array(samples), position: chunk.position + chunk.samples.count - samples.count)
            for piece in pauses?.pieces(of: rest) ?? [rest] {
                await deliver(try await parts.accept(piece))
                guard pauses?.isToBeCut(parts.segment, behind: piece) == true else { continue }
                await deliver(try await parts.finish(of: all))
                try await parts.beginNext()
            }
            let heard = done + chunk.samples.count
            // The last words are still to come.
            if heard < all { onProgress?(Double(heard) / Double(all)) }
        }
        await deliver(try await parts.finish(of: all))
        onProgress?(1)
        return SpeechAudio.duration(ofSamples: done) / .seconds(1)
    }
}

/// Finds the places at which a recording is cut for a recognizer that hears each part as a whole.
private struct RecordingPauses {
    private let endpointing: Endpointing
    private let detector: any VoiceActivityDetector
    /// A file is read in long chunks, in which a pause may begin and end.
    private static let piece = SpeechAudio.sampleRate / 50

    init(_ endpointing: Endpointing, _ detector: any VoiceActivityDetector) {
        (self.endpointing, self.detector) = (endpointing, detector)
    }

    func pieces(of chunk: AudioChunk) -> [AudioChunk] {
        stride(from: 0, to: chunk.samples.count, by: Self.piece).map { start in
            AudioChunk(
                samples: Array(chunk.samples[start..<min(start + Self.piece, chunk.samples.count)]),
                position: chunk.position + start)
        }
    }

    /// - Parameter segment: its length.
    func isToBeCut(_ segment: Duration, behind piece: AudioChunk) -> Bool {
        detector.add(piece.samples)
        // Whole segments are not needed here.
        _ = detector.takeSegments()
        return endpointing.isToBeCut(segment: segment, detector.activity)
    }
}

extension RecognizedParts {
    /// Ends the part of a recording with this many samples. A server's error names the place, if there are
    /// several parts.
    fileprivate func finish(of all: Int) async throws -> [Recognition] {
        do {
            return try await finish()
        } catch SpeechSessionError.serverFailed(let engine, let reason) where partStart > 0 || end < all {
            func time(_ samples: Int) -> String { ClockText.place(samples / SpeechAudio.sampleRate) }
            throw SpeechSessionError.serverFailed(
                engine: engine, reason: "\(reason) (in the part from \(time(partStart)) to \(time(end)))")
        }
    }
}
