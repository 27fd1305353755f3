import Desktop

/// Moves the caret back over a text that the field shows directly before it, with a key: BackSpace removes
/// the text, and Shift with Left selects it. The field shows what each press has done before the next one, so
/// nothing else is touched.
///
/// The input method could delete by itself, but not exactly: GTK 3.24 and 4.8 interpret its number of bytes
/// differently, and Chromium does nothing.
struct CaretRun {
    let connection: WaylandConnection
    let method: InputMethod
    let keyboard: VirtualKeyboard
    /// The key.
    let stroke: TypingKeymap.Stroke
    /// How long the field may take to show it.
    let limit: Duration
    /// Why the window may not be typed into; asks the compositor.
    let reasonToStop: () throws -> TypingOutcome.StopReason?

    /// - Parameter announce: called with how many characters will be passed in all, before they are.
    func pass(_ text: String, announce: (Int) -> Void) throws -> TypingOutcome {
        guard var shown = method.state.surrounding, shown.shows(text) else {
            return .stopped(0, reason: .fieldLeft)
        }
        defer { keyboard.release() }
        var left = Array(text.utf8)
        var announced = 0
        while !left.isEmpty {
            let passed = text.count - String(decoding: left, as: UTF8.self).count
            if let reason = try reasonToStop() { return .stopped(passed, reason: reason) }
            if passed >= announced {
                announced = min(passed + RemovalLimits.batch, text.count)
                announce(announced)
            }
            keyboard.press(stroke)
            let (known, method) = (shown, method)
            let isAnswered = try connection.wait(within: limit) {
                !method.state.isActive || method.state.surrounding?.before != known.before
            }
            guard isAnswered else { return .stopped(passed, reason: .notResponding) }
            guard method.state.isActive, let now = method.state.surrounding,
                let bytes = now.bytesGone(since: known, atMost: left.count)
            else { return .stopped(passed, reason: .fieldLeft) }
            left.removeLast(bytes)
            shown = now
        }
        return .typed(text.count)
    }
}
