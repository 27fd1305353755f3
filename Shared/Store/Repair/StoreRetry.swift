import DictationSystem
import Foundation
import Synchronization

/// Repeats a failed call of the store: as soon as the store was opened again, or, if no event says
/// that its problem is over (a full disk), after growing waits (``RetryPolicy/savingWhatIsKept``).
///
/// Costs nothing while there is nothing to retry.
public final class StoreRetry: Sendable {
    private struct State {
        /// Ends the wait that is under way.
        var stop: WakeUp?
        var failures = 0
    }
    private let store: StateStore
    private let name: String
    private let state = Mutex(State())

    /// - Parameter name: of the thread that waits, as `top -H` shows it.
    public init(store: StateStore, name: String) {
        self.store = store
        self.name = name
    }

    deinit { state.withLock { $0.stop?.signal() } }

    /// It failed: calls `body` once, on a separate thread, when it is time to retry. Does nothing if
    /// that is in progress already.
    public func failed(thenTry body: @escaping @Sendable () -> Void) {
        // Without descriptors nothing waits, and the next failure tries again.
        guard let stop = try? WakeUp(), let reopened = try? WakeUp() else { return }
        let delay: Duration? = state.withLock { state in
            guard state.stop == nil else { return nil }
            state.failures += 1
            guard let delay = RetryPolicy.savingWhatIsKept.delay(afterFailures: state.failures) else {
                return nil
            }
            state.stop = stop
            return delay
        }
        guard let delay else { return }
        let observer = store.addObserver { reopened.signal() }
        startThread(named: name) { [weak self, store] in
            let ready = try? waitUntilReadable([reopened.raw, stop.raw], until: .now + delay)
            store.removeObserver(observer)
            self?.state.withLock { $0.stop = nil }
            if ready?.contains(stop.raw) != true { body() }
        }
    }

    /// Whether a retry is pending.
    var isWaiting: Bool { state.withLock { $0.stop != nil } }

    /// It worked: the next failure begins with the shortest wait.
    public func worked() { state.withLock { $0.failures = 0 } }
}
