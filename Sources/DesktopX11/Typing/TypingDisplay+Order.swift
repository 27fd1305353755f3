import CX11
import Desktop

/// Taking the keyboard over, and leaving everything as it was found.
extension TypingDisplay {
    /// Takes away what would change the meaning of keys.
    ///
    /// - Returns: the keyboard's state as it was before.
    @discardableResult
    func lift(_ run: inout Run) -> XkbStateRec {
        let state = keyboard.state()
        let locks = keyboard.disturbingLocks(state)
        if locks != 0 {
            if run.locks | locks != run.locks {
                run.locks |= locks
                noteUndo(run)
            }
            keyboard.setLocks(locks, isLocked: false)
        }
        if state.latched_mods != 0 { keyboard.unlatch() }
        if state.base_mods != 0 {
            for keycode in keyboard.pressedKeycodes() where keyboard.modifierKeycodes.contains(keycode) {
                keyboard.send(keycode, isDown: false)
                if !run.lifted.contains(keycode) { run.lifted.append(keycode) }
            }
        }
        return state
    }

    /// Lets go of what the user has held since before we had the keyboards. It would repeat in the middle of the text,
    /// and whoever releases it meanwhile would find the next press of that key swallowed: applications see it down.
    func letGo(_ run: inout Run) {
        if run.hasLetGo { return }
        run.hasLetGo = true
        for keycode in keyboard.pressedKeycodes() where !keyboard.modifierKeycodes.contains(keycode) {
            keyboard.send(keycode, isDown: false)
        }
    }

    // MARK: Before and after

    func begin(_ run: inout Run) {
        let (physical, xtest) = pluggedKeyboards()
        // A key left down on the XTEST keyboard (by the restoring of an earlier run, or a killed one) would swallow
        // our next press of it. If the user holds it as well, it is up now for all who look.
        for keycode in xtest.map(devices.pressedKeycodes(on:)) ?? [] {
            keyboard.send(keycode, isDown: false)
            if keyboard.modifierKeycodes.contains(keycode) { run.lifted.append(keycode) }
        }
        forgetUnread(run.record)
        captured = []
        run.physical = physical
        run.xtest = xtest
        run.isRepeatOff = xtest.map(keyboard.repeats(on:)) ?? false
        noteUndo(run)
        if let record = run.record { journal.noteText(record.text) }
        run.grabbed = devices.grab(physical)
        if run.isRepeatOff { keyboard.setRepeat(false) }
    }

    /// The user's keyboards and the XTEST one.
    func pluggedKeyboards() -> (physical: [Int32], xtest: Int32?) {
        if let keyboards { return keyboards }
        let found = devices.list()
        keyboards = found
        return found
    }

    /// Leaves everything as it was found, but for keys that are not read.
    ///
    /// - Returns: why it is not known that all was read; nil if it was.
    func restore(_ run: inout Run) -> TypingOutcome.StopReason? {
        var doubt: TypingOutcome.StopReason?
        if !run.bindings.isEmpty {
            doubt = run.isSilent ? .notResponding : awaitReading(&run)
            // Else its keys would become others. The user has waited for the keyboard long enough; the keys stay bound.
            if doubt != .notResponding {
                // A lost display is told by whoever asks next.
                try? keyboard.unbind(run.bindings)
                run.bindings = []
            }
        }
        if run.locks != 0 { keyboard.setLocks(run.locks, isLocked: true) }
        if run.isRepeatOff { keyboard.setRepeat(true) }
        let wasRepeatOff = run.isRepeatOff
        // The bindings are all that is still to be undone: the user may change the others meanwhile.
        (run.locks, run.isRepeatOff) = (0, false)
        noteUndo(run)
        run.isRepeatOff = wasRepeatOff
        // Only now: a grabbed keyboard has missed our changes of the map, which is right, for there are none left.
        connection.sync()
        devices.ungrab(run.grabbed)
        connection.sync()
        pump()
        replay(run)
        connection.sync()
        pump()
        if doubt == nil, run.read != run.done {
            doubt = run.isSilent ? .notResponding : awaitReading(&run)
        }
        return doubt
    }

    func replay(_ run: Run) {
        var lifted = run.lifted
        var replayed: Set<UInt8> = []
        let stillHeld = captured.isEmpty ? [] : heldKeycodes(run)
        // An Escape that stopped the typing was meant for nobody else.
        for (index, key) in captured.enumerated() where key.keycode != keyboard.escapeKeycode {
            if !keyboard.modifierKeycodes.contains(key.keycode) {
                let isLast = !captured[(index + 1)...].contains { $0.keycode == key.keycode && !$0.isRepeat }
                if key.isPress && !key.isRepeat {
                    if isLast && stillHeld.contains(key.keycode) {
                        press(key.keycode, for: run)
                    } else {
                        keyboard.tap(.init(keycode: key.keycode, level: .plain))
                    }
                }
                // Held since before we had the keyboards, and still down for applications.
                if !key.isPress && !run.hasLetGo { keyboard.send(key.keycode, isDown: false) }
            } else if !key.isPress {
                keyboard.send(key.keycode, isDown: false)
                replayed.remove(key.keycode)
                lifted.removeAll { $0 == key.keycode }
            } else if replayed.insert(key.keycode).inserted {
                keyboard.send(key.keycode, isDown: true)
            }
        }
        captured = []
        if lifted.isEmpty { return }
        // Pressed again is only what the user really still holds.
        let again = lifted.filter(heldKeycodes(run).contains)
        if again.isEmpty { return }
        for keycode in again { keyboard.send(keycode, isDown: true) }
        // What was let go of between the answer and that press would stay down for ever.
        let held = heldKeycodes(run)
        for keycode in again where !held.contains(keycode) { keyboard.send(keycode, isDown: false) }
    }

