import Desktop
import DictationOptions
import DictationService
import DictationSettings
import DictationShared
import DictationSystem
import Foundation
import Logging
import ServiceLifecycle

/// Types ready texts, in the order in which they were spoken, and carries out the user's requests for held
/// texts.
actor InsertionAgent: Service {
    let context: AgentContext
    let backend: InsertionBackend
    let delivery: TextDelivery
    private let counts: TypedCounts
    /// The typist's thread: the two have nothing to do at the same time.
    nonisolated var unownedExecutor: UnownedSerialExecutor { backend.typing.unownedExecutor }

    /// The text that waits for its window.
    private var waiting = OriginWait()
    var answers = IntentAnswers()
    /// Intents to undo (nil) or to edit, to be carried out before anything else is typed.
    var edits: [(intent: Int64, request: Intent.EditRequest?)] = []
    private let retry: StoreRetry
    /// A reason to look for work.
    private enum News {
        case changed(ChangeSet)
        /// Something must be tried or checked again.
        case again
    }
    /// Has one reader. While a text waits in the middle, for a window or for the keyboard, no other text and no edit begins.
    private let news = AsyncThrowingStream<News, any Error>.makeStream()
    private let watcher: StateWatcher

    /// - Throws: ``WatchLimitError`` where the store cannot be watched; ``SystemError``.
    init(context: AgentContext, backend: InsertionBackend) throws {
        self.context = context
        self.backend = backend
        delivery = TextDelivery(context: context, backend: backend)
        counts = TypedCounts(context: context, typing: backend.typing)
        retry = StoreRetry(store: context.store, name: "insertion-retry")
        // A store that cannot be read now is read wholly when it can.
        let revision = (try? context.store.revision()) ?? 0
        watcher = try StateWatcher(
            store: context.store, since: revision,
            onChange: { [news] in if $0.isMoreThanProgress { news.continuation.yield(.changed($0)) } },
            onFailure: { [news] in news.continuation.finish(throwing: $0) })
    }

    /// Call it before ``run()``.
    func holdWhatADeadOneClaimed() async throws { try await counts.holdWhatADeadOneClaimed() }

    func run() async throws {
        try await cancelWhenGracefulShutdown { try await self.follow() }
    }

    // MARK: - Work

    private func follow() async throws {
        defer { watcher.stop() }
        // Finished dictations need nothing of this agent.
        if let openWork = try? context.store.openWork() {
            removePrivate(ifAny: true)
            try await handle(.changed(openWork))
        }
        let readings = Task { [news, backend] in
            for await _ in backend.typing.readings { news.continuation.yield(.again) }
        }
        defer { readings.cancel() }
        for try await one in news.stream { try await handle(one) }
    }

    private func handle(_ news: News) async throws {
        guard case .changed(let changes) = news else { return try await handle(isAsked: true) }
        try await handle(
            isAsked: changes.intents.contains { $0.phase == .pending && $0.action.role == .inserter })
        if changes.dictations.contains(where: { $0.isPrivate && $0.isDone }) { removePrivate() }
    }

    /// - Parameter isAsked: there may be intents.
    private func handle(isAsked: Bool) async throws {
        do {
            try await work(isAsked: isAsked)
            retry.worked()
        } catch let error as StoreError where error.isTransient {
            // The store has reported it. The typed text is kept and written later; nothing is typed without a
            // claim.
            retry.failed { [news] in news.continuation.yield(.again) }
        }
    }

    private func work(isAsked: Bool) async throws {
        try sendAnswers()
        await backend.keyboard?.giveWay(toHotkeysNamed: context.settings.current.dictationHotkeyNames)
        if isAsked {
            // A request for the rest gets what is missing now.
            try await backend.typing.getReady()
            try await countLateReadings()
            for intent in try context.store.takeIntents(for: .inserter) { try await handle(intent) }
        }
        while let (intent, request) = edits.first {
            edits.removeFirst()
            let edited =
                if let request { try await delivery.edit(request) } else { try await delivery.undo() }
            try finish(edited, intent)
        }
        var hasTyped = false
        let policy = policy
        while let state = try await nextText(policy) {
            if state.isCommand {
                try await carryOutCommand(state)
                continue
            }
            let ending = await delivery.deliver(state, isAsked: answers.isAwaited(state.id))
            var waits = false
            if state.isGrowthClaimed {
                waits = try settleGrowing(state, ending.transition)
            } else {
                try await settle(state.id, ending.transition)
            }
            try await delivery.typeEnd(behind: state.id)
            if waits { break }
            if let failure = ending.failure { throw failure }
            hasTyped = true
        }
        try await backend.typing.getReady()
        try await countLateReadings()
        if hasTyped { makeCheckpointWithoutHost() }
    }

    /// If a host runs, it makes them, on its own thread: the next text does not wait for the disk.
    private func makeCheckpointWithoutHost() {
        do {
            guard try RoleLock.holder(of: .host, in: context.group) == nil else { return }
            try context.store.checkpoint()
        } catch {
            context.logger.warning("checkpoint: \(error)")
        }
    }

    /// A spoken command has its turn.
    private func carryOutCommand(_ state: DictationState) async throws {
        context.keeper.adopt(state)
        let intent = try context.store.takeCommand(of: state.id)
        let request: Intent.EditRequest
        switch intent?.action {
        case .edit(let edit, _): request = edit
        case .replace(let replacement, _):
            return try await replace(replacement, for: state, asked: intent?.id)
        default:
            try context.keeper.apply(.failed(.notEdited("the command waited too long")), to: state.id)
            return
        }
        let began = ContinuousClock.now
        let edited = try await delivery.edit(request)
        switch edited.answer {
        case .refused(let reason):
            // The reason may quote the words.
            context.logger.warning("dictation \(state.id): the edit command was refused")
            guard let sentence = request.sentence else {
                try context.keeper.apply(.failed(.notEdited(reason)), to: state.id)
                break
            }
            let text = try context.keeper.apply(.adapted(sentence), to: state.id)
            if edited.isNoCommand {
                let ending = await delivery.deliver(text, isAsked: false)
                try await settle(state.id, ending.transition)
                if let failure = ending.failure { throw failure }
            } else {
                try context.keeper.apply(.noticed(.notEdited(reason)), to: state.id)
                try context.keeper.apply(.held(.notEdited), to: state.id)
            }
        case .done(let outcome, _):
            context.logger.info("dictation \(state.id) was an edit command: \(outcome)")
            let milliseconds = Int((began.duration(to: .now) / .milliseconds(1)).rounded())
            try context.keeper.apply(.inserted(milliseconds: milliseconds), to: state.id)
        case .pending, .taken:
            try context.keeper.apply(.inserted(milliseconds: 0), to: state.id)
        }
        if let intent { try finish(edited, intent.id) }
    }

    /// The answer of a language model has its turn.
    private func replace(
        _ request: Intent.ReplaceRequest, for state: DictationState, asked intent: Int64?
    ) async throws {
        let replaced = try await delivery.replace(request, for: state)
        if let reason = replaced.refusal {
            context.logger.warning("the selected text was not changed: \(reason)")
            try context.keeper.apply(
                .noticed(.notTransformed(reason, kept: "the new text")), to: state.id)
        }
        if let intent {
            if case .held(let reason) = replaced.ending.transition {
                try await delivery.holdFormerText(intent, of: state.id, because: reason)
            }
            answers.awaitSettling(of: state.id, for: intent)
        }
        try await settle(state.id, replaced.ending.transition)
        if let failure = replaced.ending.failure { throw failure }
    }

    private func finish(_ edited: TextDelivery.Edited, _ intent: Int64) throws {
        if let restored = edited.restored {
            answers.awaitSettling(of: restored, for: intent)
            return
        }
        answers.add(edited.answer, to: intent)
        try sendAnswers()
        if let failure = edited.failure { throw failure }
    }

    var policy: DeliveryPolicy { DeliveryPolicy(context.settings, backend) }

    /// The next text to type, claimed.
    private func nextText(_ policy: DeliveryPolicy) async throws -> DictationState? {
        if let next = try context.store.unfinished().first, next.isBeingSpoken {
            guard next.isClaimable, try await delivery.mayTypeNow(next, isAsked: answers.isAwaited(next.id))
            else {
                return nil
            }
            return try context.store.claimNext(by: .current, patience: policy.patience, only: next.id)
        }
        guard policy.insert.policy == .origin else {
            waiting.stop()
            return try context.store.claimNext(by: .current, patience: policy.patience)
        }
        // Claim only the text that was checked: the one after it may be for another window.
        while let next = try context.store.unfinished().first, next.delivery == .pending {
            if try await mustWait(next, by: policy) { return nil }
            let claimed = try context.store.claimNext(
                by: .current, patience: policy.patience, only: next.id)
            if let claimed { return claimed }
        }
        waiting.stop()
        return nil
    }

    /// Whether a text has to wait until the window where recording began has the focus.
    private func mustWait(_ next: DictationState, by policy: DeliveryPolicy) async throws -> Bool {
        let focused = try await backend.windows.focusedWindow()
        guard let origin = next.target,
            policy.waits(next, focused: focused, isAsked: answers.isAwaited(next.id))
        else {
            waiting.stop()
            return false
        }
        return waiting.mayWait(next, for: origin, patience: .seconds(policy.patience)) {
            [context, backend] left in
            context.logger.notice("dictation \(next.id) waits for the window \(origin.title)")
            // After any end of the wait, the agent reads the state again.
            do {
                return try await backend.windows.waitForFocus(of: origin, within: left)
            } catch {
                context.logger.warning("the window cannot be waited for: \(error)")
                return false
            }
        } whenOver: { [news] in
            news.continuation.yield(.again)
        }
    }

    /// The host does the same; here it is done without one as well, and at once.
    ///
    /// - Parameter ifAny: it is not known whether one is done; there may be none.
    private func removePrivate(ifAny: Bool = false) {
        do {
            let removed = try context.store.removeFinishedPrivate()
            if ifAny, removed.isEmpty { return }
            if try context.store.unfinished().isEmpty { try context.store.scrub() }
        } catch {
            context.logger.warning("a private dictation cannot be removed: \(error)")
        }
    }

    // MARK: - Answers

    private func settle(_ id: DictationID, _ transition: DictationTransition) async throws {
        let state = try context.settle(id, transition)
        if state.delivery == .held(.notResponding) {
            // It may have read all of it by now: then this is the answer.
            try await countLateReadings()
        }
        let answer: Intent.Phase
        if case .held(let reason) = state.delivery {
            let key = context.settings.current.shownHeldHotkey.map { " \($0), or: " } ?? ": "
            context.logger.warning(
                "\(reason.explanation); the rest is held. Type it with\(key)dictstate insert \(id)")
            answer = .refused("\(reason.explanation); the rest is held")
        } else if state.delivery != .inserted {
            answer = .refused("it is over")
        } else {
            context.logger.info(
                "dictation \(id): \(state.cleanedText.count.counted("character")) typed in \(state.timings.typing ?? 0) ms"
            )
            answer = Self.inserted(state)
        }
        answers.settle(id, answer)
        try sendAnswers()
    }

    /// - Returns: whether it waits for another event.
    private func settleGrowing(_ claimed: DictationState, _ transition: DictationTransition) throws -> Bool {
        let state: DictationState
        do { state = try context.keeper.apply(transition, to: claimed.id) } catch is TransitionRefused {
            return true
        } catch StoreError.noSuchDictation {
            return true
        }
        if let reason = state.heldGrowth ?? state.delivery?.heldReason {
            let key = context.settings.current.shownHeldHotkey.map { " \($0), or: " } ?? ": "
            context.logger.warning(
                "\(reason.explanation) while you speak; the following words are held. Type them with\(key)dictstate insert \(claimed.id)"
            )
            answers.settle(claimed.id, .refused("\(reason.explanation); the rest is held"))
        } else {
            let count = state.insertedCount.counted("character")
            context.logger.debug("dictation \(claimed.id): \(count) typed so far")
            answers.settle(claimed.id, .done("inserted \(count) so far", dictation: claimed.id))
        }
        try sendAnswers()
        // If nothing was typed, the next try is made when something has changed.
        return state.insertedCount == claimed.insertedCount
    }

    /// Answers the requests for texts that a window has read to their end since.
    private func countLateReadings() async throws {
        for state in try await counts.countLateReadings() where state.delivery == .inserted {
            answers.settle(state.id, Self.inserted(state))
        }
        try sendAnswers()
    }

    private static func inserted(_ state: DictationState) -> Intent.Phase {
        .done("inserted \(state.cleanedText.count.counted("character"))", dictation: state.id)
    }

    private func sendAnswers() throws { try answers.send(to: context.store) }
}
