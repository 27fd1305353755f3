import DictationSystem
import Dispatch

/// Tells when a compositor has sent something, so that its events never pile up while nothing is typed.
final class EventThread: Sendable {
    /// An element each time that something has come; the next one follows after ``goOn()``.
    let arrivals: AsyncStream<Void>
    private let handled = DispatchSemaphore(value: 0)
    private let wakeUp: WakeUp

    /// - Throws: ``SystemError``
    init(descriptor: Int32) throws {
        let (arrivals, continuation) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.arrivals = arrivals
        let wakeUp = try WakeUp()
        self.wakeUp = wakeUp
        startThread(named: "wayland-events") { [handled] in
            while let ready = try? waitUntilReadable([descriptor, wakeUp.raw]), !ready.contains(wakeUp.raw) {
                continuation.yield()
                handled.wait()
            }
            continuation.finish()
        }
    }

    /// To be called when what has come was handled.
    func goOn() { handled.signal() }

    func stop() {
        wakeUp.signal()
        handled.signal()
    }
}
