import Desktop
import DictationService
import DictationSettings
import DictationShared
import DictationSystem
import Logging

/// Gets a claimed text into its window: decides where and how, and what to do when that fails. It also undoes the
/// last insertion.
actor TextDelivery {
    private let context: AgentContext
    private let backend: InsertionBackend
    /// The typist's thread: delivery and typist never work at the same time.
    nonisolated var unownedExecutor: UnownedSerialExecutor { backend.typing.unownedExecutor }
    /// The text that the next one may follow, and that can be undone.
    private var last: LastInsertion?

    init(context: AgentContext, backend: InsertionBackend) {
        self.context = context
        self.backend = backend
    }

    struct Ending: Sendable {
        let transition: DictationTransition
        /// The agent cannot go on.
        var failure: (any Error)?
    }

    /// - Parameter isAsked: the user wants it now, so it goes where the user is.
    func deliver(_ state: DictationState, isAsked: Bool) async -> Ending {
        context.keeper.adopt(state)
        do {
            try checkMayType(state.id)
            return Ending(transition: try await insert(state, isAsked: isAsked, since: .now))
        } catch let away as UserAway {
            return Ending(transition: .held(DeliveryPolicy.holdReason(for: away.absence)))
        } catch is Interrupted {
            return Ending(transition: .held(.interrupted))
        } catch let error as DesktopError {
            // The text is kept; an agent without a display cannot go on.
            return Ending(transition: .held(.typingFailed), failure: error)
        } catch {
            context.logger.error("typing failed: \(error)")
            return Ending(transition: .held(.typingFailed))
        }
    }

    // MARK: - May it be typed

    /// Thrown to stop typing in the middle.
    private struct UserAway: Error {
        let absence: SessionAbsence
    }

    /// The one who asked for the text wants no more of it. Thrown to stop typing in the middle.
    private struct Interrupted: Error {}

    private nonisolated func checkMayType(_ id: DictationID) throws {
        try checkPresence()
        // A store that cannot answer now does not prevent typing.
        if (try? context.store.isAskedToHold(id)) == true { throw Interrupted() }
    }

    /// - Throws: ``UserAway`` where the session is locked, in the background, or about to sleep.
    private nonisolated func checkPresence() throws {
        if let absence = backend.session.absence { throw UserAway(absence: absence) }
    }

    // MARK: - Where

    private var policy: DeliveryPolicy { DeliveryPolicy(context.settings, backend) }

    private enum Turn {
        case end(DictationTransition)
        /// The user holds the hotkey to dictate the next text: until then no window gets a key. With how far it got.
        case waitForKeyboard(DictationState)
    }

    /// - Returns: how it ends.
    private func insert(
        _ claimed: DictationState, isAsked: Bool, since began: ContinuousClock.Instant
    ) async throws -> DictationTransition {
        var state = claimed
        while true {
            switch try await insertOnce(state, isAsked: isAsked, since: began) {
            case .end(let transition): return transition
            case .waitForKeyboard(let now): state = now
            }
            guard try await isKeyboardFreeInTime() else { return .held(.keyboardBusy) }
            try checkPresence()
            // A text that has begun in one window does not continue in another.
            if state.isBegun, try await backend.windows.focusedWindow()?.id != last?.window.id {
                return .held(.focusMoved)
            }
        }
    }

    /// Waits while the hotkey is held; where it was only tapped, the keyboard is free at once.
    private func isKeyboardFreeInTime() async throws -> Bool {
        guard let keyboard = backend.keyboard else { return true }
        context.logger.info("a text waits while the hotkey is held for the next one")
        try await keyboard.waitUntilFree(within: .seconds(policy.patience))
        return try await !keyboard.isTaken() && !Task.isCancelled
    }

    private func insertOnce(
        _ state: DictationState, isAsked: Bool, since began: ContinuousClock.Instant
    ) async throws -> Turn {
        let focused = try await backend.windows.focusedWindow()
        switch policy.decide(state, focused: focused, isAsked: isAsked) {
        case .settle(let transition): return .end(transition)
        case .insert(let window): return try await insert(state, into: window, since: began)
        case .activate(let window):
            guard try await backend.windows.activate(window) else { return .end(.held(.focusMoved)) }
            return try await insert(state, into: window, since: began)
        }
    }

    // MARK: - How

    private func insert(
        _ state: DictationState, into window: WindowInfo, since began: ContinuousClock.Instant
    ) async throws -> Turn {
        // The settings as they are now hold to the end.
        let policy = policy
        let delivery = try delivery(of: state, into: window, by: policy)
        let survey = try await backend.typing.survey(
            delivery.framed.whole, options: delivery.style.options, window: window)
        let methods = policy.methods(delivery.style, text: delivery.framed.whole, survey: survey)
        let id = state.id
        let attempt = InsertionAttempt(delivery: delivery, backend: backend, keeper: context.keeper) {
            try self.checkMayType(id)
        }
        for (index, method) in methods.enumerated() {
            let outcome = try await attempt.carryOut(by: method)
            let elapsed = Int((began.duration(to: .now) / .milliseconds(1)).rounded())
            switch outcome {
            case .done(let outcome):
                remember(outcome, of: delivery)
                if case .stopped(let count, let reason) = outcome {
                    let now = try context.keeper.apply(.progress(delivery.count(of: count)), to: id)
                    if try policy.givesWay(reason, whileRecording: isRecording()) {
                        return .waitForKeyboard(now)
                    }
                    // More may arrive: what is before the caret is not known, and not to be undone.
                    if reason == .notResponding { last = nil }
                    context.logger.warning("typing stopped: \(reason)")
                }
                return .end(policy.settle(outcome, milliseconds: elapsed))
            case .unsure: return .end(.held(.pasteUnsure))
            case .copied:
                try context.keeper.apply(.noticed(DeliveryNotice.copied), to: id)
                return .end(.inserted(milliseconds: elapsed))
            case .notDone(let reason):
                guard index + 1 < methods.count else { return .end(.held(.typingFailed)) }
                let notice = DeliveryNotice.fallback(from: method, to: methods[index + 1], because: reason)
                context.logger.warning("\(notice.message)")
                try context.keeper.apply(.noticed(notice), to: id)
            }
        }
        return .end(.held(.bySetting))
    }

    private func delivery(
        of claimed: DictationState, into window: WindowInfo, by policy: DeliveryPolicy
    ) throws -> Delivery {
        let style = policy.style(for: window)
        if claimed.isExact {
            return Delivery(
                state: claimed, window: window, style: style, framed: FramedText(exactly: claimed.remainder))
        }
        var state = claimed
        if !state.isBegun {
            let words = style.words(raw: state.rawText, cleaned: state.cleanedText)
            // The store says what the window gets.
            if words != state.cleanedText { state = try context.keeper.apply(.adapted(words), to: state.id) }
        }
        let previous = before(state, in: window, within: policy.insert.spacingSeconds)
        let framed = FramedText(state.remainder, after: previous, style: style)
        return Delivery(state: state, window: window, style: style, framed: framed)
    }

    /// The text before this one in its window; nil where it is not known, or is the text's own beginning.
    private func before(_ state: DictationState, in window: WindowInfo, within seconds: Int) -> String? {
        guard let last, !state.isBegun || last.id != state.id else { return nil }
        return last.isBeforeCaret(in: window, within: seconds) ? last.text : nil
    }

    private func isRecording() throws -> Bool {
        try context.store.unfinished().contains { [.starting, .recording].contains($0.status) }
    }

    // MARK: - Taking back

    private func remember(_ outcome: TypingOutcome, of delivery: Delivery) {
        let typed = outcome.characterCount
        guard typed > 0 else { return }
        let watch = backend.windows.watchTouches(of: delivery.window)
        // Answers once it watches: a key of the user's that comes right behind the text is seen on a busy machine too.
        _ = watch?.isTouched()
        last = LastInsertion(
            id: delivery.state.id, window: delivery.window, text: String(delivery.framed.whole.prefix(typed)),
            countBefore: delivery.state.insertedCount, framed: delivery.framed, end: .now,
            watch: watch)
    }

    /// Undoes what was typed last, in the same window only, and only if nothing has touched it since.
    func undo() async throws -> Intent.Phase {
        guard let last else {
            return .refused("insert-agent has typed nothing that can be undone")
        }
        let name = "“\(last.window.title)”"
        guard try await backend.windows.focusedWindow()?.id == last.window.id else {
            return .refused("the last text went to the window \(name), which is no longer focused")
        }
        guard let undo = backend.undo else { return .refused("nothing can be undone there") }
        if last.watch?.seesKeys == false {
            // Nobody sees the user's keys there: the window itself has to show that the text is still before the caret.
            switch try await undo.isBeforeCaret(last.text, in: last.window) {
            case true?: break
            case false?: return .refused("the text in \(name) was changed since: nothing was undone")
            case nil:
                return .refused("what was typed in \(name) since cannot be seen: nothing was removed")
            }
        } else {
            guard let watch = last.watch, !watch.isTouched() else {
                return .refused("something was typed or clicked in \(name) since: nothing was undone")
            }
        }
        guard !policy.style(for: last.window).alteration.indents(last.text) else {
            return .refused(
                "BackSpace removes whole steps of indentation in \(name), and the text has some: nothing was undone"
            )
        }
        let outcome = try await undo.undo(last.text, in: last.window)
        let count = outcome.characterCount
        self.last = nil
        if count > 0, try context.store.dictation(last.id) != nil {
            _ = try? context.keeper.apply(
                .undone(last.count(afterUndoing: count)), to: last.id)
        }
        if case .stopped(_, let reason) = outcome {
            return .refused(
                "\(reason); \(count) of \(last.text.count.counted("character"))" + " were removed")
        }
        return .done("removed \(count.counted("character"))", dictation: last.id)
    }
}
