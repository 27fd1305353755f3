import DictationShared
import Foundation
import TestSupport
import Testing

/// Locks, sleep and other sessions, as a logind of the tests' own reports them.
@Suite("The login session", .serialized, .timeLimit(.minutes(5)))
struct LoginSessionTests {
    /// SIGUSR1 locks the session, SIGUSR2 unlocks it; SIGHUP asks for a lock, and the locker says nothing. SIGWINCH puts
    /// the machine to sleep and wakes it, SIGINT brings another session to the foreground and this one back. The user has
    /// other sessions as well, which are never in the foreground: a text login, and one that has not ended.
    private static let logind = """
        import os, signal
        from gi.repository import Gio, GLib
        SESSION = "/org/freedesktop/login1/session/_31"
        USER = "/org/freedesktop/login1/user/_31"
        DISPLAY = ("1", SESSION)
        KINDS = {SESSION + "2": ("tty", "online"), SESSION + "3": ("x11", "closing"), SESSION: ("x11", "active"),
                 SESSION + "4": ("wayland", "online")}
        XML = '''<node>
        <interface name="org.freedesktop.login1.Manager">
          <method name="ListSessions"><arg type="a(susso)" direction="out"/></method>
          <method name="GetUser"><arg type="u" direction="in"/><arg type="o" direction="out"/></method>
          <signal name="PrepareForSleep"><arg type="b"/></signal>
        </interface>
        <interface name="org.freedesktop.login1.Session">
          <property name="LockedHint" type="b" access="read"/>
          <property name="Active" type="b" access="read"/>
          <property name="Type" type="s" access="read"/>
          <property name="State" type="s" access="read"/>
          <signal name="Lock"/><signal name="Unlock"/>
        </interface>
        <interface name="org.freedesktop.login1.User">
          <property name="Display" type="(so)" access="read"/>
        </interface></node>'''
        bus = None
        locked = False
        active = True
        asleep = False
        def call(connection, sender, path, interface, method, arguments, invocation):
            if method == "GetUser":
                invocation.return_value(GLib.Variant("(o)", (USER,)))
                return
            sessions = [("9", os.getuid() + 1, "other", "seat0", SESSION + "9")]
            sessions += [(path[len(SESSION):] or "1", os.getuid(), "me", "seat0", path) for path in KINDS]
            print("asked")
            invocation.return_value(GLib.Variant("(a(susso))", (sessions,)))
        def get(connection, sender, path, interface, name):
            print("looked", name, path)
            if name == "Display":
                return GLib.Variant("(so)", DISPLAY)
            if name in ("Type", "State"):
                return GLib.Variant("s", KINDS[path][name == "State"])
            return GLib.Variant("b", path == SESSION and (active if name == "Active" else locked))
        def acquired(connection, name):
            global bus
            bus = connection
            node = Gio.DBusNodeInfo.new_for_xml(XML)
            bus.register_object("/org/freedesktop/login1", node.interfaces[0], call, None, None)
            for path in KINDS:
                bus.register_object(path, node.interfaces[1], None, get, None)
            bus.register_object(USER, node.interfaces[2], None, get, None)
        def tell(name):
            bus.emit_signal(None, SESSION, "org.freedesktop.login1.Session", name, None)
            return True
        def show(name, value):
            bus.emit_signal(None, SESSION, "org.freedesktop.DBus.Properties", "PropertiesChanged",
                GLib.Variant("(sa{sv}as)", ("org.freedesktop.login1.Session", {name: GLib.Variant("b", value)}, [])))
            return True
        def change(name):
            global locked
            locked = name == "Lock"
            show("LockedHint", locked)
            return tell(name)
        def switch():
            global active
            active = not active
            return show("Active", active)
        def sleep():
            global asleep
            asleep = not asleep
            bus.emit_signal(None, "/org/freedesktop/login1", "org.freedesktop.login1.Manager", "PrepareForSleep",
                GLib.Variant("(b)", (asleep,)))
            return True
        GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGWINCH, sleep)
        GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGINT, switch)
        GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGUSR1, change, "Lock")
        GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGUSR2, change, "Unlock")
        GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGHUP, tell, "Lock")
        Gio.bus_own_name(Gio.BusType.SESSION, "org.freedesktop.login1", 0, acquired, lambda *_: print("serving"), None)
        GLib.MainLoop().run()
        """

    /// A desk whose two agents follow the session.
    private struct Place {
        let service: BusTests.Service
        let desk: Desk
        let window: TextWindow
        let host: Program
        let inserter: Program

