import Desktop
import DesktopX11
import DictationBus
import DictationService
import DictationSettings
import DictationShared
import DictationSystem
import Foundation
import Logging
import ServiceLifecycle

/// Types what is ready, in the order in which it was spoken, and does what the user asks for texts that are held.
actor InsertionAgent: Service {
    let context: AgentContext
    let typist: Typist
    let session: SessionWatch
    private let display: DisplaySession
    /// The typist's thread: the two have nothing to do at the same time, and no key waits for a change of threads.
    nonisolated var unownedExecutor: UnownedSerialExecutor { typist.unownedExecutor }

    /// By the settings as they are now.
    var policy: DeliveryPolicy {
        context.settings.read {
            DeliveryPolicy(insert: $0.insert, profiles: $0.profiles, isWayland: display.isWayland)
        }
    }
    /// What the next text may follow, and what can be taken back.
    var last: LastInsertion?
    /// The window that a text waits for.
    private var awaited: WindowAwaited?
    /// Intents that are answered when their dictation has settled.
    private(set) var asked: [DictationID: [Int64]] = [:]
    /// Intents to take something back, to be carried out before anything else is typed.
    private var undone: [Int64] = []
    /// Answers to intents that are not in the store yet.
    private var unsent: [(Int64, Intent.Phase)] = []
    /// What is read, in Unicode scalars, and not in the store yet.
    private var lateReadings: [DictationID: Int] = [:]
    private let retry: StoreRetry
    /// Something that the store could not do is to be tried again.
    private let again = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    /// So many dictations are looked through when the user names none.
    private static let recent = 100

    init(context: AgentContext, typist: Typist, display: DisplaySession) {
        self.context = context
        self.display = display
        self.typist = typist
        session = SessionWatch(logger: context.logger)
        retry = StoreRetry(store: context.store, name: "insertion-retry")
    }

    /// To be called before ``run()``: this process has the role, so every claim there is belongs to a dead one.
    func holdWhatADeadOneClaimed() async throws {
        let typed = Dictionary(
            typist.unfinished.map { ($0.text, $0.scalars) },
            uniquingKeysWith: { first, second in max(first, second) })
        // What a dead host was recording would keep all that is spoken later from being typed.
        try context.store.resolveDeadHost()
        let released = try context.store.releaseClaims(
            of: { _ in true }, typed: { claimant, id in typed[Self.record(of: id, by: claimant)] },
            unread: { [typist] claimant, id in typist.unread.contains(Self.record(of: id, by: claimant)) })
        // Somebody else may have noticed before, who cannot ask the display.
        let recounted = try context.store.recount(
            Dictionary(
                typed.compactMap { record, scalars in Self.dictation(in: record).map { ($0, scalars) } },
                uniquingKeysWith: max))
        // Only now: this process, too, may be killed before the store has it.
        await typist.forgetUnfinished()
        for state in released + recounted {
            if state.delivery == .inserted {
                context.logger.notice(
                    "insert-agent ended when it had typed all of dictation \(state.id): \(state.insertedCount.counted("character"))"
                )
                continue
            }
            context.logger.warning(
                """
                insert-agent ended while it typed dictation \(state.id) (\(state.insertedCount) of \
                \(state.cleanedText.count.counted("character"))). The rest is held: dictstate insert \(state.id)
                """)
        }
    }

    /// What a window has read since the typist stopped waiting for it counts, unless the text was claimed again.
    private func countLateReadings() async throws {
        let typed = await typist.takeLateReadings()
        if typed.isEmpty, lateReadings.isEmpty {
            // Windows that are gone, and texts that were killed before their first key, leave nothing to be counted.
            await typist.forgetUnfinished()
            return
        }
        lateReadings.merge(
            typed.compactMap { record in Self.dictation(in: record.text).map { ($0, record.scalars) } },
            uniquingKeysWith: max)
        for state in try context.store.recount(lateReadings) {
            context.logger.notice(
                """
                dictation \(state.id): the application has read its keys, \(state.insertedCount) of \
                \(state.cleanedText.count) characters
                """)
        }
        lateReadings = [:]
        await typist.forgetUnfinished()
    }

    /// The name under which the typist notes a text: that of one claim of it.
    static func record(of id: DictationID, by claimant: Claimant) -> String { "\(claimant) \(id)" }

    private static func dictation(in record: String) -> DictationID? {
        record.split(separator: " ").last.flatMap { DictationID(String($0)) }
    }

    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await cancelWhenGracefulShutdown { try await self.follow() } }
            group.addTask { [again, typist] in
                for await _ in typist.readings.cancelOnGracefulShutdown() { again.continuation.yield() }
            }
            group.addTask { [again] in
                for await _ in again.stream.cancelOnGracefulShutdown() {
                    try await self.handle(isAsked: true)
                }
            }
            // One that fails ends the other as well; `waitForAll` would wait for it first.
            while try await group.next() != nil {}
        }
    }

    private func follow() async throws {
        // What is finished needs nothing of this agent. A store that cannot be read now is read wholly when it can.
        let openWork = try? context.store.openWork()
        if let openWork {
            removePrivate(ifAny: true)
            try await handle(openWork)
        }
        let changes = StateWatcher.changes(
            of: context.store, since: openWork?.revision ?? 0, where: { $0.isMoreThanProgress })
        for try await change in changes { try await handle(change) }
    }

    private func handle(_ changes: ChangeSet) async throws {
        try await handle(
            isAsked: changes.intents.contains { $0.phase == .pending && $0.action.role == .inserter })
        if changes.dictations.contains(where: { $0.isPrivate && $0.isDone }) { removePrivate() }
    }

    /// - Parameter isAsked: there may be intents.
    private func handle(isAsked: Bool) async throws {
        do {
            try await work(isAsked: isAsked)
            retry.worked()
        } catch let error as StoreError where error.mayPass {
            // The store has told it. What was typed is kept and written later; nothing is typed unclaimed.
            retry.failed { [again] in again.continuation.yield() }
        }
    }

    private func work(isAsked: Bool) async throws {
        try sendAnswers()
        if isAsked {
            for intent in try context.store.takeIntents(for: .inserter) { try await handle(intent) }
        }
        while let intent = undone.first {
            undone.removeFirst()
            unsent.append((intent, try await takeBack()))
            try sendAnswers()
        }
        var hasTyped = false
        let policy = policy
        while let state = try await nextText(policy) {
            try await deliver(state)
            hasTyped = true
        }
        await typist.giveWay(to: try? Hotkey(parsing: context.settings.current.host.hotkey))
        try await typist.getReady()
        try await countLateReadings()
        // Nobody waits for this process now.
        if hasTyped {
            do { try context.store.checkpoint() } catch { context.logger.warning("checkpoint: \(error)") }
        }
    }

    /// What is to be typed next, claimed.
    private func nextText(_ policy: DeliveryPolicy) async throws -> DictationState? {
        guard policy.insert.policy == .origin else {
            stopWaiting()
            return try context.store.claimNext(by: .current, patience: policy.patience)
        }
        // Claimed is what was looked at: the text behind it may be for another window.
        while let next = try context.store.unfinished().first, next.delivery == .pending {
            if try await mustWait(next, by: policy) { return nil }
            let claimed = try context.store.claimNext(
                by: .current, patience: policy.patience, only: next.id)
            if let claimed { return claimed }
        }
        stopWaiting()
        return nil
    }

    /// The host does the same; here it is done without one as well, and at once.
    ///
    /// - Parameter ifAny: nobody has seen one that is done; there may be none.
    private func removePrivate(ifAny: Bool = false) {
        do {
            let removed = try context.store.removeFinishedPrivate()
            if ifAny, removed.isEmpty { return }
            if try context.store.unfinished().isEmpty { try context.store.scrub() }
        } catch {
            context.logger.warning("a private dictation cannot be removed: \(error)")
        }
    }

    // MARK: - Waiting for the right window

    private struct WindowAwaited {
        let id: DictationID
        let origin: UInt64
        let began: ContinuousClock.Instant
        let task: Task<Void, Never>
    }

    private func stopWaiting() {
        awaited?.task.cancel()
        awaited = nil
    }

    /// Whether a text stays where it is until the window where recording began has the focus.
    private func mustWait(_ next: DictationState, by policy: DeliveryPolicy) async throws -> Bool {
        guard let origin = next.target,
            policy.waits(next, focused: try await typist.focusedWindow(), isAsked: asked[next.id] != nil)
        else {
            stopWaiting()
            return false
        }
        let began = awaited?.id == next.id ? awaited?.began ?? .now : .now
        let left = Duration.seconds(policy.patience) - began.duration(to: .now)
        // One that has waited for longer than patience allows is held by the claim.
        if left <= .zero { return false }
        if awaited?.id != next.id || awaited?.origin != origin.id {
            awaited?.task.cancel()
            context.logger.notice("dictation \(next.id) waits for the window \(origin.title)")
            let wait = try DesktopWait(forFocusOf: origin.id, within: left)
            awaited = WindowAwaited(
                id: next.id, origin: origin.id, began: began,
                task: Task { [again] in
                    await withTaskCancellationHandler {
                        await wait.value()
                    } onCancel: {
                        wait.stop()
                    }
                    again.continuation.yield()
                })
        }
        return true
    }

    // MARK: - What became of it

    func settle(_ id: DictationID, _ transition: DictationTransition) throws {
        let state = try context.keeper.apply(transition, to: id)
        let answer: Intent.Phase
        if case .held(let reason) = state.delivery {
            let key = context.settings.current.insert.shownHeldHotkey.map { " \($0), or: " } ?? ": "
            context.logger.warning(
                "\(reason.explanation); the rest is held. Type it with\(key)dictstate insert \(id)")
            answer = .refused("\(reason.explanation); the rest is held")
        } else {
            context.logger.info(
                "dictation \(id): \(state.cleanedText.count.counted("character")) typed in \(state.timings.typing ?? 0) ms"
            )
            answer = .done("inserted \(state.cleanedText.count.counted("character"))", dictation: id)
        }
        unsent += (asked.removeValue(forKey: id) ?? []).map { ($0, answer) }
        try sendAnswers()
    }

    // MARK: - Intents

    private func sendAnswers() throws {
        while let (intent, phase) = unsent.first {
            try context.store.answer(intent, phase)
            unsent.removeFirst()
        }
    }

    private func handle(_ intent: Intent) async throws {
        do {
            switch intent.action {
            case .insert(let named):
                let state =
                    try named.map { try context.store.dictation($0) }
                    ?? policy.dictationToInsert(among: try context.store.history(limit: Self.recent))
                guard let state else {
                    try context.store.answer(intent.id, .refused("there is no such dictation"))
                    return
                }
                // Whoever asks for the rest of a text must not get all of it when it was counted to its end meanwhile.
                if named != nil, state.delivery == .inserted {
                    try context.store.answer(intent.id, .refused(Intent.alreadyInserted(state.id)))
                    return
                }
                if state.delivery != .pending { try context.store.apply(.requeued, to: state.id) }
                asked[state.id, default: []].append(intent.id)
            case .insertAgain(let id, let seen):
                guard let state = try context.store.dictation(id), state.revision == seen else {
                    let reason =
                        "dictation \(id) has changed since it was asked for; nothing was typed. See: dictstate show \(id)"
                    try context.store.answer(intent.id, .refused(reason))
                    return
                }
                try context.store.apply(.requeued, to: id)
                asked[id, default: []].append(intent.id)
            case .hold(let id):
                let state = try context.store.dictation(id)
                if state?.delivery == .pending { try context.store.apply(.held(.interrupted), to: id) }
                let isHeld = try context.store.dictation(id)?.delivery == .held(.interrupted)
                try context.store.answer(
                    intent.id, isHeld ? .done("held", dictation: id) : .refused("it is not being typed"))
            case .undo:
                undone.append(intent.id)
            case .copy(let named):
                let answer = try await copy(named)
                try context.store.answer(intent.id, answer)
            case .discard(let id):
                try context.store.apply(.discarded, to: id)
                try context.store.answer(intent.id, .done("discarded", dictation: id))
            // The store gives the inserter its own intents only.
            case .start, .stop, .stopAndHold, .toggle, .cancel, .startPrivate, .togglePrivate, .recognize:
                break
            }
        } catch let error as TransitionRefused {
            try context.store.answer(intent.id, .refused("\(error)"))
        } catch let error as StoreError {
            try context.store.answer(intent.id, .refused("\(error)"))
        }
    }
}

extension InsertionAgent {
    /// Puts a text on the clipboard, which this process owns until somebody else does.
    private func copy(_ named: DictationID?) async throws -> Intent.Phase {
        let state =
            try named.map { try context.store.dictation($0) }
            ?? context.store.history(limit: Self.recent).first { !$0.cleanedText.isEmpty }
        // A text that an older version stored may have control characters.
        guard let state, case let text = state.cleanedText.withoutControls, !text.isEmpty else {
            return .refused("there is no such text")
        }
        try await typist.copy(text)
        if display.isWayland, let problem = await WaylandClipboard.copy(text),
            try await typist.focusedWindow() == nil
        {
            return .refused(problem)
        }
        return .done("copied \(text.count.counted("character"))", dictation: state.id)
    }
}
