import CX11
import DictationSystem
import Glibc

/// The X11 side of ``Typist``: carries a ``TypingPlan`` out.
///
/// The order of things matters, and each step has its reason:
///
///     look at the focus, wait until nobody else has the keyboard
///     grab the user's keyboards        from here on no key of theirs mixes with ours
///     for each segment:
///         await the barrier            the application has read all keys bound so far
///         bind the spare keys
///         for each batch, with the server to ourselves:
///             lift modifiers and locks, look at the focus, send the keys
///         report the progress
///     await the barrier
///     empty the spare keys, put back the locks
///     release the user's keyboards, replay what they typed, press again what is still held
final class TypingDisplay {
    /// How long to wait for a key to be released whose hotkey grab keeps the keyboard from the applications.
    private static let busyLimit: Duration = .seconds(2)
    /// For windows without `_NET_WM_PING` (xterm): the time in which they surely have read a batch. 150 ms left no
    /// error in any of the measured runs.
    private static let silentReadingTime: Duration = .milliseconds(150)
    /// The server serves its other clients between two grabs of ours only if we stay away for a moment; without it
    /// the window manager starves. Nothing tells when they have been served, so this is a pause, in microseconds.
    private static let breather: UInt32 = 300

    private let connection: DisplayConnection
    private let focus: FocusInspector
    private let keyboard: TypingKeyboard
    private let devices: KeyboardDevices
    private let journal: TypingJournal
    /// What typists that were killed were typing, with the exact counts.
    private(set) var unfinished: [TypingRecord] = []
    private var pingNumber = UInt32.random(in: 1...(UInt32.max / 2))

    // What the events have told.
    private var answeredPing: UInt32 = 0
    private var isKeyboardGrabbed = false
    private var isTargetGone = false
    private var captured: [KeyboardDevices.Captured] = []
    private var target: Window = 0

    init(name: String?, owner: String) throws {
        connection = try DisplayConnection(name: name)
        focus = FocusInspector(connection: connection)
        keyboard = try TypingKeyboard(connection: connection)
        devices = try KeyboardDevices(connection: connection)
        journal = try TypingJournal(connection: connection, owner: owner)
        for leftOver in try journal.leftOvers() { try settle(leftOver) }
        try connection.checkAlive()
    }

    deinit { if !connection.isLost { journal.close() } }

    func focusedWindow() throws -> WindowInfo? {
        pump()
        let window = focus.focusedWindow()
        try connection.checkAlive()
        return window
    }

    func type(
        _ text: String, into expected: WindowInfo?, options: TypingOptions, record: TypingRecord?,
        progress: (Int) throws -> Void
    ) throws -> TypingOutcome {
        pump()
        try connection.checkAlive()
        try keyboard.refresh()
        guard let inner = focus.focusedInnerWindow(), let window = focus.toplevel(of: inner) else {
            try connection.checkAlive()
            return .stopped(0, reason: .noFocus)
        }
        if let expected, expected.id != UInt64(window) {
            let isThere = focus.exists(Window(expected.id))
            return .stopped(0, reason: isThere ? .focusMoved(to: focus.info(of: window)) : .windowClosed)
        }
        let plan = TypingPlan(text: text, map: keyboard.map, options: options)
        if plan.segments.allSatisfy({ $0.batches.allSatisfy(\.strokes.isEmpty) }) {
            try progress(plan.characterCount)
            return .typed(plan.characterCount)
        }
        var run = Run(window: window, inner: inner, answersPings: answersPings(window), record: record)
        observe(run, isObserved: true)
        defer { observe(run, isObserved: false) }
        guard try waitUntilKeyboardIsFree() else { return .stopped(0, reason: .keyboardBusy) }
        begin(&run)
        defer { restore(run) }
        let outcome = try carryOut(plan, &run, progress: progress)
        try connection.checkAlive()
        return outcome
    }

    /// What one call of `type` has changed, and must put back.
    private struct Run {
        let window: Window
        var inner: Window
        let answersPings: Bool
        var record: TypingRecord?
        var physical: [Int32] = []
        var grabbed: [Int32] = []
        var lifted: [UInt8] = []
        var locks: UInt32 = 0
        var isBound = false
        var done = 0
    }

    // MARK: Typing

    private func carryOut(
        _ plan: TypingPlan, _ run: inout Run, progress: (Int) throws -> Void
    ) throws -> TypingOutcome {
        for segment in plan.segments {
            if !segment.bindings.isEmpty {
                if run.isBound, let reason = awaitReading(run) { return .stopped(run.done, reason: reason) }
                run.isBound = true
                noteUndo(run)
                keyboard.bind(segment.bindings)
                connection.sync()
            }
            for batch in segment.batches {
                if let reason = send(batch, &run) { return .stopped(run.done, reason: reason) }
                try connection.checkAlive()
                run.done = batch.charactersDone
                try progress(run.done)
            }
        }
        return .typed(plan.characterCount)
    }

