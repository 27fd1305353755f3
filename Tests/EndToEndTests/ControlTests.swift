import DictationShared
import Foundation
import TestSupport
import Testing

/// dictstate as launchers, scripts and status bars use it.
@Suite("Control from outside", .serialized, .timeLimit(.minutes(5)))
struct ControlTests {
    @Test("stop --print waits for the text, prints it, and nothing is typed")
    func printed() async throws {
        let desk = try await Desk.set()
        let window = try await TextWindow.start(.gtkEntry, on: desk.display, title: "Letter")
        let host = try await desk.startHost("--no-hotkey")
        let inserter = try await desk.startInserter()
        #expect(try await desk.dictstate("open", "voicedictation://record").contains("recording"))
        try await desk.waitForDictation { $0.status == .recording }
        try await desk.speak(seconds: 3)
        let printed = try await desk.dictstate("stop", "--print")
        let state = try #require(try desk.store.history(limit: 1).first)
        #expect(printed == state.cleanedText + "\n")
        #expect(state.delivery == .inserted)
        #expect(state.insertedCount == state.cleanedText.count)
        // The window gets only the next key.
        try tapKey("a", on: desk.display)
        try await window.waitForText(equal: "a")
        await desk.end(host, inserter)
    }

    @Test("stop --copy puts the text on the clipboard; copy does so again")
    func copied() async throws {
        let desk = try await Desk.set()
        let host = try await desk.startHost("--no-hotkey")
        let inserter = try await desk.startInserter()
        _ = try await desk.dictstate("start")
        try await desk.speak(seconds: 3)
        let told = try await desk.dictstate("stop", "--copy")
        let state = try #require(try desk.store.history(limit: 1).first)
        let text = state.cleanedText
        #expect(told == "copied \(text.count) characters (dictation …\(state.id.description.suffix(8)))\n")
        #expect(try await desk.display.clipboardText() == text)
        _ = try await desk.dictstate("start")
        try await desk.speak(seconds: 3)
        let object = try await desk.dictstate("stop", "--copy", "--json")
        #expect(object.contains("\"outcome\":\"copied ") && object.split(separator: "\n").count == 1)
        #expect(try desk.store.history(limit: 1).first?.delivery == .inserted)
        let other = try await desk.display.copy("other")
        #expect(try await desk.display.clipboardText() == "other")
        #expect(
            try await desk.dictstate("copy", "\(state.id)").contains("copied \(text.count) characters"))
        _ = try await other.waitForExit()
        #expect(try await desk.display.clipboardText() == text)
        await desk.end(host, inserter)
    }

    @Test("a wrong time is refused with the forms that there are, and an empty history is no riddle")
    func times() async throws {
        let folder = try TemporaryFolder("times")
        func run(_ arguments: [String]) throws -> Program {
            try Program.start(
                BuildFolder.program("dictstate"), arguments,
                environment: ["VOICEDICTATION_GROUP": folder.file("group")])
        }
        for arguments in [
            ["history", "--since", "1 year"], ["stats", "--since", "foo"], ["forget", "--before", "foo"],
            ["history", "--before", "foo"],
        ] {
            let wrong = try run(arguments)
            #expect(try await wrong.exitCode == 64)
            #expect(wrong.errors.contains("yesterday, \"30 days\" or 12h"), "\(wrong.errors)")
        }
        let empty = try run(["history"])
        #expect(try await empty.exitCode == 0)
        #expect(empty.output.isEmpty && empty.errors == "dictstate: Nothing was dictated yet.\n")
        let none = try run(["history", "--since", "2 days", "meeting"])
        #expect(try await none.exitCode == 0)
        #expect(none.errors == "dictstate: No dictation matches.\n")
        let help = try await Program.run(BuildFolder.program("dictstate"), ["--help"])
        #expect(help.contains(/75\s+another/) && help.contains(/130\s+interrupted/))
    }

    @Test("stop --print says why there is no text, and the exit code is 1; without recording as well")
    func nothing() async throws {
        let desk = try await Desk.set(.silent)
        let host = try await desk.startHost("--no-hotkey")
        _ = try await desk.dictstate("start")
        try await desk.speak(seconds: 1)
        let stop = try desk.start("dictstate", "stop", "--print")
        #expect(try await stop.exitCode == 1)
        #expect(stop.errors.contains("No speech detected"))
        #expect(stop.output.isEmpty)
        let again = try desk.start("dictstate", "stop", "--print")
        #expect(try await again.exitCode == 1)
        #expect(again.errors.contains("nothing is being recorded"))
        let copy = try desk.start("dictstate", "stop", "--copy")
        #expect(try await copy.exitCode == 2)
        let wrong = try desk.start("dictstate", "open", "voicedictation://erase")
        #expect(try await wrong.exitCode == 64)
        await desk.end(host)
    }

    @Test("a status bar gets a line for each change: agents that come and go, recording, and idle again")
    func bar() async throws {
        let desk = try await Desk.set()
        let bar = try desk.start("dictstate", "watch", "--format", "polybar")
        try await bar.waitForLine(containing: "○ off")
        let host = try await desk.startHost("--no-hotkey")
        try await bar.waitForLine(from: 1, "an empty line") { $0.isEmpty }
        _ = try await desk.dictstate("start")
        let recording = try await bar.waitForLine(containing: "● recording")
        _ = try await desk.dictstate("cancel")
        try await bar.waitForLine(from: recording.number + 1, "an empty line") { $0.isEmpty }
        await host.end()
        try await bar.waitForLine(containing: "○ off", from: recording.number + 1)
        let now = try await desk.dictstate("--format", "waybar")
        #expect(now.contains(#""class":"off""#))
        await bar.end()
        await desk.end()
    }

    @Test("in a terminal, watch shows it all, follows its size, and leaves the terminal as it was")
    func screen() async throws {
        let desk = try await Desk.set()
        let terminal = try await Terminal.start(
            [BuildFolder.program("dictstate"), "watch"], environment: desk.environment)
        try await terminal.waitForText("host-agent: not running")
        let host = try await desk.startHost("--no-hotkey")
        try await terminal.waitForText("host-agent \(host.processID)")
        _ = try await desk.dictstate("start")
        try await terminal.waitForText("● recording")
        // The meter moves: the speech is louder than −40 dB.
        try await terminal.waitForText("▅")
        let text = try await desk.dictstate("stop", "--print").trimmingCharacters(in: .newlines)
        let screen = try await terminal.waitForText("inserted")
        #expect(screen.contains(text.prefix(20)))
        #expect(screen.contains("pocketsphinx, en-US"))
        try await terminal.resize(columns: 30, lines: 6)
        let small = try await terminal.waitForText("q quits")
        #expect(small.split(separator: "\n").allSatisfy { $0.count <= 30 })
        try await terminal.press("q")
        try await terminal.waitForText("ended 0")
        await terminal.end()
        await desk.end(host)
    }

    @Test("settings are read and set from a script, and the agents take them")
    func settings() async throws {
        let desk = try await Desk.set()
        let host = try await desk.startHost()
        #expect(try await desk.dictstate("settings", "get", "host.hotkey") == "\"F9\"\n")
        _ = try await desk.dictstate("settings", "set", "host.hotkey", "ctrl+alt+d")
        try await host.waitForLine(containing: "the hotkey is ctrl+alt+d now")
        #expect(try await desk.dictstate("settings", "get", "host.hotkey") == "\"ctrl+alt+d\"\n")
        let wrong = try desk.start("dictstate", "settings", "set", "host.hotky", "F8")
        #expect(try await wrong.exitCode == 64)
        #expect(wrong.errors.contains("did you mean “host.hotkey”?"))
        // An editor that sets a wrong value.
        let edited = try Program.start(
            BuildFolder.program("dictstate"), ["settings", "edit"],
            environment: desk.environment.merging(["VISUAL": "sed -i s/ctrl.alt.d.*/8/"]) { $1 })
        #expect(try await edited.exitCode == 78)
        #expect(edited.errors.contains("settings.toml:2:"))
        // One that only host-agent can find wrong; it keeps the last good one.
        try desk.folder.write("[host]\nhotkey = \"nokey\"\n", to: "settings.toml")
        try await host.waitForLine(containing: "“nokey” is not the X11 name of a key")
        let status = try await desk.dictstate("status")
        #expect(status.contains(":2:1: “nokey” is not the X11 name of a key"), "\(status)")
        // Then it does not seem that another setting is in effect.
        let other = try desk.start("dictstate", "settings", "set", "audio.tail", "100")
        #expect(try await other.exitCode == 0)
        #expect(other.errors.contains("running agents keep the last good settings until this is corrected"))
        #expect(other.errors.contains(":2:1: “nokey” is not the X11 name of a key"))
        await desk.end(host)
    }

    @Test("an invalid hotkey is not set, and an editor that fails is reported")
    func refusedSettings() async throws {
        let folder = try TemporaryFolder("settings")
        let file = try folder.write("[host]\nhotkey = \"F8\"\n", to: "settings.toml")
        func run(_ arguments: String..., editor: String = "true") throws -> Program {
            try Program.start(
                BuildFolder.program("dictstate"), ["settings"] + arguments,
                environment: ["VOICEDICTATION_SETTINGS": file, "VISUAL": editor])
        }
        let wrong = try run("set", "host.hotkey", "F 8")
        #expect(try await wrong.exitCode == 64)
        #expect(wrong.errors.contains("host.hotkey: “F 8” is not the X11 name of a key"))
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains("\"F8\""))
        // The key for held texts, and the one for dictation as the other one.
        for (name, value, message) in [
            ("insert.held-hotkey", "blah", "insert.held-hotkey: “blah” is not the X11 name of a key"),
            ("insert.held-hotkey", "F8", "insert.held-hotkey: F8 is the key of host.hotkey"),
        ] {
            let refused = try run("set", name, value)
            #expect(try await refused.exitCode == 64)
            #expect(refused.errors.contains(message))
        }
        #expect(try await run("set", "insert.held-hotkey", "F7").exitCode == 0)
        let same = try run("set", "host.hotkey", "F7")
        #expect(try await same.exitCode == 64)
        #expect(same.errors.contains("F7 is the key of host.hotkey; choose another one. Nothing was set."))
        let writing = try run("set", "host.hotkey", "d")
        #expect(try await writing.exitCode == 0)
        #expect(writing.errors.contains("no window gets “d”"))
        #expect(writing.errors.contains("such as ctrl+alt+d"))
        let none = try run("set", "host.hotkey", "none")
        #expect(try await none.exitCode == 0)
        #expect(none.errors.isEmpty)
        let writingEdited = try run("edit", editor: "sed -i s/none/d/")
        #expect(try await writingEdited.exitCode == 0)
        #expect(writingEdited.errors.contains("no window gets “d”"))
        let edited = try run("edit", editor: "sed -i s/\"d\"/\"nokey\"/")
        #expect(try await edited.exitCode == 78)
        #expect(edited.errors.contains("\(file):2:1: “nokey” is not"))
        let failed = try run("edit", editor: "false")
        #expect(try await failed.exitCode == 1)
        #expect(
            failed.errors
                == "dictstate: The editor failed. Name another one in EDITOR; the file is \(file).\n")
    }

    @Test(
        "doctor, status and the check say where the file has a wrong hotkey, and not which other setting to change",
        arguments: [
            ("[host]\nhotkey = \"foo\"\n", ":2:1: “foo” is not the X11 name of a key"),
            ("[[hotkey]]\nkey = \"f9\"\n", ":2:1: F9 is a key for dictation already"),
            ("[insert]\nheld-hotkey = \"F9\"\n", ":2:1: F9 is the key of host.hotkey"),
        ])
    func wrongHotkeys(settings: String, message: String) async throws {
        let desk = try await Desk.set()
        let file = try desk.folder.write(settings, to: "settings.toml")
        let check = try desk.start("host-agent", "check", "--settings")
        #expect(try await check.exitCode == 78)
        #expect(check.output.contains(message))
        let doctor = try desk.start("dictstate", "doctor", "--json")
        #expect(try await doctor.exitCode == 1)
        let problems = doctor.output.split(separator: "\n").filter { $0.contains("\"problem\"") }
        #expect(
            problems.count == 1 && problems.first?.contains("\"name\":\"settings\"") == true, "\(problems)")
        #expect(problems.first?.contains("dictstate settings edit") == true)
        let told = message.replacing("\"", with: "\\\"")
        #expect(problems.first?.contains(told) == true && problems.first?.contains(file) == true)
        let status = try await desk.dictstate("status")
        #expect(status.contains("settings      \(file)") && status.contains(message))
        #expect(try await desk.dictstate("--json").contains(told))
        await desk.end()
    }

    @Test("a program that follows the state gets it at once, also if nothing was dictated yet")
    func followed() async throws {
        let desk = try await Desk.set()
        let followers = try [
            ("--json", "{\"revision\":0,\"status\":\"idle\"}"), ("--lines", "Nothing was dictated yet."),
        ]
        .map { (try desk.start("dictstate", "watch", $0), $1) }
        for (follower, line) in followers {
            try await follower.waitForLine(containing: line)
        }
        let state = try desk.store.add(text: "hello", locale: "en-US")
        for (follower, _) in followers {
            try await follower.waitForLine(containing: "\(state.id.description.suffix(8))")
            await follower.end()
        }
        await desk.end()
    }

    @Test("start says when the microphone cannot be opened")
    func notStarted() async throws {
        let desk = try await Desk.set(.missing)
        let host = try await desk.startHost("--no-hotkey")
        for command in ["start", "toggle"] {
            let start = try desk.start("dictstate", command)
            #expect(try await start.exitCode == 1)
            #expect(start.errors.contains("cannot be opened") && start.output.isEmpty)
        }
        await desk.end(host)
    }

    @Test("start says that a dictation has failed, also one that was recorded for an instant")
    func failedAtOnce() async throws {
        let desk = try await Desk.set(.missing)
        let lock = try RoleLock(.host, in: desk.group)
        let start = try desk.start("dictstate", "start")
        // Here the test is host-agent: a real one that fails before the command has looked is a matter of milliseconds.
        for try await _ in StateWatcher.changes(of: desk.store, since: 0) {
            guard let intent = try desk.store.takeIntents(for: .host).first else { continue }
            let begun = try desk.store.begin(target: nil, engine: "test", locale: "en-US")
            try desk.store.apply(.processingStarted(recording: 20), to: begun.id)
            try desk.store.apply(
                .failed(DictationFailure(code: .unsupportedLocale, message: "It fails.", kept: nil)),
                to: begun.id)
            try desk.store.answer(intent.id, .done("recording", dictation: begun.id))
            break
        }
        #expect(try await start.exitCode == 1)
        #expect(start.errors == "dictstate: Nothing was recorded. It fails.\n" && start.output.isEmpty)
        withExtendedLifetime(lock) {}
        await desk.end()
    }

    @Test("doctor finds what is wrong, and says what to do")
    func doctor() async throws {
        let desk = try await Desk.set(.missing)
        let doctor = try desk.start("dictstate", "doctor", "--json")
        #expect(try await doctor.exitCode == 1)
        let findings = doctor.output.split(separator: "\n").map(String.init)
        for name in [
            "settings", "folder", "store's lock", "store", "disk", "insert-agent", "display", "keyboard",
            "hotkey",
            "engine",
        ] {
            #expect(findings.contains { $0.contains("\"name\":\"\(name)\"") }, "\(name) in \(findings)")
        }
        let microphone = try #require(findings.first { $0.contains("\"name\":\"microphone\"") })
        #expect(microphone.contains("\"problem\"") && microphone.contains("arecord -L"))
        #expect(findings.count { $0.contains("\"problem\"") } == 1)
        await desk.end()
    }

    @Test("doctor says where the dictionary has its error")
    func brokenDictionary() async throws {
        let desk = try await Desk.set(.missing)
        _ = try desk.folder.write("[words]\nnames = 5\n", to: "dictionary.toml")
        let doctor = try desk.start("dictstate", "doctor", "--json")
        #expect(try await doctor.exitCode == 1)
        let line = doctor.output.split(separator: "\n").first { $0.contains("\"name\":\"dictionary\"") }
        #expect(line?.contains("\"problem\"") == true && line?.contains("dictionary.toml:2:9: ") == true)
        await desk.end()
    }

    @Test(
        "doctor calls a disk without room a problem",
        .enabled(if: SmallDisk.isPermitted, "mounting a small disk needs root"))
    func fullDisk() async throws {
        let disk = try SmallDisk(megabytes: 8)
        let desk = try await Desk.set(.missing, groupFolder: disk.folder("group"))
        try disk.fill()
        let doctor = try desk.start("dictstate", "doctor", "--json")
        #expect(try await doctor.exitCode == 1)
        let line = doctor.output.split(separator: "\n").first { $0.contains("\"name\":\"disk\"") }
        #expect(line?.contains("\"problem\"") == true && line?.contains("0 MB free") == true)
        await desk.end()
    }

    @Test("doctor finds no problem on a desk without any, and hears the microphone")
    func healthy() async throws {
        let desk = try await Desk.set()
        let host = try await desk.startHost()
        let inserter = try await desk.startInserter()
        let report = try await desk.dictstate("doctor")
        let troubles = report.split(separator: "\n").filter { !$0.hasPrefix("ok ") && !$0.hasPrefix(" ") }
        // A desk has no model: the only finding is that a better recognizer can be installed.
        #expect(
            troubles.count == 2 && troubles.first?.contains("PocketSphinx recognizes") == true, "\(report)")
        #expect(report.contains("used by the running host-agent"))
        await desk.end(host, inserter)
    }

    @Test("doctor in another session says that the running host-agent does not hear its keys")
    func otherSession() async throws {
        let desk = try await Desk.set()
        let host = try await desk.startHost()
        let other = try await VirtualDisplay.start()
        let doctor = try Program.start(
            BuildFolder.program("dictstate"), ["doctor"],
            environment: desk.environment.merging(other.environment) { $1 })
        #expect(try await doctor.exitCode == 0)
        #expect(
            doctor.output.contains(
                "warning  hotkey        F9 does nothing on this display: host-agent (process \(host.processID)) runs"
            ),
            "\(doctor.output)")
        await other.end()
        await desk.end(host)
    }

    @Test("doctor names the process that keeps the store locked")
    func locked() async throws {
        let desk = try await Desk.set()
        let holder = try Program.start(
            "python3",
            [
                "-c",
                """
                import fcntl, struct, sys, time
                f = open(sys.argv[1], "r+b")
                fcntl.fcntl(f, 38, struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 0, 0, 0))
                print("locked", flush=True)
                time.sleep(600)
                """, desk.group.storeLock.path,
            ])
        try await holder.waitForLine(containing: "locked")
        let doctor = try desk.start("dictstate", "doctor")
        try await doctor.waitForLine(containing: "held by process \(holder.processID)")
        try await doctor.waitForLine(containing: "kill -KILL \(holder.processID)")
        #expect(try await doctor.exitCode == 1)
        await holder.end()
        await desk.end()
    }
}
