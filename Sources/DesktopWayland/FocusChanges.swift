import Desktop
import Synchronization

/// Counts changes of the focus, for any thread.
final class FocusChanges: Sendable {
    private let number = Atomic<Int>(0)

    func add() { number.add(1, ordering: .relaxed) }

    var count: Int { number.load(ordering: .relaxed) }
}

/// Whether the focus has moved since. Compositors do not report the user's keys.
struct FocusTouch: TouchWatching {
    let seesKeys = false
    private let changes: FocusChanges
    private let before: Int

    init(_ changes: FocusChanges) {
        self.changes = changes
        before = changes.count
    }

    func isTouched() -> Bool { changes.count != before }
}
