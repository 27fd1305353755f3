import Desktop
import DictationShared
import DictationSystem
import Synchronization

/// The text that stays unclaimed until the window where its recording began has the focus.
struct OriginWait {
    private struct Current {
        let id: DictationID
        let origin: WindowInfo
        let began: ContinuousClock.Instant
        let end: End
        let task: Task<Void, Never>
    }
    private var current: Current?

    /// How a wait has ended; nothing while it lasts.
    private final class End: Sendable {
        let hadFocus = Mutex<Bool?>(nil)
    }

    mutating func stop() {
        current?.task.cancel()
        current = nil
    }

    /// - Parameters:
    ///   - patience: a text that has waited for longer does not wait any more; then the claim holds it.
    ///   - wait: returns when the window has the focus, or, with false, when waiting is useless; called when
    ///     this wait has not begun yet.
    ///   - whenOver: called at the end of the wait.
    /// - Returns: whether the text still waits.
    mutating func mayWait(
        _ text: DictationState, for origin: WindowInfo, patience: Duration,
        _ wait: @escaping @Sendable (_ left: Duration) async -> Bool,
        whenOver: @escaping @Sendable () -> Void
    ) -> Bool {
        let began = current?.id == text.id ? current?.began ?? .now : .now
        let left = patience - began.duration(to: .now)
        if left <= .zero { return false }
        if let current, current.id == text.id, current.origin.isSameWindow(as: origin) {
            switch current.end.hadFocus.withLock({ $0 }) {
            case nil: return true
            // The window is gone.
            case false?: return false
            // It had the focus for so short a time that the text was not claimed.
            case true?: break
            }
        }
        current?.task.cancel()
        let end = End()
        current = Current(
            id: text.id, origin: origin, began: began, end: end,
            task: Task {
                let hadFocus = await wait(left)
                end.hadFocus.withLock { $0 = hadFocus }
                whenOver()
            })
        return true
    }
}
