import CX11
import Desktop

/// The keyboard while we type: takes it over, knows all changes, and restores it.
///
/// Each lease ends with ``giveBack(reading:)`` in any case. If the process is killed before that, the server
/// releases the grabbed keyboards, and the next typist undoes the rest: each change is noted in the journal before it is
/// made, and the server carries out requests in order.
struct KeyboardLease: ~Copyable {
    private let context: TypingContext
    private let window: Window
    private let physical: [Int32]
    private var grabbed: [Int32]
    /// The controls that were on, and are off now.
    private let controls: KeyControls
    /// Whether the user's own keys are up, as far as applications know.
    private var hasLetGo = false
    /// The modifiers of the user that are up now.
    private var lifted: [UInt8] = []
    /// Those of them that are pressed again.
    private var pressedAgain: [UInt8] = []
    private var locks: UInt32 = 0
    /// What "sticky keys" had latched, for the next key.
    private var latches: UInt32 = 0
    /// The bindings of the spare keys.
    private(set) var bindings: [TypingPlan.Binding] = []

    /// - Parameters:
    ///   - window: the one that is typed into.
    ///   - text: the name of what is typed.
    init(for window: Window, text: String?, in context: TypingContext) {
        self.context = context
        self.window = window
        let (keyboard, control) = (context.keyboard, context.keyboard.control)
        let (physical, xtest) = context.keyboards.plugged
        self.physical = physical
        // A key left down on the XTEST keyboard (by the restoring of an earlier run, or a killed one) would swallow
        // our next press of it. If the user holds it as well, it is up now for all who look.
        let left = xtest.map(context.keyboards.devices.pressedKeycodes(on:)) ?? []
        keyboard.release(left)
        lifted = left.filter(keyboard.layout.isModifier)
        context.events.captured = []
        context.events.behind = []
        controls = xtest.map(control.controls(on:))?.disturbing ?? []
        context.journal.note(TypingJournal.Undo(window: window, controls: controls))
        if let text { context.journal.noteText(text) }
        // From here on no key of the user mixes with ours.
        grabbed = context.keyboards.devices.grab(physical)
        control.turnOff(controls)
    }

    // MARK: The user's keys

    /// Takes the keyboards that another program had when this began: one that lets text flow while its hotkey is held gives
    /// them back when the key is released, and no key of the user may come between ours then.
    mutating func grabRest() {
        let rest = physical.filter { !grabbed.contains($0) }
        if !rest.isEmpty { grabbed += context.keyboards.devices.grab(rest) }
    }

    /// Sends all questions of ``lift()``, ``letGo()`` and the check of the focus at once.
    func askAround() {
        let keys: [Question] = hasLetGo ? [] : [.pressedKeys]
        context.connection.inquiries.ahead(
            [context.keyboard.control.stateQuestion, .focus, context.grabQuestion] + keys)
    }

    /// Removes everything that would change the meaning of keys.
    ///
    /// - Returns: the keyboard's state as it was before.
    @discardableResult
    mutating func lift() -> XkbStateRec {
        let (layout, control) = (context.keyboard.layout, context.keyboard.control)
        let state = control.state()
        let disturbing = layout.disturbingLocks(state)
        if disturbing != 0 {
            if locks | disturbing != locks {
                locks |= disturbing
                noteUndo()
            }
            control.setLocks(disturbing, isLocked: false)
        }
        if state.latched_mods != 0 {
            latches |= UInt32(state.latched_mods)
            control.latch(0)
        }
        if state.base_mods != 0 {
            let held = control.pressedKeycodes().filter(layout.isModifier)
            context.keyboard.release(held)
            lifted += held.filter { !lifted.contains($0) }
        }
        return state
    }

    /// Releases the keys that the user has held since before we had the keyboards. They would repeat in the
    /// middle of the text; and if the user released one during that time, applications would still see it
    /// down and ignore its next press.
    mutating func letGo() {
        if hasLetGo { return }
        hasLetGo = true
        let control = context.keyboard.control
        for keycode in control.pressedKeycodes() where !context.keyboard.layout.isModifier(keycode) {
            control.send(keycode, isDown: false)
        }
    }

    /// Presses a key with modifiers in a window, while no other client can act.
    ///
    /// - Returns: why it was not pressed; nil if it was.
    mutating func press(
        _ chord: TypingKeyboard.Chord, in target: TypingTarget, givingWayTo hotkeys: [Hotkey]
    ) -> TypingOutcome.StopReason? {
        context.connection.grabServer()
        defer { context.connection.ungrabServer() }
        askAround()
        lift()
        if let reason = context.lookAround(target, self, givingWayTo: hotkeys) { return reason }
        letGo()
        context.keyboard.tap(chord)
        return nil
    }

    /// Why typing must stop because of a key that the user has pressed; nil if there is no reason.
    ///
    /// - Parameter hotkeys: count with their modifiers.
    func interruption(by hotkeys: [Hotkey]) -> TypingOutcome.StopReason? {
        let (captured, layout) = (context.events.captured, context.keyboard.layout)
        if captured.contains(where: { $0.isPress && layout.escapeKeycodes.contains($0.keycode) }) {
            return .escapePressed
        }
        for hotkey in hotkeys {
            let keycode = context.keyboard.keycode(giving: Int32(bitPattern: hotkey.keysym))
            guard captured.contains(where: { $0.isPress && !$0.isRepeat && $0.keycode == keycode }) else {
                continue
            }
            let wanted = hotkey.modifiers.mask
            let isMeant =
                wanted == 0 || layout.modifiers(of: context.keyboards.held(on: physical)) & wanted == wanted
            if isMeant { return .hotkeyPressed }
        }
        return nil
    }

