import TestSupport
import Testing

/// The cycles of one family of torture on one window: as many as the settings say, each by a plan that follows from the
/// seed. The first fault ends them, since the window is not as the next one expects it.
enum TortureCycles {
    /// One for this many of ``KillTests``: each needs its own kind of window, and takes longer.
    private static let share = 20

    /// - Parameters:
    ///   - account: details of a fault.
    ///   - carryOut: one cycle.
    /// - Returns: the figures of all cycles.
    @discardableResult
    static func run<Plan: Sendable, Figures: Sendable>(
        of family: String, from start: Figures, plan: (Int, inout SeededGenerator) -> Plan,
        account: () async -> String, carryOut: (Plan, inout Figures) async throws -> Void
    ) async -> Figures {
        let (seed, cycles) = (TortureSettings.seed, max(1, TortureSettings.cycles / share))
        report("\(family): \(cycles) cycles from seed \(seed)")
        var random = SeededGenerator(seed: seed)
        var figures = start
        for cycle in 0..<cycles {
            let plan = plan(cycle, &random)
            do {
                try await carryOut(plan, &figures)
            } catch {
                let account = await account()
                Issue.record("\(family), seed \(seed), cycle \(cycle), \(plan): \(error)\n\(account)")
                break
            }
        }
        report("\(family): \(figures)")
        return figures
    }
}
