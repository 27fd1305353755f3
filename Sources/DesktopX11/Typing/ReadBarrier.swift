import CX11
import DictationSystem
import Glibc

/// Tells whether an application has read every key that was sent to it.
///
/// An application translates a key when it reads it, by the map that the server has then. So a bound key must stay bound
/// until it was read, and no fixed time is long enough: on a busy machine xterm read its keys more than 150 ms late. A
/// question that is sent after the keys, into the same queue, is answered when they were read.
final class ReadBarrier {
    /// How a window can be asked.
    enum Way: Equatable {
        /// `_NET_WM_PING`: every toolkit of today, for the window manager's sake.
        case ping
        /// The Editres protocol of the X Toolkit, which xterm and its relatives speak: a message names a selection, and
        /// the application asks its owner, us, what to do. We refuse, and have the answer.
        case editres
        /// Neither is known. It is asked by Editres; if it does not answer, a time must do.
        case unknown

        /// Whether it will answer for sure.
        var isSure: Bool { self != .unknown }
    }

    /// A name for this process alone. Otherwise answers to questions of its predecessor would count as answers to ours.
    static let selection = "_VOICEDICTATION_READ_\(getpid())"
    /// Classes of windows that speak Editres.
    private static let editresClasses: Set<String> = ["XTerm", "UXTerm"]

    private let connection: DisplayConnection
    private let focus: FocusInspector
    /// Owns the selection that applications ask by Editres.
    private let witness: Window
    private var pings = Pings()
    /// Windows without pings that were found to answer by Editres.
    private var editresWindows: Set<Window> = []
    /// By window: how often it was asked by Editres, and has answered.
    private var questions: [Window: (asked: Int, answered: Int)] = [:]

    init(focus: FocusInspector, witness: Window) {
        connection = focus.connection
        self.focus = focus
        self.witness = witness
    }

    func way(to window: Window) -> Way {
        if case .words(let atoms)? = connection.property("WM_PROTOCOLS", of: window),
            atoms.contains(connection.atom("_NET_WM_PING"))
        {
            return .ping
        }
        if editresWindows.contains(window) { return .editres }
        return Self.editresClasses.contains(focus.windowClass(of: window)) ? .editres : .unknown
    }

    /// A window has answered, so it speaks Editres.
    func noteEditres(_ window: Window) { editresWindows.insert(window) }

    // MARK: Asking

    /// Asks the window, after all keys that were sent.
    func ask(_ window: Window, by way: Way) {
        switch way {
        case .ping: connection.sendPing(to: window, number: pings.ask())
        case .editres, .unknown: sendEditres(window)
        }
    }

    /// Asks a silent window again, if it can be pinged. An answer to the last question still counts.
    func askAgain(_ window: Window, by way: Way) {
        guard way == .ping else { return }
        if pings.isAnswered {
            ask(window, by: way)
        } else {
            connection.sendPing(to: window, number: pings.repeat())
        }
    }

    /// Whether the last question was answered.
    func isAnswered(by window: Window, _ way: Way) -> Bool {
        switch way {
        case .ping: pings.isAnswered
        case .editres, .unknown: questions[window].map { $0.answered == $0.asked } ?? false
        }
    }

    private func sendEditres(_ window: Window) {
        let selection = connection.atom(Self.selection)
        // Another typist may have had it in the meantime.
        XSetSelectionOwner(connection.display, selection, witness, Time(CurrentTime))
        if questions.count > TypingLimits.rememberedWindows { questions = [:] }
        questions[window, default: (0, 0)].asked += 1
        connection.sendEditres(to: window, selection: selection, number: questions[window]?.asked ?? 0)
    }

    // MARK: Answers

    /// - Returns: whether the event was an answer, or may have been one.
    func handle(_ event: XEvent) -> Bool {
        switch event.type {
        case SelectionRequest where event.xselectionrequest.selection == connection.atom(Self.selection):
            answer(event.xselectionrequest)
        case ClientMessage where event.xclient.message_type == connection.atom("WM_PROTOCOLS"):
            pings.handleAnswer(UInt32(truncatingIfNeeded: event.xclient.data.l.1))
        default: return false
        }
        return true
    }

    /// Refuses, because the application should do nothing, and counts the answer.
    private func answer(_ request: XSelectionRequestEvent) {
        for window in questions.keys where connection.isSameClient(window, request.requestor) {
            // A late answer to a question of an earlier run is one less to come.
            questions[window]?.answered += 1
        }
        SelectionGiver(connection: connection).answer(request, with: nil)
    }
}
