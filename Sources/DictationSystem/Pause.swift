/// Suspends a task for a time: for cases without an event, such as when a server can be asked again.
///
/// Not `Task.sleep`: that uses a timer of libdispatch, which from then on wakes the process once a second for
/// as long as it lives.
///
/// - Throws: `CancellationError`; ``SystemError``.
public func pause(for duration: Duration) async throws {
    let stop = try WakeUp()
    await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
            startThread(named: "pause") {
                _ = try? waitUntilReadable([stop.raw], until: .now + duration)
                continuation.resume()
            }
        }
    } onCancel: {
        stop.signal()
    }
    try Task.checkCancellation()
}
