import DictationShared
import Foundation
import TestSupport

@testable import StoreTorture

/// A Wayland session with a window and both agents, which are killed and started again.
actor NativeBench {
    /// The characters that a killed typist may have typed and not counted: one piece.
    static let uncounted = 32
    static let limit: Duration = .seconds(60)

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let store: StateStore
    let log: StoreLog
    let window: WaylandWindow
    /// All that the window must have.
    var expected = ""
    private let desktop: WaylandDesktop
    private let folder: TemporaryFolder
    private let environment: [String: String]
    /// Without it the seat's only keyboard goes with insert-agent. Qt 5 cannot answer that it knows the next one, and would
    /// get nothing; the others can.
    private let users: WaylandKeyboard?
    private var agents: [Program] = []

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

    /// Starts the agents that do not run.
    func start() async throws {
        for (name, arguments) in [("insert-agent", []), ("host-agent", ["--no-hotkey"])]
        where !agents.contains(where: { $0.name == name }) {
            let agent = try Program.start(BuildFolder.program(name), arguments, environment: environment)
            agents.append(agent)
            try await agent.waitForLine(containing: "\(name) is ready")
        }
    }

    /// Kills insert-agent.
    ///
    /// - Parameters:
    ///   - delay: before that, in microseconds.
    ///   - killsHost: whether host-agent is killed as well.
    func kill(after delay: Int, killsHost: Bool) async throws {
        // The test varies the instant of the kill.
        try await Task.sleep(for: .microseconds(delay), tolerance: .zero)
        let dying = agents.filter { killsHost || $0.name == "insert-agent" }
        for agent in dying { agent.signal(SIGKILL) }
        for agent in dying { try await agent.waitForExit() }
        agents.removeAll { !$0.isRunning }
    }

    func settled(_ id: DictationID) async throws -> DictationState {
        let state = await log.wait(within: Self.limit) { contents in
            contents.dictations[id].flatMap { $0.isUnfinished ? nil : $0 }
        }
        guard let state else { throw Failure(description: "\(id) is stuck after the new start") }
        return state
    }

    /// Types a mark, and returns what the window has before it.
    func window(after mark: String) async throws -> String {
        let state = try await settled(try store.add(text: mark, locale: "und", isExact: true).id)
        guard state.delivery == .inserted else { throw Failure(description: "the mark was not inserted") }
        try await window.waitForText(endingIn: mark)
        return String(window.text.dropLast(mark.count))
    }

    /// The user asks for the rest of a held text: it follows, and nothing else.
    func insertRest(of state: DictationState) async throws {
        try await Program.run(
            BuildFolder.program("dictstate"), ["insert", state.id.description], environment: environment)
        expected += state.cleanedText.dropFirst(state.insertedCount)
        try await window.waitForText(equal: expected)
    }
}
