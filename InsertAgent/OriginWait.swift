import Desktop
import DictationShared
import DictationSystem

/// The text that stays unclaimed until the window where its recording began has the focus.
struct OriginWait {
    private struct Current {
        let id: DictationID
        let origin: UInt64
        let began: ContinuousClock.Instant
        let task: Task<Void, Never>
    }
    private var current: Current?

    mutating func stop() {
        current?.task.cancel()
        current = nil
    }

    /// - Parameters:
    ///   - patience: a text that has waited for longer waits no more; then the claim holds it.
    ///   - wait: returns when the window may have the focus; called when this wait has not begun yet.
    ///   - whenOver: called then.
    /// - Returns: whether the text still waits.
    mutating func mayWait(
        _ text: DictationState, for origin: WindowInfo, patience: Duration,
        _ wait: @escaping @Sendable (_ left: Duration) async -> Void,
        whenOver: @escaping @Sendable () -> Void
    ) -> Bool {
        let began = current?.id == text.id ? current?.began ?? .now : .now
        let left = patience - began.duration(to: .now)
        if left <= .zero { return false }
        if let current, current.id == text.id, current.origin == origin.id { return true }
        current?.task.cancel()
        current = Current(
            id: text.id, origin: origin.id, began: began,
            task: Task {
                await wait(left)
                whenOver()
            })
        return true
    }
}
