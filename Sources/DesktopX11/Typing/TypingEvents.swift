import CX11

/// Hands the server's events to the parts that they concern.
final class TypingEvents {
    private let connection: DisplayConnection
    private let keyboard: TypingKeyboard
    private let keyboards: UserKeyboards
    private let barrier: ReadBarrier
    /// The window that is typed into; nil while none is.
    var target: TypingTarget?
    /// The text that is being pasted.
    var passing: PassingText?
    /// The user's keys that came while the keyboards were grabbed.
    var captured: [KeyboardDevices.Captured] = []
    /// The user's keys that followed the last text, without modifiers: those that were replayed, and those
    /// that were pressed when the keyboards were given back.
    var behind: Set<UInt8> = []

    init(
        connection: DisplayConnection, keyboard: TypingKeyboard, keyboards: UserKeyboards,
        barrier: ReadBarrier
    ) {
        self.connection = connection
        self.keyboard = keyboard
        self.keyboards = keyboards
        self.barrier = barrier
    }

    /// Handles every event that has arrived, without waiting.
    func pump() {
        while let event = connection.nextEvent() { handle(event) }
    }

    /// Handles one that other code has taken from the connection.
    func handle(_ event: XEvent) {
        if keyboard.control.isChange(event) { keyboard.markStale() }
        passing?.handle(event)
        if barrier.handle(event) { return }
        switch event.type {
        case FocusOut, FocusIn, DestroyNotify: target?.handle(event)
        case GenericEvent where keyboards.devices.isRearranging(event): keyboards.noteRearranged()
        default:
            if let key = keyboards.devices.captured(event) {
                captured.append(key)
            } else if let keycode = keyboards.devices.rawPress(event), !keyboard.layout.isModifier(keycode) {
                behind.insert(keycode)
            }
        }
    }
}
