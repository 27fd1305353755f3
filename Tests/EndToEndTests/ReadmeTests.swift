import DictationShared
import Foundation
import TestSupport
import Testing

/// Runs the commands of the README and the first steps: installed into a scratch prefix, with a scratch home
/// and its usual folders and settings file, on the test's own display and microphone.
@Suite("The commands of the README", .serialized, .timeLimit(.minutes(10)))
struct ReadmeTests {
    /// A command as it is documented, and how it is run here.
    private struct Step {
        let documented: String
        /// For sh, in the home folder; ID is the end of the newest dictation's identifier. Nil: it was run before.
        var command: String?
        /// In its output, or in the window's text.
        var prints = ""
        /// It continues until it is stopped.
        var isEndless = false
        /// Seconds of sound that are spoken then.
        var speaks = 0.0
    }

    /// Documented commands that this test does not run, and what does.
    private static let elsewhere: [String: String] = [
        "make build": ".ci/run", "make test": ".ci/run",
        "dictstate recognize ID": "RecognizingAgainTests", "dictstate start --live": "LiveTests",
        "dictstate transform [INSTRUCTION]": "TransformTests",
        "dictstate start --locale de-DE --style mail": "FurtherHotkeyTests",
        "host-agent models list": "ModelCommandTests",
        "host-agent install-engines moonshine-tiny-en": "fetches an engine; make test has it fetched",
        "make deb": "PackagingTests", "sudo apt install ./.build/voicedictation_*.deb": "PackagingTests",
        // They need a user service manager; PackagingTests checks the units, and starts an agent like one.
        "systemctl --user start host-agent insert-agent": "PackagingTests",
        "systemctl --user import-environment DISPLAY XAUTHORITY WAYLAND_DISPLAY XDG_CURRENT_DESKTOP SWAYSOCK HYPRLAND_INSTANCE_SIGNATURE":
            "PackagingTests",
        "systemctl --user restart host-agent insert-agent": "PackagingTests",
        "systemctl --user disable --now host-agent insert-agent": "PackagingTests",
        "systemctl --user mask --now host-agent insert-agent": "PackagingTests",
        "sudo apt purge voicedictation": "PackagingTests",
        "dictstate setup --remove-bindings": "CompositorBindingTests",
        "dictstate press": "CompositorBindingTests", "dictstate release": "CompositorBindingTests",
        "dictstate setup": "SetupTests", "dictstate setup --yes": "SetupTests",
        "dictstate setup microphone model": "SetupTests",
    ]

    private static let text = "Read me."

    /// In this order. Both agents run, and one text was typed.
    private static let steps: [Step] = [
        Step(documented: "sudo make install"), Step(documented: "make install PREFIX=$HOME/.local"),
        Step(documented: "make uninstall PREFIX=$HOME/.local"),
        Step(documented: "host-agent"),
        Step(documented: "insert-agent"),
        Step(documented: "make help", command: "make -C \"$REPOSITORY\" help", prints: "make run"),
        Step(
            documented: "make run WAV=recording.wav",
            // The engine that `make test` has installed recognizes; nothing is fetched.
            command: "VOICEDICTATION_ENGINES=\"$ENGINES\" PIP_NO_INDEX=1 "
                + "BUILD=\"$BUILD\" WAV=\"$RECORDING\" \"$REPOSITORY/packaging/run\"",
            prints: InstalledEngines.hasModel
                ? "recognized by: sherpa-onnx, \(InstalledEngines.model)" : "recognized by: pocketsphinx"),
        Step(documented: "make run"),
        Step(documented: "dictstate", command: "dictstate", prints: "insert-agent  running"),
        Step(documented: "dictstate settings", command: "dictstate settings", prints: "host.hotkey = \"F9\""),
        Step(
            documented: "dictstate settings set host.hotkey ctrl+alt+d",
            command:
                "dictstate settings set host.hotkey ctrl+alt+d && cat .config/voicedictation/config.toml",
            prints: "hotkey = \"ctrl+alt+d\""),
        Step(documented: "dictstate doctor", command: "dictstate doctor", prints: "microphone"),
        Step(documented: "host-agent check", command: "host-agent check --group", prints: "ok"),
        Step(
            documented: "dictstate insert --file F",
            command: "echo '\(text)' >F && dictstate insert --file F",
            prints: "inserted"),
        Step(
            documented: "dictstate edit COMMAND", command: "dictstate edit 'delete last word'",
            prints: "removed"),
        // The edit, and then the text.
        Step(documented: "dictstate undo", command: "dictstate undo && dictstate undo", prints: "removed"),
        Step(documented: "dictstate insert [ID]", command: "dictstate insert --again ID", prints: "inserted"),
        Step(
            documented: "dictstate insert --raw [ID]", command: "dictstate insert --raw ID",
            prints: "inserted"),
        Step(documented: "dictstate copy [ID]", command: "dictstate copy ID", prints: "copied"),
        Step(documented: "dictstate show ID", command: "dictstate show ID", prints: "inserted"),
        Step(documented: "dictstate history [WORDS]", command: "dictstate history read", prints: text),
        Step(documented: "dictstate stats", command: "dictstate stats"),
        Step(
            documented: "dictstate watch", command: "dictstate watch --format waybar", prints: "text",
            isEndless: true),
        Step(documented: "dictstate start", command: "dictstate start", prints: "recording"),
        Step(documented: "dictstate stop", command: "dictstate stop", prints: "stopped"),
        Step(documented: "dictstate toggle", command: "dictstate toggle", prints: "recording"),
        Step(documented: "dictstate cancel", command: "dictstate cancel", prints: "canceled"),
        Step(
            documented: "dictstate open voicedictation://record",
            command: "dictstate open voicedictation://record", prints: "recording", speaks: 3),
        Step(documented: "dictstate stop --print", command: "dictstate stop --print", prints: "surpassed"),
        Step(
            documented: "dictstate start --private", command: "dictstate start --private",
            prints: "recording", speaks: 3),
        Step(
            documented: "dictstate stop --copy",
            command: "dictstate stop --copy && xclip -selection clipboard -o",
            prints: "surpassed"),
        Step(
            documented: "dictstate learn WRONG RIGHT",
            command: "dictstate learn redmi README && echo 'the redmi' | host-agent clean", prints: "README"),
        Step(documented: "host-agent clean"),
        Step(
            documented: "host-agent transcribe FILE…", command: "host-agent transcribe \"$RECORDING\"",
            prints: "surpassed"),
        // The text that was undone is held.
        Step(documented: "dictstate discard ID", command: "dictstate discard HELD", prints: "discarded"),
        Step(documented: "dictstate forget ID", command: "dictstate forget ID"),
        Step(
            documented: "dictstate forget --before WHEN", command: "dictstate forget --before '30 days'"),
        Step(documented: "dictstate forget --all", command: "dictstate forget --all"),
    ]