        static func set() async throws -> Place {
            let service = try await BusTests.Service.start(LoginSessionTests.logind)
            let desk = try await Desk.set()
            let window = try await TextWindow.start(.gtkEntry, on: desk.display, title: "Letter")
            let environment = desk.environment.merging(["DBUS_SYSTEM_BUS_ADDRESS": service.address]) { $1 }
            let host = try Program.start(BuildFolder.program("host-agent"), [], environment: environment)
            try await host.waitForLine(containing: "host-agent is ready")
            let looked = try await service.program.waitForLine(containing: "looked Active")
            let inserter = try Program.start(
                BuildFolder.program("insert-agent"), [], environment: environment)
            try await inserter.waitForLine(containing: "insert-agent is ready")
            try await service.program.waitForLine(containing: "looked Active", from: looked.number + 1)
            return Place(service: service, desk: desk, window: window, host: host, inserter: inserter)
        }
    }

    @Test("a lock ends the recording, nothing is typed or begun, and all works again when it is over")
    func lock() async throws {
        let place = try await Place.set()
        let (service, desk, window) = (place.service, place.desk, place.window)
        let (host, inserter) = (place.host, place.inserter)
        _ = try await desk.dictstate("start")
        try await desk.waitForDictation { $0.status == .recording }
        try await desk.speak(seconds: 3)
        service.program.signal(SIGUSR1)
        let state = try await desk.waitForDictation { $0.isSettled }
        #expect(state.delivery == .held(.userAway))
        let start = try desk.start("dictstate", "start")
        #expect(try await start.exitCode == 1)
        #expect(start.errors.contains("the session is locked"))
        service.program.signal(SIGUSR2)
        for agent in [host, inserter] { try await agent.waitForLine(containing: "not locked any more") }
        _ = try await desk.dictstate("start")
        _ = try await desk.dictstate("cancel")
        _ = try await desk.dictstate("insert", state.id.description)
        try await window.waitForText(equal: state.cleanedText)
        // A locker that never says that it is over keeps nothing from being typed forever.
        _ = try await desk.dictstate("start")
        let last = try await desk.waitForDictation { $0.status == .recording }
        try await desk.speak(seconds: 3)
        service.program.signal(SIGHUP)
        try await desk.waitForDictation(last.id) { $0.delivery == .inserted }
        await desk.end(host, inserter)
        await service.end()
    }

    @Test(
        "sleep and another session end the recording as a lock does, and each is called what it is",
        arguments: [
            (
                SIGWINCH, HoldReason.machineSlept, "the machine is about to sleep",
                "does not sleep any more"
            ),
            (
                SIGINT, .otherSession, "another session is in the foreground", "is in the foreground again"
            ),
        ])
    func away(signal: Int32, reason: HoldReason, away: String, back: String) async throws {
        let place = try await Place.set()
        let (service, desk, window) = (place.service, place.desk, place.window)
        let (host, inserter) = (place.host, place.inserter)
        _ = try await desk.dictstate("start")
        try await desk.waitForDictation { $0.status == .recording }
        try await desk.speak(seconds: 3)
        service.program.signal(signal)
        let state = try await desk.waitForDictation { $0.isSettled }
        #expect(state.delivery == .held(reason))
        #expect(try await desk.dictstate("show", state.id.description).contains(reason.explanation))
        let start = try desk.start("dictstate", "start")
        #expect(try await start.exitCode == 1)
        #expect(start.errors.contains("\(away); nothing is recorded"))
        service.program.signal(signal)
        for agent in [host, inserter] { try await agent.waitForLine(containing: back) }
        _ = try await desk.dictstate("insert", state.id.description)
        try await window.waitForText(equal: state.cleanedText)
        await desk.end(host, inserter)
        await service.end()
    }

    @Test(
        "the session of the desktop is followed, be it told by logind or only listed, or that of the process",
        arguments: [
            ("(\"1\", SESSION)", nil, "_31"), ("(\"4\", SESSION + \"4\")", nil, "_314"),
            // None is graphical, says logind; it is one that has ended.
            ("(\"\", \"/\")", nil, "_31"), ("(\"3\", SESSION + \"3\")", nil, "_31"),
            ("(\"1\", SESSION)", "2", "_312"), ("(\"1\", SESSION)", "3", "_31"),
        ] as [(String, String?, String)])
    func ownSession(display: String, own: String?, followed: String) async throws {
        let service = try await BusTests.Service.start(
            Self.logind.replacing("(\"1\", SESSION)", with: display))
        let desk = try await Desk.set()
        var environment = desk.environment.merging(["DBUS_SYSTEM_BUS_ADDRESS": service.address]) { $1 }
        environment["XDG_SESSION_ID"] = own
        let inserter = try Program.start(BuildFolder.program("insert-agent"), [], environment: environment)
        let looked = try await service.program.waitForLine(containing: "looked Active")
        #expect(looked.text.hasSuffix("/\(followed)"), "\(looked.text)")
        await desk.end(inserter)
        await service.end()
    }
}
