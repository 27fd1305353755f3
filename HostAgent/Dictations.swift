import Desktop
import DictationService
import DictationSettings
import DictationShared
import DictationSpeech
import DictationSystem
import DictationText
import DictationViews
import Foundation
import Logging

/// The dictations that have not ended: carries out what ``DictationFlow`` decides of them. Each is recorded, recognized
/// and cleaned, and all of it is written into the store.
actor Dictations {
    /// The agent's executor: there is no hop between a key and the microphone.
    private let executor: ThreadExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    let context: AgentContext
    let speech: SpeechService
    let text: TextService
    nonisolated let transforms: TransformService
    private let hotkey: HotkeySwitch
    let overlay: Overlay?
    private let surroundings: Surroundings
    private let offer: RecognizerOffer
    let recovery: RecordingRecovery

    private var flow = DictationFlow()
    var dictations: [DictationFlow.Number: Dictation] = [:]

    /// A dictation that has not ended.
    struct Dictation {
        let id: DictationID
        /// Nil if nothing is spoken.
        let utterance: SpeechService.Utterance?
        let task: Task<Void, Never>
        /// Why the text will be held instead of typed; nil if it will be typed.
        var held: HoldReason?
        /// Whether it produces no text. The recognizer may have ended before it knew.
        var isCancelled = false
        /// The part that is typed while the user speaks; nil if live typing is off.
        var live: LiveDictation?
        /// The key press that ended it, if it was almost too short for a word.
        var press: BriefPress?
        /// The change of the selected text that it asks for; nil if it is a text.
        var transform: TransformRun?
    }

    /// - Parameters:
    ///   - announcements: show and sound what happens, before the store reports it.
    ///   - recovery: told what each dictation shows of the recognizer.
    init(
        on executor: ThreadExecutor, context: AgentContext, speech: SpeechService, text: TextService,
        transforms: TransformService, hotkey: HotkeySwitch, announcements: Announcements,
        recovery: RecordingRecovery
    ) {
        self.executor = executor
        self.context = context
        self.speech = speech
        self.text = text
        self.transforms = transforms
        self.hotkey = hotkey
        overlay = announcements.overlay
        surroundings = announcements.surroundings
        offer = announcements.offer
        self.recovery = recovery
    }

    var isRecording: Bool { flow.isRecording }

    func handle(_ event: DictationFlow.Event) {
        for effect in flow.handle(event) { carryOut(effect) }
        // A key was released, perhaps.
        giveOut()
    }

    /// Requests typing of everything settled, if that is possible now.
    func giveOut() { for number in dictations.keys { giveOut(number) } }

    private func carryOut(_ effect: DictationFlow.Effect) {
        switch effect {
        case .begin(let number, let focus, let options):
            if options.transform != nil, refuseTransform(number, in: focus, options) { return }
            if case .fixed(let instruction)? = options.transform {
                transform(number, instruction, in: focus, options)
            } else {
                begin(number, focus: focus, options)
            }
        case .finish(let number, let isHeld, let press):
            if isHeld { dictations[number]?.held = .askedFor }
            dictations[number]?.press = press
            guard let dictation = dictations[number], let utterance = dictation.utterance else { return }
            utterance.finish()
            let recorded = utterance.recordedMilliseconds
            context.save(.processingStarted(recording: recorded), of: dictation.id)
        case .cancel(let number):
            guard let dictation = dictations[number] else { return }
            dictations[number]?.isCancelled = true
            dictation.utterance?.cancel()
            cancelTransform(number)
            overlay?.handle(.cancelled(dictation.id))
        case .hold(let number):
            guard let id = dictations[number]?.id, !isCancelled(id) else { return }
            dictations[number]?.held = .escapePressed
            if dictations[number]?.transform == nil {
                context.logger.info("dictation \(id): Escape was pressed; its text is held")
                overlay?.handle(.kept(id))
            } else {
                dictations[number]?.isCancelled = true
                cancelTransform(number)
                overlay?.handle(.cancelled(id))
            }
        case .grabCancelKey(let isGrabbed):
            hotkey.setCancelKeyGrabbed(isGrabbed)
        case .answer(let intent, let answer):
            self.answer(intent, answer)
        }
    }

    private func answer(_ intent: Int64, _ answer: DictationFlow.Answer) {
        let phase: Intent.Phase =
            switch answer {
            case .started(let number): .done("recording", dictation: dictations[number]?.id)
            case .stopped(let number): .done("stopped", dictation: dictations[number]?.id)
            case .cancelled(let number): .done("canceled", dictation: dictations[number]?.id)
            case .transforming(let number): .done("asking the model", dictation: dictations[number]?.id)
            case .noted: .done("noted", dictation: nil)
            case .refused(let reason): .refused(reason)
            }
        do {
            try context.store.answer(intent, phase)
        } catch {
            context.logger.error("an intent cannot be answered: \(error)")
        }
    }

    /// Ends as a user would want it: the words that were said are recognized and committed first.
    func shutDown() async {
        handle(.shutDown)
        // Nobody is notified of the key any more: if it is still down, the text waits for it no longer.
        hotkey.stop()
        for dictation in dictations.values {
            await dictation.transform?.cancel()
            await dictation.task.value
        }
    }

    /// The model is not waited for then: the selected text stays as it is.
    private func cancelTransform(_ number: DictationFlow.Number) {
        guard let transform = dictations[number]?.transform else { return }
        Task { await transform.cancel() }
    }

    /// Returns when no hotkey is held down: while one is, nothing could be typed.
    func waitForKeys() async { await hotkey.waitUntilReleased() }

    func add(
        _ number: DictationFlow.Number, id: DictationID, transform: TransformRun, task: Task<Void, Never>
    ) {
        dictations[number] = Dictation(id: id, utterance: nil, task: task, transform: transform)
    }

    func ended(_ number: DictationFlow.Number) {
        dictations[number] = nil
        handle(.ended(number))
    }

    private func isCancelled(_ id: DictationID) -> Bool {
        dictations.values.contains { $0.id == id && $0.isCancelled }
    }

    /// Ends a dictation that was canceled when its recognizer had ended. Call it after the last suspension,
    /// directly before its end is saved.
    ///
    /// - Returns: whether it was.
    func endIfCancelled(_ id: DictationID) -> Bool {
        guard isCancelled(id) else { return false }
        end(cancelled: id)
        return true
    }

    private func end(cancelled id: DictationID) {
        context.save(.cancelled, of: id)
        context.logger.info("dictation \(id) was canceled")
    }

    /// Its text is in the store: it cannot be canceled any more, and Escape belongs to the inserter. Lets the
    /// recognizer keep what it has learned.
    func settle(_ id: DictationID) async {
        for (number, dictation) in dictations where dictation.id == id { handle(.ended(number)) }
        await speech.settle()
    }

    // MARK: - A dictation

    private func begin(_ number: DictationFlow.Number, focus: WindowInfo?, _ options: StartOptions) {
        let id = DictationID()
        let origin = TextOrigin(target: focus, options: options)
        let liveInsertion = options.transform == nil ? text.liveInsertion(for: origin) : .off
        // The folder of recordings, or the whole group, may have been removed; takes microseconds if it exists.
        _ = try? AppGroup(folder: context.group.folder)
        surroundings.recordingBegins(id)
        let likelyTerms = text.likelyTerms(for: origin)
        // The microphone first: while all else is done, the first word is already being recorded.
        let utterance = speech.begin(
            recording: context.group.audio(of: id), options: options, live: liveInsertion,
            likelyTerms: likelyTerms, modelLoaded: { [weak self] in await self?.show(loading: nil, for: id) },
            heard: { [overlay] level, milliseconds in
                overlay?.handle(.sound(decibels: level.peak, milliseconds: milliseconds))
            },
            audioArrived: { [weak self] in await self?.audioArrived(for: id) },
            audioEnded: { [weak self, surroundings] isHeard in
                surroundings.recordingEnded(id, isHeard: isHeard)
                // From now on the key begins the next one. If nothing is heard, the dictation has failed and
                // is over.
                if isHeard { Task { await self?.handle(.recordingEnded(number)) } }
            })
        surroundings.recordingBegan(id)
        overlay?.handle(.began(id, options.summary))
        if let hint = offer.takeHint() { overlay?.handle(.words(id, SpokenText(tentative: hint))) }
        do {
            try context.keeper.begin(
                id, target: focus, engine: utterance.engine, locale: utterance.locale,
                isPrivate: options.isPrivate || context.settings.current.history.isPrivate, options: options)
        } catch {
            context.logger.error("the dictation cannot be written to the store: \(error)")
        }
        if let model = utterance.loadingModel { show(loading: model, for: id) }
        Task { await text.prepare() }
        let task = Task {
            await transcribe(utterance, of: id, number, likelyTerms)
            ended(number)
        }
        let live = LiveDictation(
            liveInsertion, mayRevise: text.mayRevise(for: origin), origin: origin, locale: utterance.locale)
        let transform = options.transform.map { _ in beginTransform(of: id, in: focus) }
        dictations[number] = Dictation(
            id: id, utterance: utterance, task: task, live: live, transform: transform)
        if let transform {
            Task {
                // The user must not speak in vain.
                if await transform.look(at: focus, for: id) != nil { utterance.cancel() }
            }
        }
    }

    /// - Parameter model: nil when it is loaded.
    private func show(loading model: String?, for id: DictationID) {
        context.save(.loading(model), of: id)
        overlay?.handle(.loading(id, model))
    }

    private func audioArrived(for id: DictationID) {
        guard (try? context.store.dictation(id))??.status == .starting else { return }
        context.save(.recordingStarted, of: id)
    }

    private func transcribe(
        _ utterance: SpeechService.Utterance, of id: DictationID, _ number: DictationFlow.Number,
        _ likelyTerms: Task<[String], Never>?
    ) async {
        let likelyTerms = await likelyTerms?.value ?? []
        dictations[number]?.live?.know(likelyTerms)
        for await heard in utterance.heard {
            let state = context.save(.partial(heard.shown), of: id)
            overlay?.handle(.words(id, state.map(\.spokenText) ?? SpokenText(tentative: heard.shown)))
            // Words that may still change can be the beginning of a sentence: “stop listening to him”.
            if text.stopsListening(heard.final, locale: utterance.locale) { handle(.stopHeard(number)) }
            dictations[number]?.live?.take(heard, text)
            giveOut(number)
        }
        let outcome = await utterance.outcome()
        if utterance.overruns > 0 {
            context.logger.warning(
                "dictation \(id): sound is missing in \(utterance.overruns.counted("place")), because this machine was too busy: check the text"
            )
        }
        switch outcome.end {
        case .cancelled:
            if case .failed(let problem)? = await dictations[number]?.transform?.ending {
                fail(id, because: problem)
                return
            }
            end(cancelled: id)
        case .complete where !isMeant(id):
            context.save(.cancelled, of: id)
            context.logger.info(
                "dictation \(id): a brief press, in which nobody began to speak; nothing is typed")
        case .complete, .interrupted:
            var notice: DictationFailure?
            if case .interrupted(let error) = outcome.end { notice = .init(speech: error, audio: nil) }
            if let notice { context.logger.error("\(notice.message)") }
            if let transform = dictations[number]?.transform {
                await transform.instruct(outcome.text)
                await finish(transform, of: id, said: outcome.text, by: outcome.engine)
                await settle(id)
                return
            }
            await deliver(outcome, of: id, likelyTerms, notice: notice)
        case .failed(let error):
            let audio = context.group.audio(of: id)
            var failure = DictationFailure(speech: error, audio: outcome.milliseconds > 0 ? audio : nil)
            let options = origin(of: id).options.recognition
            failure = await RecognizerAdvice.explain(failure, context.settings.current.applying(options))
            if endIfCancelled(id) { return }
            context.logger.error("\(failure.message)")
            if failure.kept == nil { context.group.audioFiles.remove(id) }
            context.save(.failed(failure), of: id)
            recovery.handle(.dictationFailed(failure.knownCode))
        }
    }

    /// Requests typing of the settled words. While a hotkey is down they wait, unless it lets them pass: they
    /// might become shortcuts, or go to the program that has the keyboard.
    private func giveOut(_ number: DictationFlow.Number) {
        guard let dictation = dictations[number], dictation.held == nil, !dictation.isCancelled,
            dictation.live?.isWaiting == true, !flow.isBoundKeyDown
        else { return }
        if hotkey.keepsKeyboard { return hotkey.shareKeyboard() }
        guard let settled = dictations[number]?.live?.giveOut() else { return }
        context.save(
            dictation.live?.mayRevise == true ? .regrown(settled) : .grown(settled), of: dictation.id)
    }

    /// Whether it is a dictation: a key that was touched while somebody talks nearby is none.
    private func isMeant(_ id: DictationID) -> Bool {
        guard let press = dictations.values.first(where: { $0.id == id })?.press else { return true }
        return speech.isMeant(press, in: context.group.audio(of: id))
    }
}
