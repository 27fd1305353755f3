/// Suspends a task until a time is over: for what only time can tell, such as when a server can be asked again.
///
/// Not `Task.sleep`: that is a timer of libdispatch's, which from then on wakes the process once a second for as long
/// as it lives.
///
/// - Throws: `CancellationError`; ``SystemError``.
public func pause(for duration: Duration) async throws {
    let stop = try WakeUp()
    await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
            startThread(named: "pause") {
                let end = ContinuousClock.now + duration
                // More than poll counts to is waited for in parts.
                while let left = milliseconds(until: end),
                    let ready = try? waitUntilReadable([stop.raw], timeout: left), ready.isEmpty
                {}
                continuation.resume()
            }
        }
    } onCancel: {
        stop.signal()
    }
    try Task.checkCancellation()
}

/// Rounded up; nil when it is over.
private func milliseconds(until end: ContinuousClock.Instant) -> Int32? {
    let left = ContinuousClock.now.duration(to: end)
    guard left > .zero else { return nil }
    return Int32(min((left / .milliseconds(1)).rounded(.up), Double(Int32.max)))
}
