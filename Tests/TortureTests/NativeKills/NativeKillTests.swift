import DictationShared
import TestSupport
import Testing

@testable import StoreTorture

/// Both agents are killed at random instants while texts go into native windows of a Wayland compositor, and started again.
@Suite("Kills in a Wayland session", .serialized)
struct NativeKillTests {
    @Test(
        "counted text is there, nothing is lost, and nothing comes by itself",
        .timeLimit(.minutes(60)), arguments: WaylandWindow.Kind.native)
    func kills(kind: WaylandWindow.Kind) async throws {
        let bench = try await NativeBench(kind)
        await TortureCycles.run(
            of: "native kills in \(kind)", from: Figures(), plan: { Plan($0, kind, &$1) },
            account: { await bench.account },
            carryOut: { plan, figures in try await bench.carryOut(plan, &figures) })
        await bench.close()
    }

    /// The steps of one cycle.
    struct Plan: CustomStringConvertible {
        let cycle: Int
        let text: String
        /// The agents are killed when this many characters count.
        let instant: Int
        /// From then to the kill, in microseconds.
        let delay: Int
        let killsHost: Bool

        init(_ cycle: Int, _ kind: WaylandWindow.Kind, _ random: inout SeededGenerator) {
            self.cycle = cycle
            // Chromium ignores keys beyond the first plane: such a text is pasted.
            text =
                "<\(cycle) "
                + TortureText.random(&random).filter { character in
                    !character.isNewline
                        && (kind != .chromium
                            || character.unicodeScalars.allSatisfy { $0.value < 0x10000 })
                } + ">"
            instant = .random(in: 0...text.count, using: &random)
            delay = .random(in: 0...3_000, using: &random)
            killsHost = .random(using: &random)
        }

        var description: String {
            "\(instant) of \(text.count) characters, \(delay) µs, host \(killsHost)"
        }
    }

    struct Figures: CustomStringConvertible {
        var cycles = 0
        /// Texts whose rest was held.
        var held = 0
        /// Characters that were there and did not count, all and the most of one text.
        var uncounted = 0
        var most = 0

        var description: String {
            "\(cycles) cycles, \(held) texts held, \(uncounted) characters uncounted, at most \(most) of a text"
        }
    }
}

extension NativeBench {
    fileprivate func carryOut(
        _ plan: NativeKillTests.Plan, _ figures: inout NativeKillTests.Figures
    ) async throws {
        try await start()
        let text = plan.text
        let id = try store.add(text: text, locale: "und", isExact: true).id
        _ = await log.wait(within: Self.limit) { contents -> Bool? in
            guard let state = contents.dictations[id] else { return nil }
            return state.insertedCount >= plan.instant || !state.isUnfinished ? true : nil
        }
        try await kill(after: plan.delay, killsHost: plan.killsHost)
        let counted = try store.dictation(id)?.insertedCount ?? 0
        try await start()
        let state = try await settled(id)
        // A text after it shows everything that came into the window.
        let mark = "|\(plan.cycle)|"
        let came = try await window(after: mark)
        let whole = expected + text
        guard came.hasPrefix(expected), whole.hasPrefix(came) else {
            throw Failure(description: "the window has “\(came.suffix(200))”")
        }
        let there = came.count - expected.count
        guard (state.insertedCount...state.insertedCount + Self.uncounted).contains(there),
            state.insertedCount >= counted
        else {
            throw Failure(
                description: "\(state.insertedCount) count, \(counted) before, \(there) are there")
        }
        expected = came + mark
        if case .held = state.delivery {
            figures.held += 1
            figures.uncounted += there - state.insertedCount
            figures.most = max(figures.most, there - state.insertedCount)
            try await insertRest(of: state)
        } else {
            guard there == text.count else {
                throw Failure(description: "\(there) are there, and all count")
            }
        }
        figures.cycles += 1
    }
}
