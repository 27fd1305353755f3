import CX11
import Desktop
import DictationSystem
import Glibc

/// The X11 side of ``Typist``: carries a ``TypingPlan`` out.
///
/// The order of things matters, and each step has its reason:
///
///     look at the focus, wait until nobody else has the keyboard
///     grab the user's keyboards        from here on no key of theirs mixes with ours
///     turn auto-repeat off             a server that stands still while a key is down would double it
///     for each segment:
///         await the barrier            the application has read all keys bound so far
///         bind the spare keys, and await the barrier again: the application has heard of it (one that has but one
///                                      connection hears of it before the keys anyway: there they are bound with the
///                                      first batch)
///         for each batch, with the server to ourselves:
///             lift modifiers and locks, look at the focus, let go of what the user holds, send
///             the keys
///         report the progress
///     await the barrier, if keys are bound
///     empty the spare keys, put back the locks and auto-repeat
///     release the user's keyboards, replay what they typed, press again what is still held
///     await the barrier, if no keys were bound: all that was sent was read
///
/// Where the last barrier is not answered, the spare keys stay bound, and only what was read before counts (`UnreadKeys`).
final class TypingDisplay {
    /// How long to wait for a key to be released whose hotkey grab keeps the keyboard from the applications.
    static let busyLimit: Duration = .seconds(2)
    /// The server serves its other clients between two grabs of ours only if we stay away for a moment; without it
    /// the window manager starves. Nothing tells when they have been served, so this is a time. What is done meanwhile
    /// (the progress is written down) costs nothing.
    static let breather: Duration = .microseconds(300)

    let connection: DisplayConnection
    let focus: FocusInspector
    let keyboard: TypingKeyboard
    let devices: KeyboardDevices
    let journal: TypingJournal
    let clients: ClientProcesses
    /// What typing gives way to.
    var hotkey: Hotkey?
    /// Keys that the user holds and that were pressed for them, on the XTEST keyboard.
    var pressedForUser: Set<UInt8> = []
    /// What typists that were killed were typing, with the exact counts.
    var unfinished: [TypingRecord] = []
    /// The texts of these that are not read, so that nobody can say how far they got.
    var unreadTexts: Set<String> = []
    /// Where these are noted, until their owner has written them down.
    var kept: [TypingJournal.LeftOver] = []
    /// Windows without pings that were found to answer by Editres.
    var editresWindows: Set<Window> = []
    /// By window: how often it was asked by Editres, and has answered.
    var questions: [Window: (asked: Int, answered: Int)] = [:]
    /// What was sent to windows that did not read it while we waited.
    var unread: [UnreadKeys] = []
    /// Of these, what was read since.
    var lateRead: [TypingRecord] = []
    /// Called on any thread when a window has read what it had not.
    let whenRead: @Sendable () -> Void
    /// How long to wait for an application that is known to answer.
    let answerLimit: Duration
    var pings = Pings()

    /// What is being pasted.
    var passing: PassingText?
    /// The pastes that typists were killed in, and that the applications may still wait for.
    var unanswered: [TypingJournal.Paste] = []
    /// The keyboards that are plugged in; nil when they are to be asked for.
    var keyboards: (physical: [Int32], xtest: Int32?)?
    /// Since when the server serves everybody, after a batch.
    private var servedSince: ContinuousClock.Instant?

    // What the events have told.
    var isKeyboardGrabbed = false
    var isTargetGone = false
    var captured: [KeyboardDevices.Captured] = []
    var target: Window = 0

    init(
        name: String?, owner: String, answerLimit: Duration = Typist.answerLimit,
        whenRead: @escaping @Sendable () -> Void = {}
    ) throws {
        self.answerLimit = answerLimit
        self.whenRead = whenRead
        connection = try DisplayConnection(name: name)
        focus = FocusInspector(connection: connection)
        keyboard = try TypingKeyboard(connection: connection)
        keyboard.watchChanges()
        devices = try KeyboardDevices(connection: connection)
        devices.watchHierarchy()
        clients = ClientProcesses(connection: connection)
        journal = try TypingJournal(connection: connection, owner: owner)
        for leftOver in try journal.leftOvers() { try settle(leftOver) }
        try connection.checkAlive()
    }

