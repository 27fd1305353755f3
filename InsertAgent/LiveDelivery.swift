import Desktop
import DictationService
import DictationSettings
import DictationShared
import DictationSystem
import Logging

/// The window into which a dictation is typed while it is spoken.
struct LiveWindow: Equatable, Sendable {
    let id: DictationID
    let window: WindowInfo
}

/// Texts that are typed while they grow.
extension TextDelivery {
    /// Whether a growing text can be typed now. One that cannot is not claimed: its words wait for the next ones, or for the
    /// whole text, which is delivered like any other.
    ///
    /// - Parameter isAsked: the user wants its held part, where the focus is.
    func mayTypeNow(_ state: DictationState, isAsked: Bool) async throws -> Bool {
        // While the hotkey is held no window gets a key.
        if try await backend.keyboard?.isTaken() == true { return false }
        if backend.session.absence != nil { return state.isBegun }
        let focused = try await backend.windows.focusedWindow()
        if policy.waits(state, focused: focused, isAsked: isAsked) { return false }
        switch policy.decide(state, focused: focused, isAsked: isAsked) {
        case .insert(let window):
            let style = policy.style(for: window, profile: state.options.profile)
            // One paste is needed for the whole text: see ``DeliveryPolicy/methods(_:text:survey:isGrowing:)``.
            let isTyped = [.type, .ibus].contains(style.method) && !style.verbatim
            return isTyped || isElsewhere(state, window)
        // A text that has begun stops, so that the user can say where it continues.
        case .settle, .activate: return state.isBegun
        }
    }

    /// Whether a text began in another window while it was spoken.
    func isElsewhere(_ state: DictationState, _ window: WindowInfo) -> Bool {
        guard let live, live.id == state.id, state.isBegun else { return false }
        return !live.window.isSameWindow(as: window)
    }

    /// The transition of a growing text when its claimed part is typed, or typing has stopped.
    func paused(_ outcome: TypingOutcome, of delivery: Delivery) throws -> DictationTransition {
        let count = delivery.count(of: outcome.characterCount)
        guard case .stopped(_, let reason) = outcome else { return .paused(count) }
        switch reason {
        // The user ends the dictation by it, or a menu is open: the words wait.
        case .hotkeyPressed, .keyboardBusy: return .paused(count)
        default:
            try context.keeper.apply(.progress(count), to: delivery.state.id)
            context.logger.warning("typing stopped while you speak: \(reason)")
            return .held(policy.holdReason(for: reason))
        }
    }

    // MARK: - Mending

    enum Mending {
        /// The rest can be typed.
        case mended(DictationState)
        case stopped(Turn)
    }

    /// Mends the words that were typed while the user spoke and are different by now. If nothing may be
    /// removed, the revised text is joined to the typed words.
    func mend(
        _ claimed: DictationState, in window: WindowInfo, by policy: DeliveryPolicy
    ) async throws -> Mending {
        var state = claimed
        while let revised = state.revisedText {
            if let undo = backend.undo, let (end, last) = removable(of: state, in: window, by: policy),
                case .failure(let stop) = try await remove(end, of: last, by: undo)
            {
                return .stopped(try stopped(stop, claimed, in: window))
            }
            do {
                state = try context.keeper.apply(.mended(revised), to: claimed.id)
            } catch let error as TransitionRefused {
                // Its host has recognized other words in the meantime.
                guard let now = try context.store.dictation(claimed.id), now.revisedText != revised
                else { throw error }
                state = now
            }
        }
        switch state.phase {
        case .starting, .recording, .processing, .ready(.pending), .ready(.claimed): return .mended(state)
        // Its host has canceled or held it in the meantime: no more of it is typed.
        case .ready, .failed, .cancelled: return .stopped(.end(.paused(state.insertedCount)))
        }
    }

    /// The end of a text that has to be removed; nil if there is nothing to remove, or it must not be
    /// removed.
    private func removable(
        of state: DictationState, in window: WindowInfo, by policy: DeliveryPolicy
    ) -> (end: String, last: LastInsertion)? {
        guard let revised = state.revisedText, state.isBegun, state.tornScalars == 0,
            policy.style(for: window, profile: state.options.profile).mayRevise,
            let last = history.last, last.id == state.id, history.isUntouched(in: window),
            history.watch?.seesKeys == true, !last.text.isEmpty,
            last.countBefore + last.bodyCount == state.insertedCount,
            last.text.count == last.leadCount + last.bodyCount
        else { return nil }
        let typed = String(state.cleanedText.prefix(state.insertedCount))
        let end = LiveRevision(of: typed, to: revised, behind: last.countBefore).removed
        guard !end.isEmpty, last.text.hasSuffix(end), obstacle(toRemoving: end, of: last) == nil else {
            return nil
        }
        return (end, last)
    }

    /// BackSpaces have stopped in the middle; the characters that are left are counted.
    private func stopped(
        _ stop: Stop, _ claimed: DictationState, in window: WindowInfo
    ) throws -> Turn {
        guard let state = try context.store.dictation(claimed.id) else { return .end(.held(.interrupted)) }
        context.logger.warning("mending stopped: \(stop.reason)")
        switch stop.cause {
        case .hotkeyPressed, .keyboardBusy:
            return claimed.isGrowthClaimed
                ? .end(.paused(state.insertedCount)) : .waitForKeyboard(state, window)
        default: return .end(.held(policy.holdReason(for: stop.cause)))
        }
    }
}
