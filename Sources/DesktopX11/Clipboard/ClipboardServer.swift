import CX11
import DictationSystem
import Foundation
import Synchronization

/// Owns clipboards until another program does, and hands out their content: the content from before a paste,
/// or a text that the user wants to paste.
///
/// A thread sleeps until a program asks. The content is lost when the process ends, as with any X11 program, unless a
/// clipboard manager runs and takes it over.
final class ClipboardServer: Sendable {
    /// An application that was to paste something else, and has not asked for it yet.
    struct LatePaste {
        /// A window of it.
        let window: Window
        let end: ContinuousClock.Instant
    }

    private struct Holding {
        let content: SelectionContent
        let late: LatePaste?

        /// - Returns: nil where the answer is no.
        func content(for requestor: Window, _ clients: ClientProcesses) -> SelectionContent? {
            guard let late, .now < late.end, clients.isSameProcess(requestor, late.window) else {
                return content
            }
            return nil
        }
    }
    private typealias Order = (selection: Atom, holding: Holding, done: DispatchSemaphore)

    private struct State {
        /// To be owned from now on.
        var orders: [Order] = []
        var isStopped = false
    }
    private let state = Mutex(State())
    private let wakeUp: WakeUp

    /// - Throws: ``SystemError``
    init(display name: String?) throws {
        wakeUp = try WakeUp()
        let thread = Thread { [weak self, wakeUp] in
            Self.serve(name, wakeUp) { self.flatMap { $0.takeOrders() } }
        }
        thread.name = "clipboard"
        thread.start()
    }

    deinit {
        state.withLock { $0.isStopped = true }
        wakeUp.signal()
    }

    /// Makes `content` what the clipboard holds; returns when it is so.
    ///
    /// - Parameter late: an application that gets nothing for a while, because it would paste this in place
    ///   of another text.
    func hold(_ content: SelectionContent, as selection: Atom, refusing late: LatePaste? = nil) {
        let done = DispatchSemaphore(value: 0)
        state.withLock { $0.orders.append((selection, Holding(content: content, late: late), done)) }
        wakeUp.signal()
        // The display may be lost, and the thread with it.
        _ = done.wait(timeout: .now() + .seconds(5))
    }

    /// - Returns: nil when it is over.
    private func takeOrders() -> [Order]? {
        state.withLock { state in
            defer { state.orders = [] }
            return state.isStopped ? nil : state.orders
        }
    }

    private static func serve(
        _ name: String?, _ wakeUp: WakeUp, takeOrders: () -> [Order]?
    ) {
        guard let connection = try? DisplayConnection(name: name) else { return }
        let window = connection.makeHiddenWindow()
        let giver = SelectionGiver(connection: connection)
        let clients = ClientProcesses(connection: connection)
        var holdings: [Atom: Holding] = [:]
        while !connection.isLost {
            wakeUp.clear()
            guard let orders = takeOrders() else { break }
            for order in orders {
                holdings[order.selection] = order.holding
                XSetSelectionOwner(connection.display, order.selection, window, Time(CurrentTime))
                connection.sync()
                order.done.signal()
            }
            while let event = connection.nextEvent() {
                switch event.type {
                case SelectionRequest:
                    let request = event.xselectionrequest
                    let content = holdings[request.selection]?.content(for: request.requestor, clients)
                    giver.answer(request, with: content)
                case SelectionClear: holdings[event.xselectionclear.selection] = nil
                case PropertyNotify: giver.handle(event.xproperty)
                default: break
                }
            }
            _ = try? connection.waitForInput(or: wakeUp)
        }
        handOver(holdings.mapValues(\.content), connection, window, giver)
    }

    /// Asks the clipboard manager, if there is one, to take the content over (the freedesktop.org clipboard manager
    /// specification). Without one it is gone, as with every program that ends.
    private static func handOver(
        _ contents: [Atom: SelectionContent], _ connection: DisplayConnection, _ window: Window,
        _ giver: SelectionGiver
    ) {
        let clipboard = connection.atom("CLIPBOARD")
        let manager = connection.atom("CLIPBOARD_MANAGER")
        guard let content = contents[clipboard], !connection.isLost,
            XGetSelectionOwner(connection.display, manager) != 0
        else { return }
        let property = connection.atom("_VOICEDICTATION_SAVE")
        connection.setProperty(
            property, of: window, type: Atom(XA_ATOM), words: content.formats.map(\.target))
        XConvertSelection(
            connection.display, manager, connection.atom("SAVE_TARGETS"), property, window, Time(CurrentTime))
        connection.flush()
        let deadline = ContinuousClock.now + .seconds(1)
        while !connection.isLost {
            while let event = connection.nextEvent() {
                switch event.type {
                case SelectionRequest: giver.answer(event.xselectionrequest, with: content)
                case PropertyNotify: giver.handle(event.xproperty)
                case SelectionNotify: return
                default: break
                }
            }
            let left = ContinuousClock.now.duration(to: deadline)
            if left <= .zero { return }
            _ = try? connection.waitForInput(atMost: left)
        }
    }
}
