import DictationShared
import Foundation
import TestSupport
import Testing

/// Notices if a service or a command does not do what is expected.
extension BusTests {
    /// The user clicks a button of a notice.
    static func click(_ action: String, in notice: Int, on bus: SessionBus) async throws {
        try await Program.run(
            "dbus-send",
            [
                "--session", "--print-reply", "--dest=org.freedesktop.Notifications",
                "/org/freedesktop/Notifications", "org.freedesktop.Notifications.Click", "uint32:\(notice)",
                "string:\(action)",
            ], environment: bus.environment)
    }

    /// Both agents, and a window for their text; every text is held.
    private struct HeldTexts {
        let desk: Desk
        let window: TextWindow
        private let host: Program
        private let inserter: Program

        static func start(on bus: SessionBus) async throws -> HeldTexts {
            let desk = try await Desk.set()
            try desk.folder.write("[insert]\npolicy = \"hold\"\n", to: "settings.toml")
            let window = try await TextWindow.start(.gtkEntry, on: desk.display, title: "Letter")
            let host = try Program.start(
                BuildFolder.program("host-agent"), [],
                environment: desk.environment.merging(bus.environment) { $1 })
            try await host.waitForLine(containing: "host-agent is ready")
            return HeldTexts(desk: desk, window: window, host: host, inserter: try await desk.startInserter())
        }

        func end() async { await desk.end(host, inserter) }
    }

    @Test("a notice that the service has taken away already costs the others nothing")
    func unknownNotice() async throws {
        let service = try await Service.start(
            Self.notifications.replacing(
                "invocation.return_value(None)",
                with: "invocation.return_dbus_error('org.freedesktop.Notifications.Error', 'no such notice')")
        )
        let texts = try await HeldTexts.start(on: service.bus)
        let first = try texts.desk.store.add(text: "First.", locale: "en-US")
        try await service.program.waitForLine(containing: "notice 1")
        _ = try texts.desk.store.add(text: "Second.", locale: "en-US")
        try await service.program.waitForLine(containing: "notice 2")
        _ = try await texts.desk.dictstate("discard", first.id.description)
        try await service.program.waitForLine(containing: "closed 1")
        try await Self.click("insert", in: 2, on: service.bus)
        try await texts.window.waitForText(equal: "Second.")
        await texts.end()
        await service.end()
    }

    @Test(
        "another program can neither answer a notice nor take it away, also by a signal to host-agent alone")
    func forger() async throws {
        let service = try await Service.start(Self.notifications)
        let texts = try await HeldTexts.start(on: service.bus)
        let added = try texts.desk.store.add(text: "Mine.", locale: "en-US")
        try await service.program.waitForLine(containing: "notice 1")
        let line = try #require(service.program.lines.first { $0.text.hasPrefix("asked by ") })
        let host = line.text.dropFirst("asked by ".count)
        let signals = [["ActionInvoked", "string:discard"], ["NotificationClosed", "uint32:2"]]
        for (receiver, signal) in signals.flatMap({ signal in [[], ["--dest=\(host)"]].map { ($0, signal) } })
        {
            try await Program.run(
                "dbus-send",
                ["--session", "--type=signal"] + receiver + [
                    "/org/freedesktop/Notifications", "org.freedesktop.Notifications.\(signal[0])",
                    "uint32:1",
                    signal[1],
                ], environment: service.bus.environment)
        }
        try await Self.click("insert", in: 1, on: service.bus)
        try await texts.window.waitForText(equal: "Mine.")
        try await texts.desk.waitForDictation(added.id) { $0.delivery == .inserted }
        await texts.end()
        await service.end()
    }