    // MARK: Binding keys

    /// Binds the spare keys, while no other client can change the map; then ``hearOfBinding()``.
    mutating func bind(_ bindings: [TypingPlan.Binding]) {
        noteUndo(binding: bindings)
        context.keyboard.bind(bindings)
        self.bindings = bindings
    }

    /// Takes notifications of the map for our own, as no other client could change it until now.
    func hearOfBinding() {
        context.connection.sync()
        context.events.pump()
        context.keyboard.markKnown()
    }

    /// Empties the keys that are bound: only when they were read.
    mutating func unbind() throws(DesktopError) {
        try context.keyboard.unbind(bindings)
        bindings = []
    }

    // MARK: Giving back

    /// Restores everything, except keys that are not read.
    ///
    /// - Returns: why it is not known that all was read; nil if it was.
    consuming func giveBack(reading reader: inout WindowReader) -> TypingOutcome.StopReason? {
        let (connection, control) = (context.connection, context.keyboard.control)
        var doubt: TypingOutcome.StopReason?
        if !bindings.isEmpty {
            doubt = reader.awaitReading()
            // Otherwise unread keys would become other characters. The user has waited long enough; the keys stay bound.
            if doubt != .notResponding {
                // A lost display is reported by the next call.
                try? context.keyboard.unbind(bindings)
                bindings = []
            }
        }
        if locks != 0 { control.setLocks(locks, isLocked: true) }
        // From here on the user may change the locks.
        context.journal.note(TypingJournal.Undo(window: window, controls: controls, bindings: bindings))
        // Before a key of the user's can follow the text; needed to know what is before the caret.
        context.keyboards.watchPresses(on: grabbed)
        // Only now: a grabbed keyboard has missed our changes of the map, which is right, because they are undone.
        connection.sync()
        context.keyboards.devices.ungrab(grabbed)
        connection.sync()
        context.events.pump()
        if latches != 0 { control.latch(latches) }
        replay()
        pressHeldAgain()
        // Only now: what is replayed has passed the controls of the user's own keyboard, and comes too fast for ours.
        control.turnOnAgain(controls, besides: physical)
        context.journal.note(TypingJournal.Undo(window: window, bindings: bindings))
        connection.sync()
        context.events.pump()
        if doubt == nil, reader.read != reader.sent { doubt = reader.awaitReading() }
        return doubt
    }

    /// Replays the keys that the user has pressed meanwhile: a key that was released is tapped, a key that is still held is
    /// pressed. A modifier that was held before the text is down for those that came before its release.
    private mutating func replay() {
        let (keyboard, control) = (context.keyboard, context.keyboard.control)
        let captured = context.events.captured
        context.events.captured = []
        var replayed: Set<UInt8> = []
        let stillHeld = captured.isEmpty ? [] : context.keyboards.held(on: physical)
        // An Escape that stopped the typing was meant for nobody else.
        for (index, key) in captured.enumerated()
        where !keyboard.layout.escapeKeycodes.contains(key.keycode) {
            if !keyboard.layout.isModifier(key.keycode) {
                let isLast = !captured[(index + 1)...].contains { $0.keycode == key.keycode && !$0.isRepeat }
                if key.isPress && !key.isRepeat {
                    pressLifted()
                    context.events.behind.insert(key.keycode)
                    if isLast && stillHeld.contains(key.keycode) {
                        context.keyboards.press(key.keycode, heldOn: physical)
                    } else {
                        keyboard.tap(.init(keycode: key.keycode, level: .plain))
                    }
                }
                // Held since before we had the keyboards, and still down for applications.
                if !key.isPress && !hasLetGo { control.send(key.keycode, isDown: false) }
            } else if !key.isPress {
                control.send(key.keycode, isDown: false)
                replayed.remove(key.keycode)
                lifted.removeAll { $0 == key.keycode }
                pressedAgain.removeAll { $0 == key.keycode }
            } else if replayed.insert(key.keycode).inserted {
                control.send(key.keycode, isDown: true)
            }
        }
    }

    /// Presses the user's modifiers again.
    private mutating func pressLifted() {
        if lifted.isEmpty { return }
        context.keyboard.press(lifted)
        pressedAgain += lifted
        lifted = []
    }

    /// Presses the user's modifiers again, if they are still held.
    private mutating func pressHeldAgain() {
        if !lifted.isEmpty {
            lifted = lifted.filter(context.keyboards.held(on: physical).contains)
            pressLifted()
        }
        if pressedAgain.isEmpty { return }
        // A key that was released between the answer and our press would stay down forever.
        let held = context.keyboards.held(on: physical)
        for keycode in pressedAgain where !held.contains(keycode) {
            context.keyboard.control.send(keycode, isDown: false)
        }
    }

    /// Notes how to undo a change, before the change is made.
    ///
    /// - Parameter next: the new bindings of the spare keys.
    private func noteUndo(binding next: [TypingPlan.Binding] = []) {
        context.journal.note(
            TypingJournal.Undo(
                locks: locks, window: window, controls: controls, bindings: bindings + next))
    }
}
