import CX11
import Desktop
import DictationSystem
import Foundation
import Glibc

/// A connection to an X server. It belongs to one thread (or one actor) and closes itself.
final class DisplayConnection {
    let display: OpaquePointer
    let name: String
    let root: Window
    private let log = XErrorLog()
    private var atoms: [String: Atom] = [:]
    let inquiries: Inquiries

    /// - Parameter name: such as ":0"; nil takes `DISPLAY`.
    /// - Throws: ``DesktopError/noDisplay(name:)``
    init(name: String? = nil) throws(DesktopError) {
        XErrorLog.installHandlers()
        let wanted = name ?? getenv("DISPLAY").map { String(cString: $0) }
        guard let wanted, !wanted.isEmpty else { throw .noDisplay(name: nil) }
        Self.grabOrOpening.lock()
        let opened = XOpenDisplay(wanted)
        Self.grabOrOpening.unlock()
        guard let display = opened else { throw .noDisplay(name: wanted) }
        self.name = wanted
        self.display = display
        root = XDefaultRootWindow(display)
        inquiries = Inquiries(display)
        log.register(display)
    }

    deinit {
        // Closing a lost connection would talk to the dead server. Its memory is freed when the process ends.
        if !log.isLost {
            Self.grabOrOpening.lock()
            XCloseDisplay(display)
            Self.grabOrOpening.unlock()
        }
        XErrorLog.forget(display)
    }

    /// Xlib holds a process-wide lock while it waits for the server to answer a new connection, and needs the
    /// same lock for calls on any other connection. The server answers no other client while we have grabbed
    /// it. So a thread that opens a display while another thread has grabbed the server would stop both
    /// forever, and the desktop with them. Therefore the two exclude each other.
    private static let grabOrOpening = NSLock()

    /// For the first use of XInput on a connection. libXi has a list of the connections that use it. It frees the list when
    /// the last one is closed, even if another thread is about to add one.
    func whileNoneOpensOrCloses<Value>(_ use: () -> Value) -> Value {
        Self.grabOrOpening.lock()
        defer { Self.grabOrOpening.unlock() }
        return use()
    }

    /// From here until ``ungrabServer()`` no other client is served.
    func grabServer() {
        Self.grabOrOpening.lock()
        inquiries.grabServer()
    }

    /// Returns when the server serves all clients again.
    func ungrabServer() {
        XUngrabServer(display)
        sync()
        Self.grabOrOpening.unlock()
    }

    var descriptor: Int32 { XConnectionNumber(display) }

    var isLost: Bool { log.isLost }

    /// - Throws: ``DesktopError/displayLost(name:)``
    func checkAlive() throws(DesktopError) {
        if log.isLost { throw .displayLost(name: name) }
    }

    /// The server's answer to a question, sent ahead or now; nil if there is none.
    func answer<Value>(_ question: Question, _ read: (UnsafeRawPointer) -> Value) -> Value? {
        let value = inquiries.answer(question, read)
        if value == nil, inquiries.isLost { log.markLost() }
        return value
    }

    /// Waits until the server has carried out everything that was asked of it.
    func sync() { XSync(display, 0) }

    func flush() { XFlush(display) }

    /// The codes of the errors that `requests` ran into; waits for the server.
    func errors(of requests: () -> Void) -> [UInt8] {
        let first = XNextRequest(display)
        requests()
        sync()
        return log.take(from: first).map(\.code)
    }

    func atom(_ name: String) -> Atom {
        if let atom = atoms[name] { return atom }
        let atom = XInternAtom(display, name, 0)
        atoms[name] = atom
        return atom
    }

    /// The next event that has arrived; nil if there is none.
    func nextEvent() -> XEvent? {
        guard !isLost, XEventsQueued(display, QueuedAfterFlush) > 0, !isLost else { return nil }
        var event = XEvent()
        XNextEvent(display, &event)
        return isLost ? nil : event
    }

