import CX11
import Desktop
import DictationSystem
import Foundation

/// A wait until a window has the focus, or the keyboard is free, on its own thread that sleeps until something happens
/// to that window, or to the one with the focus.
public final class DesktopWait: Sendable {
    private let ends: AsyncStream<Bool>
    private let wakeUp: WakeUp

    /// Begins to wait: until the window has the focus or is gone, the time is over, or ``stop()`` is called.
    ///
    /// - Parameters:
    ///   - display: such as ":0"; nil takes `DISPLAY`.
    /// - Throws: ``SystemError``
    public convenience init(
        forFocusOf window: WindowInfo, within limit: Duration, display: String? = nil
    ) throws {
        try self.init(within: limit, display: display) { focus in
            // A window that contains the one with the focus is told as well (FocusIn, NotifyVirtual).
            XSelectInput(
                focus.connection.display, Window(window.id), FocusChangeMask | StructureNotifyMask)
            return {
                if window.isSameWindow(as: focus.focusedWindow()) { return true }
                return focus.isThere(window) ? nil : false
            }
        }
    }

    /// Begins to wait: until no program has the keyboard for itself, the time is over, or ``stop()`` is called.
    ///
    /// - Throws: ``SystemError``
    public convenience init(forKeyboardWithin limit: Duration, display: String? = nil) throws {
        try self.init(within: limit, display: display) { focus in
            let connection = focus.connection
            let witness = connection.makeHiddenWindow()
            // The focus moves to another window, or to none, when the focused one closes.
            XSelectInput(connection.display, connection.root, FocusChangeMask | PropertyChangeMask)
            return {
                // Told of the grab's end, or of its own; from here on, so before the grab is asked about.
                if let inner = focus.focusedInnerWindow() {
                    XSelectInput(connection.display, inner, FocusChangeMask | StructureNotifyMask)
                }
                connection.flush()
                return connection.isKeyboardTaken(.keyboardGrab(on: witness)) ? nil : true
            }
        }
    }

    /// - Parameter condition: selects the events that may change it, and returns whether it holds; nil while
    ///   it may still become true.
    private init(
        within limit: Duration, display: String?,
        _ condition: @escaping @Sendable (FocusInspector) -> () -> Bool?
    ) throws {
        let (ends, continuation) = AsyncStream.makeStream(of: Bool.self)
        self.ends = ends
        let wakeUp = try WakeUp()
        self.wakeUp = wakeUp
        let deadline = ContinuousClock.now + limit
        startThread(named: "desktop-wait") {
            // After any end of the wait, the caller reads the state again.
            let isMet = try? Self.wait(until: deadline, display: display, wakeUp, condition)
            continuation.yield(isMet ?? false)
            continuation.finish()
        }
    }

    deinit { stop() }

    /// Returns when it is over, or the task is canceled, which ends it.
    ///
    /// - Returns: whether the condition holds.
    public func value() async -> Bool {
        await withTaskCancellationHandler {
            for await isMet in ends { return isMet }
            return false
        } onCancel: {
            stop()
        }
    }

    public func stop() { wakeUp.signal() }

    private static func wait(
        until deadline: ContinuousClock.Instant, display: String?, _ wakeUp: WakeUp,
        _ condition: (FocusInspector) -> () -> Bool?
    ) throws -> Bool {
        let connection = try DisplayConnection(name: display)
        let isMet = condition(FocusInspector(connection: connection))
        while true {
            if let isMet = isMet() { return isMet }
            try connection.checkAlive()
            if deadline <= .now { return false }
            try connection.waitForInput(or: wakeUp, until: deadline)
            if wakeUp.isRinging { return false }
            // The loop looks again, for any event.
            while connection.nextEvent() != nil {}
        }
    }
}
