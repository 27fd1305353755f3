import Dispatch
import Foundation
import Synchronization

/// A value that changes, for tests that wait until it is as it should be.
public final class Observed<Value: Sendable>: Sendable {
    private struct State {
        var value: Value
        var watchers: [Int: AsyncStream<Void>.Continuation] = [:]
        var nextWatcher = 0
    }
    private let state: Mutex<State>

    public init(_ value: Value) { state = Mutex(State(value: value)) }

    public var value: Value { state.withLock { $0.value } }

    public func change(_ body: (inout Value) -> Void) {
        state.withLock { state in
            body(&state.value)
            for watcher in state.watchers.values { watcher.yield() }
        }
    }

    /// Calls `look` with the value now and after each change, until it returns a result or the time is over
    /// (nil).
    public func wait<Answer>(within limit: Duration, _ look: (Value) -> Answer?) async -> Answer? {
        let (changes, continuation) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let watcher = state.withLock { state in
            state.nextWatcher += 1
            state.watchers[state.nextWatcher] = continuation
            return state.nextWatcher
        }
        defer { state.withLock { _ = $0.watchers.removeValue(forKey: watcher) } }
        DispatchQueue.global().asyncAfter(deadline: .now() + limit.inSeconds) { continuation.finish() }
        continuation.yield()
        for await _ in changes {
            if let answer = look(value) { return answer }
        }
        return nil
    }
}

extension Duration {
    var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
