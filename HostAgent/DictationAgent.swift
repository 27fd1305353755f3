import Desktop
import DesktopWayland
import DictationBus
import DictationOptions
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

/// Records and recognizes as the host: gets keys, requests, locks and changes, and passes each to the part that it
/// concerns.
package actor DictationAgent: Service {
    private let executor: ThreadExecutor
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let context: AgentContext
    private let microphone: WarmInput
    private let speech: SpeechService
    private let dictations: Dictations
    private let recovery: RecordingRecovery
    private let hotkey: HotkeySwitch
    private let hotkeySource: HotkeySource
    /// Reads the focused window for intents; nil without a display.
    private let focus: (any FocusReading)?
    private let history: HistoryKeeper
    private let session: SessionWatch
    private var announcements: Announcements
    /// The open work in the store when the agent began; nil if it could not be read.
    private let openWork: ChangeSet?
    /// The changes since.
    private let changes: AsyncThrowingStream<ChangeSet, any Error>
    private let watcher: StateWatcher

    /// Creates the agent from the settings: when this returns, the hotkey is grabbed. The process has the
    /// host's role.
    ///
    /// - Returns: the agent, and what its user wants to know next.
    /// - Throws: ``DesktopError`` if there is no display, or another program has the hotkey; ``WatchLimitError``.
    package static func make(
        _ context: AgentContext, hotkey need: HotkeyNeed = .required
    ) throws -> (agent: DictationAgent, message: String) {
        let session = DisplaySession.current()
        let key = try SessionKey(session, context, need)
        let focus = try key.focus()
        let dictionary = LiveDictionary(file: DictionaryFile(beside: .standard()), logger: context.logger)
        dictionary.follow()
        let microphone = WarmInput(
            ChosenMicrophone(settings: context.settings),
            keepOpen: { .seconds(context.settings.current.audio.keepOpen) })
        let speech = SpeechService(
            input: microphone, adaptations: context.group.adaptations,
            settings: { context.settings.current }, names: { dictionary.current.names },
            logger: context.logger)
        let text = try TextService(
            settings: context.settings, dictionary: dictionary,
            screen: ScreenReader(
                selections: focus as? any SelectionReading,
                native: session.isWayland ? NativeScreen.current() : nil))
        let overlay = session.overlay().map {
            Overlay(
                on: $0, settings: { context.settings.current.overlay },
                heldHotkey: { context.settings.current.shownHeldHotkey },
                hasInserter: { context.hasInserter }, logger: context.logger)
        }
        let seesNative = session.isWayland && session.nativeWindows == .reached
        let transforms = try TransformService(
            settings: context.settings, selections: focus as? any SelectionReading,
            native: seesNative ? NativeSelections(store: context.store) : nil)
        let agent = try DictationAgent(
            context, microphone: microphone, speech: speech, text: text, transforms: transforms, key: key,
            focus: focus, overlay: overlay)
        // The model is ready long before the first word; a failure comes back with the first dictation.
        Task { await speech.prepare() }
        return (agent, key.readyMessage)
    }

    private init(
        _ context: AgentContext, microphone: WarmInput, speech: SpeechService, text: TextService,
        transforms: TransformService, key: SessionKey, focus: (any FocusReading)?, overlay: Overlay?
    ) throws {
        self.context = context
        self.microphone = microphone
        self.speech = speech
        self.focus = focus
        executor = ThreadExecutor(name: "dictation")
        (hotkey, hotkeySource) = (key.hotkey, key.abilities.source)
        recovery = RecordingRecovery(context, speech: speech, text: text)
        history = HistoryKeeper(context: context)
        session = SessionWatch(logger: context.logger)
        // Before the agent reports that it is ready: later dictations must not count as earlier ones.
        openWork = try? context.store.openWork()
        let (changes, continuation) = AsyncThrowingStream.makeStream(of: ChangeSet.self)
        self.changes = changes
        watcher = try StateWatcher(
            store: context.store, since: openWork?.revision ?? 0,
            onChange: { if $0.isMoreThanProgress || $0.isTypedWhileSpoken { continuation.yield($0) } },
            onFailure: { continuation.finish(throwing: $0) })
        announcements = Announcements(context, overlay: overlay, since: openWork?.revision)
        announcements.tell(of: key.abilities)
        dictations = Dictations(
            on: executor, context: context, speech: speech, text: text, transforms: transforms,
            hotkey: key.hotkey, announcements: announcements, recovery: recovery)
    }

    package func run() async throws {
        let leftovers = recovery.takeStock()
        let (recovery, offer) = (recovery, announcements.offer)
        let advising = Task { await offer.advise() }
        let recovering = Task { await recovery.run(leftovers) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.followStore() }
            group.addTask { try await self.followHotkey() }
            group.addTask { try await self.followCompositor() }
            group.addTask { await self.followRecognizers() }
            group.addTask { await self.followDepartures() }
            group.addTask { [history] in await history.run() }
            group.addTask { await offer.followAnswers() }
            let engines = EngineWatch(speech, logger: context.logger)
            defer { engines?.stop() }
            let updates = context.settings.updates()
            group.addTask { [hotkey, hotkeySource] in
                for await new in updates.cancelOnGracefulShutdown() {
                    // It asks the desktop, which may have to start a service for the answer.
                    let grabbed = await onThread(named: "hotkey-source") {
                        Result { try SessionKey.grabbed(by: new, after: hotkeySource) }
                    }
                    hotkey.change(to: try grabbed.get())
                    engines?.lookAgain()
                    await self.settingsChanged()
                }
            }
            // One that fails ends the other as well; `waitForAll` would wait for it first.
            while try await group.next() != nil {}
        }
        advising.cancel()
        recovering.cancel()
        await recovery.stop()
        await recovering.value
        await shutDown()
    }

    /// Ends as a user would want it: the words that were said are recognized and committed first.
    private func shutDown() async {
        await dictations.shutDown()
        let store = context.store
        await withCheckedContinuation { done in store.whenOnDisk { done.resume() } }
        recovery.clearUp()
        session.stop()
        await announcements.stop()
    }

    // MARK: - Events

    /// It need not look at finished dictations: the folder of recordings shows which of them still want
    /// recognition, and another task trims the history.
    private func followStore() async throws {
        defer { watcher.stop() }
        if let openWork { await notice(openWork) }
        for try await changes in changes.cancelOnGracefulShutdown() { await notice(changes) }
    }

    private func settingsChanged() {
        microphone.settingsChanged()
        announcements.settingsChanged()
    }

    private func notice(_ changes: ChangeSet) async {
        for state in changes.dictations {
            context.keeper.note(state)
            recovery.clearUp(state)
        }
        history.notice(changes)
        announcements.handle(changes)
        guard changes.intents.contains(where: { $0.phase == .pending && $0.action.role == .host }) else {
            return
        }
        do {
            for intent in try context.store.takeIntents(for: .host) { await handle(intent) }
        } catch {
            context.logger.error("intents cannot be read: \(error)")
        }
    }

    private func followHotkey() async throws {
        for await event in hotkey.events.cancelOnGracefulShutdown() { try await handle(event) }
    }

    private func handle(_ event: HotkeyEvent) async throws {
        switch event {
        case .pressed(let hotkey, let instant, let focus):
            // A desktop that listens to the key does not say which window has the focus.
            let known = try? await self.focus?.focusedWindow()
            let options = context.settings.read { settings in
                // The settings may have changed since it was grabbed: then it is a key for dictation all the same.
                settings.options(of: hotkey).map { StartOptions(hotkey: "\(hotkey)").over($0) }
            }
            await dictations.handle(
                .hotkeyPressed(at: instant, focus: focus ?? known, options: options ?? StartOptions()))
        case .released(let instant):
            await dictations.handle(.hotkeyReleased(at: instant))
        case .keyboardShared: await dictations.giveOut()
        case .cancelPressed:
            await dictations.handle(.cancelKeyPressed)
        case .insertReleased: context.askForHeldText()
        case .noKey:
            announcements.tellOfHotkey("no key is chosen for dictation in the desktop's settings")
        case .unavailable(let reason): announcements.tellOfHotkey(reason)
        case .displayLost:
            throw DesktopError.displayLost(name: ProcessInfo.processInfo.environment["DISPLAY"] ?? "")
        }
    }

    private nonisolated func followCompositor() async throws {
        guard let compositor = CompositorWatch() else { return }
        for await _ in compositor.departures.cancelOnGracefulShutdown() {
            throw DesktopError.displayLost(name: compositor.socket)
        }
    }

    private func followRecognizers() async {
        for await _ in speech.replacements.cancelOnGracefulShutdown() { recovery.handle(.recognizersChanged) }
    }

    /// The user has gone: the words that were said until then are recognized, and the inserter holds them.
    private func followDepartures() async {
        for await _ in session.departures.cancelOnGracefulShutdown() {
            await dictations.handle(.userLeft)
            announcements.overlay?.handle(.userLeft)
        }
    }

    // MARK: - Intents

    private func handle(_ intent: Intent) async {
        switch intent.action {
        case .record(let asked):
            let window = try? await focus?.focusedWindow()
            var end: Intent.RecordingRequest?
            // The options of a toggle concern only a dictation that begins: this one ends in any case.
            if case .toggle = asked, await dictations.isRecording { end = .stop() }
            guard
                let request = await resolved(
                    intent, or: end, { try asked.withOptions(settings.resolving) })
            else { return }
            if let options = request.options, options.transform != nil,
                await refuseTransform(in: window, for: intent.id, mayEndRecording: !options.isTap)
            {
                return
            }
            await dictations.handle(
                .asked(request, intent: intent.id, focus: window, absence: session.absence?.explanation))
        case .key(let isDown, let asked):
            let end = await dictations.isRecording ? StartOptions() : nil
            guard let options = await resolved(intent, or: end, { try settings.resolving(asked) }) else {
                return
            }
            await noteKey(isDown: isDown, at: intent.timestamp, for: intent.id, options)
        case .recognize(let id, let options): recovery.recognize(id, options, for: intent.id)
        case .transform(let request): await transform(request, for: intent.id)
        // The store gives the host its own intents only.
        case .insert, .insertAgain, .hold, .discard, .copy, .undo, .edit, .readSelection, .replace: break
        }
    }

    private var settings: Settings { context.settings.current }

    /// Looks up what an intent asks for in the settings, and refuses the intent if it is not there.
    ///
    /// - Parameter other: what it asks for then; nil: it is refused.
    private func resolved<Value>(
        _ intent: Intent, or other: Value?, _ value: () throws -> Value
    ) async -> Value? {
        do { return try value() } catch {
            if let other { return other }
            context.logger.warning("a dictation was refused: \(error)")
            let reason =
                await dictations.isRecording
                ? DictationFlow.alreadyRecording : "\(error); nothing is recorded"
            do {
                try context.store.answer(intent.id, .refused(reason))
            } catch {
                context.logger.error("an intent cannot be answered: \(error)")
            }
            return nil
        }
    }

    /// Refuses a transformation that cannot begin: the answer comes at once, and no dictation begins. A
    /// request that ends a recording is never refused, because it needs no window.
    ///
    /// - Parameter mayEndRecording: whether it does that while there is one. A request with a written
    ///   instruction does not.
    /// - Returns: whether it was refused.
    private func refuseTransform(
        in window: WindowInfo?, for intent: Int64, mayEndRecording: Bool
    ) async -> Bool {
        if mayEndRecording, await dictations.isRecording { return false }
        guard let problem = dictations.transforms.flow(for: window).obstacle else { return false }
        do {
            try context.store.answer(intent, .refused("The selected text was not changed: \(problem)"))
        } catch {
            context.logger.error("an intent cannot be answered: \(error)")
        }
        return true
    }

    private func transform(_ request: Intent.TransformRequest, for intent: Int64) async {
        let window = try? await focus?.focusedWindow()
        let isSpoken = request.instruction == nil
        if await refuseTransform(in: window, for: intent, mayEndRecording: isSpoken) { return }
        await dictations.handle(
            .askedToTransform(
                request, intent: intent, focus: window, absence: session.absence?.explanation))
    }

    /// - Parameter date: when the key was pressed or released.
    private func noteKey(
        isDown: Bool, at date: Date, for intent: Int64, _ options: StartOptions
    ) async {
        let instant = ContinuousClock.now - .seconds(Date().timeIntervalSince(date))
        let window = isDown ? try? await focus?.focusedWindow() : nil
        await dictations.handle(
            .boundKey(
                isDown ? .pressed(at: instant) : .released(at: instant), intent: intent,
                focus: window, absence: session.absence?.explanation, options: options))
    }
}
