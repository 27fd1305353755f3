import DictationSystem
import Synchronization

/// The commits that other threads bring to the disk at this moment.
final class PendingSyncs: Sendable {
    private struct State {
        var count = 0
        /// The callbacks that wait for them.
        var bodies: [@Sendable () -> Void] = []
    }
    private let state = Mutex(State())

    /// Runs `sync` on a separate thread.
    func start(_ sync: @escaping @Sendable () -> Void) {
        state.withLock { $0.count += 1 }
        startThread(named: "disk-sync") { [self] in
            sync()
            let bodies = state.withLock { state -> [@Sendable () -> Void] in
                state.count -= 1
                guard state.count == 0 else { return [] }
                defer { state.bodies = [] }
                return state.bodies
            }
            for body in bodies { body() }
        }
    }

    /// Calls `body` when none is in progress: at once, or on the thread of the last one.
    func whenDone(_ body: @escaping @Sendable () -> Void) {
        let isDone = state.withLock { state in
            if state.count > 0 { state.bodies.append(body) }
            return state.count == 0
        }
        if isDone { body() }
    }
}
