import DictationBus
import TestSupport
import Testing

/// Signals on a real bus, also those that are sent to one connection alone, which no rule of a bus keeps away.
@Suite("Signals on the bus", .timeLimit(.minutes(1)))
struct BusSignalTests {
    private static func send(_ signal: [String], to receiver: Bus, on bus: SessionBus) async throws {
        for address in [[], ["--dest=\(receiver.uniqueName)"]] {
            try await Program.run(
                "dbus-send", ["--session", "--type=signal"] + address + signal, environment: bus.environment)
        }
    }

    /// Hears what comes.
    private static func process(_ bus: Bus, until isOver: () -> Bool) throws {
        try bus.process(until: .now + .seconds(30)) { !isOver() }
    }

    @Test("of a name are heard of its owner only")
    func owner() async throws {
        let session = try await SessionBus.start()
        let listener = try Bus(.address(session.address))
        let owner = try Bus(.address(session.address))
        var heard: [String] = []
        let match = try listener.match(
            "interface='trial.Service',member='Said'", from: .owner("trial.Service")
        ) {
            heard.append($0.string() ?? "")
        }
        func say(_ word: String) throws {
            try owner.emit("/", "trial.Service", "Said") { message throws(BusError) in
                try message.string(word)
            }
        }
        try await Self.send(["/", "trial.Service.Said", "string:before"], to: listener, on: session)
        try owner.request(name: "trial.Service")
        try await Self.send(["/", "trial.Service.Said", "string:forged"], to: listener, on: session)
        try say("true")
        try Self.process(listener) { heard.contains("true") }
        #expect(heard == ["true"])
        withExtendedLifetime(match) {}
        await session.end()
    }

    @Test("of the bus itself are heard of nobody else")
    func bus() async throws {
        let session = try await SessionBus.start()
        let listener = try Bus(.address(session.address))
        let owner = try Bus(.address(session.address))
        var heard: [String] = []
        let match = try listener.match("member='NameOwnerChanged',arg0='trial.Service'", from: .bus) {
            $0.skip("ss")
            heard.append($0.string() ?? "")
        }
        try await Self.send(
            [
                "/org/freedesktop/DBus", "org.freedesktop.DBus.NameOwnerChanged", "string:trial.Service",
                "string:",
                "string:forged",
            ], to: listener, on: session)
        try owner.request(name: "trial.Service")
        try Self.process(listener) { heard.contains(owner.uniqueName) }
        #expect(heard == [owner.uniqueName])
        withExtendedLifetime(match) {}
        await session.end()
    }
}
