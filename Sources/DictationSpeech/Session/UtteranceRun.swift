import Foundation

/// An utterance's sound on its way from the microphone's thread to its two readers. The file and the
/// recognizer each have a queue: neither waits for the other, and the microphone waits for neither.
struct UtteranceSound: Sendable {
    /// Ends with the recording, and throws what ended it early.
    let forFile: AsyncThrowingStream<[Int16], any Error>
    let forRecognizer: AsyncStream<Heard>
    private let file: AsyncThrowingStream<[Int16], any Error>.Continuation
    private let recognizer: AsyncStream<Heard>.Continuation

    /// A chunk, and the voices up to its end; nil if they are not looked for.
    struct Heard: Sendable {
        let chunk: AudioChunk
        let activity: VoiceActivity?
    }

    init() {
        (forFile, file) = AsyncThrowingStream.makeStream()
        (forRecognizer, recognizer) = AsyncStream.makeStream()
    }

    func take(_ chunk: AudioChunk, _ activity: VoiceActivity?) {
        file.yield(chunk.samples)
        recognizer.yield(Heard(chunk: chunk, activity: activity))
    }

    func end(_ error: (any Error)?) {
        file.finish(throwing: error)
        recognizer.finish()
    }
}

/// One utterance from its first frame to its last word.
///
/// Two loops, so that a busy recognizer never delays what must not wait: one saves the sound as it arrives, the other
/// decodes it.
struct UtteranceRun: Sendable {
    let pipeline: SpeechPipeline
    let getReady: @Sendable () async -> Void
    let source: String
    let likelyWords: @Sendable () async -> [String]
    let sound: UtteranceSound
    let recording: URL?
    /// Whether the recognizer gets no sound before somebody speaks.
    let holdsBackSilence: Bool
    /// Called when the recording has ended and is in its file, long before the last word.
    let onAudioEnd: @Sendable () -> Void
    /// Whether to end a segment of this length now, which the recognizer has not ended.
    let isToBeCut: @Sendable (Duration, VoiceActivity) -> Bool
    /// See ``UtteranceContext/live``.
    let live: LiveInsertion
    /// Whether the recording is being ended: the last words are waited for, and partial results are not.
    let isEnding: @Sendable () -> Bool

    private var recognizer: any SpeechRecognizer { pipeline.recognizer }

    /// - Parameter previous: the previous utterance, which owns the recognizer until its end.
    /// - Returns: the error to throw after the results.
    func run(
        _ capture: any AudioCapture, after previous: Task<Void, Never>?,
        _ output: AsyncThrowingStream<TranscriptionResult, any Error>.Continuation,
        report: @Sendable (SpeechSessionStatus) -> Void
    ) async -> (any Error)? {
        async let saved = save(capture)
        await previous?.value
        var failure: (any Error)?
        do {
            report(.preparing)
            try pipeline.checkLocale()
            await getReady()
            let context = UtteranceContext(
                source: source, likelyWords: await likelyWords(), live: live)
            let parts = try await RecognizedParts(recognizer, context)
            report(.transcribing)
            try await decode(parts, output)
        } catch {
            failure = error
            // Without a recognizer the user must learn it now, not after a long dictation.
            capture.stop(tail: .zero)
        }
        let captureFailure = await saved
        if Task.isCancelled {
            await recognizer.cancel()
            return nil
        }
        // Sound that the recognizer has not listened to is worth another attempt, however the recording ended.
        return failure ?? captureFailure
    }

    /// Saves every frame; returns what ended the recording early.
    private func save(_ capture: any AudioCapture) async -> (any Error)? {
        defer { onAudioEnd() }
        var writer: WaveFileWriter?
        var writeFailure: (any Error)?
        // Words that cannot be kept must not be spoken in vain: the recording ends, and the user learns it now.
        func failed(_ error: any Error) {
            writeFailure = writeFailure ?? error
            writer = nil
            capture.stop(tail: .zero)
        }
        do { writer = try recording.map { try WaveFileWriter(url: $0) } } catch { failed(error) }
        do {
            for try await samples in sound.forFile {
                do { try writer?.append(samples) } catch { failed(error) }
            }
        } catch {
            return writeFailure ?? error
        }
        return writeFailure
    }

    private func decode(
        _ begun: RecognizedParts,
        _ output: AsyncThrowingStream<TranscriptionResult, any Error>.Continuation
    ) async throws {
        let hasPartials = recognizer.features.contains(.partialResults)
        var stabilizer = PartialStabilizer(agreement: recognizer.partialAgreement)
        var finalEnd: TimeInterval = 0
        var parts = begun
        var leading = LeadingSilence(isHeld: holdsBackSilence)
        func deliver(_ finals: [Recognition]) async {
            for recognition in finals {
                output.yield(TranscriptionResult(final: await pipeline.marks.set(in: recognition)))
                finalEnd = max(finalEnd, recognition.range.upperBound)
                stabilizer.reset()
            }
        }
        func accept(_ chunks: [AudioChunk]) async throws {
            for chunk in chunks { await deliver(try await parts.accept(chunk)) }
        }
        for await heard in sound.forRecognizer {
            let chunks = leading.add(heard.chunk, heard.activity ?? VoiceActivity(hasHeardSpeech: true))
            if chunks.isEmpty { continue }
            try await accept(chunks)
            if let activity = heard.activity, isToBeCut(parts.segment, activity) {
                await deliver(try await parts.finish())
                try await parts.beginNext()
            }
            guard hasPartials, !isEnding(), let partial = try await recognizer.partialText(),
                let text = stabilizer.update(SoundTags.removed(from: partial))
            else {
                continue
            }
            let seconds = SpeechAudio.duration(ofSamples: parts.end) / .seconds(1)
            let range = finalEnd..<max(finalEnd, seconds)
            output.yield(TranscriptionResult(text: AttributedString(text), isFinal: false, range: range))
        }
        guard !Task.isCancelled else { return }
        try await accept(leading.finish())
        await deliver(try await parts.finish())
    }
}