    @Test("a service that was started again shows the next notice, and other programs keep theirs")
    func serviceStartedAgain() async throws {
        let service = try await Service.start(Self.notifications)
        let texts = try await HeldTexts.start(on: service.bus)
        let first = try texts.desk.store.add(text: "First.", locale: "en-US")
        try await service.program.waitForLine(containing: "notice 1")
        await service.program.end()
        let again = try Program.start(
            "/usr/bin/python3", ["-u", "-c", Self.notifications], environment: service.bus.environment)
        try await again.waitForLine(containing: "serving")
        try await Program.run(
            "gdbus",
            [
                "call", "--session", "--dest=org.freedesktop.Notifications",
                "--object-path=/org/freedesktop/Notifications",
                "--method=org.freedesktop.Notifications.Notify", "mail", "0", "", "New mail", "", "[]", "{}",
                "--", "-1",
            ], environment: service.bus.environment)
        try await again.waitForLine(containing: "notice 1")
        _ = try await texts.desk.dictstate("discard", first.id.description)
        _ = try texts.desk.store.add(text: "Second.", locale: "en-US")
        try await again.waitForLine(containing: "notice 2")
        try await Self.click("insert", in: 2, on: service.bus)
        try await texts.window.waitForText(equal: "Second.")
        try await again.waitForLine(containing: "closed 2")
        #expect(!again.output.contains("closed 1"))
        await texts.end()
        await again.end()
        await service.bus.end()
    }

    @Test("a notice that a service shows late, as it has to be started first, can be answered")
    func lateService() async throws {
        let folder = try TemporaryFolder("notices")
        let script = try folder.write(
            Self.notifications.replacing(
                "print(\"notice\", count, arguments.unpack())",
                with: "bus.emit_signal(None, path, interface, 'Shown', GLib.Variant('(u)', (count,)))"),
            to: "notifications.py")
        let bus = try await SessionBus.start(
            slow: .init(
                name: "org.freedesktop.Notifications", program: "/usr/bin/python3 \(script)", seconds: 7))
        let monitor = try Program.start(
            "dbus-monitor", ["--session", "interface='org.freedesktop.Notifications'"],
            environment: bus.environment)
        try await monitor.waitForLine(containing: "NameAcquired")
        let texts = try await HeldTexts.start(on: bus)
        _ = try texts.desk.store.add(text: "Late.", locale: "en-US")
        try await monitor.waitForLine(containing: "member=Shown")
        try await Self.click("insert", in: 1, on: bus)
        try await texts.window.waitForText(equal: "Late.")
        await texts.end()
        await monitor.end()
        await bus.end()
    }

    @Test("a text that no insert-agent types is reported, until one has it")
    func stranded() async throws {
        let service = try await Service.start(Self.notifications)
        let desk = try await Desk.set()
        let window = try await TextWindow.start(.gtkEntry, on: desk.display, title: "Letter")
        let host = try Program.start(
            BuildFolder.program("host-agent"), [],
            environment: desk.environment.merging(service.bus.environment) { $1 })
        try await host.waitForLine(containing: "host-agent is ready")
        let added = try desk.store.add(text: "For nobody yet.", locale: "en-US")
        let notice = try await service.program.waitForLine(containing: "notice 1")
        #expect(notice.text.contains("insert-agent does not run"))
        #expect(notice.text.contains("systemctl --user start insert-agent"))
        let inserter = try await desk.startInserter()
        try await window.waitForText(equal: "For nobody yet.")
        try await desk.waitForDictation(added.id) { $0.delivery == .inserted }
        try await service.program.waitForLine(containing: "closed 1")
        await desk.end(host, inserter)
        await service.end()
    }

    @Test("a choice in the desktop's menu says on the desktop why nothing came of it")
    func menu() async throws {
        let service = try await Service.start(Self.notifications)
        let folder = try TemporaryFolder("menu & links")
        let script = try String(
            contentsOfFile: repositoryFile("packaging/desktop/voicedictation-open"), encoding: .utf8)
        let program = try folder.write(
            script.replacing("@bindir@/dictstate", with: BuildFolder.program("dictstate")), to: "open")
        let environment = service.bus.environment.merging(["VOICEDICTATION_GROUP": folder.file("group")]) {
            $1
        }
        let open = try Program.start("sh", [program, "open"], environment: environment)
        let notice = try await service.program.waitForLine(containing: "notice 1")
        #expect(notice.text.contains("'No host-agent is running. Start it: host-agent, or systemctl --user"))
        #expect(try await open.exitCode == 2)
        #expect(open.errors.contains("No host-agent is running"))
        let wrong = try Program.start("sh", [program, "open", "<other>&"], environment: environment)
        #expect(try await wrong.exitCode == 64)
        let second = try await service.program.waitForLine(containing: "notice 2")
        #expect(second.text.contains("“&lt;other&gt;&amp;” is not a known link"))
        await service.end()
    }
}