    /// One batch, while no other client can act: the focus cannot move between the look and the keys.
    private func send(_ batch: TypingPlan.Batch, _ run: inout Run) -> TypingOutcome.StopReason? {
        XGrabServer(connection.display)
        defer {
            XUngrabServer(connection.display)
            connection.sync()
            usleep(Self.breather)
        }
        lift(&run)
        let inner = focus.focusedInnerWindow()
        pump()
        if isKeyboardGrabbed { return .keyboardBusy }
        if inner != run.inner, let reason = follow(inner, &run) { return reason }
        send(batch.steps, run)
        return nil
    }

    /// The keys with the notes that belong to them; ``TypingJournal`` says why they stand where they do.
    private func send(_ steps: [TypingPlan.Step], _ run: Run) {
        guard let record = run.record else {
            for step in steps { keyboard.tap(step.stroke) }
            return
        }
        func note(_ done: Int, before next: TypingPlan.Step?) {
            var progress = TypingJournal.Progress(count: record.count + done)
            if let next {
                progress.next = next.stroke.keycode
                progress.then = record.count + next.charactersDone
            }
            journal.note(progress)
        }
        note(run.done, before: steps.first)
        for (index, step) in steps.enumerated() {
            let next = index + 1 < steps.count ? steps[index + 1] : nil
            let isAgain = next?.stroke.keycode == step.stroke.keycode
            keyboard.tap(step.stroke) { note(step.charactersDone, before: isAgain ? nil : next) }
            if isAgain { note(step.charactersDone, before: next) }
        }
    }

    /// The focus is in another place than before: right, if that is within the same application window.
    private func follow(_ inner: Window?, _ run: inout Run) -> TypingOutcome.StopReason? {
        let window = inner.flatMap(focus.toplevel(of:))
        if let inner, window == run.window {
            XSelectInput(connection.display, inner, FocusChangeMask)
            run.inner = inner
            return nil
        }
        if isTargetGone || !focus.exists(run.window) { return .windowClosed }
        return window.map { .focusMoved(to: focus.info(of: $0)) } ?? .noFocus
    }

