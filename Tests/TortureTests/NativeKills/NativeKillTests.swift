import DictationShared
import Foundation
import TestSupport
import Testing

@testable import StoreTorture

/// Both agents are killed at random instants while texts go into native windows of a Wayland compositor, and started again.
@Suite("Kills in a Wayland session", .serialized)
struct NativeKillTests {
    /// The characters that a killed typist may have typed and not counted: one piece.
    private static let uncounted = 32
    private static let limit: Duration = .seconds(60)

    @Test(
        "counted text is there, nothing is lost, and nothing comes by itself",
        .timeLimit(.minutes(60)), arguments: WaylandWindow.Kind.native)
    func kills(kind: WaylandWindow.Kind) async throws {
        let (seed, cycles) = (TortureSettings.seed, max(1, TortureSettings.cycles / 20))
        report("native kills in \(kind): \(cycles) cycles from seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let bench = try await Bench(kind)
        var figures = Figures()
        for cycle in 0..<cycles {
            do {
                try await bench.carryOut(cycle, &random, &figures)
            } catch {
                let account = await bench.account
                Issue.record("seed \(seed), cycle \(cycle) in \(kind): \(error)\n\(account)")
                break
            }
        }
        report("native kills in \(kind): \(figures)")
        await bench.close()
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

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// A compositor, a window and both agents.
    private actor Bench {
        private let desktop: WaylandDesktop
        private let folder: TemporaryFolder
        private let store: StateStore
        private let log: StoreLog
        private let environment: [String: String]
        private let window: WaylandWindow
        /// Without it the seat's only keyboard goes with insert-agent. Qt 5 cannot answer that it knows the next one, and would
        /// get nothing; the others can.
        private let users: WaylandKeyboard?
        private var agents: [Program] = []
        /// All that the window must have.
        private var expected = ""

        init(_ kind: WaylandWindow.Kind) async throws {
            desktop = try await WaylandDesktop.start()
            folder = try TemporaryFolder("torture")
            let group = try AppGroup(folder: URL(fileURLWithPath: folder.file("group"), isDirectory: true))
            store = try StateStore(group: group)
            log = try StoreLog(of: store)
            // No space is put between two texts, so that what arrives can be counted; and nothing is pasted, which is there
            // at once.
            let settings = try folder.write(
                "[insert]\nspacing = 0\npaste-from = 0\n", to: "settings.toml")
            environment = desktop.environment.merging([
                "VOICEDICTATION_GROUP": group.folder.path, "VOICEDICTATION_SETTINGS": settings,
                "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent/bus",
                "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent/bus",
            ]) { $1 }
            users = kind == .qt5 ? try await WaylandKeyboard.connect(to: desktop) : nil
            // The keyboard is there before the window.
            let inserter = try Program.start(BuildFolder.program("insert-agent"), environment: environment)
            try await inserter.waitForLine(containing: "insert-agent is ready")
            window = try await WaylandWindow.start(kind, on: desktop, title: "Letter")
            await inserter.end()
        }

        var account: String {
            """
            --- the history ---
            \(log.now.history.suffix(60).map(\.text).joined(separator: "\n"))
            --- the window must have ---
            \(expected)
            --- it has ---
            \(window.text)
            --- the agents ---
            \(agents.map { "\($0.name):\n\($0.errors)" }.joined(separator: "\n"))
            ---
            """
        }

        func close() async {
            log.stop()
            for agent in agents { await agent.end() }
            await window.end()
            await users?.end()
            await desktop.end()
        }

        func carryOut(_ cycle: Int, _ random: inout SeededGenerator, _ figures: inout Figures) async throws {
            try await start()
            // Chromium makes nothing of keys beyond the first plane: such a text is pasted.
            let text =
                "<\(cycle) "
                + TortureText.random(&random).filter { character in
                    !character.isNewline
                        && (window.kind != .chromium
                            || character.unicodeScalars.allSatisfy { $0.value < 0x10000 })
                } + ">"
            let instant = Int.random(in: 0...text.count, using: &random)
            let delay = Int.random(in: 0...3_000, using: &random)
            let killsHost = Bool.random(using: &random)
            let id = try store.add(text: text, locale: "und", isExact: true).id
            _ = await log.wait(within: NativeKillTests.limit) { contents -> Bool? in
                guard let state = contents.dictations[id] else { return nil }
                return state.insertedCount >= instant || !state.isUnfinished ? true : nil
            }
            // The instant of the kill is what is tried out.
            try await Task.sleep(for: .microseconds(delay), tolerance: .zero)
            for agent in agents where killsHost || agent.name == "insert-agent" { agent.signal(SIGKILL) }
            for agent in agents where killsHost || agent.name == "insert-agent" {
                try await agent.waitForExit()
            }
            agents.removeAll { !$0.isRunning }
            let counted = try store.dictation(id)?.insertedCount ?? 0
            try await start()
            let state = try await settled(id)
            // A text behind it shows all that came into the window.
            let mark = "|\(cycle)|"
            let came = try await window(after: mark)
            let whole = expected + text
            guard came.hasPrefix(expected), whole.hasPrefix(came) else {
                throw Failure(description: "the window has “\(came.suffix(200))”")
            }
            let there = came.count - expected.count
            guard (state.insertedCount...state.insertedCount + NativeKillTests.uncounted).contains(there),
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
                // At the user's word the rest follows, and no more.
                try await Program.run(
                    BuildFolder.program("dictstate"), ["insert", id.description], environment: environment)
                expected += text.dropFirst(state.insertedCount)
                try await window.waitForText(equal: expected)
            } else {
                guard there == text.count else {
                    throw Failure(description: "\(there) are there, and all count")
                }
            }
            figures.cycles += 1
        }

        private func start() async throws {
            for (name, arguments) in [("insert-agent", []), ("host-agent", ["--no-hotkey"])]
            where !agents.contains(where: { $0.name == name }) {
                let agent = try Program.start(
                    BuildFolder.program(name), arguments, environment: environment)
                agents.append(agent)
                try await agent.waitForLine(containing: "\(name) is ready")
            }
        }

        private func settled(_ id: DictationID) async throws -> DictationState {
            let state = await log.wait(within: NativeKillTests.limit) { contents in
                contents.dictations[id].flatMap { $0.isUnfinished ? nil : $0 }
            }
            guard let state else { throw Failure(description: "\(id) is stuck after the new start") }
            return state
        }

        /// Types a mark, and returns what the window has before it.
        private func window(after mark: String) async throws -> String {
            let state = try await settled(try store.add(text: mark, locale: "und", isExact: true).id)
            guard state.delivery == .inserted else { throw Failure(description: "the mark was not inserted") }
            try await window.waitForText(endingIn: mark)
            return String(window.text.dropLast(mark.count))
        }
    }
}
