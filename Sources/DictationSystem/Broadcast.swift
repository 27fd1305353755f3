import Synchronization

/// Values for any number of readers, each with a stream of its own.
///
/// ```swift
/// let levels = Broadcast<Double>()
/// Task { for await level in levels.stream() { show(level) } }
/// levels.send(0.5)
/// ```
public final class Broadcast<Value: Sendable>: Sendable {
    private struct State {
        var newest: Value?
        var readers: [Int: AsyncStream<Value>.Continuation] = [:]
        var lastReader = 0
    }
    private let state: Mutex<State>
    private let kept: Int

    /// - Parameters:
    ///   - first: what a reader gets at once, until another value is sent; nil: a reader gets later values only.
    ///   - kept: how many of the newest values wait for a reader that is late.
    public init(_ first: Value? = nil, keeping kept: Int = 1) {
        state = Mutex(State(newest: first))
        self.kept = kept
    }

    /// The newest value, where this was made with one, and each later one, until the reader lets go or ``finish()``.
    public func stream() -> AsyncStream<Value> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Value.self, bufferingPolicy: .bufferingNewest(kept))
        let number = state.withLock { state in
            state.lastReader += 1
            state.readers[state.lastReader] = continuation
            if let newest = state.newest { continuation.yield(newest) }
            return state.lastReader
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.readers.removeValue(forKey: number) }
        }
        return stream
    }

    public func send(_ value: Value) {
        state.withLock { state in
            if state.newest != nil { state.newest = value }
            for reader in state.readers.values { reader.yield(value) }
        }
    }

    /// Ends the streams of all present readers.
    public func finish() {
        let readers = state.withLock { state in
            defer { state.readers = [:] }
            return state.readers
        }
        for reader in readers.values { reader.finish() }
    }
}
