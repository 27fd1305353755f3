import Foundation

/// One utterance from its first frame to its last word.
///
/// Two loops, so that a busy recognizer never delays what must not wait: one saves the frames as they arrive and
/// queues them, the other takes them from the queue and decodes.
struct UtteranceRun: Sendable {
    let pipeline: SpeechPipeline
    let context: UtteranceContext
    let recording: URL?
    /// Whether the recognizer hears nothing before somebody speaks.
    let holdsBackSilence: Bool
    /// Takes each frame as it arrives; returns what is known of voices at its end, nil where that is not looked at.
    let onAudio: @Sendable (AudioChunk) -> VoiceActivity?
    /// Called when no more frames come, long before the last word.
    let onAudioEnd: @Sendable () -> Void
    /// Whether a segment of this length, which the recognizer has not ended, is to be ended now.
    let isToBeCut: @Sendable (Duration, VoiceActivity) -> Bool

    private var recognizer: any SpeechRecognizer { pipeline.recognizer }

    /// - Parameter previous: the utterance before, to whose end the recognizer belongs to it.
    /// - Returns: what went wrong, to be thrown after the results.
    func run(
        _ capture: any AudioCapture, after previous: Task<Void, Never>?,
        _ output: AsyncThrowingStream<TranscriptionResult, any Error>.Continuation,
        report: @Sendable (SpeechSessionStatus) -> Void
    ) async -> (any Error)? {
        let (queue, queued) = AsyncStream<Heard>.makeStream()
        async let saved = save(capture, into: queued)
        await previous?.value
        var failure: (any Error)?
        do {
            report(.preparing)
            try pipeline.checkLocale()
            try await recognizer.begin(context)
            report(.transcribing)
            try await decode(queue, output)
        } catch {
            failure = error
            // Without a recognizer the user must learn it now, not after a long dictation.
            capture.stop(tail: .zero)
        }
        // What went wrong with the microphone explains more than what followed from it.
        let captureFailure = await saved
        if Task.isCancelled {
            await recognizer.cancel()
            return nil
        }
        return captureFailure ?? failure
    }

    /// A frame, and what is known of voices at its end.
    private struct Heard: Sendable {
        let chunk: AudioChunk
        let activity: VoiceActivity?
    }

    /// Saves and queues every frame; returns what ended the recording early.
    private func save(
        _ capture: any AudioCapture, into queue: AsyncStream<Heard>.Continuation
    ) async -> (any Error)? {
        defer {
            queue.finish()
            onAudioEnd()
        }
        var writer: WaveFileWriter?
        var writeFailure: (any Error)?
        // What cannot be kept must not be spoken in vain: the recording ends, and the user learns it now.
        func failed(_ error: any Error) {
            writeFailure = writeFailure ?? error
            writer = nil
            capture.stop(tail: .zero)
        }
        do { writer = try recording.map { try WaveFileWriter(url: $0) } } catch { failed(error) }
        do {
            for try await chunk in capture.chunks {
                do { try writer?.append(chunk.samples) } catch { failed(error) }
                // The frames that were on their way are recognized all the same.
                queue.yield(Heard(chunk: chunk, activity: onAudio(chunk)))
            }
        } catch {
            return writeFailure ?? error
        }
        return writeFailure
    }

    private func decode(
        _ queue: AsyncStream<Heard>,
        _ output: AsyncThrowingStream<TranscriptionResult, any Error>.Continuation
    ) async throws {
        let hasPartials = recognizer.features.contains(.partialResults)
        var stabilizer = PartialStabilizer(agreement: recognizer.partialAgreement)
        var finalEnd: TimeInterval = 0
        // A recognizer counts from where it began; the first sample of its part, and of the present segment.
        var (partStart, segmentStart, end) = (0, 0, 0)
        var leading = LeadingSilence(isHeld: holdsBackSilence)
        func deliver(_ finals: [Recognition]) async {
            for recognition in finals.map({ $0.later(by: partStart) }) {
                output.yield(TranscriptionResult(final: await pipeline.marks.set(in: recognition)))
                finalEnd = max(finalEnd, recognition.range.upperBound)
                stabilizer.reset()
            }
        }
        func accept(_ chunks: [AudioChunk]) async throws {
            // Nothing was given to the recognizer before.
            if end == 0, let first = chunks.first {
                (partStart, segmentStart) = (first.position, first.position)
            }
            for chunk in chunks {
                let finals = try await recognizer.accept(
                    AudioChunk(samples: chunk.samples, position: chunk.position - partStart))
                await deliver(finals)
                end = chunk.position + chunk.samples.count
                if !finals.isEmpty { segmentStart = end }
            }
        }
        for await heard in queue {
            let chunks = leading.add(heard.chunk, heard.activity ?? VoiceActivity(hasHeardSpeech: true))
            if chunks.isEmpty { continue }
            try await accept(chunks)
            if let activity = heard.activity,
                isToBeCut(SpeechAudio.duration(ofSamples: end - segmentStart), activity)
            {
                await deliver(try await recognizer.finish())
                (partStart, segmentStart) = (end, end)
                try await recognizer.begin(context)
            }
            guard hasPartials, let partial = try await recognizer.partialText(),
                let text = stabilizer.update(SoundTags.removed(from: partial))
            else {
                continue
            }
            let seconds = SpeechAudio.duration(ofSamples: end) / .seconds(1)
            let range = finalEnd..<max(finalEnd, seconds)
            output.yield(TranscriptionResult(text: AttributedString(text), isFinal: false, range: range))
        }
        guard !Task.isCancelled else { return }
        try await accept(leading.finish())
        await deliver(try await recognizer.finish())
    }
}
