import Desktop
import Foundation

/// One text on its way through the virtual keyboard, in batches between which the focus is looked at.
struct KeyRun {
    let keyboard: VirtualKeyboard
    let pace: Duration
    /// Why the window may not be typed into; asks the compositor.
    let reasonToStop: () throws -> TypingOutcome.StopReason?

    /// Keys between two looks at the focus. If the focus moves, at most so many characters go to the other window.
    private static let batch = 16
    /// So many characters are sent at once, and the rest at one in a millisecond. A compositor ends the connection of an
    /// application that leaves more than about 8,000 characters unread (measured: sway 1.7 with foot), and so the application.
    private static let burst = 1000
    private static let pacedBatch: Duration = .milliseconds(16)

    /// - Parameter progress: called after each batch, with how many characters are sent.
    func type(
        _ text: String, options: TypingOptions, progress: (_ characters: Int) throws -> Void
    ) throws -> TypingOutcome {
        let steps = KeymapPlan(text, options: options, current: keyboard.keymap).steps
        defer { keyboard.release() }
        var typed = 0
        while typed < steps.count {
            let batch = steps[typed...].prefix(Self.batch)
            if let reason = try reasonToStop() { return .stopped(typed, reason: reason) }
            for step in batch {
                if let keymap = step.keymap { try keyboard.use(keymap) }
                step.strokes.forEach(keyboard.press)
            }
            keyboard.release()
            // Where the focus has moved meanwhile, the window may have got none of them.
            if let reason = try reasonToStop() { return .stopped(typed, reason: reason) }
            typed += batch.count
            try progress(typed)
            // Nothing tells when the application has read its keys: only time keeps what it has not read within bounds.
            let pause = max(pace, typed >= Self.burst ? Self.pacedBatch : .zero)
            if pause > .zero, typed < steps.count { Thread.sleep(forTimeInterval: pause / .seconds(1)) }
        }
        return .typed(steps.count)
    }
}