    /// Sleeps until the server has sent something, `wakeUp` rings, or `deadline` has passed.
    ///
    /// An event that came along with the answer to a question is not in the socket any more: then this returns at once.
    ///
    /// - Parameter deadline: nil waits without limit.
    /// - Returns: whether the server has sent something or `wakeUp` rings.
    @discardableResult
    func waitForInput(
        or wakeUp: WakeUp? = nil, until deadline: ContinuousClock.Instant? = nil
    ) throws -> Bool {
        if !isLost, XEventsQueued(display, QueuedAfterFlush) > 0 { return true }
        let descriptors = [descriptor] + (wakeUp.map { [$0.raw] } ?? [])
        return try !waitUntilReadable(descriptors, until: deadline).isEmpty
    }

    // MARK: Properties

    enum PropertyValue {
        case bytes([UInt8], type: Atom)
        case words([UInt])
    }

    /// A property of a window; nil if there is none, or no such window.
    ///
    /// - Parameter limit: how much to read at most, in units of four bytes.
    func property(_ name: String, of window: Window, limit: Int = 1_024) -> PropertyValue? {
        answer(.property(atom(name), of: window, limit: UInt32(limit))) { reply -> PropertyValue? in
            let reply = reply.assumingMemoryBound(to: xcb_get_property_reply_t.self)
            guard reply.pointee.type != 0, let data = xcb_get_property_value(reply) else { return nil }
            // In units of the format, and no more than there is.
            let size = Inquiries.size(ofReply: reply) - 32
            let count = min(Int(reply.pointee.value_len), size / max(Int(reply.pointee.format) / 8, 1))
            switch reply.pointee.format {
            case 8:
                let bytes = UnsafeRawBufferPointer(start: data, count: count)
                return .bytes(Array(bytes), type: Atom(reply.pointee.type))
            case 32:
                let words = UnsafeBufferPointer(
                    start: data.assumingMemoryBound(to: UInt32.self), count: count)
                return .words(words.map(UInt.init))
            default: return nil
            }
        } ?? nil
    }

    /// A property that holds text; nil if there is none, or no such window.
    func textProperty(_ name: String, of window: Window) -> String? {
        guard case .bytes(let bytes, _)? = property(name, of: window) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    func setProperty(_ name: String, of window: Window, words: [UInt]) {
        inquiries.setProperty(
            atom(name), of: window, type: Atom(XA_CARDINAL),
            words: words.map(UInt32.init(truncatingIfNeeded:)))
    }

    /// The same by Xlib, as keys are sent. Xlib and XCB send in turn, and each turn wakes the server.
    func setPropertyAmongKeys(_ name: String, of window: Window, words: [UInt]) {
        words.withUnsafeBytes { bytes in
            _ = XChangeProperty(
                display, window, atom(name), Atom(XA_CARDINAL), 32, PropModeReplace,
                bytes.assumingMemoryBound(to: UInt8.self).baseAddress, Int32(words.count))
        }
    }

    func appendProperty(_ name: String, of window: Window, words: [UInt]) {
        inquiries.setProperty(
            atom(name), of: window, type: Atom(XA_CARDINAL),
            words: words.map(UInt32.init(truncatingIfNeeded:)), mode: PropModeAppend)
    }

    func setProperty(_ name: String, of window: Window, text: String) {
        inquiries.setProperty(atom(name), of: window, type: atom("UTF8_STRING"), words: Array(text.utf8))
    }

    func deleteProperty(_ name: String, of window: Window) {
        inquiries.deleteProperty(atom(name), of: window)
    }

    // MARK: Windows

    /// An invisible, unmanaged window, to own properties and selections.
    func makeHiddenWindow() -> Window {
        var attributes = XSetWindowAttributes()
        attributes.override_redirect = 1
        return XCreateWindow(
            display, root, -1, -1, 1, 1, 0, 0, UInt32(InputOnly), nil, UInt(CWOverrideRedirect), &attributes)
    }
}
