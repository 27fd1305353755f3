import DictationShared
import DictationSystem
import Foundation
import Glibc
import TestSupport
import Testing

/// The item in a real tray: Waybar's, on a sway of the test's own.
@Suite("The item in the tray", .serialized, .timeLimit(.minutes(5)))
struct TrayTests {
    /// The item as a tray asks for it, over the bus.
    private struct Item {
        let environment: [String: String]
        let name: String

        func call(_ path: String, _ method: String, _ arguments: String...) async throws -> String {
            let call = try Program.start(
                "dbus-send", ["--session", "--print-reply", "--dest=\(name)", path, method] + arguments,
                environment: environment)
            #expect(try await call.exitCode == 0, "\(call.errors)")
            return call.output
        }

        func layout() async throws -> String {
            try await call(
                "/MenuBar", "com.canonical.dbusmenu.GetLayout", "int32:0", "int32:-1", "array:string:")
        }

        /// The number of the entry with this label.
        func number(of label: String) async throws -> String {
            let layout = try await layout()
            let entry = try Regex(
                #"int32 (\d+)\s+array \[\s+dict entry\(\s+string "label"\s+variant\s+string "\#(label)""#)
            let match = try #require(layout.firstMatch(of: entry), "\(layout)")
            return String(try #require(match.output[1].substring))
        }

        func choose(_ number: String) async throws {
            _ = try await call(
                "/MenuBar", "com.canonical.dbusmenu.Event", "int32:\(number)", "string:clicked",
                "variant:int32:0",
                "uint32:0")
        }

        func click() async throws {
            _ = try await call(
                "/StatusNotifierItem", "org.kde.StatusNotifierItem.Activate", "int32:0", "int32:0")
        }
    }

    @Test(
        "a tray that comes later shows it; its menu types a held text, a click records, and the settings remove it"
    )
    func tray() async throws {
        let session = try await SessionBus.start()
        let bus = session.environment
        let signals = try Program.start(
            "dbus-monitor",
            [
                "--session", "interface='org.kde.StatusNotifierWatcher'",
                "interface='org.kde.StatusNotifierItem'",
            ],
            environment: bus)
        try await signals.waitForLine(containing: "NameAcquired")
        let notices = try Program.start(
            "/usr/bin/python3", ["-u", "-c", BusTests.notifications], environment: bus)
        try await notices.waitForLine(containing: "serving")
        let desk = try await Desk.set()
        // A desktop on which nothing opens a file.
        let opener = try desk.folder.write("#!/bin/sh\nexit 3\n", to: "xdg-open")
        chmod(opener, 0o755)
        // The service manager: it starts programs, and this one records them.
        let manager = try desk.folder.write(
            "#!/bin/sh\necho \"$*\" >\"$0.told\"\nwhile [ \"$1\" != -- ]; do shift; done\nshift\nexec \"$@\"\n",
            to: "systemd-run")
        chmod(manager, 0o755)
        let path = ["PATH": "\(desk.folder.path):\(ProcessInfo.processInfo.environment["PATH"] ?? "")"]
        try desk.folder.write("[insert]\npolicy = \"hold\"\n", to: "settings.toml")
        let window = try await TextWindow.start(.gtkEntry, on: desk.display, title: "Letter")
        let host = try Program.start(
            "sh", ["-c", "SYSTEMD_EXEC_PID=$$ exec \"$0\"", BuildFolder.program("host-agent")],
            environment: desk.environment.merging(bus) { $1 }.merging(path) { $1 })
        try await host.waitForLine(containing: "host-agent is ready")
        let inserter = try await desk.startInserter()

        let desktop = try await WaylandDesktop.start()
        let bar = try desk.folder.write(#"{"modules-right": ["tray"]}"#, to: "waybar.json")
        func startBar() throws -> Program {
            try Program.start("waybar", ["-c", bar], environment: desktop.environment.merging(bus) { $1 })
        }
        let first = try startBar()
        let shown = try await signals.waitForLine(containing: "member=StatusNotifierItemRegistered")
        let registered = try await signals.waitForLine(containing: "string \"org.kde.StatusNotifierItem-")
        let item = Item(environment: bus, name: String(registered.text.split(separator: "\"")[1]))
        #expect(try await item.layout().contains("Start dictation"))

        let added = try desk.store.add(text: "Held_for you.", locale: "en-US")
        try await signals.waitForLine(containing: "NeedsAttention")
        let layout = try await item.layout()
        #expect(layout.contains("1 text held") && layout.contains("Held__for you."))
        let insert = try await item.number(of: "Insert")
        try await item.choose(insert)
        try await window.waitForText(equal: "Held_for you.")
        try await desk.waitForDictation(added.id) { $0.delivery == .inserted }
        try await signals.waitForLine(containing: #"string "Active""#)
        // The entry is gone: its number is invalid now.
        try await item.choose(insert)

        try await item.click()
        let recording = try await desk.waitForDictation { $0.status == .recording }
        // A click does what the item shows, and it learns of the recording a moment later than this test.
        while try await !item.layout().contains("Stop recording") { try Task.checkCancellation() }
        try await item.click()
        let ended = try await desk.waitForDictation(recording.id) {
            $0.status != .recording && !$0.isUnfinished
        }
        #expect(ended.error?.code == "no-speech")
        #expect(window.text == "Held_for you.")

        try await item.choose(item.number(of: "Check dictation"))
        let checked = try await notices.waitForLine {
            $0.contains("Dictation: ") || $0.contains("No problems found")
        }
        #expect(checked.text.contains("insert-agent") == false)
        try await item.choose(item.number(of: "Settings"))
        let unopened = try await notices.waitForLine(containing: "No program opens the settings")
        #expect(unopened.text.contains(desk.folder.file("settings.toml")))
        // An editor is not part of the agent's unit, which ends without it.
        let told = try String(contentsOfFile: manager + ".told", encoding: .utf8)
        #expect(told.hasPrefix("--user ") && told.contains("--property=KillMode=process"), "\(told)")

        // Another tray comes in place of the first one.
        await first.end()
        let second = try startBar()
        let again = try await signals.waitForLine(
            containing: "member=StatusNotifierItemRegistered", from: shown.number + 1)
        try desk.folder.write("[notices]\ntray = false\n", to: "settings.toml")
        try await signals.waitForLine(
            containing: "member=StatusNotifierItemUnregistered", from: again.number + 1)
        await desk.end(host, inserter)
        for program in [second, signals, notices] { await program.end() }
        await desktop.end()
        await session.end()
    }

    @Test("its menu stops a text that waits to be typed, and the text is held")
    func stopTyping() async throws {
        let session = try await SessionBus.start()
        let desk = try await Desk.set()
        try desk.folder.write("[insert]\npolicy = \"origin\"\n", to: "settings.toml")
        let letter = try await TextWindow.start(.gtkText, on: desk.display, title: "Letter")
        let other = try await TextWindow.start(.gtkEntry, on: desk.display, title: "Other")
        let host = try Program.start(
            BuildFolder.program("host-agent"), [],
            environment: desk.environment.merging(session.environment) { $1 })
        try await host.waitForLine(containing: "host-agent is ready")
        let inserter = try await desk.startInserter()
        let begun = try desk.store.begin(
            target: WindowInfo(id: UInt64(letter.id), windowClass: "", title: "Letter", pid: nil),
            engine: "test", locale: "en-US")
        try desk.store.apply(.recognized(.init(rawText: "Hello.", cleanedText: "Hello.")), to: begun.id)
        try await inserter.waitForLine(containing: "waits for the window Letter")
        let item = Item(
            environment: session.environment, name: "org.kde.StatusNotifierItem-\(host.processID)-1")
        while try await !item.layout().contains("Stop typing") { try Task.checkCancellation() }
        try await item.choose(item.number(of: "Stop typing"))
        try await desk.waitForDictation(begun.id) { $0.delivery == .held(.interrupted) }
        #expect(letter.text.isEmpty && other.text.isEmpty)
        await desk.end(host, inserter)
        await session.end()
    }
}
