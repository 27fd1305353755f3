import Desktop
import DictationBus
import DictationService
import DictationSettings
import DictationShared
import DictationSpeech
import DictationSystem
import DictationText
import DictationViews
import Foundation
import Logging
import ServiceLifecycle

/// Carries out what ``DictationFlow`` decides: records, recognizes, cleans, and writes it all into the store.
package actor DictationAgent: Service {
    private let executor = ThreadExecutor(name: "dictation")
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    let context: AgentContext
    private let speech: SpeechService
    private let text: TextService
    private let recovery: LeftoverRecovery
    private let recognition: RequestedRecognition
    /// Those that are asked for, by their intents.
    private var recognitions: [Int64: Task<Void, Never>] = [:]
    private let recoveries: RecoveryLoop
    private let hotkey: HotkeySwitch
    private let focus: (any FocusReading)?
    private let history: HistoryKeeper
    let overlay: Overlay?
    let surroundings: Surroundings
    private let session: SessionWatch
    private let departures: AsyncStream<SessionAbsence>
    let notices: DesktopNotices
    var noticeFlow = NoticeFlow()
    var soundFlow = SoundFlow()
    private let offer: RecognizerOffer
    private let offerAnswers: AsyncStream<OfferFlow.Answer>
    private var news: News
    /// The open work in the store when the agent began; nil if it could not be read.
    private let openWork: ChangeSet?

    private var flow = DictationFlow()
    private var dictations: [DictationFlow.Number: Dictation] = [:]

    /// A dictation that has not ended.
    private struct Dictation {
        let id: DictationID
        let utterance: SpeechService.Utterance
        let task: Task<Void, Never>
        /// Why the text is not typed when it is there; nil where it is.
        var held: HoldReason?
        /// The key press that ended it, if it was hardly long enough for a word.
        var press: BriefPress?
    }

    /// - Parameters:
    ///   - focus: looks at the focused window for intents; nil without a display.
    ///   - overlay: shows what happens; nil without a display.
    init(
        context: AgentContext, speech: SpeechService, text: TextService, hotkey: HotkeySwitch,
        focus: (any FocusReading)?, overlay: Overlay?
    ) {
        self.context = context
        self.speech = speech
        self.text = text
        let settings = context.settings
        recovery = LeftoverRecovery(
            store: context.store, logger: context.logger,
            cleaner: { text.cleaner(for: nil) }, recognizer: .own,
            retention: { AudioRetention(settings.current) }, engine: speech.engine,
            locale: speech.locale)
        recoveries = RecoveryLoop(recovery)
        recognition = RequestedRecognition(
            store: context.store, logger: context.logger, recognizer: .own, atWork: recovery.atWork,
            cleaner: { text.cleaner(for: nil, locale: $0) }, locale: { settings.current.speech.locale })
        self.hotkey = hotkey
        self.focus = focus
        history = HistoryKeeper(context: context)
        self.overlay = overlay
        surroundings = Surroundings(context)
        let (departures, departure) = AsyncStream.makeStream(of: SessionAbsence.self)
        self.departures = departures
        session = SessionWatch(logger: context.logger) { if $1 { departure.yield($0) } }
        let (offerAnswers, offerAnswer) = AsyncStream.makeStream(of: OfferFlow.Answer.self)
        self.offerAnswers = offerAnswers
        notices = Self.notices(context, offer: { offerAnswer.yield($0) })
        offer = RecognizerOffer(context, notices: notices)
        // Before anybody is told that the agent works: what comes from then on must not pass for what was there before.
        openWork = try? context.store.openWork()
        news = News(since: openWork?.revision)
    }

    package func run() async throws {
        let store = context.store
        let leftovers = recovery.takeStock()
        let advising = Task { await offer.advise() }
        let recovering = Task { await recoveries.run(leftovers) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            let openWork = openWork
            group.addTask {
                // The finished dictations need nothing of this agent: what lies in the folder of recordings says which
                // of them do, and the history is trimmed apart.
                if let openWork { await self.notice(openWork) }
                let changes = StateWatcher.changes(
                    of: store, since: openWork?.revision ?? 0, where: \.isMoreThanProgress)
                for try await changes in changes.cancelOnGracefulShutdown() { await self.notice(changes) }
            }
            let hotkey = hotkey
            group.addTask {
                for await event in hotkey.events.cancelOnGracefulShutdown() {
                    try await self.handle(event)
                }
            }
            let replacements = speech.replacements
            let recoveries = recoveries
            group.addTask {
                for await _ in replacements.cancelOnGracefulShutdown() {
                    recoveries.handle(.recognizersChanged)
                }
            }
            if let compositor = CompositorWatch() {
                group.addTask {
                    for await _ in compositor.departures.cancelOnGracefulShutdown() {
                        throw DesktopError.displayLost(name: compositor.socket)
                    }
                }
            }
            let history = history
            group.addTask { await history.run() }
            let departures = departures
            group.addTask {
                for await absence in departures.cancelOnGracefulShutdown() { await self.handle(absence) }
            }
            let (offer, offerAnswers) = (offer, offerAnswers)
            group.addTask {
                for await answer in offerAnswers.cancelOnGracefulShutdown() {
                    await offer.handle(.answered(answer))
                }
            }
            let engines = EngineWatch(speech, logger: context.logger)
            defer { engines?.stop() }
            let updates = context.settings.updates()
            group.addTask {
                for await new in updates.cancelOnGracefulShutdown() {
                    hotkey.change(to: try self.grabbedHotkey(new))
                    engines?.lookAgain()
                }
            }
            // One that fails ends the other as well; `waitForAll` would wait for it first.
            while try await group.next() != nil {}
        }
        advising.cancel()
        recovering.cancel()
        for task in recognitions.values { task.cancel() }
        await recovering.value
        for task in recognitions.values { await task.value }
        await shutDown()
    }

    // MARK: - Events

    private func handle(_ event: HotkeyEvent) async throws {
        switch event {
        case .pressed(let instant, let focus):
            // A desktop that listens to the key does not say which window has the focus.
            let known = try? await self.focus?.focusedWindow()
            handle(.hotkeyPressed(at: instant, focus: focus ?? known))
        case .released(let instant):
            handle(.hotkeyReleased(at: instant))
        case .cancelPressed:
            handle(.cancelKeyPressed)
        case .insertReleased: context.askForHeldText()
        case .noKey:
            tellOfHotkey("no key is chosen for dictation in the desktop's settings")
        case .unavailable(let reason): tellOfHotkey(reason)
        case .displayLost:
            throw DesktopError.displayLost(name: ProcessInfo.processInfo.environment["DISPLAY"] ?? "")
        }
    }

    private func notice(_ changes: ChangeSet) async {
        for state in changes.dictations { recovery.clearUp(state) }
        history.notice(changes)
        if let overlay { for state in changes.dictations { overlay.handle(.changed(state)) } }
        show(news.take(from: changes))
        guard changes.intents.contains(where: { $0.phase == .pending && $0.action.role == .host }) else {
            return
        }
        do {
            for intent in try context.store.takeIntents(for: .host) { await handle(intent) }
        } catch {
            context.logger.error("intents cannot be read: \(error)")
        }
    }

    private func handle(_ intent: Intent) async {
        switch intent.action {
        case .record(let request): await record(request, for: intent.id)
        case .key(let isDown): await noteKey(isDown: isDown, at: intent.timestamp, for: intent.id)
        case .recognize(let id, let options):
            recognitions[intent.id] = Task {
                await recognition.carryOut(intent.id, id, options)
                recognitions[intent.id] = nil
            }
        // The store gives the host its own intents only.
        case .insert, .insertAgain, .hold, .discard, .copy, .undo: break
        }
    }

    private func record(_ request: Intent.RecordingRequest, for intent: Int64) async {
        let window = try? await focus?.focusedWindow()
        handle(
            .asked(
                request, intent: intent, focus: window,
                absence: session.absence?.explanation))
    }

    /// - Parameter date: when the key was pressed or released.
    private func noteKey(isDown: Bool, at date: Date, for intent: Int64) async {
        let instant = ContinuousClock.now - .seconds(Date().timeIntervalSince(date))
        let window = isDown ? try? await focus?.focusedWindow() : nil
        handle(
            .boundKey(
                isDown ? .pressed(at: instant) : .released(at: instant), intent: intent,
                focus: window, absence: session.absence?.explanation))
    }

    func handle(_ event: DictationFlow.Event) {
        for effect in flow.handle(event) { carryOut(effect) }
    }

    private func carryOut(_ effect: DictationFlow.Effect) {
        switch effect {
        case .begin(let number, let focus, let isPrivate):
            begin(number, focus: focus, isPrivate: isPrivate || context.settings.current.history.isPrivate)
        case .finish(let number, let isHeld, let press):
            if isHeld { dictations[number]?.held = .askedFor }
            dictations[number]?.press = press
            guard let dictation = dictations[number] else { return }
            dictation.utterance.finish()
            let recorded = dictation.utterance.recordedMilliseconds
            save(.processingStarted(recording: recorded), of: dictation.id)
        case .cancel(let number):
            dictations[number]?.utterance.cancel()
        case .hold(let number):
            dictations[number]?.held = .escapePressed
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
            case .cancelled(let number): .done("cancelled", dictation: dictations[number]?.id)
            case .noted: .done("noted", dictation: nil)
            case .refused(let reason): .refused(reason)
            }
        do {
            try context.store.answer(intent, phase)
        } catch {
            context.logger.error("an intent cannot be answered: \(error)")
        }
    }

    // MARK: - A dictation

    private func begin(_ number: DictationFlow.Number, focus: WindowInfo?, isPrivate: Bool) {
        let id = DictationID()
        surroundings.recordingBegins(id)
        // The microphone first: whatever else has to be done, the first word is already being recorded.
        let utterance = speech.begin(
            recording: context.group.audio(of: id),
            heard: { [overlay] level, milliseconds in
                overlay?.handle(.sound(decibels: level.peak, milliseconds: milliseconds))
            },
            audioArrived: { [weak self] in await self?.audioArrived(for: id) },
            audioEnded: { [weak self, surroundings] isHeard in
                surroundings.recordingEnded(id, isHeard: isHeard)
                // From now on the key begins the next one. Where nothing is heard the dictation has failed, and is over.
                if isHeard { Task { await self?.handle(.recordingEnded(number)) } }
            })
        surroundings.recordingBegan(id)
        overlay?.handle(.began(id))
        if let hint = offer.takeHint() { overlay?.handle(.words(id, hint)) }
        do {
            try context.keeper.begin(
                id, target: focus, engine: utterance.engine, locale: utterance.locale, isPrivate: isPrivate)
        } catch {
            context.logger.error("the dictation cannot be written to the store: \(error)")
        }
        Task { await text.prepare() }
        let task = Task {
            await transcribe(utterance, of: id)
            dictations[number] = nil
            handle(.ended(number))
        }
        dictations[number] = Dictation(id: id, utterance: utterance, task: task)
    }

    private func audioArrived(for id: DictationID) {
        guard (try? context.store.dictation(id))??.status == .starting else { return }
        save(.recordingStarted, of: id)
    }

    private func transcribe(_ utterance: SpeechService.Utterance, of id: DictationID) async {
        for await partial in utterance.partials {
            overlay?.handle(.words(id, partial))
            save(.partial(partial), of: id)
        }
        let outcome = await utterance.outcome()
        if utterance.overruns > 0 {
            context.logger.warning(
                "dictation \(id): sound is missing in \(utterance.overruns.counted("place")), because this machine was too busy: read the text over"
            )
        }
        switch outcome.end {
        case .cancelled:
            save(.cancelled, of: id)
            context.logger.info("dictation \(id) was cancelled")
        case .complete where !isMeant(id):
            save(.cancelled, of: id)
            context.logger.info(
                "dictation \(id): a brief press, in which nobody began to speak; nothing is typed")
        case .complete, .interrupted:
            var notice: DictationFailure?
            if case .interrupted(let error) = outcome.end { notice = .init(speech: error, audio: nil) }
            if let notice { context.logger.error("\(notice.message)") }
            await deliver(outcome, of: id, notice: notice)
        case .failed(let error):
            let audio = context.group.audio(of: id)
            var failure = DictationFailure(speech: error, audio: outcome.milliseconds > 0 ? audio : nil)
            if failure.knownCode == .unsupportedLocale {
                failure = await RecognizerAdvice.explain(failure, context.settings.current)
            }
            context.logger.error("\(failure.message)")
            if failure.kept == nil { context.group.audioFiles.remove(id) }
            save(.failed(failure), of: id)
            recoveries.handle(.dictationFailed(failure.knownCode))
        }
    }

    /// Whether it is a dictation at all: a key that was touched while somebody talks nearby is none.
    private func isMeant(_ id: DictationID) -> Bool {
        guard let press = dictations.values.first(where: { $0.id == id })?.press else { return true }
        return speech.isMeant(press, in: context.group.audio(of: id))
    }

    /// Cleans what was recognized, and commits it.
    private func deliver(
        _ outcome: SpeechService.Outcome, of id: DictationID, notice: DictationFailure?
    ) async {
        let clock = ContinuousClock()
        let began = clock.now
        let result = await text.clean(outcome, for: target(of: id))
        let cleaned = result.text
        let timings = Timings(
            recording: outcome.milliseconds, recognition: outcome.finalMilliseconds,
            cleaning: began.duration(to: clock.now).milliseconds)
        guard !cleaned.isEmpty else {
            var failure = notice ?? .scratched
            if notice == nil, !result.isScratched {
                failure = await speech.explainSilence(outcome, in: context.group.audio(of: id))
            }
            context.logger.notice("\(failure.message)")
            save(.failed(failure), of: id)
            // Where something went wrong, the sound may hold what the recognizer did not hear.
            if failure.kept == nil { context.group.audioFiles.remove(id) }
            return
        }
        // A hotkey that is still down holds the keyboard: nothing could be typed, and its release would follow.
        await hotkey.waitUntilReleased()
        let held = dictations.values.first { $0.id == id }?.held
        save(
            .recognized(
                .init(
                    rawText: outcome.text, cleanedText: cleaned, held: held,
                    notice: notice ?? result.notice, timings: timings, engine: outcome.engine)),
            of: id)
        context.logger.info(
            "dictation \(id): \(outcome.milliseconds) ms of sound, text \(outcome.finalMilliseconds) ms after its end"
        )
        recoveries.handle(.dictationRecognized)
        // Another process types meanwhile; this one has nothing to wait for.
        await speech.settle()
        do { try context.store.checkpoint() } catch { context.logger.warning("checkpoint: \(error)") }
    }

    /// The window where recording began.
    private func target(of id: DictationID) -> WindowInfo? { (try? context.store.dictation(id))??.target }

    private func save(_ transition: DictationTransition, of id: DictationID) {
        do {
            try context.keeper.apply(transition, to: id)
        } catch is TransitionRefused {
            // A partial result or the first frame came after the end: it is of no use any more.
            context.logger.debug("too late to \(transition.name)")
        } catch {
            context.logger.error("\(error). The audio is kept in \(context.group.audio(of: id).path)")
        }
    }

    /// Ends as a user would want it: what was said is recognized and committed first.
    private func shutDown() async {
        handle(.shutDown)
        // Nobody hears of the key any more: where it is still down, the text waits for it no longer.
        hotkey.stop()
        for dictation in dictations.values { await dictation.task.value }
        recovery.clearUp()
        overlay?.stop()
        session.stop()
        await offer.stop()
        notices.stop()
        await surroundings.stop()
    }
}
