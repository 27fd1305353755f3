import Desktop
import DictationSettings
import DictationShared
import DictationSpeech
import DictationSystem
import DictationText
import Foundation
import Logging
import Synchronization

/// Speech as the host needs it: one value for each utterance, which ends in exactly one ``Outcome``.
///
/// The recognizer is replaced while the agent runs: ``look()`` compares the settings and the installed files with the
/// recognizer in use, and ``RecognizerFlow`` decides.
final class SpeechService: Sendable {
    let session: SpeechSession
    private let settings: @Sendable () -> Settings
    private let names: @Sendable () -> [String]
    private let adaptations: URL
    private let logger: Logger
    private let engines: EngineFolder
    /// Whenever another recognizer is in use; for one reader.
    let replacements: AsyncStream<Void>
    private let replaced: AsyncStream<Void>.Continuation

    private struct State {
        var flow: RecognizerFlow
        /// By their numbers in the flow.
        var recognizers: [RecognizerFlow.Number: PreparedRecognizer]
        /// Words of the user's own, as the current recognizer has them.
        var words: OwnWords
        var voices: String
        /// One model is loaded at a time.
        var preparation: Task<Void, Never>?
    }
    private let state: Mutex<State>
    /// Held from reading the settings and files until the flow has them, to keep their order.
    private let looking = Mutex(())
    private let further = FurtherRecognizers()

    private struct OwnWords: Equatable {
        var hotWords: [String]
        var words: [CustomWord]
        var detection: VoiceDetection

        init(_ settings: Settings) {
            (hotWords, words) = (settings.speech.hotWords, settings.speech.words)
            detection = settings.audio.voiceDetection
        }
    }

    /// - Parameters:
    ///   - settings: as they are now.
    ///   - names: of the dictionary, as they are now.
    ///   - logger: told what recognizes, and what cannot.
    init(
        input: any AudioInput, adaptations: URL, settings: @escaping @Sendable () -> Settings,
        names: @escaping @Sendable () -> [String], logger: Logger
    ) {
        self.settings = settings
        self.names = names
        self.adaptations = adaptations
        self.logger = logger
        engines = .standard()
        (replacements, replaced) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        let now = settings()
        let choice = RecognizerChoice(now)
        let first = Self.recognizer(now, choice, adaptations, logger)
        session = SpeechSession(
            recognizer: first.pipeline.recognizer, input: input, voiceDetection: now.audio.voiceDetection)
        session.use(first.pipeline)
        let flow = RecognizerFlow(choice)
        state = Mutex(
            State(
                flow: flow, recognizers: [flow.currentNumber: first], words: OwnWords(now),
                voices: engines.voiceFingerprint))
    }

    /// The engine and the language of the next dictation.
    var engine: String { session.engine }
    var locale: String { session.locale }

    private static func recognizer(
        _ settings: Settings, _ choice: RecognizerChoice, _ adaptations: URL, _ logger: Logger
    ) -> PreparedRecognizer {
        let recognizer = settings.recognizer { logger.warning("\($0.story)") }
        return PreparedRecognizer(
            pipeline: SpeechPipeline(
                recognizer: recognizer, locale: settings.speech.locale, punctuator: settings.punctuator,
                onPunctuationFailure: { logger.warning("no punctuation is set: \($0)") }),
            model: choice.model,
            adaptations: AdaptationFile(
                url: adaptations, engine: recognizer.adaptingEngine ?? recognizer.engine))
    }

    // MARK: - The recognizer

    /// Loads the first recognizer's model, the user's own words, and the adaptation to microphones from
    /// earlier runs.
    func prepare() async {
        session.keepLoaded = Self.keepLoaded(settings())
        let (number, first) = state.withLock {
            ($0.flow.currentNumber, $0.recognizers[$0.flow.currentNumber])
        }
        guard let first else { return }
        let health = await load(first) { try await self.session.prepare() }
        if case .poor(let reason) = health { logger.error("\(reason)") }
        handle(.prepared(number, health))
    }

    private func load(
        _ prepared: PreparedRecognizer, _ prepare: () async throws -> Void
    ) async -> RecognizerFlow.Health {
        let recognizer = prepared.pipeline.recognizer
        await recognizer.restore(prepared.adaptations.load())
        // First: a recognizer that has its words loads its model once. It leaves out those that it cannot use.
        do { try await recognizer.teach(settings().speech, names: names()) } catch {
            logger.error("\(error.story)")
        }
        do { try await prepare() } catch { return .poor(reason: error.story) }
        return recognizer.fallbackReason.map { .poor(reason: $0.story) } ?? .good
    }

    private static func keepLoaded(_ settings: Settings) -> Duration? {
        settings.speech.keepLoaded > 0 ? .seconds(60 * settings.speech.keepLoaded) : nil
    }

