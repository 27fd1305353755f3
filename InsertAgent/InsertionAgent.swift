import DictationDesktop
import DictationService
import DictationSettings
import DictationShared
import DictationSystem
import Foundation
import Logging
import ServiceLifecycle

/// Types what is ready, in the order in which it was spoken, and does what the user asks for texts that are held.
actor InsertionAgent: Service {
    private let executor = ThreadExecutor(name: "insertion")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let context: AgentContext
    private let typist: Typist
    /// By the settings as they are now.
    private var policy: DeliveryPolicy {
        DeliveryPolicy(patience: TimeInterval(context.settings.current.insert.patience))
    }
    /// Intents that are answered when their dictation has settled.
    private var asked: [DictationID: [Int64]] = [:]
    /// Answers to intents that are not in the store yet.
    private var unsent: [(Int64, Intent.Phase)] = []
    private let retry: StoreRetry
    /// Something that the store could not do is to be tried again.
    private let again = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    /// So many dictations are looked through when the user names none.
    private static let recent = 100

    init(context: AgentContext, typist: Typist) {
        self.context = context
        self.typist = typist
        retry = StoreRetry(store: context.store, name: "insertion-retry")
    }

    /// To be called before ``run()``: this process has the role, so every claim there is belongs to a dead one.
    func holdWhatADeadOneClaimed() throws {
        let typed = Dictionary(
            typist.unfinished.map { ($0.text, $0.count) },
            uniquingKeysWith: { first, second in max(first, second) })
        // What a dead host was recording would keep all that is spoken later from being typed.
        try context.store.resolveDeadHost()
        let released = try context.store.releaseClaims(
            of: { _ in true }, typed: { claimant, id in typed[Self.record(of: id, by: claimant)] })
        // Somebody else may have noticed before, who cannot ask the display.
        let recounted = try context.store.recount(
            Dictionary(
                typed.compactMap { record, count in Self.dictation(in: record).map { ($0, count) } },
                uniquingKeysWith: max))
        for state in released + recounted {
            if state.delivery == .inserted {
                context.logger.notice(
                    "insert-agent ended when it had typed all of dictation \(state.id): \(state.insertedCount) characters"
                )
                continue
            }
            context.logger.warning(
                """
                insert-agent ended while it typed dictation \(state.id) (\(state.insertedCount) of \
                \(state.cleanedText.count) characters). The rest is held: dictstate insert \(state.id)
                """)
        }
    }

    /// The name under which the typist notes a text: that of one claim of it.
    private static func record(of id: DictationID, by claimant: Claimant) -> String { "\(claimant) \(id)" }

    private static func dictation(in record: String) -> DictationID? {
        record.split(separator: " ").last.flatMap { DictationID(String($0)) }
    }

    func run() async throws {
        let changes = StateWatcher.changes(of: context.store, since: 0).cancelOnGracefulShutdown()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for try await change in changes {
                    try await self.handle(
                        isAsked: change.intents.contains {
                            $0.phase == .pending && $0.action.role == .inserter
                        })
                }
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
            for intent in try context.store.takeIntents(for: .inserter) { try handle(intent) }
        }
        var hasTyped = false
        while let state = try context.store.claimNext(by: .current, patience: policy.patience) {
            try await deliver(state)
            hasTyped = true
        }
        // Nobody waits for this process now.
        if hasTyped {
            do { try context.store.checkpoint() } catch { context.logger.warning("checkpoint: \(error)") }
        }
    }

    // MARK: - Typing

    private func deliver(_ state: DictationState) async throws {
        let began = ContinuousClock.now
        let keeper = context.keeper
        keeper.adopt(state)
        var transition: DictationTransition
        do {
            let focused = try await typist.focusedWindow()
            switch policy.decide(state, focused: focused) {
            case .settle(let settled):
                transition = settled
            case .type(let text):
                let record = TypingRecord(
                    text: Self.record(of: state.id, by: .current), count: state.insertedCount)
                let outcome = try await typist.type(text, into: focused, record: record) { count in
                    try keeper.apply(.progress(state.insertedCount + count), to: state.id)
                }
                let elapsed = Int((began.duration(to: .now) / .milliseconds(1)).rounded())
                transition = policy.settle(outcome, milliseconds: elapsed)
                if case .stopped(let count, let reason) = outcome {
                    try keeper.apply(.progress(state.insertedCount + count), to: state.id)
                    context.logger.warning("typing stopped: \(reason)")
                }
            }
        } catch let error as DesktopError {
            // The text is kept; an agent without a display cannot go on.
            try settle(state.id, .held(.typingFailed))
            throw error
        } catch {
            context.logger.error("typing failed: \(error)")
            transition = .held(.typingFailed)
        }
        try settle(state.id, transition)
    }

    private func settle(_ id: DictationID, _ transition: DictationTransition) throws {
        let state = try context.keeper.apply(transition, to: id)
        let answer: Intent.Phase
        if case .held(let reason) = state.delivery {
            context.logger.warning(
                "\(reason.explanation); the rest is held. Type it with: dictstate insert \(id)")
            answer = .refused("\(reason.explanation); the rest is held")
        } else {
            context.logger.info(
                "dictation \(id): \(state.cleanedText.count) characters typed in \(state.timings.typing ?? 0) ms"
            )
            answer = .done("inserted \(state.cleanedText.count) characters", dictation: id)
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

    private func handle(_ intent: Intent) throws {
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
                if state.delivery != .pending { try context.store.apply(.requeued, to: state.id) }
                asked[state.id, default: []].append(intent.id)
            case .discard(let id):
                try context.store.apply(.discarded, to: id)
                try context.store.answer(intent.id, .done("discarded", dictation: id))
            // The store gives the inserter its own intents only.
            case .start, .stop, .toggle, .cancel: break
            }
        } catch let error as TransitionRefused {
            try context.store.answer(intent.id, .refused("\(error)"))
        } catch let error as StoreError {
            try context.store.answer(intent.id, .refused("\(error)"))
        }
    }
}
