import CX11
import Desktop
import DictationSystem

/// Reads which window has the keyboard focus, and gives it to one.
struct FocusInspector {
    let connection: DisplayConnection

    /// The innermost window that has the focus; nil for none, or if the focus follows the pointer.
    func focusedInnerWindow() -> Window? {
        let window = connection.answer(.focus) {
            Window($0.assumingMemoryBound(to: xcb_get_input_focus_reply_t.self).pointee.focus)
        }
        // 0 is None, 1 is PointerRoot.
        return window.flatMap { $0 > 1 && $0 != connection.root ? $0 : nil }
    }

    /// The application window that holds the focus.
    func focusedToplevel() -> Window? { focusedInnerWindow().flatMap(toplevel(of:)) }

    func focusedWindow() -> WindowInfo? { focusedToplevel().map(info(of:)) }

    /// The nearest ancestor that a window manager manages; without a manager, the one right below the root. Nil for a
    /// window that is not visible.
    func toplevel(of inner: Window) -> Window? {
        var window = inner
        while true {
            if connection.property("WM_STATE", of: window) != nil { return window }
            guard let parent = parent(of: window) else { return nil }
            if parent == connection.root { return isPlaceholder(window) ? nil : window }
            window = parent
        }
    }

    /// Whether it is a window of the window manager that has the focus because no application has. Keys that go there are
    /// lost. It is invisible: without pixels (Mutter, KWin), off the screen (Fluxbox), or the window by which the manager
    /// announces itself (Openbox, i3, Xfwm4).
    private func isPlaceholder(_ window: Window) -> Bool {
        if case .words([window])? = connection.property("_NET_SUPPORTING_WM_CHECK", of: connection.root) {
            return true
        }
        var attributes = XWindowAttributes()
        guard XGetWindowAttributes(connection.display, window, &attributes) != 0 else { return true }
        let screen = attributes.screen.pointee
        let isOnScreen =
            attributes.x + attributes.width > 0 && attributes.y + attributes.height > 0
            && attributes.x < screen.width && attributes.y < screen.height
        return attributes.class == InputOnly || !isOnScreen
    }

    /// The window right below the root that holds it: the window manager's frame, or itself.
    func frame(of window: Window) -> Window {
        var window = window
        while let parent = parent(of: window), parent != connection.root { window = parent }
        return window
    }

    func exists(_ window: Window) -> Bool {
        var attributes = XWindowAttributes()
        return XGetWindowAttributes(connection.display, window, &attributes) != 0
    }

    /// Whether it is still there, and its number is not another window's by now.
    func isThere(_ window: WindowInfo) -> Bool {
        exists(Window(window.id)) && info(of: Window(window.id)).isSameWindow(as: window)
    }

    func info(of window: Window) -> WindowInfo {
        WindowInfo(
            id: UInt64(window), windowClass: windowClass(of: window), title: title(of: window),
            pid: pid(of: window))
    }

    // MARK: Giving the focus

    /// Gives a window the focus, as a taskbar does, and waits until it has it.
    ///
    /// - Parameter others: gets the other events of this time, which other work of the connection may need.
    /// - Returns: whether it has it.
    func activate(_ info: WindowInfo, within limit: Duration, others: (XEvent) -> Void) throws -> Bool {
        guard isThere(info) else { return false }
        let window = Window(info.id)
        XSelectInput(connection.display, window, FocusChangeMask | StructureNotifyMask)
        defer { XSelectInput(connection.display, window, 0) }
        var event = XEvent()
        event.xclient.type = ClientMessage
        event.xclient.window = window
        event.xclient.message_type = connection.atom("_NET_ACTIVE_WINDOW")
        event.xclient.format = 32
        // 2: on behalf of the user, so that no window manager only makes it blink.
        event.xclient.data.l.0 = 2
        XSendEvent(
            connection.display, connection.root, 0, SubstructureRedirectMask | SubstructureNotifyMask, &event)
        let deadline = ContinuousClock.now + limit
        while focusedToplevel() != window {
            try connection.checkAlive()
            if deadline <= .now { return false }
            // A window that contains the focused one is notified too (FocusIn, NotifyVirtual).
            try connection.waitForInput(until: deadline)
            while let event = connection.nextEvent() { others(event) }
        }
        return true
    }

    private func parent(of window: Window) -> Window? {
        let parent = connection.answer(.parent(of: window)) {
            Window($0.assumingMemoryBound(to: xcb_query_tree_reply_t.self).pointee.parent)
        }
        return parent == 0 ? nil : parent
    }

    /// `WM_CLASS` holds two strings, each with a zero at its end: instance and class.
    func windowClass(of window: Window) -> String {
        guard case .bytes(let bytes, _)? = connection.property("WM_CLASS", of: window) else { return "" }
        let parts = bytes.split(separator: 0, omittingEmptySubsequences: false)
        return parts.count > 1 ? latin1(parts[1]) : parts.first.map(latin1) ?? ""
    }

    private func title(of window: Window) -> String {
        if case .bytes(let bytes, _)? = connection.property("_NET_WM_NAME", of: window), !bytes.isEmpty {
            return String(decoding: bytes, as: UTF8.self)
        }
        guard case .bytes(let bytes, let type)? = connection.property("WM_NAME", of: window) else {
            return ""
        }
        return type == connection.atom("UTF8_STRING")
            ? String(decoding: bytes, as: UTF8.self) : latin1(bytes[...])
    }

    private func pid(of window: Window) -> Int32? {
        guard case .words(let words)? = connection.property("_NET_WM_PID", of: window) else { return nil }
        return words.first.flatMap { Int32(exactly: $0) }
    }

    /// The encoding of the type STRING, by ICCCM 2.7.1.
    private func latin1(_ bytes: ArraySlice<UInt8>) -> String {
        // The fast path, for nearly all of them.
        if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
        return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}
