import CX11
import DictationSystem
import Foundation
import Synchronization

/// Waits, for as long as it takes, until an application has read the keys that it was sent, on its own thread that
/// sleeps until then.
///
/// It asks after those keys, by a separate connection, and the application answers when it has read them.
final class ReadingWatch: Sendable {
    enum State: Equatable {
        case waiting
        /// All keys that were sent before the watch began were read.
        case read
        /// The window is gone, and its keys with it.
        case gone
    }

    /// The thread's part. The thread does not keep the watch alive.
    private final class Shared: Sendable {
        let state = Mutex(State.waiting)
        let isOver = DispatchSemaphore(value: 0)
    }

    private let shared = Shared()
    private let wakeUp: WakeUp

    /// - Parameter whenOver: called once, on the thread that waits, unless the watch was released before.
    /// - Throws: ``SystemError``
    init(
        _ window: Window, _ way: ReadBarrier.Way, display: String, whenOver: @escaping @Sendable () -> Void
    ) throws {
        let wakeUp = try WakeUp()
        self.wakeUp = wakeUp
        let shared = shared
        startThread(named: "reading-watch") {
            // A lost display is reported by the next call that uses it.
            let state = (try? Self.wait(window, way, display: display, wakeUp)) ?? .waiting
            shared.state.withLock { $0 = state }
            shared.isOver.signal()
            if state != .waiting { whenOver() }
        }
    }

    deinit { wakeUp.signal() }

    var state: State { shared.state.withLock { $0 } }

    /// Returns when it is over, or the time is.
    func wait(atMost limit: Duration) -> State {
        let state = state
        if state != .waiting { return state }
        if shared.isOver.wait(timeout: .now() + limit / .seconds(1)) == .success { shared.isOver.signal() }
        return self.state
    }

    private static func wait(
        _ window: Window, _ way: ReadBarrier.Way, display: String, _ wakeUp: WakeUp
    ) throws -> State {
        let connection = try DisplayConnection(name: display)
        let focus = FocusInspector(connection: connection)
        let owner = connection.makeHiddenWindow()
        // In this order: a window that closes after the check is reported.
        XSelectInput(connection.display, connection.root, SubstructureNotifyMask | StructureNotifyMask)
        XSelectInput(connection.display, window, StructureNotifyMask)
        guard focus.exists(window) else { return .gone }
        var pings = Pings()
        // A selection for this question alone: its owner gets all answers, also those to other questions.
        let selection = connection.atom("\(ReadBarrier.selection)_\(window)")
        switch way {
        case .ping: connection.sendPing(to: window, number: pings.ask())
        case .editres, .unknown:
            XSetSelectionOwner(connection.display, selection, owner, Time(CurrentTime))
            connection.sendEditres(to: window, selection: selection, number: 1)
        }
        while true {
            while let event = connection.nextEvent() {
                switch event.type {
                case ClientMessage where event.xclient.message_type == connection.atom("WM_PROTOCOLS"):
                    pings.handleAnswer(UInt32(truncatingIfNeeded: event.xclient.data.l.1))
                    if pings.isAnswered { return .read }
                case SelectionRequest where connection.isSameClient(event.xselectionrequest.requestor, window):
                    SelectionGiver(connection: connection).answer(event.xselectionrequest, with: nil)
                    connection.sync()
                    return .read
                case DestroyNotify where event.xdestroywindow.window == window: return .gone
                default: break
                }
            }
            try connection.checkAlive()
            try connection.waitForInput(or: wakeUp)
            if wakeUp.isRinging { return .waiting }
        }
    }
}
