import DictationShared
import Foundation
import TestSupport
import Testing

/// Somebody looks at the store with `sqlite3`, a database browser or a backup while the agents run.
@Suite("An outside program looks at the store of agents that run", .serialized, .timeLimit(.minutes(5)))
struct OutsideProgramTests {
    enum Agents: String, CaseIterable, Sendable {
        case both = "both agents"
        case host = "host-agent alone"
        case inline = "one agent for both"
    }

    private static func start(_ agents: Agents, on desk: Desk) async throws -> [Program] {
        switch agents {
        case .both: [try await desk.startHost("--no-hotkey"), try await desk.startInserter()]
        case .host: [try await desk.startHost("--no-hotkey")]
        case .inline: [try await desk.startInline()]
        }
    }

    /// The test's own connection must not be what keeps the files in place. Closing any descriptor of the database drops all
    /// locks of this process.
    private static func dropOwnLocks(_ desk: Desk) throws {
        close(open(desk.group.database.path, O_RDONLY | O_CLOEXEC))
        #expect(try !desk.group.isLocked(by: ProcessInfo.processInfo.processIdentifier))
    }

    @Test(
        "a look leaves the files in place; commands, the history and a text that waits go on",
        arguments: Agents.allCases)
    func look(agents: Agents) async throws {
        let desk = try await Desk.set()
        let window = try await TextWindow.start(.xterm, on: desk.display, title: "Letter")
        let first = try desk.store.add(text: "one ", locale: "en-US")
        try desk.store.apply(.held(.askedFor), to: first.id)
        var programs = try await Self.start(agents, on: desk)
        try Self.dropOwnLocks(desk)
        for program in programs { #expect(try desk.group.isLocked(by: program.processID), "\(program.name)") }
        let log = desk.group.logNumber
        #expect(log != nil)
        for round in 1...2 {
            #expect(try await ForeignReader.look(at: desk.group) == round)
            #expect(desk.group.logNumber == log)
            if round == 1 {
                #expect(try await desk.dictstate("start").contains("recording"))
                #expect(try await desk.dictstate("cancel").contains("canceled"))
            }
        }
        #expect(try await desk.dictstate("history", "--all").split(separator: "\n").count == 2)
        if agents == .host { programs.append(try await desk.startInserter()) }
        #expect(try await desk.dictstate("insert", first.id.description).contains("inserted"))
        try await window.waitForText(equal: "one ")
        for program in programs {
            #expect(!program.errors.contains("moved aside") && !program.errors.contains("malformed"))
            await program.end()
        }
        #expect(DamagedStore.all(in: desk.group).isEmpty)
        await desk.end()
    }

    @Test(
        "somebody removes the -wal and -shm files of a host that runs: what was committed is there, and all goes on"
    )
    func removed() async throws {
        let desk = try await Desk.set()
        let window = try await TextWindow.start(.xterm, on: desk.display, title: "Letter")
        let agents = [try await desk.startHost("--no-hotkey"), try await desk.startInserter()]
        let before = try desk.store.add(text: "one ", locale: "en-US")
        try await desk.waitForDictation(before.id) { $0.delivery == .inserted }
        for suffix in ["-wal", "-shm"] {
            try FileManager.default.removeItem(atPath: desk.group.database.path + suffix)
        }
        for agent in agents { try await agent.waitForLine(containing: "was removed or moved away") }
        #expect(try await desk.dictstate("start").contains("recording"))
        #expect(try await desk.dictstate("cancel").contains("canceled"))
        // Nobody told the test's own connection that its files are gone, as a program is told that follows the store.
        let after = try StateStore(group: desk.group).add(text: "two ", locale: "en-US")
        try await desk.waitForDictation(after.id) { $0.delivery == .inserted }
        try await window.waitForText(equal: "one two ")
        #expect(try await ForeignReader.look(at: desk.group) == 3)
        for agent in agents { await agent.end() }
        #expect(DamagedStore.all(in: desk.group).isEmpty)
        await desk.end()
    }
}