    /// Compares the settings and the installed files with the recognizer in use, and prepares another one if need be.
    func look() {
        looking.withLock { _ in
            let now = settings()
            let (words, voices) = (OwnWords(now), engines.voiceFingerprint)
            let old = state.withLock { state in
                defer { (state.words, state.voices) = (words, voices) }
                return (words: state.words, voices: state.voices)
            }
            if words.detection != old.words.detection || voices != old.voices {
                session.detectVoices(words.detection)
            }
            let choice = RecognizerChoice(now)
            if choice != state.withLock({ $0.flow.currentChoice }) { further.dropIdle() }
            handle(.wanted(choice))
            if words.hotWords != old.words.hotWords || words.words != old.words.words {
                teachCurrent()
            }
        }
    }

    private func teachCurrent() {
        let recognizer = session.pipeline.recognizer
        Task {
            do { try await recognizer.teach(settings().speech, names: names()) } catch {
                logger.error("\(error.story)")
            }
        }
    }

    /// The folders of engines and models, which ``look()`` reads.
    func places() -> PathWatch.Places {
        let named = settings().speech
        let models =
            (ModelStore(folder: engines.models).installed().map(\.name) + [named.model, named.punctuation])
            .filter { !$0.isEmpty }
        return .init(
            files: [engines.sherpaLibrary, engines.voiceActivityModel].map { $0.path(percentEncoded: false) },
            folders: [engines.models.path(percentEncoded: false)]
                + models.map { engines.model($0).path(percentEncoded: false) })
    }

    private func handle(_ event: RecognizerFlow.Event) {
        let effects = state.withLock { state in
            let effects = state.flow.handle(event)
            // Together with the decision: a dictation begins with the recognizer whose number it gets.
            for case .use(let number) in effects {
                if let new = state.recognizers[number] { session.use(new.pipeline) }
            }
            return effects
        }
        for effect in effects { carryOut(effect) }
    }

    private func carryOut(_ effect: RecognizerFlow.Effect) {
        switch effect {
        case .prepare(let number, let choice): prepare(number, choice)
        case .use(let number):
            guard let new = state.withLock({ $0.recognizers[number] }) else { return }
            logger.notice("the next dictation is recognized by \(new.name)")
            replaced.yield()
        case .keep(let reason):
            logger.error(
                "\(reason) The previous recognizer stays in use until the settings or the model change."
            )
        case .release(let number):
            guard let old = state.withLock({ $0.recognizers.removeValue(forKey: number) }) else { return }
            Task { await save(old) }
        }
    }

    private func prepare(_ number: RecognizerFlow.Number, _ choice: RecognizerChoice) {
        let new = Self.recognizer(settings(), choice, adaptations, logger)
        state.withLock { state in
            state.recognizers[number] = new
            let previous = state.preparation
            state.preparation = Task {
                await previous?.value
                // Another one may be needed by now.
                guard isWanted(number) else { return }
                handle(.prepared(number, await load(new) { try await new.pipeline.prepare() }))
            }
        }
    }

    private func isWanted(_ number: RecognizerFlow.Number) -> Bool {
        state.withLock { $0.recognizers[number] != nil }
    }

    // MARK: - Between dictations

    /// Saves the adaptation of the current recognizer for the next run, and gives it the new names of the
    /// dictionary.
    func settle() async {
        guard let current = state.withLock({ $0.recognizers[$0.flow.currentNumber] }) else { return }
        // Words that it cannot use were reported when it was prepared.
        try? await current.pipeline.recognizer.bias(towards: settings().speech.hotWords, names: names())
        await save(current)
    }

    private func save(_ prepared: PreparedRecognizer) async {
        let learned = await prepared.pipeline.recognizer.adaptations
        guard !learned.isEmpty else { return }
        do {
            try prepared.adaptations.save(learned)
        } catch {
            logger.warning("what was learned about the microphone cannot be saved: \(error)")
        }
    }

    // MARK: - Utterances

    /// Longer than between most words of a sentence, and about what engines that end segments by themselves wait.
    private static let livePause = Duration.milliseconds(600)

