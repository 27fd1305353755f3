import DictationSystem
import Testing

@Suite("How long the machine was suspended")
struct SuspendedTimeTests {
    private static let begin = SuspendedTime(awake: 100...100.001, elapsed: 130)

    @Test(
        "grows if one clock ran and the other stood still, but not if the reader was delayed",
        arguments: [
            // Both clocks ran for an hour.
            (3_700.0, 3_700.0, 3_730.0, false),
            // An hour awake, and a minute asleep.
            (3_700.0, 3_700.0, 3_790.0, true),
            // Ten seconds passed before the second clock was read, or after it.
            (200.0, 210.0, 240.0, false),
            (200.0, 210.0, 230.0, false),
            // Asleep for a minute, and then kept waiting for ten seconds.
            (200.0, 210.0, 300.0, true),
            // Too short to be told from an inexact clock.
            (200.0, 200.0, 230.9, false),
        ])
    func grows(before: Double, after: Double, elapsed: Double, isSuspended: Bool) {
        let later = SuspendedTime(awake: before...after, elapsed: elapsed)
        #expect(later.hasGrown(since: Self.begin) == isSuspended)
    }

    @Test("does not grow while a machine is awake")
    func awake() {
        let earlier = SuspendedTime.now
        for _ in 0..<1_000 { #expect(!SuspendedTime.now.hasGrown(since: earlier, byMoreThan: 0.001)) }
    }
}
