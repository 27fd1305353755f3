import CX11
import Desktop

/// The parts that a typist works with on its display. Each part owns its state.
struct TypingContext {
    let connection: DisplayConnection
    let focus: FocusInspector
    let keyboard: TypingKeyboard
    let keyboards: UserKeyboards
    let clients: ClientProcesses
    let journal: TypingJournal
    let barrier: ReadBarrier
    let events: TypingEvents
    /// How long to wait for an application that is known to answer.
    let answerLimit: Duration

    init(display: String?, owner: String, isXWayland: Bool, answerLimit: Duration) throws(DesktopError) {
        self.answerLimit = answerLimit
        connection = try DisplayConnection(name: display)
        focus = FocusInspector(connection: connection)
        keyboard = try TypingKeyboard(connection: connection, isXWayland: isXWayland)
        keyboard.control.watchChanges()
        keyboards = try UserKeyboards(connection: connection, control: keyboard.control)
        clients = ClientProcesses(connection: connection)
        journal = try TypingJournal(connection: connection, owner: owner)
        barrier = ReadBarrier(focus: focus, witness: journal.witness)
        events = TypingEvents(
            connection: connection, keyboard: keyboard, keyboards: keyboards, barrier: barrier)
    }

    /// The question for ``isKeyboardTaken()``.
    var grabQuestion: Question { .keyboardGrab(on: journal.witness) }

    /// Whether another client has the keyboard for itself.
    func isKeyboardTaken() -> Bool { connection.isKeyboardTaken(grabQuestion) }
}

extension DisplayConnection {
    /// - Parameter question: ``Question/keyboardGrab(on:)``.
    func isKeyboardTaken(_ question: Question) -> Bool {
        answer(question) { reply in
            Int32(reply.assumingMemoryBound(to: xcb_grab_keyboard_reply_t.self).pointee.status)
                == AlreadyGrabbed
        } ?? false
    }
}
