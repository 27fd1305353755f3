import DictationDesktop
import DictationShared
import Foundation

/// What the inserter does with a text: a pure value, without store, display or clock.
struct DeliveryPolicy: Equatable, Sendable {
    /// Seconds. A text that is older is held: by now the user may have turned to something else.
    let patience: TimeInterval

    enum Decision: Equatable {
        case type(String)
        case settle(DictationTransition)
    }

    /// What to do with a text that was claimed.
    func decide(_ state: DictationState, focused: WindowInfo?) -> Decision {
        if state.remainder.isEmpty { return .settle(.inserted(milliseconds: 0)) }
        return focused == nil ? .settle(.held(.noFocus)) : .type(state.remainder)
    }

    /// What has become of it.
    ///
    /// - Parameter milliseconds: from the claim to the last key.
    func settle(_ outcome: TypingOutcome, milliseconds: Int) -> DictationTransition {
        switch outcome {
        case .typed: .inserted(milliseconds: milliseconds)
        case .stopped(_, .focusMoved): .held(.focusMoved)
        case .stopped(_, .noFocus): .held(.noFocus)
        case .stopped(_, .windowClosed): .held(.windowClosed)
        case .stopped(_, .keyboardBusy): .held(.keyboardBusy)
        case .stopped(_, .notResponding): .held(.notResponding)
        }
    }

    /// The dictation that a user means who names none: the newest that is held, else the newest that has a text.
    ///
    /// - Parameter history: newest first.
    func dictationToInsert(among history: [DictationState]) -> DictationState? {
        let ready = history.filter { $0.status == .ready }
        return ready.first { if case .held = $0.delivery { true } else { false } } ?? ready.first
    }
}
