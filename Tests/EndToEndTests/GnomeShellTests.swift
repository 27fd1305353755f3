import Desktop
import DictationShared
import Foundation
import TestSupport
import Testing

/// If GNOME Shell is installed: the search field of its overview, which it draws itself, and a terminal, to
/// which it passes on what IBus gives it.
@Suite(
    "Dictating in GNOME Shell", .serialized, .timeLimit(.minutes(5)),
    .enabled(if: MutterDesktop.hasShell))
struct GnomeShellTests {
    @Test("a text goes exactly into the search field, by each way", arguments: ["type", "ibus"])
    func searched(method: String) async throws {
        let desktop = try await MutterDesktop.start(isShell: true)
        let desk = try await Desk.set()
        let environment = desk.environment.merging(["DISPLAY": "", "VOICEDICTATION_INSERT_METHOD": method]) {
            $1
        }
        .merging(desktop.environment) { $1 }
        try await waitForIBus(desktop)
        // The overview is there at first. Its field has the focus from the first letter on.
        try await desktop.key(0x61, isDown: true)
        try await desktop.key(0x61, isDown: false)
        while try await shown(desktop) != #""a""# { await Task.yield() }
        let inserter = try Program.start(BuildFolder.program("insert-agent"), [], environment: environment)
        try await inserter.waitForLine(containing: "insert-agent is ready")
        var expected = "a"
        for text in [" Grüße, 日本語 👩‍💻!", String(repeating: " All work and no play.", count: 10)] {
            let id = try desk.store.add(text: text, locale: "en-US", isExact: true).id
            let state = try await desk.waitForDictation(id) { $0.isSettled }
            #expect(state.delivery == .inserted)
            #expect(state.route?.way == (method == "ibus" ? .ibus : .accessibility))
            #expect(state.route?.isConfirmed == true)
            expected += text
            #expect(try await shown(desktop) == "\"\(expected)\"")
        }
        await inserter.end()
        await desk.end()
        await desktop.end()
    }

    @Test("a text goes exactly into a terminal")
    func terminal() async throws {
        let desktop = try await MutterDesktop.start(isShell: true)
        let desk = try await Desk.set()
        let environment = desk.environment.merging(["DISPLAY": ""]) { $1 }.merging(desktop.environment) { $1 }
        try await waitForIBus(desktop)
        _ = try await evaluate("Main.overview.hide()", desktop)
        let window = try await MutterWindow.start(.gtk3, .terminal, on: desktop, title: "Shell")
        let inserter = try Program.start(BuildFolder.program("insert-agent"), [], environment: environment)
        try await inserter.waitForLine(containing: "insert-agent is ready")
        var expected = ""
        for text in ["Grüße, 日本語 👩‍💻!", String(repeating: " All work and no play.", count: 30)] {
            let id = try desk.store.add(text: text, locale: "en-US", isExact: true).id
            let state = try await desk.waitForDictation(id) { $0.isSettled }
            #expect(state.delivery == .inserted)
            #expect(state.route == InsertionRoute(.ibus, isConfirmed: false))
            expected += text
            try await window.waitForText(equal: expected)
        }
        await inserter.end()
        await window.end()
        await desk.end()
        await desktop.end()
    }

    /// It starts IBus itself.
    private func waitForIBus(_ desktop: MutterDesktop) async throws {
        while try await evaluate("imports.misc.ibusManager.getIBusManager()._ready", desktop) != "true" {
            await Task.yield()
        }
    }

    /// The text in the search field, as JSON.
    private func shown(_ desktop: MutterDesktop) async throws -> String {
        try await evaluate("Main.overview.searchEntry.get_text()", desktop)
    }

    /// Evaluates a line of JavaScript in GNOME Shell; the result is JSON.
    private func evaluate(_ line: String, _ desktop: MutterDesktop) async throws -> String {
        let script = """
            import sys
            from gi.repository import Gio, GLib
            bus = Gio.bus_get_sync(Gio.BusType.SESSION)
            name = "org.gnome.Shell"
            print(bus.call_sync(name, "/org/gnome/Shell", name, "Eval", GLib.Variant("(s)", (sys.argv[1],)), None, 0, -1, None)[1])
            """
        return try await Program.run(
            "/usr/bin/python3", ["-c", script, line], environment: desktop.environment
        ).trimmingCharacters(in: .newlines)
    }
}
