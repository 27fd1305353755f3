import CX11
import DictationSystem
import Foundation

/// A wait until a window has the focus, on a thread of its own that sleeps until something happens to that window.
public final class FocusWait: Sendable {
    private let ends: AsyncStream<Void>
    private let wakeUp: WakeUp

    /// Begins to wait: until the window has the focus or is gone, the time is over, or ``stop()`` is called.
    ///
    /// - Parameters:
    ///   - id: the window, as ``WindowInfo/id``.
    ///   - display: such as ":0"; nil takes `DISPLAY`.
    /// - Throws: ``SystemError``
    public init(on id: UInt64, within limit: Duration, display: String? = nil) throws {
        let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
        self.ends = ends
        let wakeUp = try WakeUp()
        self.wakeUp = wakeUp
        let thread = Thread {
            // Whatever ends it, its user looks how things are.
            try? Self.wait(for: Window(id), until: .now + limit, display: display, wakeUp)
            continuation.finish()
        }
        thread.name = "focus-wait"
        thread.start()
    }

    deinit { stop() }

    /// Returns when it is over.
    public func value() async { for await _ in ends {} }

    public func stop() { wakeUp.signal() }

    private static func wait(
        for window: Window, until deadline: ContinuousClock.Instant, display: String?, _ wakeUp: WakeUp
    ) throws {
        let connection = try DisplayConnection(name: display)
        let focus = FocusInspector(connection: connection)
        // A window that contains the one with the focus is told as well (FocusIn, NotifyVirtual).
        XSelectInput(connection.display, window, FocusChangeMask | StructureNotifyMask)
        while focus.exists(window), focus.focusedToplevel() != window {
            try connection.checkAlive()
            var isNews = false
            while connection.nextEvent() != nil { isNews = true }
            if isNews { continue }
            let left = ContinuousClock.now.duration(to: deadline) / .milliseconds(1)
            if left <= 0 { return }
            let ready = try waitUntilReadable(
                [connection.descriptor, wakeUp.raw], timeout: Int32(clamping: Int(left) + 1))
            if ready.contains(wakeUp.raw) { return }
        }
    }
}
