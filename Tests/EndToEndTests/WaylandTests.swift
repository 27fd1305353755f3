import DictationShared
import Foundation
import TestSupport
import Testing

/// The agents in a Wayland session whose compositor has none of the protocols for typing, clipboards and overlays.
@Suite("Wayland sessions", .serialized, .timeLimit(.minutes(5)))
struct WaylandTests {
    /// A desk in such a session, with an X server for X11 programs or without.
    private struct Session {
        let desk: Desk
        let desktop: WestonDesktop
        let environment: [String: String]

        init(hasX11: Bool = true) async throws {
            desk = try await Desk.set()
            desktop = try await WestonDesktop.start()
            var environment = desk.environment.merging(desktop.environment) { $1 }
            environment["XDG_RUNTIME_DIR"] = desk.folder.path
            if !hasX11 { environment["DISPLAY"] = "" }
            self.environment = environment
        }

        func start(_ name: String, _ arguments: String...) throws -> Program {
            try Program.start(BuildFolder.program(name), arguments, environment: environment)
        }

        func end(_ programs: Program...) async {
            for program in programs { await program.end() }
            await desk.end()
            await desktop.end()
        }
    }

    private static let restriction = "only X11 windows (XWayland) can be dictated into"

    @Test(
        "both agents say at their start what dictation cannot do there, and one notification does, once a session"
    )
    func told() async throws {
        let service = try await BusTests.Service.start(BusTests.notifications)
        let session = try await Session()
        let environment = session.environment.merging(["DBUS_SESSION_BUS_ADDRESS": service.address]) { $1 }
        for start in 0..<2 {
            let host = try Program.start(BuildFolder.program("host-agent"), [], environment: environment)
            try await host.waitForLine(containing: "host-agent is ready")
            // The session bus leads to the accessibility bus; the other agent has none.
            #expect(host.errors.contains("text goes into text fields of GTK that programs show"))
            if start == 0 {
                let notice = try await service.program.waitForLine(containing: "notice 1")
                #expect(notice.text.contains("Wayland session") && notice.text.contains("dictstate copy"))
                #expect(notice.text.contains("only while an X11 window (XWayland) has the focus"))
            } else {
                // A message about a later event comes after those of the start.
                let failure = DictationFailure(code: .engineFailed, message: "A failure to be told")
                let state = try session.desk.store.begin(target: nil, engine: "test", locale: "en-US")
                try session.desk.store.apply(.failed(failure), to: state.id)
                let notice = try await service.program.waitForLine(containing: "A failure to be told")
                #expect(notice.text.contains("notice 2"))
            }
            await host.end()
        }
        let inserter = try session.start("insert-agent")
        try await inserter.waitForLine(containing: "insert-agent is ready")
        #expect(inserter.errors.contains(Self.restriction))
        let doctor = try session.start("dictstate", "doctor")
        _ = try await doctor.waitForExit()
        #expect(doctor.output.contains("warning  windows") && doctor.output.contains(Self.restriction))
        await session.end(inserter)
        await service.end()
    }

    @Test("a text that finds no X11 window is held, and says why")
    func held() async throws {
        let session = try await Session()
        let host = try session.start("host-agent")
        let inserter = try session.start("insert-agent")
        try await host.waitForLine(containing: "host-agent is ready")
        try await inserter.waitForLine(containing: "insert-agent is ready")
        _ = try await session.desk.dictstate("toggle")
        try await session.desk.speak(seconds: 3)
        _ = try await session.desk.dictstate("toggle")
        let state = try await session.desk.waitForDictation { $0.isSettled }
        #expect(state.delivery == .held(.nativeWindow))
        let shown = try await session.desk.dictstate("show", "\(state.id)")
        #expect(shown.contains("in this Wayland session the window cannot be typed into"))
        // There is no compositor here: the message does not claim that a text is on the clipboard of all
        // windows.
        let copy = try session.start("dictstate", "copy")
        #expect(try await copy.exitCode == 1)
        #expect(copy.errors.contains("only X11 programs have it"))
        await session.end(host, inserter)
    }

    @Test("without XWayland host-agent records by command, and insert-agent says that it can type nothing")
    func alone() async throws {
        let session = try await Session(hasX11: false)
        let host = try session.start("host-agent")
        try await host.waitForLine(containing: "host-agent is ready. Start a dictation with: dictstate start")
        #expect(host.errors.contains("no window can be typed into: there is no XWayland"))
        #expect(host.errors.contains("F9 is not heard"))
        let inserter = try session.start("insert-agent")
        #expect(try await inserter.exitCode == 69)
        #expect(inserter.errors.contains("a Wayland session without XWayland"))
        _ = try await session.desk.dictstate("toggle")
        try await session.desk.speak(seconds: 3)
        let text = try await session.desk.dictstate("stop", "--print")
        #expect(!text.isEmpty)
        let check = try session.start("host-agent", "check", "--display")
        #expect(try await check.exitCode == 69)
        #expect(check.output.contains("Turn XWayland on"))
        await session.end(host)
    }

    @Test("if no overlay can be shown, one notification says how far a dictation is")
    func progress() async throws {
        let service = try await BusTests.Service.start(BusTests.notifications)
        let session = try await Session(hasX11: false)
        // The text is being written until the server may answer: a notification may skip a short state.
        let mayAnswer = DispatchSemaphore(value: 0)
        let server = try LoopbackServer { request in
            if request.path.hasSuffix("/audio/transcriptions") { mayAnswer.wait() }
            return [.answer(200, [:], Data("{\"text\": \"Said the server.\"}".utf8))]
        }
        try session.desk.folder.write(
            "[speech]\nengine = \"remote\"\n[remote]\naddress = \"\(server.address("/v1"))\"\n",
            to: "settings.toml")
        let environment = session.environment.merging(["DBUS_SESSION_BUS_ADDRESS": service.address]) { $1 }
        let host = try Program.start(BuildFolder.program("host-agent"), [], environment: environment)
        try await host.waitForLine(containing: "host-agent is ready")
        _ = try await session.desk.dictstate("start")
        let began = try await service.program.waitForLine(containing: "'Recording'")
        let number = try #require(began.text.firstMatch(of: /notice (\d+)/)?.output.1)
        try await session.desk.speak(seconds: 3)
        _ = try await session.desk.dictstate("stop")
        // In place of the one before.
        let next = try await service.program.waitForLine(containing: "'Writing the text'")
        #expect(next.text.contains("('VoiceDictation', \(number), "))
        #expect(next.text.contains("'transient': True"))
        mayAnswer.signal()
        _ = try await session.desk.dictstate("start")
        let second = try await service.program.waitForLine(containing: "'Recording'", from: next.number + 1)
        #expect(second.text.contains("('VoiceDictation', 0, "))
        let shown = try #require(second.text.firstMatch(of: /notice (\d+)/)?.output.1)
        _ = try await session.desk.dictstate("cancel")
        try await service.program.waitForLine(containing: "closed \(shown)")
        await session.end(host)
        server.stop()
        await service.end()
    }
}
