import DictationShared
import Foundation
import Glibc
import TestSupport
import Testing

/// The guided setup in a real terminal, with a display, a microphone that speaks, and the agents.
@Suite("dictstate setup", .serialized, .timeLimit(.minutes(5)))
struct SetupTests {
    private static let program = BuildFolder.program("dictstate")

    private static func walk(_ desk: Desk, _ arguments: String...) async throws -> Terminal {
        try await Terminal.start([program, "setup"] + arguments, environment: environment(desk), lines: 40)
    }

    /// The environment of the desk, with its own home and without Wayland.
    private static func environment(_ desk: Desk) -> [String: String] {
        Program.cleanEnvironment.merging(desk.environment) { $1 }.merging([
            "HOME": desk.folder.path, "XDG_CONFIG_HOME": desk.folder.file("config"),
            "XDG_STATE_HOME": desk.folder.file("state"),
            "XDG_CONFIG_DIRS": desk.folder.file("xdg"), "XDG_RUNTIME_DIR": desk.folder.path,
        ]) { $1 }
    }

    /// Ends the agents that setup has started, and returns when they have ended.
    private static func endAgents(_ desk: Desk) async throws {
        for role in AgentRole.allCases {
            guard let pid = try RoleLock.holder(of: role, in: desk.group)?.pid else { continue }
            kill(pid, SIGTERM)
            for try await _ in RoleLock.whenFree(role, in: desk.group) { break }
        }
    }

    @Test("walks from the microphone to a dictated sentence, by Enter alone, and leaves agents that work")
    func whole() async throws {
        let desk = try await Desk.set()
        let terminal = try await Self.walk(desk)
        try await terminal.waitForText("1/6  Microphone")
        // The meter moves, and approves of the speech.
        try await terminal.waitForText("dB: fine")
        try await terminal.press("Enter")
        try await terminal.waitForText("2/6  Hotkey")
        try await terminal.waitForText("❯ F9  (free)")
        // The hotkey is chosen by pressing it, anywhere on the display.
        // The list is visible a moment before keys work: if nothing happens, press again.
        var isSeen = false
        while !isSeen {
            try await desk.display.xdotool("key", "ctrl+alt+F5")
            isSeen =
                (try? await terminal.waitForText("❯ ctrl+alt+F5  (pressed; free)", within: .seconds(5)))
                != nil
        }
        try await terminal.press("Enter")
        try await terminal.waitForText("❯ en-US")
        try await terminal.press("Enter")
        try await terminal.waitForText("4/6  Model")
        // No model is installed here, and none is fetched: PocketSphinx is the last of the list.
        // Keys that come before the list is there are dropped, as above.
        repeat {
            for _ in 0..<30 { try await terminal.press("Down") }
        } while (try? await terminal.waitForText("❯ none", within: .seconds(5))) == nil
        try await terminal.press("Enter")
        try await terminal.waitForText("5/6  Agents")
        try await terminal.waitForText("until you log out")
        try await terminal.press("Enter")
        try await terminal.waitForText("6/6  Test")
        try await terminal.waitForText("❯ record a sentence")
        try await terminal.press("Enter")
        try await terminal.waitForText("Speak now")
        try await desk.speak(seconds: 3)
        try await terminal.press("Enter")
        let end = try await terminal.waitForText("ended 0")
        #expect(end.contains("ok       test        heard: “"))
        #expect(end.contains("All is set. Put the cursor into any window, hold ctrl+alt+F5 and speak."))
        let settings = try String(contentsOfFile: desk.folder.file("settings.toml"), encoding: .utf8)
        #expect(settings == "[host]\nhotkey = \"ctrl+alt+F5\"\n")
        let state = try await desk.waitForDictation { $0.isSettled }
        #expect(end.contains("“\(state.cleanedText)”") && state.delivery == .inserted)
        try await Self.endAgents(desk)
        await terminal.end()
        await desk.end()
    }

