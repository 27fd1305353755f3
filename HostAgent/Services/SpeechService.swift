import DictationSettings
import DictationSpeech
import DictationText
import Foundation
import Logging
import Synchronization

/// Speech as the host needs it: one value for each utterance, which ends in exactly one ``Outcome``.
struct SpeechService: Sendable {
    let session: SpeechSession
    let engine: String
    let locale: String
    private let recognizer: any SpeechRecognizer
    private let settings: @Sendable () -> Settings
    /// Those of the settings at the start.
    private let hotWords: [String]
    private let names: @Sendable () -> [String]
    private let adaptations: AdaptationFile

    /// - Parameters:
    ///   - punctuator: sets marks where the recogniser gives bare words.
    ///   - settings: as they are now.
    ///   - names: of the dictionary, as they are now.
    ///   - logger: told why there are no marks.
    init(
        recognizer: any SpeechRecognizer, punctuator: (any Punctuator)?, input: any AudioInput,
        adaptations url: URL, settings: @escaping @Sendable () -> Settings,
        names: @escaping @Sendable () -> [String], logger: Logger
    ) {
        self.settings = settings
        hotWords = settings().speech.hotWords
        self.names = names
        let locale = settings().speech.locale
        session = SpeechSession(
            recognizer: recognizer, input: input, locale: locale,
            voiceDetection: VoiceDetection(settings().audio), punctuator: punctuator,
            onPunctuationFailure: { logger.warning("no marks are set: \($0)") })
        engine = recognizer.engine
        self.locale = locale
        self.recognizer = recognizer
        let adapting = recognizer as? any AdaptsToSource
        adaptations = AdaptationFile(url: url, engine: adapting?.adaptingEngine ?? recognizer.engine)
    }

    /// Loads the model, the user's own words, and what was learned about microphones in earlier runs.
    func prepare() async throws {
        await (recognizer as? any AdaptsToSource)?.restore(adaptations.load())
        session.keepLoaded = Self.keepLoaded(settings())
        // First: a recogniser that has its words loads its model once.
        var failure: (any Error)?
        do { try await recognizer.teach(settings().speech, names: names()) } catch { failure = error }
        try await session.prepare()
        if let failure { throw failure }
    }

    private static func keepLoaded(_ settings: Settings) -> Duration? {
        settings.speech.keepLoaded > 0 ? .seconds(60 * settings.speech.keepLoaded) : nil
    }

    /// Between two dictations: keeps what the recogniser has learned for the next run, and gives it the names that have
    /// come into the dictionary meanwhile.
    func settle(_ logger: Logger) async {
        // What it cannot favour was told when host-agent began to run.
        try? await recognizer.favour(hotWords, names: names())
        guard let learned = await (recognizer as? any AdaptsToSource)?.adaptations, !learned.isEmpty else {
            return
        }
        do {
            try adaptations.save(learned)
        } catch {
            logger.warning("what was learned about the microphone cannot be saved: \(error)")
        }
    }

    struct Outcome: Sendable {
        enum End: Sendable {
            case complete
            case cancelled
            /// Something failed, but there is a text.
            case interrupted(any Error)
            /// There is no text.
            case failed(any Error)
        }

        let end: End
        let text: String
        /// The words of the text with their times; empty where the engine does not know them.
        let words: [TimedWord]
        /// What recognised it; nil where there is no text.
        let engine: String?
        /// Of sound.
        let milliseconds: Int
        /// From the end of the recording, its tail included, to the last word.
        let finalMilliseconds: Int
    }

    /// Begins to record at once.
    ///
    /// - Parameters:
    ///   - heard: called with each stretch of sound: how loud it is, and how many milliseconds there are so far.
    ///   - audioArrived: called once, with the first frame.
    ///   - audioEnded: called once, when the recording has ended, with whether there is any.
    func begin(
        recording: URL, heard: @escaping @Sendable (AudioLevel, Int) -> Void,
        audioArrived: @escaping @Sendable () async -> Void, audioEnded: @escaping @Sendable (Bool) -> Void
    ) -> Utterance {
        let progress = Utterance.Progress()
        let settings = settings()
        session.endpointing = Endpointing(settings.audio)
        session.keepLoaded = Self.keepLoaded(settings)
        let results = session.startTranscribing(
            recording: recording,
            onAudio: { chunk in
                if progress.add(chunk.samples.count) { Task { await audioArrived() } }
                heard(chunk.level, progress.milliseconds)
            },
            onAudioEnd: { audioEnded(progress.milliseconds > 0) })
        return Utterance(session: session, engine: engine, results: results, progress: progress)
    }

    /// What is spoken between two presses of the key.
    struct Utterance: Sendable {
        /// The text so far, whenever it has changed.
        let partials: AsyncStream<String>

        private let session: SpeechSession
        private let progress: Progress
        private let task: Task<Outcome, Never>
        /// Of those before it.
        private let overrunsBefore: Int

        init(
            session: SpeechSession, engine: String,
            results: AsyncThrowingStream<TranscriptionResult, any Error>, progress: Progress
        ) {
            self.session = session
            self.progress = progress
            overrunsBefore = session.overruns
            // Only the newest is of interest to somebody who is late.
            let (partials, continuation) = AsyncStream.makeStream(
                of: String.self, bufferingPolicy: .bufferingNewest(1))
            self.partials = partials
            task = Task {
                defer { continuation.finish() }
                var transcript = Transcript()
                var words: [TimedWord]? = []
                var failure: (any Error)?
                do {
                    for try await result in results {
                        if result.isFinal {
                            transcript.results.append(result)
                            words = result.timedWords.flatMap { new in words.map { $0 + new } }
                        }
                        let said = transcript.plainText
                        let volatile = result.isFinal ? "" : result.plainText
                        continuation.yield(
                            said.isEmpty || volatile.isEmpty ? said + volatile : "\(said) \(volatile)")
                    }
                } catch {
                    failure = error
                }
                return progress.outcome(transcript, words: words ?? [], engine: engine, failure: failure)
            }
        }

        var recordedMilliseconds: Int { progress.milliseconds }

        /// How often sound was lost so far, because this machine was too busy to take it.
        var overruns: Int { session.overruns - overrunsBefore }

        /// The user has stopped speaking.
        func finish() {
            progress.finish()
            session.finishRecording()
        }

        func cancel() {
            progress.cancel()
            session.cancel()
        }

        func outcome() async -> Outcome { await task.value }

        /// How far an utterance is; shared by the capture, the recogniser's results and the host.
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
                _ transcript: Transcript, words: [TimedWord], engine: String, failure: (any Error)?
            ) -> Outcome {
                let now = ContinuousClock.now
                let text = transcript.plainText
                let engines = transcript.engines(of: engine).joined(separator: ", ")
                let (isCancelled, finishedAt) = state.withLock { ($0.isCancelled, $0.finishedAt) }
                let end: Outcome.End =
                    switch (isCancelled, failure) {
                    case (true, _): .cancelled
                    case (false, nil): .complete
                    case (false, let failure?): text.isEmpty ? .failed(failure) : .interrupted(failure)
                    }
                return Outcome(
                    end: end, text: text, words: words, engine: engines.isEmpty ? nil : engines,
                    milliseconds: milliseconds,
                    finalMilliseconds: finishedAt.map { $0.duration(to: now).milliseconds } ?? 0)
            }
        }
    }
}

extension Duration {
    /// Whole milliseconds, rounded to the nearest.
    var milliseconds: Int { Int((self / .milliseconds(1)).rounded()) }
}
