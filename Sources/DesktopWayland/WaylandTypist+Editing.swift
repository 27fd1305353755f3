import Desktop
import DictationSystem

/// Removes and selects typed text, if the window shows it.
extension WaylandTypist {
    /// Whether a text is right before the caret; nil if the window does not show its text.
    ///
    /// - Throws: ``DesktopError/displayLost(name:)``
    public func isBeforeCaret(_ text: String, in window: WindowInfo) async throws -> Bool? {
        defer { releaseField() }
        let field = try tellingLoss { try self.field(of: window) }
        guard field == .showsText else { return nil }
        return fields?.method.state.surrounding?.isBeforeCaret(text)
    }

    /// Removes a text that is right before the caret.
    ///
    /// - Parameter removing: called with how many characters are about to be removed in all.
    /// - Throws: ``DesktopError/displayLost(name:)``
    public func undo(
        _ text: String, in window: WindowInfo, record: TypingRecord? = nil,
        removing: @Sendable (Int) -> Void = { _ in }
    ) async throws -> TypingOutcome {
        try edit(text, in: window, by: .backspace, announce: removing)
    }

    /// Selects a text that is right before the caret.
    ///
    /// - Throws: ``DesktopError/displayLost(name:)``
    public func select(_ text: String, in window: WindowInfo) async throws -> TypingOutcome? {
        try edit(text, in: window, by: .selectLeft, announce: { _ in })
    }

    private func edit(
        _ text: String, in window: WindowInfo, by stroke: TypingKeymap.Stroke, announce: (Int) -> Void
    ) throws -> TypingOutcome {
        try tellingLoss {
            defer { releaseField() }
            if let reason = try reasonToStop(typingInto: window) { return .stopped(0, reason: reason) }
            guard try self.field(of: window) == .showsText, let fields else {
                return .stopped(0, reason: .fieldLeft)
            }
            let run = CaretRun(
                connection: connection, method: fields.method, keyboard: keyboard, stroke: stroke,
                limit: answerLimit
            ) { try self.reasonToStop(typingInto: window) }
            return try run.pass(text, announce: announce)
        }
    }
}