    deinit { if !connection.isLost { journal.close() } }

    /// The owner has written down what earlier typists had typed.
    func forgetUnfinished() {
        for leftOver in kept { journal.forget(leftOver) }
        kept = []
    }

    func focusedWindow() throws -> WindowInfo? {
        pump()
        let window = focus.focusedWindow()
        try connection.checkAlive()
        return window
    }

    func getReady() throws {
        pump()
        try settleUnread()
        try keyboard.refresh()
        releaseForUser()
        try connection.checkAlive()
    }

    func type(
        _ work: TypingWork, into expected: WindowInfo?, pace: Duration, record: TypingRecord?,
        progress: (TypingProgress) throws -> Void
    ) throws -> TypingOutcome {
        var run: Run
        switch try prepare(expected, record: record) {
        case .success(let ready): run = ready
        case .failure(let stop): return .stopped(0, reason: stop.reason)
        }
        defer { connection.inquiries.forget() }
        let plan = work.plan(on: keyboard.map)
        if plan.isLacking { return .stopped(0, reason: .noKeys) }
        if plan.isEmpty {
            try progress(TypingProgress(sent: work.count, read: work.count))
            return .typed(work.count)
        }
        observe(run, isObserved: true)
        defer { observe(run, isObserved: false) }
        guard try waitUntilKeyboardIsFree() else { return .stopped(0, reason: .keyboardBusy) }
        begin(&run)
        let sent = Result { try carryOut(work, by: plan, &run, pace: pace, progress: progress) }
        let doubt = restore(&run)
        try connection.checkAlive()
        // What was read is written down before the notes of it go.
        let told = Result { if run.read.characters > run.told { try progress(run.progress) } }
        if doubt == .notResponding {
            try keepUnread(try journal.setAside())
        } else {
            journal.clear()
        }
        connection.flush()
        if doubt == .notResponding { return .stopped(run.read.characters, reason: .notResponding) }
        let outcome = try sent.get()
        try told.get()
        return doubt.map { .stopped(run.read.characters, reason: $0) } ?? outcome
    }

    struct Stop: Error { let reason: TypingOutcome.StopReason }

    /// Looks whether the window that is meant has the focus.
    func prepare(_ expected: WindowInfo?, record: TypingRecord?) throws -> Result<Run, Stop> {
        pump()
        try connection.checkAlive()
        try settleUnread()
        // Whether another group of the layout was chosen is looked at before each batch.
        try keyboard.refreshIfStale()
        guard let inner = focus.focusedInnerWindow(), let window = focus.toplevel(of: inner) else {
            try connection.checkAlive()
            return .failure(Stop(reason: .noFocus))
        }
        if let expected, expected.id != UInt64(window) {
            let isThere = focus.exists(Window(expected.id))
            return .failure(
                Stop(reason: isThere ? .focusMoved(to: focus.info(of: window)) : .windowClosed))
        }
        // What is sent behind them might have to be sent again with them.
        guard try hasReadAll(window) else { return .failure(Stop(reason: .notResponding)) }
        return .success(Run(window: window, inner: inner, barrier: barrier(of: window), record: record))
    }

    /// What one call has changed, and must put back.
    struct Run {
        let window: Window
        var inner: Window
        let barrier: Barrier
        var record: TypingRecord?
        var physical: [Int32] = []
        var xtest: Int32?
        var grabbed: [Int32] = []
        /// Whether auto-repeat was on, and is off now.
        var isRepeatOff = false
        /// Whether the user's own keys are up, as far as applications know.
        var hasLetGo = false
        var lifted: [UInt8] = []
        var locks: UInt32 = 0
        var bindings: [TypingPlan.Binding] = []
        /// All that was sent.
        var done = TypingPlan.Extent()
        /// What of it was surely read.
        var read = TypingPlan.Extent()
        /// What of that was reported, in characters.
        var told = 0
        /// What a question is about that was sent and is not answered.
        var asked: TypingPlan.Extent?
        /// Whether the application has not answered in time.
        var isSilent = false

        var progress: TypingProgress { TypingProgress(sent: done.characters, read: read.characters) }
    }

