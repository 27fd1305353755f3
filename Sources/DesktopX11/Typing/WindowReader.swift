import Desktop

/// Knows how much of the keys sent to a window was certainly read: that is what counts, not what was sent.
struct WindowReader {
    private let context: TypingContext
    private let target: TypingTarget
    /// All that was sent.
    private(set) var sent = TypingPlan.Extent()
    /// The part of it that was certainly read.
    private(set) var read = TypingPlan.Extent()
    /// The extent of the question that was sent and is not answered.
    private var asked: TypingPlan.Extent?
    /// Whether the application has not answered in time.
    private var isSilent = false
    /// Whether the application itself has said that it has read what counts as read.
    private var isConfirmed: Bool

    init(_ target: TypingTarget, in context: TypingContext) {
        self.context = context
        self.target = target
        isConfirmed = target.way.isSure
    }

    var progress: TypingProgress {
        TypingProgress(
            sent: sent.characters, read: read.characters,
            route: InsertionRoute(.keys, isConfirmed: isConfirmed))
    }

    /// Waits until the application has read every key sent so far.
    ///
    /// - Returns: why it has not; nil if it has.
    mutating func awaitReading() -> TypingOutcome.StopReason? {
        // It was waited for long enough before.
        if isSilent { return .notResponding }
        let (connection, barrier) = (context.connection, context.barrier)
        connection.sync()
        barrier.ask(target.window, by: target.way)
        asked = nil
        let limit = target.way.isSure ? context.answerLimit : TypingLimits.silentReading
        switch awaitAnswer(within: limit) {
        case .stopped(let reason): return reason
        case .answered:
            if target.way == .unknown { barrier.noteEditres(target.window) }
            isConfirmed = true
        case .silent:
            if target.way.isSure || context.clients.isStopped(target.window) {
                isSilent = true
                return .notResponding
            }
        }
        read = sent
        return nil
    }

    private enum Wait {
        case answered
        /// Nothing came in time.
        case silent
        case stopped(TypingOutcome.StopReason)
    }

    /// Waits for the answer to the last question.
    ///
    /// - Parameter interruption: a reason to wait no longer.
    private func awaitAnswer(
        within limit: Duration, unless interruption: () -> TypingOutcome.StopReason? = { nil }
    ) -> Wait {
        let deadline = ContinuousClock.now + limit
        while true {
            context.events.pump()
            if context.connection.isLost || target.isGone { return .stopped(.windowClosed) }
            if context.barrier.isAnswered(by: target.window, target.way) { return .answered }
            if let reason = interruption() { return .stopped(reason) }
            if deadline <= .now { return .silent }
            do {
                try context.connection.waitForInput(until: deadline)
            } catch {
                return .stopped(.notResponding)
            }
        }
    }

    /// Learns how far the application has read, without waiting: one question at a time is on its way to it.
    ///
    /// - Parameter hasBindings: whether any of its keys are bound.
    mutating func noteSent(_ sent: TypingPlan.Extent, hasBindings: Bool) {
        self.sent = sent
        if target.way == .unknown {
            // It reports nothing. Its plain keys wait for it in order; bound keys are waited for separately.
            if !hasBindings { read = sent }
            return
        }
        if let asked {
            guard context.barrier.isAnswered(by: target.window, target.way) else { return }
            read = asked
            self.asked = nil
        }
        if sent.scalars - read.scalars >= TypingLimits.questionInterval {
            context.barrier.ask(target.window, by: target.way)
            asked = sent
        }
    }

    /// If the application is too far behind, waits until it has read more.
    ///
    /// - Returns: why typing must stop; nil if there is no reason.
    mutating func awaitProgress(
        _ lease: borrowing KeyboardLease, givingWayTo hotkeys: [Hotkey]
    ) -> TypingOutcome.StopReason? {
        guard asked != nil, sent.scalars - read.scalars >= TypingLimits.mostUnread else { return nil }
        switch awaitAnswer(within: context.answerLimit, unless: { lease.interruption(by: hotkeys) }) {
        case .answered: return nil
        case .silent:
            isSilent = true
            return .notResponding
        case .stopped(let reason): return reason
        }
    }
}
