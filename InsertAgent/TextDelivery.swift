import Desktop
import DictationService
import DictationSettings
import DictationShared
import DictationSystem
import Logging

/// Gets a claimed text into its window: decides where and how, and what to do when that fails. It also undoes
/// and edits the last insertion.
actor TextDelivery {
    let context: AgentContext
    let backend: InsertionBackend
    /// The typist's thread: delivery and typist never work at the same time.
    nonisolated var unownedExecutor: UnownedSerialExecutor { backend.typing.unownedExecutor }
    /// The texts that the next one may follow, and that can be undone.
    var history = InsertionHistory()
    /// The window of the text that is typed while it is spoken.
    var live: LiveWindow?
    /// The native window whose selection was read for a dictation, the last one: host-agent cannot see native
    /// windows.
    var selectionWindow: (dictation: DictationID, window: WindowInfo)?

    init(context: AgentContext, backend: InsertionBackend) {
        self.context = context
        self.backend = backend
    }

    struct Ending: Sendable {
        let transition: DictationTransition
        /// The agent cannot continue.
        var failure: (any Error)?
    }

    /// - Parameters:
    ///   - isAsked: the user wants it now, so it goes where the user is.
    ///   - window: the only allowed window.
    func deliver(_ state: DictationState, isAsked: Bool, only window: WindowInfo? = nil) async -> Ending {
        context.keeper.adopt(state)
        do {
            try checkMayType(state)
            return Ending(
                transition: try await insert(state, isAsked: isAsked, only: window, since: .now))
        } catch let away as UserAway {
            return Ending(transition: .held(DeliveryPolicy.holdReason(for: away.absence)))
        } catch is Interrupted {
            return Ending(transition: .held(.interrupted))
        } catch is Cancelled {
            // The store has the count. That of the claim may be higher: BackSpaces have removed some of it since.
            return Ending(transition: .paused(0))
        } catch is TransitionRefused where state.isGrowthClaimed {
            // The dictation is gone from the store, or replaced by another one.
            return Ending(transition: .held(.interrupted))
        } catch let error as DesktopError {
            // The text is kept; an agent without a display cannot continue.
            return Ending(transition: .held(.typingFailed), failure: error)
        } catch {
            context.logger.error("typing failed: \(error)")
            return Ending(transition: .held(.typingFailed))
        }
    }

    // MARK: - May it be typed

    /// Thrown to stop typing in the middle.
    struct UserAway: Error {
        let absence: SessionAbsence
    }

    /// The requester of the text has stopped it. Thrown to stop typing in the middle.
    private struct Interrupted: Error {}

    /// The dictation was canceled while it is spoken. Thrown to stop typing in the middle.
    private struct Cancelled: Error {}

    /// - Parameter state: the claimed state.
    private nonisolated func checkMayType(_ state: DictationState) throws {
        try checkPresence()
        // A store that cannot answer now does not prevent typing.
        if (try? context.store.isAskedToHold(state.id)) == true { throw Interrupted() }
        guard state.isGrowthClaimed else { return }
        if (try? context.store.dictation(state.id))?.status == .cancelled { throw Cancelled() }
    }

    /// - Throws: ``UserAway`` if the session is locked, in the background, or about to sleep.
    nonisolated func checkPresence() throws {
        if let absence = backend.session.absence { throw UserAway(absence: absence) }
    }

    // MARK: - Where

    var policy: DeliveryPolicy { DeliveryPolicy(context.settings, backend) }

    enum Turn {
        case end(DictationTransition)
        /// The user holds the hotkey to dictate the next text: until then no window gets a key. With how far it got, and in
        /// which window.
        case waitForKeyboard(DictationState, WindowInfo)
    }

    /// - Returns: how it ends.
    private func insert(
        _ claimed: DictationState, isAsked: Bool, only window: WindowInfo?,
        since began: ContinuousClock.Instant
    ) async throws -> DictationTransition {
        var state = claimed
        while true {
            switch try await insertOnce(state, isAsked: isAsked, only: window, since: began) {
            case .end(let transition): return transition
            case .waitForKeyboard(let now, let window):
                guard try await isKeyboardFreeInTime() else { return .held(.keyboardBusy) }
                try checkPresence()
                // A text that has begun in one window does not continue in another.
                if now.isBegun, try await !window.isSameWindow(as: backend.windows.focusedWindow()) {
                    return .held(.focusMoved)
                }
                state = now
            }
        }
    }

    /// Waits while the hotkey is held; if it was only tapped, the keyboard is free at once.
    private func isKeyboardFreeInTime() async throws -> Bool {
        guard let keyboard = backend.keyboard else { return true }
        context.logger.info("a text waits while the hotkey is held for the next one")
        try await keyboard.waitUntilFree(within: .seconds(policy.patience))
        return try await !keyboard.isTaken() && !Task.isCancelled
    }

    private func insertOnce(
        _ state: DictationState, isAsked: Bool, only window: WindowInfo?,
        since began: ContinuousClock.Instant
    ) async throws -> Turn {
        let focused = try await backend.windows.focusedWindow()
        if let window, !window.isSameWindow(as: focused) { return .end(.held(.focusMoved)) }
        switch policy.decide(state, focused: focused, isAsked: isAsked) {
        case .settle(let transition): return .end(transition)
        case .insert(let window):
            // The rest must go where the beginning is.
            if !isAsked, isElsewhere(state, window) { return .end(.held(.focusMoved)) }
            return try await insertOnce(state, into: window, since: began)
        case .activate(let window):
            guard try await backend.windows.activate(window) else { return .end(.held(.focusMoved)) }
            return try await insertOnce(state, into: window, since: began)
        }
    }

    /// Inserts a text where another one is selected.
    ///
    /// - Returns: how it ends.
    func insert(
        _ state: DictationState, into window: WindowInfo, replacing selected: String
    ) async throws -> DictationTransition {
        switch try await insertOnce(state, into: window, since: .now, replacing: selected) {
        case .end(let transition): transition
        // It is unknown what will be selected when the keyboard is free again.
        case .waitForKeyboard: .held(.keyboardBusy)
        }
    }

    // MARK: - How

    private func insertOnce(
        _ state: DictationState, into window: WindowInfo, since began: ContinuousClock.Instant,
        replacing selected: String? = nil
    ) async throws -> Turn {
        // The settings as they are now hold to the end.
        let policy = policy
        var state = state
        if state.revisedText != nil {
            switch try await mend(state, in: window, by: policy) {
            case .mended(let now): state = now
            case .stopped(let turn): return turn
            }
        }
        let isBehind = selected == nil && history.isUntouched(in: window)
        let delivery =
            try selected.map {
                Delivery(
                    state: state, window: window, style: policy.style(for: window),
                    framed: FramedText(exactly: state.remainder), replaced: $0)
            } ?? delivery(of: state, into: window, behindLast: isBehind, by: policy)
        let survey = try await backend.typing.survey(
            delivery.framed.whole, options: delivery.style.options, window: window)
        let methods =
            selected == nil
            ? policy.methods(
                delivery.style, text: delivery.framed.whole, survey: survey, isGrowing: state.isGrowthClaimed)
            : policy.replacingMethods(delivery.style, survey: survey)
        let id = state.id
        let attempt = InsertionAttempt(
            delivery: delivery, backend: backend, context: context, survey: survey
        ) { [state] in try self.checkMayType(state) }
        for (index, method) in methods.enumerated() {
            let outcome: InsertionAttempt.Outcome
            do { outcome = try await attempt.carryOut(by: method) } catch {
                // It may have ended after a piece of this text: what was inserted before is not what is
                // before the caret.
                history.clear()
                throw error
            }
            let elapsed = Int((began.duration(to: .now) / .milliseconds(1)).rounded())
            switch outcome {
            case .done(let outcome):
                await remember(outcome, of: delivery, by: method, behindLast: isBehind)
                return try settle(outcome, of: delivery, by: policy, milliseconds: elapsed)
            case .unsure:
                history.clear()
                return .end(.held(.pasteUnsure))
            // Nothing is typed early by these.
            case .copied where state.isGrowthClaimed: return .end(.held(.bySetting))
            case .copied:
                try context.keeper.apply(.noticed(DeliveryNotice.copied), to: id)
                return .end(.inserted(milliseconds: elapsed))
            case .notDone(let reason):
                guard index + 1 < methods.count else {
                    context.logger.warning("“\(method.rawValue)” was not possible: \(reason)")
                    return .end(.held(survey.onlyCommits == nil ? .typingFailed : .nativeWindow))
                }
                let notice = DeliveryNotice.fallback(from: method, to: methods[index + 1], because: reason)
                context.logger.warning("\(notice.message)")
                try context.keeper.apply(.noticed(notice), to: id)
            }
        }
        return .end(.held(.bySetting))
    }

    /// Keys were pressed, or a paste has arrived.
    ///
    /// - Parameter milliseconds: from the claim to the last key.
    private func settle(
        _ outcome: TypingOutcome, of delivery: Delivery, by policy: DeliveryPolicy, milliseconds: Int
    ) throws -> Turn {
        if delivery.state.isGrowthClaimed { return .end(try paused(outcome, of: delivery)) }
        if case .stopped(let count, let reason) = outcome {
            let progress = DictationTransition.progress(delivery.count(of: count))
            let now = try context.keeper.apply(progress, to: delivery.state.id)
            if try policy.givesWay(reason, whileRecording: isRecording()) {
                return .waitForKeyboard(now, delivery.window)
            }
            // More may arrive: the text before the caret is not known, and cannot be undone.
            if reason == .notResponding || reason == .unsure { history.clear() }
            context.logger.warning("typing stopped: \(reason)")
        }
        return .end(policy.settle(outcome, milliseconds: milliseconds))
    }

    private func delivery(
        of claimed: DictationState, into window: WindowInfo, behindLast isBehind: Bool,
        by policy: DeliveryPolicy
    ) throws -> Delivery {
        let style = policy.style(for: window, profile: claimed.options.profile)
        if claimed.isExact {
            return Delivery(
                state: claimed, window: window, style: style, framed: FramedText(exactly: claimed.remainder))
        }
        var state = claimed
        // The end of a growing text is not known yet; of a text that has begun, only the end may change.
        if !state.isGrowthClaimed {
            let words = style.words(raw: state.rawText, cleaned: state.cleanedText)
            // The store says what the window gets.
            if words != state.cleanedText, state.isKept(in: words) {
                state = try context.keeper.apply(.adapted(words), to: state.id)
            }
        }
        let previous = isBehind ? before(state, within: policy.insert.spacingSeconds) : nil
        let framed = FramedText(
            state.remainder, after: previous, style: style, isEnd: !state.isGrowthClaimed)
        return Delivery(state: state, window: window, style: style, framed: framed)
    }

    /// The text before this one in its window; nil if it was inserted too long ago, or is this text's own
    /// beginning.
    private func before(_ state: DictationState, within seconds: Int) -> String? {
        guard let last = history.last, !state.isBegun || last.id != state.id else { return nil }
        return last.end.duration(to: .now) <= .seconds(seconds) ? last.text : nil
    }

    /// Types what comes behind a text that is complete, if all of it was typed before its end was known. It is no part of the
    /// text, and needs no claim.
    func typeEnd(behind id: DictationID) async throws {
        guard let last = history.last, last.id == id, last.replaced == nil,
            let window = try await backend.windows.focusedWindow(), history.isUntouched(in: window),
            let state = try context.store.dictation(id), state.delivery == .inserted, !state.isExact,
            backend.session.absence == nil
        else { return }
        let style = policy.style(for: window, profile: state.options.profile)
        var framed = FramedText(exactly: "")
        framed.after = style.end(behind: last.text)
        if framed.after.isEmpty { return }
        let outcome = try await backend.typing.type(
            framed.after, into: window, options: style.options, pace: style.pace, record: nil,
            progress: { _ in })
        let delivery = Delivery(state: state, window: window, style: style, framed: framed)
        await remember(outcome, of: delivery, by: .type, behindLast: true)
    }

    private func isRecording() throws -> Bool {
        try context.store.unfinished().contains { [.starting, .recording].contains($0.status) }
    }

    // MARK: - Insertions so far

    private func remember(
        _ outcome: TypingOutcome, of delivery: Delivery, by method: InsertMethod, behindLast isBehind: Bool
    ) async {
        let typed = outcome.characterCount
        guard typed > 0 else { return }
        if delivery.state.isGrowthClaimed {
            live = LiveWindow(id: delivery.state.id, window: delivery.window)
        }
        let insertion = LastInsertion(
            id: delivery.state.id, window: delivery.window, framed: delivery.framed, typed: typed,
            countBefore: delivery.state.insertedCount, replaced: delivery.replaced, isPasted: method == .paste
        )
        let (watch, isTyped) = await watchBehind(delivery.window)
        if isTyped { return history.clear() }
        history.add(insertion, isBehind: isBehind, watch: watch)
    }

    /// Watches a window in which keys were pressed just now, and tells whether the user's keys have followed
    /// them: those are before the caret now.
    func watchBehind(_ window: WindowInfo) async -> (watch: (any TouchWatching)?, isTyped: Bool) {
        let watch = backend.windows.watchTouches(of: window)
        // Returns when it watches. The keyboard is queried then, so each key is seen by one of the two.
        _ = watch?.isTouched()
        return (watch, await backend.keyboard?.hasUserTypedMeanwhile() == true)
    }
}
