import Desktop
import DictationSystem

/// Settles pieces that a field did not show in time.
extension WaylandTypist {
    /// How long an application may take to answer that may not know our keyboard: only its answer shows that.
    private static let unawareLimit: Duration = .milliseconds(300)

    public func takeLateReadings() -> [TypingRecord] { openPieces.take() }

    public func forgetUnfinished() {
        openPieces.forgetTaken()
        clipboard?.journal.note(pasting: nil)
    }

    /// Keeps the seat until the application answers or the focus moves, so that its answer is heard.
    func waitForAnswer(to piece: OpenPiece) {
        openPieces.add(piece)
        openPieces.watched = piece.window
        // The answer may have come with the last events.
        hearAnswer()
    }

    /// Call it after events were handled.
    func hearAnswer() {
        openPieces.forgetWindows { toplevels.contains($0) }
        guard let window = openPieces.watched, let fields else { return }
        let state = fields.method.state
        if state.isActive, toplevels.focused?.id == window, openPieces[window] != nil {
            guard let shown = state.surrounding else { return }
            settle(window, shown: shown, isFirst: false)
            if openPieces[window] != nil { return }
        }
        stopWatching()
    }

    /// Asks the field of a window, which must have the focus, for what became of a piece.
    ///
    /// - Returns: whether no piece is open there now.
    /// - Throws: ``WaylandError/lost``
    func settlePiece(in window: WindowInfo, within limit: Duration) throws -> Bool {
        guard openPieces[window.id] != nil else { return true }
        if openPieces.watched == window.id {
            _ = try connection.wait(within: limit) {
                hearAnswer()
                return openPieces.watched == nil
            }
        }
        if openPieces.watched == nil, openPieces[window.id] != nil {
            _ = try field(of: window, within: limit)
            releaseField()
        }
        return openPieces[window.id] == nil
    }

    /// - Parameter limit: how long the application may take at least.
    /// - Throws: ``WaylandError/lost``
    func field(of window: WindowInfo, within limit: Duration = .zero) throws -> NativeChoice.Field {
        guard let fields else { return .missing }
        stopWatching()
        let isUnaware = unaware.contains(window.id)
        let field = try fields.look(in: window, atLeast: isUnaware ? max(limit, Self.unawareLimit) : limit)
        // The application has answered a request that came after the announcement of our keyboard.
        if field == .showsText || field == .showsNothing { unaware.remove(window.id) }
        if field == .showsText, let shown = fields.method.state.surrounding {
            settle(window.id, shown: shown, isFirst: true)
        }
        return field
    }

    /// Gives the seat back, unless an answer is waited for.
    func releaseField() {
        if openPieces.watched == nil { fields?.release() }
    }

    private func stopWatching() {
        openPieces.watched = nil
        fields?.release()
    }

    private func settle(_ window: UInt64, shown: SurroundingText, isFirst: Bool) {
        if openPieces.settle(window, shown: shown, isFirst: isFirst) { news.continuation.yield() }
    }
}
