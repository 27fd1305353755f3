import CX11
import DictationSystem
import Foundation
import Synchronization

@testable import DesktopX11

/// A window that pastes by Insert, in one of the manners that are hard to follow.
final class PastingWindow: Sendable {
    enum Manner {
        /// It handles each event only when the next one is there: the last one waits in its queue, as
        /// sometimes in Chromium with an input method.
        case belated
        /// It asks by a separate connection, as Alacritty does.
        case apart
        /// When it has the text, it asks this many times for the list of formats, as Chromium does four times.
        case again(Int)
    }

    private let manner: Manner
    private let text = Mutex("")
    /// The answers that it has got to its requests.
    private let answers = Mutex<[String]>([])
    private let hasAskedAgain = DispatchSemaphore(value: 0)
    private let stop: WakeUp
    private let hasFocus = DispatchSemaphore(value: 0)
    private let hasEnded = DispatchSemaphore(value: 0)

    /// Returns when it has the focus. The display must have no window manager, which would set it.
    init(_ manner: Manner, on display: TestDisplay) throws {
        self.manner = manner
        stop = try WakeUp()
        Thread.detachNewThread { [self] in
            try? serve(display.name)
            hasEnded.signal()
        }
        hasFocus.wait()
    }

    /// The names of the formats that it was given, in the order in which it asked for them.
    var answered: [String] { answers.withLock { $0 } }

    /// Waits until it has asked again after it had the text.
    func waitUntilItAsksAgain() { hasAskedAgain.wait() }

    /// Closes it.
    ///
    /// - Returns: the pasted text.
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
        let (isApart, isBelated) =
            switch manner {
            case .apart: (true, false)
            case .belated: (false, true)
            case .again: (false, false)
            }
        let asking = isApart ? try DisplayConnection(name: name) : connection
        let asker = isApart ? asking.makeHiddenWindow() : window
        hasFocus.signal()
        var queue: [XEvent] = []
        let sources = [connection.descriptor, asking.descriptor, stop.raw]
        while try !waitUntilReadable(sources).contains(stop.raw) {
            while let event = connection.nextEvent() ?? asking.nextEvent() { queue.append(event) }
            while queue.count > (isBelated ? 1 : 0) {
                handle(queue.removeFirst(), connection, asking, asker)
            }
            connection.flush()
            asking.flush()
        }
    }

    private func ask(for target: String, _ asking: DisplayConnection, _ asker: Window) {
        XConvertSelection(
            asking.display, asking.atom("CLIPBOARD"), asking.atom(target), asking.atom("PASTED"), asker,
            Time(CurrentTime))
    }

    private func handle(
        _ event: XEvent, _ connection: DisplayConnection, _ asking: DisplayConnection, _ asker: Window
    ) {
        var event = event
        switch event.type {
        case KeyPress where XLookupKeysym(&event.xkey, 0) == KeySym(XK_Insert):
            ask(for: "UTF8_STRING", asking, asker)
        case SelectionNotify:
            if event.xselection.target == asking.atom("UTF8_STRING") {
                let pasted = asking.textProperty("PASTED", of: asker)
                text.withLock { $0 = pasted ?? "" }
            }
            asking.deleteProperty("PASTED", of: asker)
            guard event.xselection.property != 0, case .again(let times) = manner else { break }
            let isText = event.xselection.target == asking.atom("UTF8_STRING")
            let count = answers.withLock { answers in
                answers.append(isText ? "UTF8_STRING" : "TARGETS")
                return answers.count
            }
            if !isText { hasAskedAgain.signal() }
            if count <= times { ask(for: "TARGETS", asking, asker) }
        case ClientMessage:
            event.xclient.window = connection.root
            let masks = SubstructureNotifyMask | SubstructureRedirectMask
            XSendEvent(connection.display, connection.root, 0, masks, &event)
        default: break
        }
    }
}
