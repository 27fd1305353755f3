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
    /// whole text, which is delivered as any other.
    ///
    /// - Parameter isAsked: the user wants what is held of it, where the focus is.
    func mayTypeNow(_ state: DictationState, isAsked: Bool) async throws -> Bool {
        // While the hotkey is held no window gets a key.
        if try await backend.keyboard?.isTaken() == true { return false }
        if backend.session.absence != nil { return state.isBegun }
        let focused = try await backend.windows.focusedWindow()
        switch policy.decide(state, focused: focused, isAsked: isAsked) {
        case .insert(let window):
            let style = policy.style(for: window, profile: state.options.profile)
            // One paste is for the whole text: see ``DeliveryPolicy/methods(_:text:survey:isGrowing:)``.
            let isTyped = [.type, .ibus].contains(style.method) && !style.verbatim
            return isTyped || isElsewhere(state, window)
        // What has begun stops, for the user to say where it goes on.
        case .settle, .activate: return state.isBegun
        }
    }

    /// Whether a text began in another window while it was spoken.
    func isElsewhere(_ state: DictationState, _ window: WindowInfo) -> Bool {
        guard let live, live.id == state.id, state.isBegun else { return false }
        return live.window.id != window.id
    }

    /// What becomes of a text that grows when so much of it is typed.
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
}