    private func lift(_ run: inout Run) {
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
            for keycode in keyboard.pressedModifierKeycodes() {
                keyboard.send(keycode, isDown: false)
                if !run.lifted.contains(keycode) { run.lifted.append(keycode) }
            }
        }
    }

    // MARK: Before and after

    private func begin(_ run: inout Run) {
        let (physical, xtest) = devices.list()
        // A key left down on the XTEST keyboard (by the restoring of an earlier run, or a killed one) would swallow
        // our next press of it.
        for keycode in xtest.map(devices.pressedKeycodes(on:)) ?? [] { keyboard.send(keycode, isDown: false) }
        captured = []
        run.physical = physical
        run.grabbed = devices.grab(physical)
        run.locks = keyboard.disturbingLocks(keyboard.state())
        noteUndo(run)
        if let record = run.record { journal.noteText(record.text) }
    }

    private func restore(_ run: Run) {
        if run.isBound {
            _ = awaitReading(run)
            keyboard.bind([])
        }
        if run.locks != 0 { keyboard.setLocks(run.locks, isLocked: true) }
        journal.clear()
        // Only now: a grabbed keyboard has missed our changes of the map, which is right, for there are none left.
        connection.sync()
        devices.ungrab(run.grabbed)
        connection.sync()
        pump()
        replay(run)
        connection.sync()
        pump()
    }

    private func replay(_ run: Run) {
        var lifted = run.lifted
        var replayed: Set<UInt8> = []
        for key in captured {
            if !keyboard.modifierKeycodes.contains(key.keycode) {
                if key.isPress && !key.isRepeat { keyboard.tap(.init(keycode: key.keycode, level: .plain)) }
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
        let held = Set(run.physical.flatMap(devices.pressedKeycodes(on:)))
        for keycode in lifted where held.contains(keycode) { keyboard.send(keycode, isDown: true) }
    }

    // MARK: The journal

    /// Comes before the change: the server carries requests out in order.
    private func noteUndo(_ run: Run) {
        journal.note(
            TypingJournal.Undo(
                locks: run.locks, window: run.window, keycodes: run.isBound ? keyboard.map.spareKeycodes : [])
        )
    }

    /// Puts back what a dead typist has left changed, and learns how far it got.
    private func settle(_ leftOver: TypingJournal.LeftOver) throws {
        let (_, xtest) = devices.list()
        let pressed = xtest.map(devices.pressedKeycodes(on:)) ?? []
        // Before they are released: one of them may be the key whose press was not noted any more.
        let count = leftOver.progress?.count(whenPressed: Set(pressed))
        if leftOver.isOwn, let text = leftOver.text, let count {
            unfinished.append(TypingRecord(text: text, count: count))
        }
        if let undo = leftOver.undo {
            for keycode in pressed { keyboard.send(keycode, isDown: false) }
            if !undo.keycodes.isEmpty {
                // The application may not have read its last keys yet.
                let run = Run(
                    window: undo.window, inner: undo.window, answersPings: answersPings(undo.window),
                    record: nil)
                observe(run, isObserved: true)
                _ = awaitReading(run)
                observe(run, isObserved: false)
                try keyboard.clear(undo.keycodes)
            }
            if undo.locks != 0 { keyboard.setLocks(undo.locks, isLocked: true) }
        }
        journal.settle(leftOver, count: count)
        connection.sync()
    }

    // MARK: Waiting

    /// - Returns: false if another client keeps the keyboard for itself.
    private func waitUntilKeyboardIsFree() throws -> Bool {
        let deadline = ContinuousClock.now + Self.busyLimit
        while true {
            pump()
            isKeyboardGrabbed = true
            // The server does not tell who has the keyboard, it only refuses a second grab. Applications see no more
            // of this than of a hotkey.
            let result = XGrabKeyboard(
                connection.display, connection.root, 0, GrabModeAsync, GrabModeAsync, Time(CurrentTime))
            try connection.checkAlive()
            if result == GrabSuccess {
                XUngrabKeyboard(connection.display, Time(CurrentTime))
                connection.sync()
                pump()
                isKeyboardGrabbed = false
                return true
            }
            pump()
            while isKeyboardGrabbed {
                let left = ContinuousClock.now.duration(to: deadline)
                if left <= .zero { return false }
                try connection.waitForInput(atMost: left)
                pump()
                try connection.checkAlive()
            }
            if ContinuousClock.now >= deadline { return false }
        }
    }

    private func answersPings(_ window: Window) -> Bool {
        guard case .words(let atoms)? = connection.property("WM_PROTOCOLS", of: window) else { return false }
        return atoms.contains(connection.atom("_NET_WM_PING"))
    }

    /// The barrier: returns when the application has read every key sent so far.
    private func awaitReading(_ run: Run) -> TypingOutcome.StopReason? {
        connection.sync()
        let deadline = ContinuousClock.now + (run.answersPings ? Typist.answerLimit : Self.silentReadingTime)
        if run.answersPings { sendPing(run.window) }
        while true {
            pump()
            if connection.isLost || isTargetGone { return .windowClosed }
            if run.answersPings && answeredPing == pingNumber { return nil }
            let left = ContinuousClock.now.duration(to: deadline)
            if left <= .zero { return run.answersPings ? .notResponding : nil }
            do { try connection.waitForInput(atMost: left) } catch { return .notResponding }
        }
    }

    private func sendPing(_ window: Window) {
        pingNumber += 1
        var event = XEvent()
        event.xclient.type = ClientMessage
        event.xclient.window = window
        event.xclient.message_type = connection.atom("WM_PROTOCOLS")
        event.xclient.format = 32
        event.xclient.data.l.0 = Int(connection.atom("_NET_WM_PING"))
        event.xclient.data.l.1 = Int(pingNumber)
        event.xclient.data.l.2 = Int(window)
        XSendEvent(connection.display, window, 0, 0, &event)
        connection.flush()
    }

    // MARK: Events

    /// Answers to pings go to the root window (Qt sends them as if they were structure events); the focus events of
    /// the target tell when somebody grabs the keyboard. Only while typing: nothing wakes or fills up an idle typist.
    private func observe(_ run: Run, isObserved: Bool) {
        target = isObserved ? run.window : 0
        isTargetGone = false
        isKeyboardGrabbed = false
        let display = connection.display
        XSelectInput(display, connection.root, isObserved ? SubstructureNotifyMask | StructureNotifyMask : 0)
        XSelectInput(display, run.inner, isObserved ? FocusChangeMask : 0)
        if run.inner != run.window || isObserved {
            let masks = run.inner == run.window ? FocusChangeMask | StructureNotifyMask : StructureNotifyMask
            XSelectInput(display, run.window, isObserved ? masks : 0)
        }
        connection.sync()
    }

    /// Handles every event that has arrived, without waiting.
    private func pump() {
        while let event = connection.nextEvent() {
            switch event.type {
            case MappingNotify:
                var mapping = event.xmapping
                XRefreshKeyboardMapping(&mapping)
                keyboard.markStale()
            case ClientMessage where event.xclient.message_type == connection.atom("WM_PROTOCOLS"):
                answeredPing = UInt32(truncatingIfNeeded: event.xclient.data.l.1)
            case FocusOut where event.xfocus.mode == NotifyGrab: isKeyboardGrabbed = true
            case FocusIn where event.xfocus.mode == NotifyUngrab: isKeyboardGrabbed = false
            case DestroyNotify: isTargetGone = isTargetGone || event.xdestroywindow.window == target
            default:
                if let key = devices.captured(event) { captured.append(key) }
            }
        }
    }
}