    @Test("takes the defaults without a question, and prints a line for each step")
    func unattended() async throws {
        let desk = try await Desk.set()
        try desk.folder.write("# mine\n[host]\n# a comment\nhotkey = \"F7\"\n", to: "settings.toml")
        let setup = try Program.start(
            Self.program, ["setup", "--yes", "microphone", "hotkey", "language", "agents", "test"],
            environment: Self.environment(desk))
        #expect(try await setup.exitCode == 0)
        for line in [
            "ok       microphone  “default”", "ok       hotkey      F7", "ok       language    en-US",
            "ok       agents", "skipped  test",
        ] { #expect(setup.output.contains(line), "\(setup.output)") }
        // Correct settings are left as they are, comments included.
        let settings = try String(contentsOfFile: desk.folder.file("settings.toml"), encoding: .utf8)
        #expect(settings == "# mine\n[host]\n# a comment\nhotkey = \"F7\"\n")
        // The agents' later messages are where setup says.
        let logs = desk.folder.file("state/voicedictation")
        #expect(setup.output.contains("Their logs are in \(logs)"))
        for role in AgentRole.allCases {
            let log = try String(contentsOfFile: "\(logs)/\(role.rawValue).log", encoding: .utf8)
            #expect(log.contains("\(role.rawValue) is ready"))
        }
        // A second time there is nothing to start.
        let again = try Program.start(
            Self.program, ["setup", "--yes", "hotkey", "agents"], environment: Self.environment(desk))
        #expect(try await again.exitCode == 0 && again.output.contains("ok       hotkey      F7"))
        try await Self.endAgents(desk)
        await desk.end()
    }

    @Test(
        "says what cannot work, goes on, and names the command for it; a hotkey that is taken is not the default"
    )
    func missing() async throws {
        let desk = try await Desk.set(.missing)
        let other = try await Desk.set()
        let owner = try Program.start(
            BuildFolder.program("host-agent"), [],
            environment: other.environment.merging(["DISPLAY": desk.display.name]) { $1 })
        try await owner.waitForLine(containing: "host-agent is ready")
        let setup = try Program.start(
            Self.program, ["setup", "--yes", "microphone", "hotkey"], environment: Self.environment(desk))
        #expect(try await setup.exitCode == 1)
        #expect(setup.output.contains("MISSING  microphone"))
        #expect(setup.output.contains("ok       hotkey      ctrl+alt+d"))
        #expect(setup.output.contains("      dictstate setup microphone"))
        await owner.end()
        // Without a display as well.
        let blind = try Program.start(
            Self.program, ["setup", "--yes", "hotkey", "agents"],
            environment: Self.environment(desk).merging(["DISPLAY": ""]) { $1 })
        #expect(try await blind.exitCode == 1)
        #expect(blind.output.contains("no desktop here") && blind.output.contains("MISSING  agents"))
        await other.end()
        await desk.end()
    }

    @Test(
        "a list that is longer than the terminal is high scrolls; without agents the end says how to start them"
    )
    func small() async throws {
        let desk = try await Desk.set(.missing)
        let terminal = try await Terminal.start(
            [Self.program, "setup", "language"], environment: Self.environment(desk), lines: 8)
        func screen(_ text: String) async throws {
            let lines = try await terminal.waitForText(text).split(separator: "\n")
            #expect(lines.count { $0.contains("1/1  Language") } == 1, "\(lines)")
            #expect(lines.count { $0.contains("❯") } == 1, "\(lines)")
        }
        try await screen("❯ en-US")
        for _ in 0..<5 { try await terminal.press("Down") }
        try await screen("❯ da-DK")
        for _ in 0..<5 { try await terminal.press("Up") }
        try await screen("❯ en-US")
        try await terminal.press("Enter")
        try await terminal.waitForText("All is set. To start the agents: dictstate setup agents")
        await terminal.end()
        await desk.end()
    }

    @Test("a step is skipped and come back to; Ctrl-C leaves the terminal and the settings as they were")
    func left() async throws {
        let desk = try await Desk.set()
        try desk.folder.write("# mine\n", to: "settings.toml")
        let script =
            "before=$(stty -g); '\(Self.program)' setup; echo \"code $?\"; "
            + "[ \"$before\" = \"$(stty -g)\" ] && echo 'the terminal is as it was'"
        let terminal = try await Terminal.start(
            ["sh", "-c", script], environment: Self.environment(desk), lines: 40)
        try await terminal.waitForText("dB: fine")
        try await terminal.press("s")
        try await terminal.waitForText("skipped  microphone")
        try await terminal.waitForText("❯ F9  (free)")
        try await terminal.press("b")
        try await terminal.waitForText("dB: fine")
        try await terminal.press("Enter")
        try await terminal.waitForText("❯ F9  (free)")
        try await terminal.press("Down")
        try await terminal.waitForText("❯ ctrl+alt+d")
        try await terminal.press("C-c")
        let end = try await terminal.waitForText("the terminal is as it was")
        #expect(end.contains("code 1") && end.contains("Setup has ended early. 1 of 6"))
        #expect(try String(contentsOfFile: desk.folder.file("settings.toml"), encoding: .utf8) == "# mine\n")
        await terminal.end()
        await desk.end()
    }

    @Test("if a dictation is being recorded, the test says so and does not touch it")
    func recordedAlready() async throws {
        let desk = try await Desk.set()
        let host = try await desk.startHost()
        _ = try await desk.dictstate("start")
        try await desk.speak(seconds: 2)
        let terminal = try await Self.walk(desk, "test")
        try await terminal.waitForText("❯ record a sentence")
        try await terminal.press("Enter")
        try await terminal.waitForText("already recording")
        try await terminal.waitForText("ended 1")
        let answers = try await desk.waitForAnswers()
        #expect(answers.map(\.action) == [.record(.start()), .record(.start())])
        #expect(try await desk.dictstate("stop").contains("stopped"))
        await terminal.end()
        await desk.end(host)
    }

    @Test("without a terminal it says what to use instead")
    func noTerminal() async throws {
        let desk = try await Desk.set()
        let setup = try Program.start(Self.program, ["setup"], environment: Self.environment(desk))
        #expect(try await setup.exitCode == 64)
        #expect(setup.errors.contains("dictstate setup --yes"))
        await desk.end()
    }
}
