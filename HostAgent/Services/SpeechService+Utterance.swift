import DictationShared
import DictationSpeech
import DictationText
import Foundation
import Synchronization

extension SpeechService {
    struct Outcome: Sendable {
        enum End: Sendable {
            case complete
            case cancelled
            /// The recording ended early, and there is a text of it.
            case interrupted(any Error)
            /// There is no text, or only one of the beginning: the rest was not recognized.
            case failed(any Error)
        }

        let end: End
        let text: String
        /// The words of the text with their times; empty if the engine does not know them.
        let words: [TimedWord]
        /// The engine that recognized it; nil if there is no text.
        let engine: String?
        /// Of sound.
        let milliseconds: Int
        /// From the end of the recording, its tail included, to the last word.
        let finalMilliseconds: Int
        /// The language that was spoken.
        let locale: String
    }

    /// One recording: from one press of the key to the next.
    struct Utterance: Sendable {
        /// The text so far, each time that it changes.
        let heard: AsyncStream<HeardText>
        /// The engine, and the spoken language.
        let engine: String
        let locale: String
        /// The model that is being loaded for it; nil if none is.
        let loadingModel: String?

        private let session: SpeechSession
        /// Its number in the session.
        private let generation: Int
        private let progress: Progress
        private let task: Task<Outcome, Never>
        /// Of those before it.
        private let overrunsBefore: Int

        /// Create it before the session begins another one.
        init(
            session: SpeechSession, pipeline: SpeechPipeline, loadingModel: String?,
            results: AsyncThrowingStream<TranscriptionResult, any Error>, progress: Progress,
            ended: @escaping @Sendable () -> Void
        ) {
            self.session = session
            generation = session.generation
            let (engine, locale) = (pipeline.recognizer.engine, pipeline.locale)
            (self.engine, self.locale, self.loadingModel) = (engine, locale, loadingModel)
            self.progress = progress
            overrunsBefore = session.overruns
            // A late reader needs only the newest.
            let (heard, continuation) = AsyncStream.makeStream(
                of: HeardText.self, bufferingPolicy: .bufferingNewest(1))
            self.heard = heard
            task = Task {
                defer {
                    continuation.finish()
                    ended()
                }
                var transcript = Transcript()
                var words: [TimedWord]? = []
                var failure: (any Error)?
                do {
                    for try await result in results {
                        if result.isFinal {
                            transcript.results.append(result)
                            words = result.timedWords.flatMap { new in words.map { $0 + new } }
                        }
                        continuation.yield(
                            HeardText(
                                final: transcript.plainText, words: words ?? [],
                                tentative: result.isFinal ? "" : result.plainText,
                                end: result.range.upperBound))
                    }
                } catch {
                    failure = error
                }
                return progress.outcome(
                    transcript, words: words ?? [], engine: engine, locale: locale, failure: failure)
            }
        }

        var recordedMilliseconds: Int { progress.milliseconds }

        /// How often sound was lost so far, because this machine was too busy.
        var overruns: Int { session.overruns - overrunsBefore }

        /// The user has stopped speaking.
        func finish() {
            progress.finish()
            session.finishRecording()
        }

        /// It produces no text. The next one, which may be recorded already, is not affected.
        func cancel() {
            progress.cancel()
            session.cancel(generation: generation)
        }

        func outcome() async -> Outcome { await task.value }

        /// How far an utterance is; shared by the capture, the recognizer's results and the host.
        final class Progress: Sendable {
            private struct State {
                var samples = 0
                var isCancelled = false
                var finishedAt: ContinuousClock.Instant?
            }
            private let state = Mutex(State())

            /// - Returns: true for the first frame.
            func add(_ samples: Int) -> Bool {
                state.withLock { state in
                    defer { state.samples += samples }
                    return state.samples == 0 && samples > 0
                }
            }

            func finish() { state.withLock { $0.finishedAt = .now } }
            func cancel() { state.withLock { $0.isCancelled = true } }

            var milliseconds: Int { state.withLock { $0.samples * 1000 / SpeechAudio.sampleRate } }

            func outcome(
                _ transcript: Transcript, words: [TimedWord], engine: String, locale: String,
                failure: (any Error)?
            ) -> Outcome {
                let now = ContinuousClock.now
                let text = transcript.plainText
                let engines = transcript.engines(of: engine).joined(separator: ", ")
                let (isCancelled, finishedAt) = state.withLock { ($0.isCancelled, $0.finishedAt) }
                let end: Outcome.End =
                    switch (isCancelled, failure) {
                    case (true, _): .cancelled
                    case (false, nil): .complete
                    case (false, let failure?):
                        text.isEmpty || FailureCode(failure).leavesRecordingUnheard
                            ? .failed(failure) : .interrupted(failure)
                    }
                return Outcome(
                    end: end, text: text, words: words, engine: engines.isEmpty ? nil : engines,
                    milliseconds: milliseconds,
                    finalMilliseconds: finishedAt.map { $0.duration(to: now).milliseconds } ?? 0,
                    locale: locale)
            }
        }
    }
}

extension Duration {
    /// Whole milliseconds, rounded to the nearest.
    var milliseconds: Int { Int((self / .milliseconds(1)).rounded()) }
}
