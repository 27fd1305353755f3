import Foundation
import TestSupport
import Testing

/// Doctor and the setup in each kind of session, with real display servers.
@Suite("Kinds of sessions", .serialized, .timeLimit(.minutes(5)))
struct SessionKindTests {
    /// The findings of host-agent's check about the desktop.
    private static func check(_ environment: [String: String]) async throws -> (code: Int32, output: String) {
        let check = try Program.start(
            BuildFolder.program("host-agent"), ["check", "--display"], environment: environment)
        return (try await check.exitCode, check.output)
    }

    @Test("X11: every window gets text, and the key is grabbed; without any session all of it is missing")
    func x11() async throws {
        let desk = try await Desk.set()
        let found = try await Self.check(desk.environment)
        #expect(found.code == 0)
        #expect(found.output.contains("hotkey: ok, F9 is free") && !found.output.contains("session:"))
        let none = try await Self.check(desk.environment.merging(["DISPLAY": ""]) { $1 })
        #expect(none.code == 69 && none.output.contains("display: DISPLAY is not set"))
        await desk.end()
    }

    @Test(
        "sway: native windows get text; the key is heard over X11 windows, or not at all",
        arguments: [true, false])
    func sway(hasX11: Bool) async throws {
        let desktop = try await WaylandDesktop.start()
        let desk = try await Desk.set()
        var environment = desk.environment.merging(desktop.environment) { $1 }
        if !hasX11 { environment["DISPLAY"] = "" }
        let found = try await Self.check(environment)
        #expect(found.code == 0)
        #expect(
            found.output.contains(
                "session: ok, Wayland (sway), \(hasX11 ? "with" : "without") XWayland; protocols for virtual keyboard, "
                    + "focused window, input method, clipboard, overlay"))
        #expect(found.output.contains("windows: ok, native windows"))
        #expect(
            found.output.contains(
                hasX11 ? "F9 is heard only while an X11 window (XWayland) has the focus" : "F9 is not heard"))
        #expect(found.output.contains("Run: dictstate setup bindings"))
        await desk.end()
        await desktop.end()
    }

    @Test("a compositor without these protocols: what is missing is reported, with XWayland and without")
    func withoutProtocols() async throws {
        let weston = try await WestonDesktop.start()
        let desk = try await Desk.set()
        let environment = desk.environment.merging(weston.environment) { $1 }
        // An X server next to the compositor takes the role of XWayland here.
        let both = try await Self.check(environment)
        #expect(both.code == 0)
        #expect(both.output.contains("none of the protocols that dictation can use"))
        #expect(both.output.contains("windows: only X11 windows (XWayland) can be dictated into"))
        #expect(both.output.contains("Bind dictstate press and dictstate release"))
        let alone = try await Self.check(environment.merging(["DISPLAY": ""]) { $1 })
        #expect(alone.code == 69 && alone.output.contains("Turn XWayland on"))
        await desk.end()
        await weston.end()
    }

    @Test("a session that takes its time to start the accessibility bus is waited for")
    func slowAccessibility() async throws {
        let session = try await SessionBus.start(
            slow: .init(name: "org.a11y.Bus", program: "/usr/libexec/at-spi-bus-launcher", seconds: 3))
        let weston = try await WestonDesktop.start()
        let desk = try await Desk.set()
        let found = try await Self.check(
            desk.environment.merging(weston.environment) { $1 }.merging(session.environment) { $1 })
        #expect(found.output.contains("text goes into text fields of GTK that programs show"))
        await desk.end()
        await weston.end()
        await session.end()
    }

    @Test("GNOME without a portal: custom shortcuts are added to the user's list, once, and taken out again")
    func shortcuts() async throws {
        let weston = try await WestonDesktop.start()
        let desk = try await Desk.set()
        let environment = desk.environment.merging(weston.environment) { $1 }.merging([
            "DISPLAY": "", "XDG_CURRENT_DESKTOP": "GNOME", "GSETTINGS_BACKEND": "keyfile",
            "XDG_CONFIG_HOME": desk.folder.file("config"),
        ]) { $1 }
        let schema = "org.gnome.settings-daemon.plugins.media-keys"
        let folder = "/org/gnome/settings-daemon/plugins/media-keys/custom-keybindings"
        let gsettings = { (arguments: [String]) in
            try await Program.run("gsettings", arguments, environment: environment)
        }
        _ = try await gsettings(["set", schema, "custom-keybindings", "['\(folder)/mine/']"])
        let setup = { (arguments: [String]) in
            let setup = try Program.start(
                BuildFolder.program("dictstate"), ["setup"] + arguments, environment: environment)
            _ = try await setup.waitForExit()
            return setup.output
        }
        for _ in 0..<2 {
            #expect(
                try await setup(["--yes", "bindings"]).contains("ok       bindings    GNOME has the keys"))
            #expect(
                try await gsettings(["get", schema, "custom-keybindings"])
                    == "['\(folder)/mine/', '\(folder)/voicedictation/', '\(folder)/voicedictation-insert/']\n"
            )
        }
        let key = "\(schema).custom-keybinding:\(folder)/voicedictation/"
        #expect(try await gsettings(["get", key, "binding"]) == "'F9'\n")
        #expect(try await gsettings(["get", key, "command"]).hasSuffix("dictstate toggle'\n"))
        #expect(try await Self.check(environment).output.contains("GNOME has F9 as a custom shortcut"))
        // The programs were somewhere else when they were added.
        _ = try await gsettings(["set", key, "command", "'/nowhere/bin/dictstate toggle'"])
        #expect(try await !Self.check(environment).output.contains("as a custom shortcut"))
        #expect(try await setup(["--remove-bindings"]).contains("Removed from GNOME"))
        #expect(try await gsettings(["get", schema, "custom-keybindings"]) == "['\(folder)/mine/']\n")
        #expect(try await gsettings(["get", key, "binding"]) == "''\n")
        // On KDE and others there is advice.
        let other = environment.merging(["XDG_CURRENT_DESKTOP": "KDE"]) { $1 }
        let kde = try Program.start(
            BuildFolder.program("dictstate"), ["setup", "--yes", "bindings"], environment: other)
        #expect(try await kde.exitCode == 1)
        #expect(kde.output.contains("System Settings, Shortcuts"))
        await desk.end()
        await weston.end()
    }
}