    // MARK: Typing

    /// Why a batch was not sent.
    enum Hindrance {
        case stop(TypingOutcome.StopReason)
        /// The plan was made for another layout than there is now.
        case layoutChanged
    }

    /// - Parameter plan: for all of the work, by the layout as it was when it was looked at.
    func carryOut(
        _ work: TypingWork, by plan: TypingPlan, _ run: inout Run, pace: Duration,
        progress: (TypingProgress) throws -> Void
    ) throws -> TypingOutcome {
        var planned: TypingPlan? = plan
        replanning: while true {
            let first = run.done
            let plan = planned ?? work.dropping(first.characters).plan(on: keyboard.map)
            planned = nil
            if plan.isLacking { return .stopped(run.done.characters, reason: .noKeys) }
            for segment in plan.segments {
                var bindings = segment.bindings
                if !bindings.isEmpty {
                    if !run.bindings.isEmpty, let reason = awaitReading(&run) {
                        return .stopped(run.done.characters, reason: reason)
                    }
                    // One that has more than one connection to the server (Chromium, by way of GTK) may have its keys by
                    // another one than the news of the map, and read them by the old one.
                    if run.barrier == .ping, !clients.isOnlyConnection(of: run.window) {
                        if try !bindBeforehand(bindings, &run) {
                            if let reason = try forgetLayout(&run) {
                                return .stopped(run.done.characters, reason: reason)
                            }
                            continue replanning
                        }
                        bindings = []
                        if let reason = awaitReading(&run) {
                            return .stopped(run.done.characters, reason: reason)
                        }
                    }
                }
                for batch in segment.batches {
                    defer { bindings = [] }
                    switch try send(batch, binding: bindings, after: first, &run) {
                    case .stop(let reason): return .stopped(run.done.characters, reason: reason)
                    case .layoutChanged:
                        if let reason = try forgetLayout(&run) {
                            return .stopped(run.done.characters, reason: reason)
                        }
                        continue replanning
                    case nil: break
                    }
                    try connection.checkAlive()
                    run.done = first + batch.done
                    noteReading(&run)
                    run.told = run.read.characters
                    try progress(run.progress)
                    // Asked for by a profile, for an application that loses keys and has no way to say so.
                    if pace > .zero { usleep(UInt32(pace / .microseconds(1))) }
                }
            }
            return .typed(work.count)
        }
    }

    /// Binds the spare keys before the keys are sent.
    ///
    /// - Returns: false if the layout is no longer the one that was planned for.
    func bindBeforehand(_ bindings: [TypingPlan.Binding], _ run: inout Run) throws -> Bool {
        connection.grabServer()
        defer {
            connection.ungrabServer()
        }
        askAround(run)
        let state = keyboard.state()
        try connection.checkAlive()
        pump()
        if try keyboard.isLayoutChanged(state) { return false }
        bind(bindings, &run)
        hearOfBinding()
        return true
    }

    /// Binds the spare keys, while no other client can change the map; then ``hearOfBinding()``.
    func bind(_ bindings: [TypingPlan.Binding], _ run: inout Run) {
        noteUndo(run, binding: bindings)
        keyboard.bind(bindings)
        run.bindings = bindings
    }

    /// What is told of the map before any other client could change it, is our own doing.
    func hearOfBinding() {
        connection.sync()
        pump()
        keyboard.markKnown()
    }

    /// Another layout was chosen in the middle. What was sent is read by the old one, or not at all: applications
    /// translate a key when they read it, so they get the time to do so before anything else is changed.
    func forgetLayout(_ run: inout Run) throws -> TypingOutcome.StopReason? {
        if !run.bindings.isEmpty {
            if let reason = awaitReading(&run) { return reason }
            try keyboard.unbind(run.bindings)
            run.bindings = []
        }
        keyboard.markStale()
        try keyboard.refresh()
        return nil
    }

