import DictationShared
import Foundation
import TestSupport
import Testing

/// Notices and players, on message buses of the tests' own.
@Suite("The desktop's services", .serialized, .timeLimit(.minutes(5)))
struct BusTests {
    /// A bus, and a service on it.
    struct Service {
        let bus: SessionBus
        let program: Program

        var address: String { bus.address }

        static func start(_ script: String) async throws -> Service {
            let bus = try await SessionBus.start()
            // Debian's own Python is the one that has GLib.
            let program = try Program.start(
                "/usr/bin/python3", ["-u", "-c", script],
                environment: bus.environment)
            try await program.waitForLine(containing: "serving")
            return Service(bus: bus, program: program)
        }

        func end() async {
            await program.end()
            await bus.end()
        }
    }

    static let notifications = """
        from gi.repository import Gio, GLib
        XML = '''<node><interface name="org.freedesktop.Notifications">
          <method name="Notify">
            <arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="s" direction="in"/>
            <arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="as" direction="in"/>
            <arg type="a{sv}" direction="in"/><arg type="i" direction="in"/><arg type="u" direction="out"/>
          </method>
          <method name="CloseNotification"><arg type="u" direction="in"/></method>
          <method name="Click"><arg type="u" direction="in"/><arg type="s" direction="in"/></method>
        </interface></node>'''
        count = 0
        def call(bus, sender, path, interface, method, arguments, invocation):
            global count
            if method == "CloseNotification":
                print("closed", arguments.unpack()[0])
                invocation.return_value(None)
                return
            if method == "Click":
                bus.emit_signal(None, path, interface, "ActionInvoked", arguments)
                invocation.return_value(GLib.Variant("()", ()))
                return
            count += 1
            invocation.return_value(GLib.Variant("(u)", (count,)))
            # On its way before a test can react: a signal of another program would overtake it.
            bus.flush_sync(None)
            print("asked by", sender)
            print("notice", count, arguments.unpack())
        def acquired(bus, name):
            node = Gio.DBusNodeInfo.new_for_xml(XML)
            bus.register_object("/org/freedesktop/Notifications", node.interfaces[0], call, None, None)
        Gio.bus_own_name(Gio.BusType.SESSION, "org.freedesktop.Notifications", 0, acquired,
                         lambda *_: print("serving"), None)
        GLib.MainLoop().run()
        """

    @Test("a held text is announced, and the answer Insert types it")
    func notice() async throws {
        let service = try await Service.start(Self.notifications)
        let desk = try await Desk.set()
        try desk.folder.write("[insert]\npolicy = \"hold\"\n", to: "settings.toml")
        let window = try await TextWindow.start(.gtkEntry, on: desk.display, title: "Letter")
        let environment = desk.environment.merging(["DBUS_SESSION_BUS_ADDRESS": service.address]) { $1 }
        let host = try Program.start(BuildFolder.program("host-agent"), [], environment: environment)
        try await host.waitForLine(containing: "host-agent is ready")
        let inserter = try await desk.startInserter()
        let added = try desk.store.add(text: "Held & <b>safe</b>.", locale: "en-US")
        let notice = try await service.program.waitForLine(containing: "notice 1")
        #expect(notice.text.contains("Held &amp; &lt;b&gt;safe"))
        #expect(notice.text.contains("'insert', 'Insert', 'copy', 'Copy', 'discard', 'Discard'"))
        try await Self.click("insert", in: 1, on: service.bus)
        try await window.waitForText(equal: "Held & <b>safe</b>.")
        try await desk.waitForDictation(added.id) { $0.delivery == .inserted }
        try await service.program.waitForLine(containing: "closed 1")
        await desk.end(host, inserter)
        await service.end()
    }

