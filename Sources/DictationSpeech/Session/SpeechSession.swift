import DictationSystem
import Foundation
import Synchronization

/// The activity of a ``SpeechSession``.
public enum SpeechSessionStatus: String, Sendable, Codable, CaseIterable {
    case idle
    /// The model is being loaded; sound may be queued already.
    case preparing
    case transcribing
    /// The microphone is closed for a while; the words from before are being recognized.
    case paused
    /// The recording is over, or in its tail; the last words are being recognized.
    case stopping
}

/// Speech in, text out: records from a microphone and gives the words as they are spoken.
///
/// ```swift
/// let session = SpeechSession()
/// Task { await waitForKeyRelease(); await session.stopTranscribing() }
/// var text = ""
/// for try await result in session.startTranscribing() where result.isFinal {
///     text += result.plainText + " "
/// }
/// ```
///
/// The microphone is opened at once, and every frame is queued while the recognizer gets ready: the first word is
/// never cut. One session serves many utterances, one after another; a new one may begin while the last words of
/// the one before are still being recognized.
public final class SpeechSession: Sendable {
    let input: any AudioInput
    let monitor: SoundMonitor
    let state: Mutex<State>

    struct State {
        /// For the utterances that begin from now on.
        var pipeline: SpeechPipeline
        /// The newest utterance; older ones may still be finishing.
        var current: Utterance?
        /// Ends when all utterances so far have ended: the recognizer takes them one after another.
        var lastTask: Task<Void, Never>?
        var endpointing = Endpointing()
        var generation = 0
        /// Frames lost in the utterances so far.
        var overruns = 0
        let statuses = Broadcast(newest: SpeechSessionStatus.idle, keeping: 16)
        var keepLoaded: Duration?
        var release: Task<Void, Never>?
        let configurations = Broadcast<AudioInputConfiguration>(newest: nil, keeping: 16)
        /// Watches the microphone while it is observed.
        var inputWatch: Task<Void, Never>?
    }

    /// An utterance that is being recorded or recognized.
    struct Utterance {
        let generation: Int
        let capture: PausableCapture
        let task: Task<Void, Never>
        var isStopping = false
        var isPaused = false
    }

    /// - Parameters:
    ///   - recognizer: turns sound into words; ``use(_:)`` takes another one later.
    ///   - input: where the sound comes from.
    ///   - locale: the language that is spoken.
    ///   - endpointing: when recordings end; may be changed at any time by ``endpointing``.
    ///   - voiceDetection: how voices are distinguished from other sounds.
    ///   - engines: where the voice activity detector is.
    ///   - punctuator: adds punctuation to final results of a recognizer that gives bare words.
    ///   - onPunctuationFailure: called when it fails; the words are delivered without punctuation.
    public init(
        recognizer: any SpeechRecognizer = PocketSphinxRecognizer(), input: any AudioInput = ALSAInput(),
        locale: String = "en-US", endpointing: Endpointing = Endpointing(),
        voiceDetection: VoiceDetection = .automatic, engines: EngineFolder = .standard(),
        punctuator: (any Punctuator)? = nil,
        onPunctuationFailure: @escaping @Sendable (any Error) -> Void = { _ in }
    ) {
        monitor = SoundMonitor(voiceDetection, engines)
        self.input = input
        let pipeline = SpeechPipeline(
            recognizer: recognizer, locale: locale, punctuator: punctuator,
            onPunctuationFailure: onPunctuationFailure)
        state = Mutex(State(pipeline: pipeline, endpointing: endpointing))
    }

    /// Recognizes the next utterance; see ``use(_:)``.
    public var pipeline: SpeechPipeline { state.withLock { $0.pipeline } }
    /// The recognizer's own name, such as "pocketsphinx".
    public var engine: String { pipeline.recognizer.engine }
    /// The language that is spoken, such as "en-US".
    public var locale: String { pipeline.locale }

    /// When recordings end; a change concerns the one that is under way as well.
    public var endpointing: Endpointing {
        get { state.withLock { $0.endpointing } }
        set { state.withLock { $0.endpointing = newValue } }
    }

    /// Loads the model ahead of time.
    ///
    /// - Throws: ``SpeechSessionError/modelMissing(engine:path:package:)`` and
    ///   ``SpeechSessionError/engineFailed(engine:reason:)``.
    public func prepare() async throws {
        let pipeline = pipeline
        try pipeline.checkLocale()
        monitor.prepare()
        defer { scheduleRelease() }
        guard status == .idle else { return try await pipeline.prepare() }
        setStatus(.preparing, from: .idle)
        defer { setStatus(.idle, from: .preparing) }
        try await pipeline.prepare()
    }

