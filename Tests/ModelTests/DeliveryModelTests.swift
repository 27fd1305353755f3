import TestSupport
import Testing

/// The Promela model of the delivery (docs/model), checked by spin as `make model` does it.
@Suite("The model of the delivery", .serialized)
struct DeliveryModelTests {
    private static let check = repositoryFile("docs/model/check")
    /// A search takes seconds; a machine that is busy with other tests may need a hundred times as long.
    private static let limit: Duration = .seconds(900)

    @Test("holds in every state that it can reach")
    func holds() async throws {
        let report = try await Program.run(Self.check, within: Self.limit)
        let results = report.split(separator: "\n")
        #expect(results.count == 12)
        #expect(results.allSatisfy { $0.hasSuffix("holds") }, "\(report)")
    }

    struct Break: Sendable, CustomTestStringConvertible {
        let name: String
        let finding: String
        var testDescription: String { name }

        init(_ name: String, _ finding: String) {
            self.name = name
            self.finding = finding
        }
    }

    static let breaks = [
        Break("claim-without-transaction", "typed twice"),
        Break("claim-overtakes", "overtakes"),
        Break("progress-before-keys", "left out"),
        Break("progress-in-store-only", "typed twice"),
        Break("progress-of-any-claim", "not whole"),
        Break("batch-in-two-writes", "typed twice"),
        Break("keys-without-server-grab", "typed twice"),
        Break("release-of-the-living", "no longer, claimed"),
        Break("release-of-any-claim", "no longer, claimed"),
        Break("recovery-requeues", "without the user's word"),
        Break("audio-removed-early", "neither on the disk nor in the store"),
        Break("sent-counts-as-read", "not whole"),
        Break("unread-keys-unbound", "binding is gone"),
        Break("successor-unbinds", "binding is gone"),
        Break("late-reading-of-held-texts-only", "typed twice"),
        Break("typed-before-late-reading", "typed twice"),
        Break("insert-without-state-seen", "typed twice"),
        Break("growing-claim-in-two-steps", "typed twice"),
        Break("growing-final-ends-claim", "typed twice"),
        Break("growing-failure-ends-claim", "typed twice"),
        Break("growing-count-of-the-store", "typed twice"),
        Break("growing-goes-on-by-itself", "without the user's word"),
        Break("growing-inserted-at-a-pause", "not whole"),
        Break("growing-removal-not-counted", "typed twice"),
        Break("growing-mended-first", "typed twice"),
        Break("growing-count-of-the-claim", "left out"),
        Break("growing-regrown-changes-claim", "not what the text has"),
        Break("no-release-at-start", "sticks"),
        Break("no-recovery-of-recordings", "sticks"),
    ]

    @Test("fails when it is broken", arguments: breaks)
    func failsWhenBroken(_ broken: Break) async throws {
        let program = try Program.start(Self.check, ["--broken", broken.name])
        #expect(try await program.waitForExit(within: Self.limit) == .exited(1), "\(program.errors)")
        #expect(
            program.output.contains("BROKEN") && program.output.contains(broken.finding), "\(program.output)")
    }

    @Test("has no way to break it that is not tested here")
    func testsAllBreaks() async throws {
        let names = try await Program.run(Self.check, ["--list"]).split(separator: "\n").map(String.init)
        #expect(names == Self.breaks.map(\.name))
    }
}
