import DictationShared
import Foundation
import TestSupport
import Testing

/// The cost of the agents while nothing happens, and while somebody speaks.
@Suite("Idle agents", .serialized, .timeLimit(.minutes(5)))
struct IdleTests {
    private struct Report: Decodable {
        struct Process: Decodable {
            let name: String
            let voluntaryPerSecond: Double
        }
        let partials: Int
        let processes: [Process]
    }

    private static func measure(_ desk: Desk, _ options: String...) async throws -> Report {
        let output = try await Program.run(
            BuildFolder.program("dictation-bench"), ["idle", "--json"] + options,
            environment: desk.environment, within: .seconds(60))
        return try JSONDecoder().decode(Report.self, from: Data(output.utf8))
    }

    @Test(
        "do not wake at all, before a dictation, after one, and when an old one was removed; nor does one that is both"
    )
    func never() async throws {
        for isInline in [false, true] {
            let desk = try await Desk.set()
            try desk.folder.write("history.keep-count = 1\n", to: "settings.toml")
            let window = try await TextWindow.start(.xterm, on: desk.display, title: "Letter")
            let last = isInline ? "host-agent" : "insert-agent"
            let agents =
                isInline
                ? [try await desk.startInline()]
                : [try await desk.startHost(), try await desk.startInserter()]
            try await Self.waitForRest(desk, last: last)
            let added = try desk.store.add(text: "One text.", locale: "en-US")
            try await window.waitForText(equal: "One text.")
            try await desk.waitForDictation(added.id) { $0.delivery == .inserted }
            try await Self.waitForRest(desk, last: last)
            let seen = try desk.store.revision()
            _ = try desk.store.add(text: " Another text.", locale: "en-US")
            for try await changes in StateWatcher.changes(of: desk.store, since: seen)
            where changes.removed.contains(added.id) { break }
            try await Self.waitForRest(desk, last: last)
            for agent in agents { await agent.end() }
            await desk.end()
        }
    }

    @Test("do not wake in a Wayland session either")
    func neverOnWayland() async throws {
        let desktop = try await WaylandDesktop.start()
        let desk = try await Desk.set()
        let environment = desk.environment.merging(desktop.environment) { $1 }
        var agents: [Program] = []
        for name in ["insert-agent", "host-agent"] {
            let agent = try Program.start(BuildFolder.program(name), [], environment: environment)
            try await agent.waitForLine(containing: "\(name) is ready")
            agents.append(agent)
        }
        let window = try await WaylandWindow.start(on: desktop, title: "Letter")
        try await Self.waitForRest(desk)
        // The first is typed, and the second, which is long, is pasted.
        var expected = ""
        for text in ["One text. ", String(repeating: "Another text. ", count: 20)] {
            let added = try desk.store.add(text: text, locale: "en-US", isExact: true)
            try await desk.waitForDictation(added.id) { $0.delivery == .inserted }
            expected += text
            try await window.waitForText(equal: expected)
        }
        _ = try await desk.dictstate("start")
        try await desk.speak(seconds: 3)
        _ = try await desk.dictstate("stop")
        try await desk.waitForDictation { $0.isSettled }
        try await Self.waitForRest(desk)
        await window.end()
        for agent in agents { await agent.end() }
        await desk.end()
        await desktop.end()
    }

    /// Waits for three seconds in which neither agent wakes. Their work after a start and after a dictation
    /// may take a slow machine a while. With a timer, or with polling, such a quiet time would never come.
    private static func waitForRest(_ desk: Desk, last: String = "insert-agent") async throws {
        var seen: [Report] = []
        while seen.count < 15 {
            let report = try await measure(desk, "--seconds", "3")
            #expect(report.processes.map(\.name).last == last)
            if report.processes.allSatisfy({ $0.voluntaryPerSecond == 0 }) { return }
            seen.append(report)
        }
        Issue.record("the agents woke in each of \(seen.count) times 3 s: \(seen)")
    }

    @Test("wake once for a partial result, on the thread that watches")
    func partials() async throws {
        let desk = try await Desk.set()
        let host = try await desk.startHost()
        let inserter = try await desk.startInserter()
        try await Self.waitForRest(desk)
        let report = try await Self.measure(desk, "--seconds", "3", "--partials")
        let seconds = 3.0
        for process in report.processes.prefix(2) {
            // A thread that handles it would be a second one, and the answer to it a third.
            let wakes = process.voluntaryPerSecond * seconds / Double(report.partials)
            #expect(wakes < 1.9, "\(process.name) woke \(wakes) times for a partial result")
        }
        await desk.end(host, inserter)
    }
}