    /// Begins to record, now, and gives the words as they are recognized.
    ///
    /// The stream ends after ``stopTranscribing(tail:)``, or by itself if ``endpointing`` says so. When the
    /// microphone vanishes in the middle, the words so far are delivered as final results, and then the
    /// stream throws. If the reader drops the stream, the utterance is canceled.
    ///
    /// - Parameters:
    ///   - recording: a WAV file (mode 0600) to which every frame is written as it arrives, so that nothing
    ///     spoken is lost. If it cannot be written (a full disk), the recording ends; the words until then
    ///     are delivered, and then the stream throws.
    ///   - other: recognizes this utterance instead of ``pipeline``.
    ///   - live: how much is typed while it is spoken; see ``UtteranceContext/live``.
    ///   - onAudio: called with every frame as it arrives, on the microphone's own thread, for meters; must return at once.
    ///   - onAudioEnd: called when the recording has ended, its tail included; must return at once.
    ///   - likelyWords: names and terms that are likely in this utterance alone; see
    ///     ``UtteranceContext/likelyWords``. Called like `getReady`.
    ///   - getReady: called before the recognizer is asked for anything, when the utterance before has ended; the sound is
    ///     queued during that time.
    /// - Returns: a stream that throws ``SpeechSessionError``.
    public func startTranscribing(
        recording: URL? = nil, by other: SpeechPipeline? = nil, live: LiveInsertion = .off,
        onAudio: (@Sendable (AudioChunk) -> Void)? = nil,
        onAudioEnd: @escaping @Sendable () -> Void = {},
        likelyWords: @escaping @Sendable () async -> [String] = { [] },
        getReady: @escaping @Sendable () async -> Void = {}
    ) -> AsyncThrowingStream<TranscriptionResult, any Error> {
        let (stream, output) = AsyncThrowingStream<TranscriptionResult, any Error>.makeStream()
        let generation: Int? = state.withLock { state in
            if let current = state.current, !current.isStopping { return nil }
            // The device may serve one client only: an old tail ends where the new utterance begins.
            state.current?.capture.stop(tail: .zero)
            state.generation += 1
            let generation = state.generation
            let sound = UtteranceSound()
            let capture = PausableCapture(
                input,
                onChunk: { [weak self] chunk in
                    sound.take(chunk, self?.heard(chunk, in: generation))
                    onAudio?(chunk)
                }, onEnd: { sound.end($0) })
            let previous = state.lastTask
            monitor.begin()
            let run = UtteranceRun(
                pipeline: other ?? state.pipeline, getReady: getReady, source: input.name,
                likelyWords: likelyWords, sound: sound,
                recording: recording, holdsBackSilence: monitor.tellsVoices, onAudioEnd: onAudioEnd,
                isToBeCut: { [weak self] segment, activity in
                    self?.endpointing.isToBeCut(segment: segment, activity) ?? false
                }, live: live,
                isEnding: { [weak self] in
                    self?.state.withLock { $0.current.map { $0.generation != generation || $0.isStopping } }
                        ?? true
                })
            // The task keeps the session alive until its utterance has ended.
            let task = Task {
                let failure = await run.run(capture, after: previous, output) {
                    self.setStatus($0, of: generation)
                }
                // In this order: a reader that sees the end of the stream may begin the next utterance.
                self.ended(generation, overruns: capture.overruns)
                self.inputEnded(with: failure)
                output.finish(throwing: failure)
            }
            state.current = Utterance(generation: generation, capture: capture, task: task)
            state.lastTask = task
            return generation
        }
        guard let generation else {
            output.finish(throwing: SpeechSessionError.alreadyTranscribing)
            return stream
        }
        setStatus(.transcribing, of: generation)
        output.onTermination = { [weak self] reason in
            if case .cancelled = reason { self?.cancel(generation: generation) }
        }
        return stream
    }

    /// Ends the recording after a tail, without waiting for the last words: they come in the stream.
    ///
    /// - Parameter tail: how much more to record; if nil, ``Endpointing/tail``, and less the longer the
    ///   speaker has been silent.
    public func finishRecording(tail: Duration? = nil) {
        let activity = monitor.activity
        let generation: Int? = state.withLock { state in
            guard state.current != nil else { return nil }
            state.current?.isStopping = true
            state.current?.capture.stop(tail: tail ?? state.endpointing.tail(after: activity))
            return state.current?.generation
        }
        if let generation { setStatus(.stopping, of: generation) }
    }

    /// Ends the recording after a tail, and returns when the last words are in the stream. Does nothing when
    /// nothing is being recorded.
    ///
    /// - Parameter tail: as for ``finishRecording(tail:)``.
    public func stopTranscribing(tail: Duration? = nil) async {
        let task = state.withLock { $0.current?.task }
        finishRecording(tail: tail)
        await task?.value
    }

    /// Ends the recording at once and discards its words; the stream ends without an error.
    public func cancel() {
        if let generation = state.withLock({ $0.current?.generation }) { cancel(generation: generation) }
    }

    /// The number of the newest utterance, for ``cancel(generation:)``.
    public var generation: Int { state.withLock { $0.generation } }

    /// The same as ``cancel()`` for one utterance; does nothing once a newer one has begun, whose words must
    /// not be discarded.
    public func cancel(generation: Int) {
        let utterance: Utterance? = state.withLock { state in
            guard state.current?.generation == generation else { return nil }
            state.current?.isStopping = true
            return state.current
        }
        guard let utterance else { return }
        // In this order: a recording that ends before it is canceled is recognized to its end.
        utterance.task.cancel()
        utterance.capture.stop(tail: .zero)
        setStatus(.stopping, of: generation)
    }

    private func ended(_ generation: Int, overruns: Int) {
        setStatus(.idle, of: generation)
        let isLast = state.withLock { state in
            state.overruns += overruns
            guard state.current?.generation == generation else { return false }
            state.current = nil
            return true
        }
        guard isLast else { return }
        monitor.end()
        scheduleRelease()
    }

    // MARK: - While it records

    /// Takes a frame of an utterance, before it is decoded.
    ///
    /// - Returns: the voices up to the end of the frame; nil if a newer utterance has begun.
    private func heard(_ chunk: AudioChunk, in generation: Int) -> VoiceActivity? {
        let isCurrent = state.withLock { $0.current?.generation == generation }
        // The tail of an utterance says nothing about the next one.
        guard isCurrent else { return nil }
        // Ten times a second: a pause may bring another format.
        if chunk.position % (SpeechAudio.sampleRate / 10) < chunk.samples.count { inputWorks(in: generation) }
        let activity = monitor.add(chunk.samples)
        let isOver = state.withLock { $0.current?.isStopping == false && $0.endpointing.isOver(activity) }
        if isOver { finishRecording(tail: .zero) }
        return activity
    }
}