    /// One batch, while no other client can act: neither the focus nor the layout can change between look and keys.
    ///
    /// - Parameter bindings: what the spare keys are to be bound to first; those that are stay as they are if it is empty.
    func send(
        _ batch: TypingPlan.Batch, binding bindings: [TypingPlan.Binding], after first: TypingPlan.Extent,
        _ run: inout Run
    ) throws -> Hindrance? {
        if let servedSince {
            let left = Self.breather - servedSince.duration(to: .now)
            // The other clients' turn: nothing tells that they had it (see `breather`).
            if left > .zero { usleep(UInt32(left / .microseconds(1))) }
        }
        connection.grabServer()
        defer {
            connection.ungrabServer()
            servedSince = .now
        }
        askAround(run)
        let state = lift(&run)
        let reason = lookAround(&run)
        try connection.checkAlive()
        if let reason { return .stop(reason) }
        if try keyboard.isLayoutChanged(state) { return .layoutChanged }
        letGo(&run)
        if !bindings.isEmpty { bind(bindings, &run) }
        send(batch.steps, after: first, run)
        if !bindings.isEmpty { hearOfBinding() }
        return nil
    }

    /// Asks at once for all that ``lift(_:)``, ``lookAround(_:)`` and ``letGo(_:)`` want to know.
    func askAround(_ run: Run) {
        let keys: [Question] = run.hasLetGo ? [] : [.pressedKeys]
        connection.inquiries.ahead([keyboard.stateQuestion, .focus, grabQuestion] + keys)
    }

    /// What speaks against the next keys, as things are at this moment.
    func lookAround(_ run: inout Run) -> TypingOutcome.StopReason? {
        let inner = focus.focusedInnerWindow()
        pump()
        if isKeyboardTaken() { return .keyboardBusy }
        if isEscapePressed { return .escapePressed }
        if isHotkeyPressed(run) { return .hotkeyPressed }
        return inner == run.inner ? nil : follow(inner, &run)
    }

    /// Whether the user has pressed the hotkey since we began, with its modifiers.
    private func isHotkeyPressed(_ run: Run) -> Bool {
        guard let hotkey else { return false }
        let keycode = keyboard.keycode(giving: Int32(bitPattern: hotkey.keysym))
        let isPressed = captured.contains { $0.isPress && !$0.isRepeat && $0.keycode == keycode }
        let wanted = hotkey.modifiers.mask
        return isPressed && (wanted == 0 || keyboard.modifiers(of: heldKeycodes(run)) & wanted == wanted)
    }

    /// Whether the user has pressed Escape since we began.
    var isEscapePressed: Bool {
        captured.contains { $0.isPress && $0.keycode == keyboard.escapeKeycode }
    }

    /// The keys with the notes that belong to them; ``TypingJournal`` says why they stand where they do.
    func send(_ steps: [TypingPlan.Step], after first: TypingPlan.Extent, _ run: Run) {
        guard let record = run.record else {
            for step in steps { keyboard.tap(step.stroke) }
            return
        }
        let start = record.scalars + first.scalars
        func note(_ scalars: Int, before next: TypingPlan.Step?) {
            var progress = TypingJournal.Progress(count: scalars)
            if let next {
                progress.next = next.stroke.keycode
                progress.then = start + next.done.scalars
            }
            journal.note(progress)
        }
        note(record.scalars + run.done.scalars, before: steps.first)
        for (index, step) in steps.enumerated() {
            let next = index + 1 < steps.count ? steps[index + 1] : nil
            let isAgain = next?.stroke.keycode == step.stroke.keycode
            keyboard.tap(step.stroke) { note(start + step.done.scalars, before: isAgain ? nil : next) }
            // The first key goes out at once, and the others follow while it is on its way.
            if run.done.scalars == 0, index == 0 { connection.flush() }
            if isAgain { note(start + step.done.scalars, before: next) }
        }
    }

    /// The focus is in another place than before: right, if that is within the same application window.
    func follow(_ inner: Window?, _ run: inout Run) -> TypingOutcome.StopReason? {
        let window = inner.flatMap(focus.toplevel(of:))
        if let inner, window == run.window {
            XSelectInput(connection.display, inner, FocusChangeMask)
            run.inner = inner
            return nil
        }
        if isTargetGone || !focus.exists(run.window) { return .windowClosed }
        return window.map { .focusMoved(to: focus.info(of: $0)) } ?? .noFocus
    }
}
