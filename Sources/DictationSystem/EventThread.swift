import Dispatch

/// Tells when something has come through a descriptor, for an actor that takes it: nothing piles up while the actor does
/// nothing else.
package final class EventThread: Sendable {
    /// An element each time that something has come; the next one follows after ``goOn()``.
    package let arrivals: AsyncStream<Void>
    private let handled = DispatchSemaphore(value: 0)
    private let wakeUp: WakeUp

    /// - Parameter name: of the thread.
    /// - Throws: ``SystemError``
    package init(descriptor: Int32, named name: String) throws {
        let (arrivals, continuation) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.arrivals = arrivals
        let wakeUp = try WakeUp()
        self.wakeUp = wakeUp
        startThread(named: name) { [handled] in
            while let ready = try? waitUntilReadable([descriptor, wakeUp.raw]), !ready.contains(wakeUp.raw) {
                continuation.yield()
                handled.wait()
            }
            continuation.finish()
        }
    }

    /// To be called when what has come was handled.
    package func goOn() { handled.signal() }

    package func stop() {
        wakeUp.signal()
        handled.signal()
    }
}
