import Dispatch

/// Reports data on a descriptor to an actor that reads it: no events pile up while the actor is
/// busy.
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

    /// Call it when the data was handled.
    package func goOn() { handled.signal() }

    package func stop() {
        wakeUp.signal()
        handled.signal()
    }
}
