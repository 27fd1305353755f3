import CX11
import Desktop
import DictationSystem
import Foundation
import Synchronization

/// Owns clipboards until another program does, and serves their content: the content from before a paste,
/// or a text that the user wants to paste.
///
/// A thread sleeps until a program asks. When the process ends, the content is gone, as with any X11 program, unless a
/// clipboard manager takes it over; but the next process restores what is in ``SavedSelections``.
final class ClipboardServer: Sendable {
    /// An application that should paste something else, and has not asked for it yet.
    struct LatePaste {
        /// A window of it.
        private let window: Window
        /// Nil if the server does not report it.
        private let process: UInt32?
        private let end = ContinuousClock.now + PasteTimes.late

        init(into window: Window, _ clients: ClientProcesses) {
            self.window = window
            process = clients.process(of: window)
        }

        /// Whether it asks now. By its process: when it has ended, the next program gets the numbers of its windows.
        func isAsking(with requestor: Window, _ clients: ClientProcesses) -> Bool {
            guard .now < end else { return false }
            guard let process else { return clients.isSameProcess(requestor, window) }
            return clients.process(of: requestor) == process
        }
    }

    private struct Holding {
        let content: SelectionContent
        let late: [LatePaste]

        /// - Returns: nil if the answer is no.
        func content(for requestor: Window, _ clients: ClientProcesses) -> SelectionContent? {
            late.contains { $0.isAsking(with: requestor, clients) } ? nil : content
        }
    }

    /// What the thread is asked to do.
    private struct Order {
        enum Work {
            case hold(Holding, as: Atom)
            case change(@Sendable (SavedSelections) -> Void)
        }

        let work: Work
        let done = DispatchSemaphore(value: 0)
    }

    private struct State {
        var orders: [Order] = []
        var isStopped = false
    }
    private let state = Mutex(State())
    private let wakeUp: WakeUp

    /// - Parameter windows: what killed typists have left is restored before this returns, and these windows'
    ///   applications get nothing of it for a while; nil if they have left nothing.
    /// - Throws: ``SystemError``
    init(display name: String?, puttingBackBesides windows: [Window]? = nil) throws {
        wakeUp = try WakeUp()
        let isReady = DispatchSemaphore(value: 0)
        startThread(named: "clipboard") { [weak self, wakeUp] in
            Self.serve(name, wakeUp, puttingBackBesides: windows, isReady) {
                self.flatMap { $0.takeOrders() }
            }
        }
        if windows != nil { _ = isReady.wait(timeout: .now() + Self.answerLimit) }
    }

    /// The display may be lost, and the thread with it.
    private static let answerLimit: DispatchTimeInterval = .seconds(5)

    deinit {
        state.withLock { $0.isStopped = true }
        wakeUp.signal()
    }

    /// Makes `content` what the clipboard holds; returns when it is so.
    ///
    /// - Parameter late: an application that gets nothing for a while, because it would paste this in place
    ///   of another text.
    func hold(_ content: SelectionContent, as selection: Atom, refusing late: [LatePaste] = []) {
        carryOut(.hold(Holding(content: content, late: late), as: selection))
    }

    /// Changes what is saved; returns when that is done. The thread does it, because it also forgets what is saved when
    /// something is copied: it must not notice that later, and forget what was saved since.
    func change(_ change: @escaping @Sendable (SavedSelections) -> Void) { carryOut(.change(change)) }

    private func carryOut(_ work: Order.Work) {
        let order = Order(work: work)
        state.withLock { $0.orders.append(order) }
        wakeUp.signal()
        _ = order.done.wait(timeout: .now() + Self.answerLimit)
    }

    /// - Returns: nil when it is over.
    private func takeOrders() -> [Order]? {
        state.withLock { state in
            defer { state.orders = [] }
            return state.isStopped ? nil : state.orders
        }
    }

    private static func serve(
        _ name: String?, _ wakeUp: WakeUp, puttingBackBesides windows: [Window]?,
        _ isReady: DispatchSemaphore, takeOrders: () -> [Order]?
    ) {
        defer { isReady.signal() }
        guard let connection = try? DisplayConnection(name: name) else { return }
        let window = connection.makeClipboardOwner()
        let giver = SelectionGiver(connection: connection)
        let clients = ClientProcesses(connection: connection)
        let saved = SavedSelections(connection: connection)
        let restoration = ClipboardRestoration(
            saved: saved, connection: connection, clients: clients, window: window)
        var holdings: [Atom: Holding] = [:]
        func own(_ selection: Atom, _ holding: Holding) {
            holdings[selection] = holding
            XSetSelectionOwner(connection.display, selection, window, Time(CurrentTime))
            connection.sync()
        }
        func putBack() {
            guard let windows else { return }
            for selection in saved.selections {
                guard let content = restoration.content(of: selection) else { continue }
                own(selection, Holding(content: content, late: windows.map { LatePaste(into: $0, clients) }))
            }
        }
        func handleEvents() {
            while let event = connection.nextEvent() {
                switch event.type {
                case SelectionRequest:
                    let request = event.xselectionrequest
                    let content = holdings[request.selection]?.content(for: request.requestor, clients)
                    giver.answer(request, with: content)
                case SelectionClear:
                    let selection = event.xselectionclear.selection
                    // It may report a loss from before a change that is carried out already: then we own the
                    // selection again.
                    guard XGetSelectionOwner(connection.display, selection) != window else { continue }
                    holdings[selection] = nil
                    restoration.noteLoss(of: selection)
                case DestroyNotify: putBack()
                case PropertyNotify: giver.handle(event.xproperty)
                default: break
                }
            }
        }
        putBack()
        isReady.signal()
        while !connection.isLost {
            wakeUp.clear()
            guard let orders = takeOrders() else { break }
            for order in orders {
                switch order.work {
                case .hold(let holding, let selection): own(selection, holding)
                case .change(let change):
                    // What was copied until now is known then.
                    connection.sync()
                    handleEvents()
                    change(saved)
                    connection.sync()
                }
                order.done.signal()
            }
            handleEvents()
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
            if deadline <= .now { return }
            _ = try? connection.waitForInput(until: deadline)
        }
    }
}
