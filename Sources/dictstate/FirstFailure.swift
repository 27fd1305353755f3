import Synchronization

/// Keeps the first error that a thread reports for another one to find.
final class FirstFailure: Sendable {
    private let error = Mutex<(any Error)?>(nil)

    func set(_ new: any Error) { error.withLock { $0 = $0 ?? new } }
    func get() -> (any Error)? { error.withLock { $0 } }
}
