import Synchronization

/// Values for any number of readers, each with its own stream.
///
/// ```swift
/// let levels = Broadcast<Double>()
/// Task { for await level in levels.stream() { show(level) } }
/// levels.send(0.5)
/// ```
public final class Broadcast<Value: Sendable>: Sendable {
    private struct State {
        /// A new reader gets it at once.
        var newest: Value?
        var readers: [Int: AsyncStream<Value>.Continuation] = [:]
        var lastReader = 0
    }
    private let state: Mutex<State>
    private let kept: Int
    private let remembersNewest: Bool

    /// New readers get later values only.
    ///
    /// - Parameter kept: how many of the newest values wait for a reader that is late.
    public init(keeping kept: Int = 1) {
        state = Mutex(State())
        self.kept = kept
        remembersNewest = false
    }

    /// New readers get the newest value at once.
    ///
    /// - Parameters:
    ///   - newest: nil: there is none yet.
    ///   - kept: how many of the newest values wait for a slow reader.
    public init(newest: Value?, keeping kept: Int = 1) {
        state = Mutex(State(newest: newest))
        self.kept = kept
        remembersNewest = true
    }

    /// The newest value, if new readers get one.
    public var newest: Value? { state.withLock { $0.newest } }

    public var hasReaders: Bool { state.withLock { !$0.readers.isEmpty } }

    /// The values, until the reader stops reading or ``finish()``.
    ///
    /// - Parameter left: called when this reader has stopped reading.
    public func stream(left: @escaping @Sendable () -> Void = {}) -> AsyncStream<Value> {
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
            left()
        }
        return stream
    }

    public func send(_ value: Value) {
        state.withLock { state in
            if remembersNewest { state.newest = value }
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

extension Broadcast where Value: Equatable {
    /// Sends a value unless it is the newest already. To be called by one at a time.
    public func update(to value: Value) {
        if value != newest { send(value) }
    }
}
