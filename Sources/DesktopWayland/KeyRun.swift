import Desktop
import Foundation

/// One text on its way through the virtual keyboard, in batches with a check of the focus in between.
struct KeyRun {
    let keyboard: VirtualKeyboard
    /// The absolute path of the compositor's socket.
    let socket: String
    /// How long the application may read nothing.
    let limit: Duration
    let pace: Duration
    /// Why the window may not be typed into; asks the compositor.
    let reasonToStop: () throws -> TypingOutcome.StopReason?

    /// Keys between two checks of the focus. If the focus moves, at most that many characters go to the other
    /// window.
    private static let batch = 16
    /// If it is not known how much the application has read, this many characters are sent at once, and the
    /// rest at one a millisecond. That is half of what ends the connection of an application that reads
    /// nothing.
    private static let burst = 500
    private static let pacedBatch: Duration = .milliseconds(16)
    /// The time between two reads of its backlog. There is no event for it.
    private static let look: Duration = .milliseconds(2)

    /// - Parameter progress: called after each batch, with how many characters are sent.
    func type(
        _ text: String, options: TypingOptions, progress: (_ characters: Int) throws -> Void
    ) throws -> TypingOutcome {
        let steps = KeymapPlan(text, options: options, current: keyboard.keymap).steps
        defer { keyboard.release() }
        let backlog = ClientBacklog(socket: socket)
        var typed = 0
        while typed < steps.count {
            let batch = steps[typed...].prefix(Self.batch)
            if let reason = try reasonToStop() { return .stopped(typed, reason: reason) }
            for step in batch {
                if let keymap = step.keymap { try keyboard.use(keymap) }
                step.strokes.forEach(keyboard.press)
            }
            keyboard.release()
            // If the focus has moved since, the window may have got none of them.
            if let reason = try reasonToStop() { return .stopped(typed, reason: reason) }
            typed += batch.count
            try progress(typed)
            guard typed < steps.count else { break }
            guard waitForRoom(backlog, typed) else { return .stopped(typed, reason: .notResponding) }
            rest(forPace: pace)
        }
        return .typed(steps.count)
    }

    /// - Returns: false if the application reads nothing.
    private func waitForRoom(_ backlog: ClientBacklog, _ typed: Int) -> Bool {
        let end = ContinuousClock.now + limit
        while true {
            switch backlog.hasRoom {
            case true?: return true
            case false?:
                guard .now < end else { return false }
                // The kernel reports the unread amount on request, and has no event for a decrease: neither
                // the compositor's connection nor the application's is ours to wait on.
                Thread.sleep(forTimeInterval: Self.look / .seconds(1))
            case nil:
                // It is unknown whether it reads: slower than any application, so that its connection survives.
                if typed >= Self.burst { Thread.sleep(forTimeInterval: Self.pacedBatch / .seconds(1)) }
                return true
            }
        }
    }
}
