import Synchronization

/// Whether the hotkey is down, and a place to wait until it is not.
final class KeyRelease: Sendable {
    private struct State {
        var isDown = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }
    private let state = Mutex(State())

    func pressed() { state.withLock { $0.isDown = true } }

    func released() {
        let waiting = state.withLock { state in
            defer { state = State() }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func waitUntilReleased() async {
        await withCheckedContinuation { continuation in
            let isUp = state.withLock { state in
                if state.isDown { state.waiting.append(continuation) }
                return !state.isDown
            }
            if isUp { continuation.resume() }
        }
    }
}
