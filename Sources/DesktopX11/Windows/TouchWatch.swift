import CX11
import Desktop
import DictationSystem
import Foundation
import Synchronization

/// Tells whether anything was typed, clicked or tapped in a window since a given moment, which an undo must
/// know about.
///
/// It listens to raw key presses, which the server reports even if keys are grabbed. Presses that a hotkey
/// takes do not count, nor do modifiers alone, the wheel, or events in other windows. Closing the window
/// counts, because another window may get its number. It ends with the first touch, so a second one wakes no
/// process.
public final class TouchWatch: TouchWatching {
    private struct State {
        var isTouched = false
        var hasEnded = false
        var isStopped = false
        var waiting: [DispatchSemaphore] = []
    }
    public let seesKeys = true
    private let state = Mutex(State())
    private let wakeUp: WakeUp

    /// Watches from the moment on at which a separate thread has begun; returns at once.
    ///
    /// - Throws: ``SystemError``
    public init(_ window: WindowInfo, display: String? = nil) throws {
        wakeUp = try WakeUp()
        startThread(named: "touch") { [weak self, wakeUp] in
            var isTouched = true
            do {
                let observer = try TouchObserver(window: Window(window.id), display: display)
                isTouched = try observer.run(wakeUp) { self?.answerLookers() ?? false }
            } catch {
                // If it cannot be known, it counts as touched.
            }
            self?.end(isTouched: isTouched)
        }
    }

    deinit {
        state.withLock { $0.isStopped = true }
        wakeUp.signal()
    }

    /// Whether there was a touch until now. True as well if that cannot be known.
    public func isTouched() -> Bool {
        let done = DispatchSemaphore(value: 0)
        let hasEnded = state.withLock { state in
            if !state.hasEnded { state.waiting.append(done) }
            return state.hasEnded
        }
        if !hasEnded {
            wakeUp.signal()
            if done.wait(timeout: .now() + .seconds(5)) == .timedOut { return true }
        }
        return state.withLock { $0.isTouched }
    }

    /// - Returns: whether to continue.
    private func answerLookers() -> Bool {
        state.withLock { state in
            for looker in state.waiting { looker.signal() }
            state.waiting = []
            return !state.isStopped
        }
    }

    private func end(isTouched: Bool) {
        state.withLock { state in
            state.isTouched = isTouched
            state.hasEnded = true
            for looker in state.waiting { looker.signal() }
            state.waiting = []
        }
    }
}

/// The thread's side of ``TouchWatch``.
private final class TouchObserver {
    private let connection: DisplayConnection
    private let focus: FocusInspector
    private let window: Window
    private let extensionOpcode: Int32
    private let modifiers: Set<UInt8>
    /// The focused window that reports grabs.
    private var observed: Window = 0

    init(window: Window, display: String?) throws {
        self.window = window
        connection = try DisplayConnection(name: display)
        focus = FocusInspector(connection: connection)
        let keyboard = try TypingKeyboard(connection: connection)
        try keyboard.refresh()
        modifiers = keyboard.layout.modifierKeycodes
        extensionOpcode = try KeyboardDevices(connection: connection).extensionOpcode
        XSelectInput(connection.display, window, StructureNotifyMask)
        observeFocus()
        connection.select(
            [XI_RawKeyPress, XI_RawButtonPress, XI_RawTouchBegin], of: Int32(XIAllMasterDevices))
        connection.sync()
        try connection.checkAlive()
    }

    /// - Parameter look: called when everything that had happened was looked at; false ends it.
    /// - Returns: whether the window was touched.
    func run(_ wakeUp: WakeUp, look: () -> Bool) throws -> Bool {
        while true {
            wakeUp.clear()
            // The grab of a hotkey is reported after the raw press of its key: wait for both.
            connection.sync()
            if wasTouched() { return true }
            try connection.checkAlive()
            if !look() { return false }
            try connection.waitForInput(or: wakeUp)
        }
    }

    private func observeFocus() {
        guard let inner = focus.focusedInnerWindow(), inner != observed else { return }
        if observed != 0 { XSelectInput(connection.display, observed, mask(for: observed)) }
        observed = inner
        XSelectInput(connection.display, inner, mask(for: inner) | FocusChangeMask)
    }

    private func mask(for window: Window) -> Int { window == self.window ? StructureNotifyMask : 0 }

    private func wasTouched() -> Bool {
        var keys = 0
        var isGrabbed = false
        while let event = connection.nextEvent() {
            if event.type == FocusOut, event.xfocus.mode == NotifyGrab { isGrabbed = true }
            if event.type == DestroyNotify, event.xdestroywindow.window == window { return true }
            guard event.type == GenericEvent else { continue }
            var cookie = event.xcookie
            guard cookie.extension == extensionOpcode, XGetEventData(connection.display, &cookie) != 0 else {
                continue
            }
            defer { XFreeEventData(connection.display, &cookie) }
            guard let data = cookie.data else { continue }
            let raw = data.assumingMemoryBound(to: XIRawEvent.self).pointee
            switch cookie.evtype {
            case XI_RawKeyPress where !modifiers.contains(UInt8(truncatingIfNeeded: raw.detail)): keys += 1
            // The wheel (4 to 7) leaves the caret where it is.
            case XI_RawButtonPress where !(4...7).contains(raw.detail): if isPointerInWindow { return true }
            // A tap on a touchscreen moves the caret, and presses no button. Its place cannot be read: there
            // may be no pointer. So a tap anywhere counts.
            case XI_RawTouchBegin: return true
            default: break
            }
        }
        defer { observeFocus() }
        return keys > 0 && !isGrabbed && focus.focusedToplevel() == window
    }

    private var isPointerInWindow: Bool {
        var root: Window = 0
        var child: Window = 0
        var numbers: (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
        var mask: UInt32 = 0
        XQueryPointer(
            connection.display, connection.root, &root, &child, &numbers.0, &numbers.1, &numbers.2,
            &numbers.3,
            &mask)
        return child != 0 && child == focus.frame(of: window)
    }
}
