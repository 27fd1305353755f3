import Desktop
import DictationBus
import DictationSystem

/// One text on its way through IBus: in pieces, with a look at the focus between two of them.
struct CommitRun {
    let loan: EngineLoan
    /// The text field, as IBus names it. All native windows of GNOME Shell have one name together.
    let context: String
    let window: WindowInfo
    let windows: any WindowFocus
    /// See ``IBusTyping/init(windows:hasPassedOn:preedit:note:logger:environment:)``.
    let hasPassedOn: @Sendable () -> Bool
    /// How long a field may be without the focus. GTK 3 may lose and regain it within 1 ms when a text has
    /// filled the window.
    var returnLimit: Duration = .milliseconds(500)

    /// How long an application may take to show a piece.
    private static let confirmationLimit: Duration = .seconds(5)

    /// Gives the text to a field that shows what it has: a piece counts when it is shown.
    ///
    /// - Throws: ``BusError`` if IBus is gone, or the error of `progress`.
    nonisolated(nonsending) func insertConfirmed(
        _ pieces: [CommitPiece], _ progress: (TypingProgress) throws -> Void
    ) async throws -> CommitOutcome {
        var count = 0
        var isConfirmed = true
        try loan.engine.requireSurroundings()
        for piece in pieces {
            if let reason = try await reasonToStop() { return .ended(.stopped(count, reason: reason)) }
            // It hides its content.
            if count == 0, loan.engine.state.isSecret { return .notPossible(.unconfirmed) }
            switch try commit(piece) {
            case .confirmed: break
            case .passedOn: isConfirmed = false
            case .moved: return .ended(.stopped(count, reason: .focusMoved(to: nil)))
            case .silent, .different: return .unsure
            }
            count = piece.end
            try progress(.by(count, isConfirmed: isConfirmed))
        }
        return .ended(.typed(count))
    }

    /// Gives the text to a field that need not show anything. A piece counts when everything that it passes
    /// through has answered after it, and its window still has the focus then.
    ///
    /// - Throws: as ``insertConfirmed(_:_:)``.
    nonisolated(nonsending) func handOver(
        _ pieces: [CommitPiece], _ progress: (TypingProgress) throws -> Void
    ) async throws -> CommitOutcome {
        var count = 0
        for piece in pieces {
            if let reason = try await reasonToStop() { return .ended(.stopped(count, reason: reason)) }
            let losses = loan.engine.state.losses
            try loan.engine.commit(piece.text)
            // The daemon answers after the text; then GNOME Shell; then the application, which is asked for
            // its focus.
            guard try has(context) else { return .ended(.stopped(count, reason: .focusMoved(to: nil))) }
            guard hasPassedOn() else { return .unsure }
            if let reason = try await reasonToStop() { return .ended(.stopped(count, reason: reason)) }
            guard loan.engine.state.losses == losses else {
                return .ended(.stopped(count, reason: .fieldLeft))
            }
            count = piece.end
            try progress(.by(count, isConfirmed: false))
        }
        return .ended(.typed(count))
    }

    private enum PieceOutcome {
        case confirmed
        /// IBus has given it to the field, which confirms nothing.
        case passedOn
        /// The field has lost the focus in the meantime.
        case moved
        /// The application has not reacted at all.
        case silent
        /// It shows another text.
        case different
    }

    private func commit(_ piece: CommitPiece) throws(BusError) -> PieceOutcome {
        let engine = loan.engine
        let isShown = engine.state.tellsSurroundings && engine.state.readBack.wouldShow(piece.text)
        let losses = engine.state.losses
        engine.state.readBack.expect(piece.text)
        try engine.commit(piece.text)
        if isShown {
            try loan.daemon.bus.process(until: .now + Self.confirmationLimit) {
                let state = engine.state
                return !state.readBack.isConfirmed && state.losses == losses && state.tellsSurroundings
            }
            if engine.state.readBack.isConfirmed { return .confirmed }
            if engine.state.losses == losses, engine.state.tellsSurroundings {
                return engine.state.readBack.hasNews ? .different : .silent
            }
        }
        // The answer comes after the text. A piece that was on its way when the field lost the focus may be
        // lost.
        guard try has(context) else { return .moved }
        if engine.state.losses == losses { return .passedOn }
        // A field that has the focus again reports what it has received in the meantime.
        let gains = engine.state.gains
        try loan.daemon.bus.process(until: .now + returnLimit) {
            !engine.state.readBack.isConfirmed && engine.state.gains == gains
        }
        return engine.state.readBack.isConfirmed ? .confirmed : .moved
    }

    nonisolated(nonsending) private func reasonToStop() async throws -> TypingOutcome.StopReason? {
        let focused = try await windows.focusedWindow()
        guard window.isSameWindow(as: focused) else { return focused.map { .focusMoved(to: $0) } ?? .noFocus }
        return try has(context) ? nil : .focusMoved(to: nil)
    }

    /// Whether text goes to the field that had the focus at the beginning, or has it again within ``returnLimit``.
    private func has(_ context: String) throws(BusError) -> Bool {
        let bus = loan.daemon.bus
        let limit = ContinuousClock.now + returnLimit
        while true {
            let gains = loan.engine.state.gains
            let focused = try loan.daemon.focusedContext()
            try bus.process()
            if focused == context, loan.engine.state.hasFocus { return true }
            // While no field has the focus, IBus's own context has it, and our engine with it: that does not
            // count as a return.
            try bus.process(until: limit) { loan.engine.state.gains == gains }
            if loan.engine.state.gains == gains { return false }
        }
    }
}

extension TypingProgress {
    fileprivate static func by(_ count: Int, isConfirmed: Bool) -> TypingProgress {
        TypingProgress(sent: count, read: count, route: InsertionRoute(.ibus, isConfirmed: isConfirmed))
    }
}
