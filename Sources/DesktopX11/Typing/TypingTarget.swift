import CX11
import Desktop

/// The window that a text goes to, and its state during typing.
final class TypingTarget {
    /// The application's window.
    let window: Window
    /// The part of it that has the focus.
    private(set) var inner: Window
    /// How it reports what it has read.
    let way: ReadBarrier.Way
    private(set) var isGone = false
    /// Whether another client has the keyboard for itself, according to the focus events.
    private var isKeyboardGrabbed = false
    private let context: TypingContext

    init(_ window: Window, inner: Window, in context: TypingContext) {
        self.window = window
        self.inner = inner
        self.context = context
        way = context.barrier.way(to: window)
    }

    // MARK: Hearing of it

    /// Answers to pings go to the root window (Qt sends them as structure events). The focus events of the
    /// target say when a client grabs the keyboard. Only while typing, until ``stopObserving()``, so that
    /// events do not wake an idle typist or pile up.
    func observe() {
        context.events.target = self
        let inquiries = context.connection.inquiries
        inquiries.select(SubstructureNotifyMask | StructureNotifyMask, of: context.connection.root)
        inquiries.select(FocusChangeMask, of: inner)
        inquiries.select(
            inner == window ? FocusChangeMask | StructureNotifyMask : StructureNotifyMask, of: window)
    }

    func stopObserving() {
        context.events.target = nil
        let inquiries = context.connection.inquiries
        for window in [context.connection.root, inner] { inquiries.select(0, of: window) }
        if inner != window { inquiries.select(0, of: window) }
        context.connection.sync()
    }

    func handle(_ event: XEvent) {
        switch event.type {
        case FocusOut where event.xfocus.mode == NotifyGrab: isKeyboardGrabbed = true
        case FocusIn where event.xfocus.mode == NotifyUngrab: isKeyboardGrabbed = false
        case DestroyNotify where event.xdestroywindow.window == window: isGone = true
        default: break
        }
    }

    // MARK: Waiting for it, and following it

    /// - Returns: false if another client keeps the keyboard for itself.
    func awaitFreeKeyboard() throws -> Bool {
        let (connection, events) = (context.connection, context.events)
        let deadline = ContinuousClock.now + TypingLimits.busy
        while true {
            events.pump()
            isKeyboardGrabbed = true
            // The first answer may be from before we selected the events that report the end of the grab.
            let isTaken = context.isKeyboardTaken() && context.isKeyboardTaken()
            try connection.checkAlive()
            if !isTaken { return true }
            events.pump()
            while isKeyboardGrabbed {
                if deadline <= .now { return false }
                try connection.waitForInput(until: deadline)
                events.pump()
                try connection.checkAlive()
            }
            if ContinuousClock.now >= deadline { return false }
        }
    }

    /// Checks where the focus is now. It may move within the same application window.
    func follow(_ inner: Window?) -> TypingOutcome.StopReason? {
        // Its number may be another window's by now.
        if isGone { return .windowClosed }
        if inner == self.inner { return nil }
        let focus = context.focus
        let window = inner.flatMap(focus.toplevel(of:))
        if let inner, window == self.window {
            XSelectInput(context.connection.display, inner, FocusChangeMask)
            self.inner = inner
            return nil
        }
        if !focus.exists(self.window) { return .windowClosed }
        return window.map { .focusMoved(to: focus.info(of: $0)) } ?? .noFocus
    }
}