    @Test("a word that was replaced twice by voice is offered, and the answer Learn adds it")
    func learn() async throws {
        let service = try await Service.start(Self.notifications)
        let desk = try await Desk.set()
        let environment = desk.environment.merging(["DBUS_SESSION_BUS_ADDRESS": service.address]) { $1 }
        let host = try Program.start(
            BuildFolder.program("host-agent"), ["--no-hotkey"], environment: environment)
        try await host.waitForLine(containing: "host-agent is ready")
        // As the agents write it.
        for words in ["Replace cooper netties with Kubernetes.", "replace Cooper netties with Kubernetes"] {
            let id = try desk.store.begin(target: nil, engine: "test", locale: "en-US").id
            try DictationKeeper(store: desk.store).apply(
                .init(rawText: words, cleanedText: ""), asking: .edit(.init(words: words), spokenIn: id),
                of: id,
                timeToLive: 100_000)
            _ = try desk.store.claimNext(by: .current, patience: 60)
            try desk.store.apply(.inserted(milliseconds: 1), to: id)
        }
        let notice = try await service.program.waitForLine(containing: "notice 1")
        #expect(notice.text.contains("Always write it this way?") && notice.text.contains("'learn', 'Learn'"))
        #expect(notice.text.contains("cooper netties"))
        try await Self.click("learn", in: 1, on: service.bus)
        try await host.waitForLine(containing: "words were learned")
        let dictionary = try String(contentsOfFile: desk.folder.file("dictionary.toml"), encoding: .utf8)
        #expect(dictionary.contains("heard = \"cooper netties\"\nwritten = \"Kubernetes\""))
        await desk.end(host)
        await service.end()
    }

    @Test("a better recognizer is offered once, installed once, and a failure says what to do")
    func offer() async throws {
        let service = try await Service.start(Self.notifications)
        let desk = try await Desk.set()
        // Nothing can be fetched.
        let environment = desk.environment.merging([
            "DBUS_SESSION_BUS_ADDRESS": service.address, "VOICEDICTATION_NOTICES_OFFERS": "true",
            "PIP_NO_INDEX": "1", "VOICEDICTATION_ENGINES": desk.folder.file("engines"),
        ]) { $1 }
        func startHost() async throws -> Program {
            let host = try Program.start(BuildFolder.program("host-agent"), [], environment: environment)
            try await host.waitForLine(containing: "host-agent models install moonshine-tiny-en")
            return host
        }
        let host = try await startHost()
        let offer = try await service.program.waitForLine(containing: "Install the better recognizer (")
        #expect(offer.text.contains("'install', 'Install (") && offer.text.contains("'later', 'Not now'"))
        for _ in 0..<2 { try await Self.click("install", in: 1, on: service.bus) }
        try await service.program.waitForLine(containing: "Installing the better recognizer: 0 %")
        let failed = try await service.program.waitForLine(containing: "could not be installed")
        #expect(failed.text.contains("host-agent models install moonshine-tiny-en"))
        #expect(failed.text.contains("'install', 'Try again'"))
        let log = host.lines.filter { $0.text.contains("as was asked for in the notification") }
        #expect(log.count == 1)
        await host.end()
        // The same day.
        let next = try await startHost()
        await desk.end(next)
        #expect(service.program.output.ranges(of: "Install the better recognizer (").count == 1)
        await service.end()
    }

    @Test("a language that no model in use knows is reported at the start, by the check and by the dictation")
    func language() async throws {
        let service = try await Service.start(Self.notifications)
        let desk = try await Desk.set()
        let catalogue = try desk.folder.write(
            """
            {"models": [{"name": "tones-de", "engine": "sherpa-onnx", "licence": "MIT",
            "description": {"family": "streaming-zipformer2-ctc", "languages": ["de"],
            "files": {"model": "model.onnx", "tokens": "tokens.txt"}}, "files": [
            {"path": "model.onnx", "size": 1, "sha256": "\(String(repeating: "0", count: 64))", "address": "a"},
            {"path": "tokens.txt", "size": 1, "sha256": "\(String(repeating: "0", count: 64))", "address": "b"}]}]}
            """, to: "models.json")
        try desk.folder.write(
            "[speech]\nlocale = \"de-DE\"\n[models]\ncatalogue = \"\(catalogue)\"\n", to: "settings.toml")
        let environment = desk.environment.merging(["DBUS_SESSION_BUS_ADDRESS": service.address]) { $1 }
        let host = try Program.start(BuildFolder.program("host-agent"), [], environment: environment)
        let line = try await host.waitForLine(containing: "No model in use knows “de-DE”")
        let command = try #require(line.text.firstMatch(of: /host-agent models install \S+/)?.output)
        let notice = try await service.program.waitForLine(containing: "Dictations cannot be recognized")
        #expect(notice.text.contains(command))
        let check = try desk.start("host-agent", "check", "--engine")
        #expect(try await check.exitCode == 1)
        #expect(check.output.contains(command))
        _ = try await desk.dictstate("start")
        _ = try await desk.start("dictstate", "stop").waitForExit()
        let state = try await desk.waitForDictation { $0.isSettled }
        #expect(state.error?.code == "unsupported-locale" && state.error?.message.contains(command) == true)
        await desk.end(host)
        await service.end()
    }