    @Test("each is run here, or named with what runs it")
    func complete() throws {
        let documented = try Self.documented()
        let known = Set(Self.steps.map(\.documented)).union(Self.elsewhere.keys)
        #expect(documented.subtracting(known).sorted() == [])
        #expect(known.subtracting(documented).sorted() == [])
    }

    @Test("does what is said, installed in a prefix and with a home of its own")
    func run() async throws {
        let scratch = try TemporaryFolder("readme")
        let home = scratch.file("home")
        let prefix = scratch.file("prefix")
        let group = home + "/.local/share/voicedictation/group.voicedictation"
        try FileManager.default.createDirectory(
            atPath: home + "/.local/share/voicedictation", withIntermediateDirectories: true)
        let desk = try await Desk.set(groupFolder: URL(fileURLWithPath: group, isDirectory: true))
        try await Program.run(
            repositoryFile("packaging/install"), ["--build", BuildFolder.path, "--prefix", prefix],
            within: .seconds(300))
        let environment = desk.environment.merging([
            "HOME": home, "PATH": "\(prefix)/bin:\(Program.cleanEnvironment["PATH"] ?? "/usr/bin")",
            "XDG_DATA_HOME": home + "/.local/share", "VOICEDICTATION_ENGINES": "",
            "XDG_CONFIG_HOME": home + "/.config", "VOICEDICTATION_GROUP": "", "VOICEDICTATION_SETTINGS": "",
            "REPOSITORY": repositoryFile(""), "BUILD": BuildFolder.path,
            "RECORDING": Desk.recording("short.wav"), "ENGINES": InstalledEngines.folder,
        ]) { $1 }
        let window = try await TextWindow.start(.gtkEntry, on: desk.display, title: "Letter")
        var agents: [Program] = []
        for agent in ["host-agent", "insert-agent"] {
            let program = try Program.start("\(prefix)/bin/\(agent)", [], environment: environment)
            try await program.waitForLine(containing: "\(agent) is ready")
            agents.append(program)
        }
        let typed = try desk.store.add(text: Self.text, locale: "en-US")
        try await desk.waitForDictation(typed.id) { $0.delivery == .inserted }
        for step in Self.steps {
            guard var command = step.command else { continue }
            let held = try desk.store.history(limit: 10).first {
                if case .held = $0.delivery { true } else { false }
            }
            let heldName = held.map { String($0.id.description.suffix(8)) } ?? "none"
            command = command.replacing(" HELD", with: " \(heldName)")
                .replacing(#/ ID$/#, with: " \(typed.id.description.suffix(8))")
            let program = try Program.start(
                "sh", ["-c", "cd \"$HOME\" && \(command)"], environment: environment)
            if step.isEndless {
                try await program.waitForLine(containing: step.prints)
                await program.end()
                continue
            }
            let status = try await program.waitForExit(within: .seconds(180)).code
            let said = program.output + program.errors
            #expect(status == 0, "\(command)\n\(said)")
            #expect(step.prints.isEmpty || said.contains(step.prints), "\(command)\n\(said)")
            if step.speaks > 0 { try await desk.speak(seconds: step.speaks) }
        }
        #expect(window.text.contains(Self.text))
        for agent in agents { await agent.end() }
        await desk.end()
    }

    /// The commands in fenced blocks, in running text, and in a table's first column, where further ones in
    /// the same cell leave out the program, or program and command.
    private static func documented() throws -> Set<String> {
        let isCommand = /^(?:dictstate|host-agent|insert-agent|make|sudo|systemctl)(?: |$)/
        var found: Set<String> = []
        for document in ["README.md", "docs/first-steps.md"] {
            var isFenced = false
            let text = try String(contentsOfFile: repositoryFile(document), encoding: .utf8)
            for line in text.split(separator: "\n") {
                if line.hasPrefix("```") {
                    isFenced.toggle()
                } else if isFenced {
                    let command = line.replacing(/\s+#.*$/, with: "")
                    if command.contains(isCommand) { found.insert(String(command)) }
                } else {
                    let isRow = line.hasPrefix("| `")
                    let part = isRow ? line.split(separator: "|")[0] : line
                    var first: [Substring] = []
                    for match in part.matches(of: /`([^`]+)`/) {
                        if match.1.contains(isCommand) {
                            first = match.1.split(separator: " ")
                            found.insert(String(match.1))
                        } else if isRow, !first.isEmpty {
                            let beginning = match.1.hasPrefix("--") ? first.prefix(2) : first.prefix(1)
                            found.insert((beginning + [match.1]).joined(separator: " "))
                        }
                    }
                }
            }
        }
        return found
    }
}