    /// Presses a key that the user holds, who will let go of it by themselves: a hotkey that is held to speak. Theirs
    /// repeats; ours must not.
    private func press(_ keycode: UInt8, for run: Run) {
        if run.isRepeatOff { keyboard.setRepeat(false, of: run.xtest) }
        keyboard.send(keycode, isDown: true)
        if run.isRepeatOff { keyboard.setRepeat(true, of: run.xtest) }
        // What was let go of between the answer and that press would stay down for ever.
        if heldKeycodes(run).contains(keycode) {
            pressedForUser.insert(keycode)
        } else {
            keyboard.send(keycode, isDown: false)
        }
    }

    /// Releases what was pressed for the user, who has let go of it: for applications it is up already, but whatever else
    /// types by XTEST would find it down.
    func releaseForUser() {
        if pressedForUser.isEmpty { return }
        let held = Set(pluggedKeyboards().physical.flatMap(devices.pressedKeycodes(on:)))
        for keycode in pressedForUser.subtracting(held) { keyboard.send(keycode, isDown: false) }
        pressedForUser.formIntersection(held)
        connection.sync()
    }

    /// What is down on the user's keyboards.
    func heldKeycodes(_ run: Run) -> Set<UInt8> {
        connection.inquiries.ahead(run.physical.map(devices.keysQuestion))
        return Set(run.physical.flatMap(devices.pressedKeycodes(on:)))
    }

    // MARK: The journal

    /// Comes before the change: the server carries requests out in order.
    ///
    /// - Parameter next: what the spare keys are about to be bound to.
    func noteUndo(_ run: Run, binding next: [TypingPlan.Binding] = []) {
        journal.note(
            TypingJournal.Undo(
                locks: run.locks, window: run.window, isRepeatOff: run.isRepeatOff,
                bindings: run.bindings + next))
    }

    /// Puts back what a dead typist has left changed, and learns how far it got.
    func settle(_ leftOver: TypingJournal.LeftOver) throws {
        var leftOver = leftOver
        let (physical, xtest) = devices.list()
        let pressed = xtest.map(devices.pressedKeycodes(on:)) ?? []
        // Before they are released: one of them may be the key whose press was not noted any more.
        let count = leftOver.progress?.count(whenPressed: Set(pressed))
        if let count {
            journal.fix(count, of: leftOver)
            leftOver.progress = .init(count: count)
        }
        unanswered += leftOver.pastes.filter { !$0.isOver }
        // Whoever comes after this typist must know of them as well.
        journal.note(unanswered)
        var reading = Reading.done
        if let undo = leftOver.undo {
            for keycode in pressed { keyboard.send(keycode, isDown: false) }
            reading = try awaitReading(undo, of: leftOver)
            if reading != .open { try keyboard.unbind(undo.bindings) }
            if undo.locks != 0 { keyboard.setLocks(undo.locks, isLocked: true) }
            if undo.isRepeatOff { keyboard.repeatAgain(besides: physical) }
        }
        if reading == .open {
            if leftOver.isOwn, let text = leftOver.text { unreadTexts.insert(text) }
            try keepUnread(leftOver)
        } else {
            if leftOver.isOwn, let text = leftOver.text {
                if let count, reading == .done { unfinished.append(TypingRecord(text: text, scalars: count)) }
                kept.append(leftOver)
            }
            journal.settle(leftOver)
        }
        connection.sync()
    }

    private enum Reading {
        case done
        /// The window is gone, and nobody knows what it had read.
        case never
        case open
    }

    /// Waits until a window has read what a dead typist has sent to it.
    private func awaitReading(
        _ undo: TypingJournal.Undo, of leftOver: TypingJournal.LeftOver
    ) throws -> Reading {
        // The first note comes before the first key.
        guard !undo.bindings.isEmpty || leftOver.progress != nil else { return .done }
        guard focus.exists(undo.window) else { return .never }
        let barrier = barrier(of: undo.window)
        // Plain keys wait for a window that answers nothing, whatever comes.
        if undo.bindings.isEmpty, barrier == .unknown { return .done }
        var run = Run(window: undo.window, inner: undo.window, barrier: barrier, record: nil)
        observe(run, isObserved: true)
        defer { observe(run, isObserved: false) }
        switch awaitReading(&run) {
        case nil: return .done
        case .windowClosed: return .never
        default: return .open
        }
    }
}
