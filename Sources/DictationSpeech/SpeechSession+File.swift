import Foundation
import Synchronization

extension SpeechSession {
    /// Recognises a recording of any kind that libsndfile reads: WAV, FLAC, Ogg …
    ///
    /// It waits for the utterances that are under way, and those that begin later wait for it.
    ///
    /// - Throws: ``SpeechSessionError/unreadableAudio(path:reason:)`` and the recogniser's errors;
    ///   `CancellationError` when the task is cancelled.
    public func transcribe(audioFile url: URL) async throws -> Transcript {
        let (results, output) = AsyncThrowingStream<Transcript, any Error>.makeStream()
        let recognizer = recognizer
        let task = state.withLock { state in
            let previous = state.lastTask
            let task = Task {
                await previous?.value
                do {
                    output.yield(try await Self.transcript(of: url, by: recognizer))
                    output.finish()
                } catch {
                    await recognizer.cancel()
                    output.finish(throwing: error)
                }
            }
            state.lastTask = task
            return task
        }
        return try await withTaskCancellationHandler {
            for try await transcript in results { return transcript }
            throw CancellationError()
        } onCancel: {
            task.cancel()
        }
    }

    private static func transcript(
        of url: URL, by recognizer: any SpeechRecognizer
    ) async throws -> Transcript {
        // The first reading finds out how loud the speech is, which a live recording can only expect.
        var level = SpeechLevel()
        let survey = try AudioFile(url: url)
        while let chunk = try survey.next() {
            try Task.checkCancellation()
            level.add(chunk.samples)
        }
        try await recognizer.begin(UtteranceContext(source: "file:\(url.path)", level: level.decibels))
        var finals: [Recognition] = []
        var samples = 0
        let file = try AudioFile(url: url)
        while let chunk = try file.next() {
            try Task.checkCancellation()
            finals += try await recognizer.accept(chunk)
            samples += chunk.samples.count
        }
        finals += try await recognizer.finish()
        return Transcript(
            results: finals.map { TranscriptionResult(final: $0) },
            duration: SpeechAudio.duration(ofSamples: samples) / .seconds(1))
    }
}
