import CX11
import Desktop
import Glibc

/// Types one text into one window: has the plan of its keys, leases the keyboard, and knows how far it has come.
///
/// The order of things matters, and each step has its reason:
///
///     look at the focus, wait until nobody else has the keyboard
///     grab the user's keyboards        from here on no key of theirs mixes with ours
///     turn auto-repeat off             a server that is suspended while a key is down would double it; so are slow keys
///                                      and bounce keys, which would swallow keys
///     for each segment:
///         await the barrier            the application has read all keys bound so far
///         bind the spare keys, and await the barrier again: the application knows of it (one that has only one
///                                      connection is notified of it before the keys anyway: there they are bound with the
///                                      first batch)
///         for each batch, with the server to ourselves:
///             lift modifiers and locks, look at the focus, let go of what the user holds, send
///             the keys
///         report the progress; wait if the application is far behind
///     await the barrier, if keys are bound
///     empty the spare keys, put back the locks
///     release the user's keyboards, replay what they typed, press again what is still held
///     turn auto-repeat, slow keys and bounce keys on again
///     await the barrier, if no keys were bound: all that was sent was read
///
/// If the last barrier is not answered, the spare keys stay bound, and only what was read before counts
/// (``UnreadTexts``).
struct TypingRun: ~Copyable {
    private let context: TypingContext
    private let target: TypingTarget
    private let work: TypingWork
    /// For what follows ``start``, by the layout as it was last read.
    private var plan: TypingPlan
    private var start = TypingPlan.Extent()
    private let record: TypingRecord?
    /// Typing gives way to it.
    private let hotkeys: [Hotkey]
    private var lease: KeyboardLease
    private var reader: WindowReader
    /// How much of the text was reported as read, in characters.
    private var told = 0
    /// Since when the server serves all clients, after a batch.
    private var servedSince: ContinuousClock.Instant?

    init(
        _ work: TypingWork, by plan: TypingPlan, into target: TypingTarget, record: TypingRecord?,
        givingWayTo hotkeys: [Hotkey], in context: TypingContext
    ) {
        self.context = context
        self.target = target
        self.work = work
        self.plan = plan
        self.record = record
        self.hotkeys = hotkeys
        reader = WindowReader(target, in: context)
        lease = KeyboardLease(for: target.window, text: record?.text, in: context)
    }

    private var progress: TypingProgress { reader.progress }

    /// Types all of it, as long as nothing is in the way.
    ///
    /// - Parameters:
    ///   - pace: a pause after each batch.
    ///   - progress: called after each batch.
    mutating func carryOut(
        pace: Duration, progress: (TypingProgress) throws -> Void
    ) throws -> TypingOutcome {
        while true {
            if plan.isLacking { return stopped(.noKeys) }
            switch try typePlan(pace: pace, progress: progress) {
            case nil: return .typed(work.count)
            case .stop(let reason): return stopped(reason)
            case .layoutChanged:
                if let reason = try forgetLayout() { return stopped(reason) }
                start = reader.sent
                plan = work.dropping(start.characters).plan(on: context.keyboard.map)
            }
        }
    }

    private func stopped(_ reason: TypingOutcome.StopReason) -> TypingOutcome {
        .stopped(reader.sent.characters, reason: reason)
    }

    /// How a run has ended, when the keyboard is released.
    struct End {
        /// Why it is not known that all that was sent was read; nil if it was.
        let doubt: TypingOutcome.StopReason?
        let progress: TypingProgress
        /// Whether more was read than was reported.
        let isNews: Bool
    }

    /// Gives the keyboard back.
    consuming func end() -> End {
        let told = told
        var reader = reader
        let doubt = lease.giveBack(reading: &reader)
        return End(
            doubt: doubt,
            progress: reader.progress,
            isNews: reader.read.characters > told)
    }

    // MARK: Typing

    /// Why a batch was not sent.
    private enum Hindrance {
        case stop(TypingOutcome.StopReason)
        /// The plan was made for another layout than there is now.
        case layoutChanged
    }