    /// Begins to record at once.
    ///
    /// - Parameters:
    ///   - options: how it differs from the settings.
    ///   - live: how much is typed while it is spoken: then words are needed after each pause, not only at
    ///     the end.
    ///   - likelyTerms: names that are likely in this one.
    ///   - modelLoaded: called once, if ``Utterance/loadingModel`` says that a model is loaded first.
    ///   - heard: called with each segment of sound: how loud it is, and how many milliseconds there are so far.
    ///   - audioArrived: called once, with the first frame.
    ///   - audioEnded: called once, when the recording has ended, with whether there is any.
    func begin(
        recording: URL, options: StartOptions = StartOptions(), live: LiveInsertion = .off,
        likelyTerms: Task<[String], Never>? = nil,
        modelLoaded: @escaping @Sendable () async -> Void = {},
        heard: @escaping @Sendable (AudioLevel, Int) -> Void,
        audioArrived: @escaping @Sendable () async -> Void, audioEnded: @escaping @Sendable (Bool) -> Void
    ) -> Utterance {
        let progress = Utterance.Progress()
        let settings = settings().applying(options.recognition)
        session.endpointing = Endpointing(settings.audio)
        if live != .off { session.endpointing.pause = Self.livePause }
        session.keepLoaded = Self.keepLoaded(settings)
        let start = { (other: SpeechPipeline?, getReady: @escaping @Sendable () async -> Void) in
            self.session.startTranscribing(
                recording: recording, by: other, live: live,
                onAudio: { chunk in
                    if progress.add(chunk.samples.count) { Task { await audioArrived() } }
                    heard(chunk.level, progress.milliseconds)
                },
                onAudioEnd: { audioEnded(progress.milliseconds > 0) },
                likelyWords: { await likelyTerms?.value ?? [] }, getReady: getReady)
        }
        if let other = furtherRecognizer(settings, options) {
            let results = start(other.recognizer.pipeline) { [weak self] in
                await self?.getReady(other)
                if other.mustLoad { await modelLoaded() }
            }
            return Utterance(
                session: session, pipeline: other.recognizer.pipeline,
                loadingModel: other.mustLoad ? other.recognizer.name : nil, results: results,
                progress: progress, ended: { [weak self] in self?.end(other) })
        }
        let (number, pipeline, results) = state.withLock { state in
            (state.flow.begin(), session.pipeline, start(nil) {})
        }
        return Utterance(
            session: session, pipeline: pipeline, loadingModel: nil, results: results, progress: progress,
            ended: { [weak self] in self?.handle(.ended(number)) })
    }

    // MARK: - Dictations that differ

    private struct FurtherRecognizer: Sendable {
        let choice: RecognizerChoice
        let recognizer: PreparedRecognizer
        let mustLoad: Bool
    }

    /// - Parameter settings: as the dictation has them.
    /// - Returns: nil if the current recognizer is the right one.
    private func furtherRecognizer(_ settings: Settings, _ options: StartOptions) -> FurtherRecognizer? {
        guard options.recognition != Intent.RecognitionOptions() else { return nil }
        let choice = RecognizerChoice(settings)
        guard choice != state.withLock({ $0.flow.currentChoice }) else { return nil }
        let (recognizer, mustLoad) = further.take(choice) {
            Self.recognizer(settings, choice, adaptations, logger)
        }
        return FurtherRecognizer(choice: choice, recognizer: recognizer, mustLoad: mustLoad)
    }

    /// Loads its model; a failure comes back from the recognizer itself.
    private func getReady(_ other: FurtherRecognizer) async {
        let pipeline = other.recognizer.pipeline
        guard other.mustLoad else {
            // Words that it cannot use were reported when it was loaded.
            try? await pipeline.recognizer.bias(towards: settings().speech.hotWords, names: names())
            return
        }
        if case .poor(let reason) = await load(other.recognizer, { try await pipeline.prepare() }) {
            logger.error("\(reason)")
        } else {
            further.noteLoaded(other.choice)
        }
    }

    private func end(_ other: FurtherRecognizer) {
        Task {
            await save(other.recognizer)
            further.giveBack(other.choice, keepLoaded: Self.keepLoaded(settings()))
        }
    }

    // MARK: - Recordings

    /// Whether a recording that a brief press ended is a dictation at all: a voice must have begun in it.
    func isMeant(_ press: BriefPress, in recording: URL) -> Bool {
        do {
            return press.isMeant(onset: try session.speechOnset(in: recording, first: press.length))
        } catch {
            logger.warning("\(recording.lastPathComponent) is treated as a dictation: \(error)")
            return true
        }
    }

    /// Why a recording has no words.
    func explainSilence(_ outcome: Outcome, in recording: URL) async -> DictationFailure {
        let audio = settings().audio
        if outcome.milliseconds == 0 {
            return .endedBeforeSound(audio.device, isKeptOpen: audio.keepOpen > 0)
        }
        if outcome.text.isEmpty {
            switch session.soundWithoutWords(in: recording) {
            case .voice: return .voiceWithoutWords(recording: recording)
            case .noise: return .noVoice(recording: recording)
            case .silence, nil: break
            }
        }
        return await .microphoneOff(audio.device) ?? .noSpeech
    }
}
