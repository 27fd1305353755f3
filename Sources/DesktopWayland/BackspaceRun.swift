import Desktop

/// Removes a text that the field shows right before its caret, by BackSpace. The field shows what each press has removed before
/// the next one, so nothing else is removed.
///
/// The input method could delete by itself, but not exactly: GTK 3.24 and 4.8 take its number of bytes for another one, and
/// Chromium does nothing.
struct BackspaceRun {
    let connection: WaylandConnection
    let method: InputMethod
    let keyboard: VirtualKeyboard
    /// How long the field may take to show it.
    let limit: Duration
    /// Why the window may not be typed into; asks the compositor.
    let reasonToStop: () throws -> TypingOutcome.StopReason?

    func remove(_ text: String) throws -> TypingOutcome {
        guard var shown = method.state.surrounding, shown.shows(text) else {
            return .stopped(0, reason: .fieldLeft)
        }
        let kept = Array(shown.before.dropLast(text.utf8.count))
        while shown.before != kept {
            let removed =
                text.count - String(decoding: shown.before.dropFirst(kept.count), as: UTF8.self).count
            if let reason = try reasonToStop() { return .stopped(removed, reason: reason) }
            keyboard.press(.backspace)
            let (known, method) = (shown, method)
            let isAnswered = try connection.wait(within: limit) {
                !method.state.isActive || method.state.surrounding?.before != known.before
            }
            guard isAnswered else { return .stopped(removed, reason: .notResponding) }
            guard method.state.isActive, let now = method.state.surrounding,
                known.before.starts(with: now.before), now.before.starts(with: kept)
            else { return .stopped(removed, reason: .fieldLeft) }
            shown = now
        }
        return .typed(text.count)
    }
}