    private mutating func typePlan(
        pace: Duration, progress: (TypingProgress) throws -> Void
    ) throws -> Hindrance? {
        let segments = plan.segments
        let last = segments.last?.batches.last?.done
        for segment in segments {
            var bindings = segment.bindings
            if !bindings.isEmpty {
                if !lease.bindings.isEmpty, let reason = reader.awaitReading() { return .stop(reason) }
                // An application with several connections to the server (Chromium, by way of GTK) may get its keys by
                // another connection than the notification of the map, and translate them by the old map.
                if target.way == .ping, !context.clients.isOnlyConnection(of: target.window) {
                    if try !bindBeforehand(bindings) { return .layoutChanged }
                    bindings = []
                    if let reason = reader.awaitReading() { return .stop(reason) }
                }
            }
            for batch in segment.batches {
                if let hindrance = try send(batch, binding: bindings) { return hindrance }
                bindings = []
                try context.connection.checkAlive()
                reader.noteSent(start + batch.done, hasBindings: !lease.bindings.isEmpty)
                told = reader.read.characters
                try progress(self.progress)
                if let reason = reader.awaitProgress(lease, givingWayTo: hotkeys) { return .stop(reason) }
                if batch.done != last { rest(forPace: pace) }
            }
        }
        return nil
    }

    /// Binds the spare keys before the keys are sent.
    ///
    /// - Returns: false if the layout is no longer the one that was planned for.
    private mutating func bindBeforehand(_ bindings: [TypingPlan.Binding]) throws -> Bool {
        context.connection.grabServer()
        defer { context.connection.ungrabServer() }
        lease.askAround()
        let state = context.keyboard.control.state()
        try context.connection.checkAlive()
        context.events.pump()
        if try context.keyboard.isLayoutChanged(state) { return false }
        lease.bind(bindings)
        lease.hearOfBinding()
        return true
    }

    /// Another layout was chosen in the middle. Applications translate a key when they read it, so they get time to read
    /// what was sent before anything else is changed.
    private mutating func forgetLayout() throws -> TypingOutcome.StopReason? {
        if !lease.bindings.isEmpty {
            if let reason = reader.awaitReading() { return reason }
            try lease.unbind()
        }
        context.keyboard.markStale()
        try context.keyboard.refresh()
        return nil
    }

    /// One batch, while no other client can act: neither the focus nor the layout can change between look and keys.
    ///
    /// - Parameter bindings: the spare keys are first bound to these; if it is empty, they stay as they are.
    private mutating func send(
        _ batch: TypingPlan.Batch, binding bindings: [TypingPlan.Binding]
    ) throws -> Hindrance? {
        if let servedSince {
            let left = TypingLimits.breather - servedSince.duration(to: .now)
            // The server is grabbed most of the time: for this long it serves the other clients. It does not
            // say when they have nothing more to ask.
            if left > .zero { usleep(UInt32(left / .microseconds(1))) }
        }
        context.connection.grabServer()
        defer {
            context.connection.ungrabServer()
            servedSince = .now
        }
        lease.grabRest()
        lease.askAround()
        let state = lease.lift()
        let reason = context.lookAround(target, lease, givingWayTo: hotkeys)
        try context.connection.checkAlive()
        if let reason { return .stop(reason) }
        if try context.keyboard.isLayoutChanged(state) { return .layoutChanged }
        lease.letGo()
        if !bindings.isEmpty { lease.bind(bindings) }
        send(batch.steps)
        if !bindings.isEmpty { lease.hearOfBinding() }
        return nil
    }

    /// Sends keys, with their notes in between; ``TypingJournal`` explains the order.
    private func send(_ steps: [TypingPlan.Step]) {
        let (keyboard, journal) = (context.keyboard, context.journal)
        guard let record else {
            for step in steps { keyboard.tap(step.stroke) }
            return
        }
        let start = record.scalars + start.scalars
        func note(_ scalars: Int, before next: TypingPlan.Step?) {
            var progress = TypingJournal.Progress(count: scalars)
            if let next {
                progress.next = next.stroke.keycode
                progress.then = start + next.done.scalars
            }
            journal.note(progress)
        }
        let isFirst = reader.sent.scalars == 0
        note(record.scalars + reader.sent.scalars, before: steps.first)
        for (index, step) in steps.enumerated() {
            let next = index + 1 < steps.count ? steps[index + 1] : nil
            let isAgain = next?.stroke.keycode == step.stroke.keycode
            keyboard.tap(step.stroke) { note(start + step.done.scalars, before: isAgain ? nil : next) }
            // The first key goes out at once, and the others follow while it is on its way.
            if isFirst, index == 0 { context.connection.flush() }
            if isAgain { note(start + step.done.scalars, before: next) }
        }
    }
}

extension TypingContext {
    /// The reason against the next keys, as things are at this moment.
    func lookAround(
        _ target: TypingTarget, _ lease: borrowing KeyboardLease, givingWayTo hotkeys: [Hotkey]
    ) -> TypingOutcome.StopReason? {
        let inner = focus.focusedInnerWindow()
        events.pump()
        if isKeyboardTaken() { return .keyboardBusy }
        return lease.interruption(by: hotkeys) ?? target.follow(inner)
    }
}
