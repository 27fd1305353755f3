import Synchronization

/// Values from any thread for one reader.
///
/// Whoever puts a value wakes the thread on which the reader's task waits: one of the pool, which then wakes the thread
/// of the reader's actor, unless the task prefers that thread (``ThreadExecutor/tasks``). That is some 50 µs sooner: for
/// where a person waits for it.
public final class Mailbox<Value: Sendable>: Sendable {
    private struct State {
        var values: [Value] = []
        var end: Result<Void, any Error>?
        var reader: CheckedContinuation<Void, Never>?
    }
    private let state = Mutex(State())

    public init() {}

    public func put(_ value: Value) { change { $0.values.append(value) } }

    /// The reader gets what is there already, and then the end.
    ///
    /// - Parameter error: is thrown to the reader.
    public func finish(throwing error: (any Error)? = nil) {
        change { $0.end = $0.end ?? error.map { .failure($0) } ?? .success(()) }
    }

    private func change(_ body: (inout State) -> Void) {
        let reader = state.withLock { state in
            body(&state)
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume()
    }

    /// The next value; nil at the end, or when the task is cancelled. For one reader at a time.
    public func next(isolation: isolated (any Actor)? = #isolation) async throws -> Value? {
        while !Task.isCancelled {
            let found: Result<Value?, any Error>? = state.withLock { state in
                if !state.values.isEmpty { return .success(state.values.removeFirst()) }
                return state.end.map { end in end.map { nil } }
            }
            if let found { return try found.get() }
            await withTaskCancellationHandler {
                await withCheckedContinuation { reader in
                    let isNews = state.withLock { state in
                        let isNews = !state.values.isEmpty || state.end != nil || Task.isCancelled
                        if !isNews { state.reader = reader }
                        return isNews
                    }
                    if isNews { reader.resume() }
                }
            } onCancel: {
                change { _ in }
            }
        }
        return nil
    }
}