    /// Takes a name and its first behavior; prints its requests.
    private static let player = """
        from gi.repository import Gio, GLib
        status = "STATUS"
        XML = '''<node><interface name="org.mpris.MediaPlayer2.Player">
          <method name="Pause"/><method name="Play"/><property name="PlaybackStatus" type="s" access="read"/>
        </interface></node>'''
        def call(bus, sender, path, interface, method, arguments, invocation):
            global status
            status = "Playing" if method == "Play" else "Paused"
            print("asked to", method)
            invocation.return_value(None)
        def get(*_):
            return GLib.Variant("s", status)
        def acquired(bus, name):
            node = Gio.DBusNodeInfo.new_for_xml(XML)
            bus.register_object("/org/mpris/MediaPlayer2", node.interfaces[0], call, get, None)
        Gio.bus_own_name(Gio.BusType.SESSION, "org.mpris.MediaPlayer2.STATUS", 0, acquired,
                         lambda *_: print("serving"), None)
        GLib.MainLoop().run()
        """

    @Test(
        "players that play are paused while a recording lasts, and no others; a killed host leaves none paused for ever"
    )
    func players() async throws {
        let playing = try await Service.start(Self.player.replacing("STATUS", with: "Playing"))
        let paused = try Program.start(
            "/usr/bin/python3", ["-u", "-c", Self.player.replacing("STATUS", with: "Paused")],
            environment: ["DBUS_SESSION_BUS_ADDRESS": playing.address])
        try await paused.waitForLine(containing: "serving")
        let desk = try await Desk.set()
        try desk.folder.write("[audio]\npause-players = true\n", to: "settings.toml")
        let environment = desk.environment.merging(["DBUS_SESSION_BUS_ADDRESS": playing.address]) { $1 }
        func startHost() async throws -> Program {
            let host = try Program.start(BuildFolder.program("host-agent"), [], environment: environment)
            try await host.waitForLine(containing: "host-agent is ready")
            return host
        }
        let host = try await startHost()
        _ = try await desk.dictstate("start")
        let first = try await playing.program.waitForLine(containing: "asked to Pause")
        _ = try await desk.dictstate("cancel")
        let resumed = try await playing.program.waitForLine(
            containing: "asked to Play", from: first.number + 1)
        _ = try await desk.dictstate("start")
        let second = try await playing.program.waitForLine(
            containing: "asked to Pause", from: resumed.number + 1)
        try await desk.kill(host)
        let next = try await startHost()
        let mended = try await playing.program.waitForLine(
            containing: "asked to Play", from: second.number + 1)
        // An agent that is stopped in the middle of a recording lets them play again as well.
        _ = try await desk.dictstate("start")
        let third = try await playing.program.waitForLine(
            containing: "asked to Pause", from: mended.number + 1)
        await next.end()
        try await playing.program.waitForLine(containing: "asked to Play", from: third.number + 1)
        #expect(!paused.output.contains("asked"))
        #expect(!FileManager.default.fileExists(atPath: desk.group.pausedPlayers.path))
        await desk.end(paused)
        await playing.end()
    }
}
