import CX11
import DictationSystem
import Foundation
import Synchronization

@testable import DictationDesktop

/// A window that pastes by Insert, and looks at each event only when the next one is there: what the display has sent
/// last waits in its queue, as now and then in Chromium where an input method runs.
final class BelatedWindow: Sendable {
    private let text = Mutex("")
    private let stop: WakeUp
    private let hasFocus = DispatchSemaphore(value: 0)
    private let hasEnded = DispatchSemaphore(value: 0)

    /// Returns when it has the focus. The display must have no window manager, who would see to that.
    init(on display: TestDisplay) throws {
        stop = try WakeUp()
        Thread.detachNewThread { [self] in
            try? serve(display.name)
            hasEnded.signal()
        }
        hasFocus.wait()
    }

    /// Closes it.
    ///
    /// - Returns: what was pasted.
    func end() -> String {
        stop.signal()
        hasEnded.wait()
        return text.withLock { $0 }
    }

    private func serve(_ name: String) throws {
        defer { hasFocus.signal() }
        let connection = try DisplayConnection(name: name)
        let window = XCreateSimpleWindow(connection.display, connection.root, 0, 0, 100, 100, 0, 0, 0)
        XSelectInput(connection.display, window, KeyPressMask)
        connection.setProperty(
            connection.atom("WM_PROTOCOLS"), of: window, type: Atom(XA_ATOM),
            words: [connection.atom("_NET_WM_PING")])
        XMapWindow(connection.display, window)
        connection.sync()
        XSetInputFocus(connection.display, window, Int32(RevertToNone), Time(CurrentTime))
        connection.sync()
        hasFocus.signal()
        var queue: [XEvent] = []
        while try !waitUntilReadable([connection.descriptor, stop.raw]).contains(stop.raw) {
            while let event = connection.nextEvent() { queue.append(event) }
            while queue.count > 1 { handle(queue.removeFirst(), connection) }
            connection.flush()
        }
    }

    private func handle(_ event: XEvent, _ connection: DisplayConnection) {
        var event = event
        switch event.type {
        case KeyPress where XLookupKeysym(&event.xkey, 0) == KeySym(XK_Insert):
            XConvertSelection(
                connection.display, connection.atom("CLIPBOARD"), connection.atom("UTF8_STRING"),
                connection.atom("PASTED"), event.xkey.window, Time(CurrentTime))
        case SelectionNotify:
            let pasted = connection.textProperty("PASTED", of: event.xselection.requestor)
            text.withLock { $0 = pasted ?? "" }
            connection.deleteProperty("PASTED", of: event.xselection.requestor)
        case ClientMessage:
            event.xclient.window = connection.root
            let masks = SubstructureNotifyMask | SubstructureRedirectMask
            XSendEvent(connection.display, connection.root, 0, masks, &event)
        default: break
        }
    }
}
