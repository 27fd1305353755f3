import DictationShared
import Foundation
import TestSupport
import Testing

/// Output that goes nowhere.
@Suite("Lost output", .serialized, .timeLimit(.minutes(5)))
struct OutputTests {
    /// Runs a program with its streams elsewhere: the redirections are those of a shell.
    private static func start(
        _ name: String, _ arguments: [String], _ redirections: String, environment: [String: String]
    ) throws -> Program {
        try Program.start(
            "sh", ["-c", "exec \"$0\" \"$@\" \(redirections)", BuildFolder.program(name)] + arguments,
            environment: environment)
    }

    private static func environment(_ folder: TemporaryFolder) -> [String: String] {
        [
            "VOICEDICTATION_GROUP": folder.file("group"),
            "VOICEDICTATION_SETTINGS": folder.file("config.toml"),
        ]
    }

    @Test("a text that stop cannot print stays held, a private one too", arguments: [">/dev/full", ">&-"])
    func text(redirection: String) async throws {
        let desk = try await Desk.set()
        let host = try await desk.startHost("--no-hotkey")
        _ = try await desk.dictstate("start", "--private")
        try await desk.speak(seconds: 3)
        let stop = try Self.start(
            "dictstate", ["stop", "--print"], redirection, environment: desk.environment)
        #expect(try await stop.exitCode == 1)
        let state = try #require(try desk.store.history(limit: 1).first)
        #expect(state.delivery == .held(.askedFor) && !state.cleanedText.isEmpty)
        #expect(stop.errors.contains("The output could not be written: "))
        #expect(stop.errors.contains("The text is held: dictstate insert \(state.id) types it"))
        #expect(stop.errors.split(separator: "\n").count == 1, "\(stop.errors)")
        #expect(try await desk.dictstate("show", "\(state.id)").contains(state.cleanedText))
        await desk.end(host)
    }

    @Test(
        "every command says that its output is lost, and fails",
        arguments: [
            ["status"], ["--json"], ["--help"], ["history", "--json"], ["show", "LAST"], ["settings"],
            ["settings", "--example"], ["settings", "get", "host.hotkey"], ["stats", "--json"], ["doctor"],
            ["watch", "--json"], ["watch", "--lines"], ["watch", "--format", "polybar"],
        ])
    func full(arguments: [String]) async throws {
        let folder = try TemporaryFolder("output")
        let environment = Self.environment(folder)
        let group = try AppGroup(folder: URL(fileURLWithPath: folder.file("group"), isDirectory: true))
        let id = try StateStore(group: group).add(text: "Hello.", locale: "en-US").id
        let program = try Self.start(
            "dictstate", arguments.map { $0 == "LAST" ? "\(id)" : $0 }, ">/dev/full", environment: environment
        )
        #expect(try await program.exitCode == 1)
        #expect(program.errors.split(separator: "\n").count == 1)
        // The system does not repeat the reason for what did not fit into the buffer.
        let reason = arguments == ["settings", "--example"] ? "" : ": No space left on device"
        #expect(program.errors.hasPrefix("dictstate: The output could not be written\(reason)"))
    }

    @Test("host-agent too")
    func host() async throws {
        let folder = try TemporaryFolder("output")
        for (command, input) in [("clean", "echo 'um hello' | "), ("--help", ""), ("check --settings", "")] {
            let program = try Program.start(
                "sh", ["-c", "\(input)\"$0\" \(command) >/dev/full", BuildFolder.program("host-agent")],
                environment: Self.environment(folder))
            #expect(try await program.exitCode == 1)
            #expect(program.errors.contains("host-agent: The output could not be written: No space left"))
        }
    }

    @Test(
        "if nothing can be printed, a command still ends with its exit code",
        arguments: [
            (["show", "abc"], "2>&-", 2), (["show", "abc"], "2>/dev/full", 2),
            (["hstory"], "2>/dev/full", 64),
            (["--nonsense"], "2>&-", 64), (["--help"], ">&-", 1), (["--help"], ">&- 2>&-", 1),
            (["status"], "2>&-", 0), (["show", "abc"], "<&- >&- 2>&-", 2),
        ] as [([String], String, Int32)])
    func closed(arguments: [String], redirections: String, code: Int32) async throws {
        let folder = try TemporaryFolder("output")
        let program = try Self.start(
            "dictstate", arguments, redirections, environment: Self.environment(folder))
        #expect(try await program.waitForExit() == .exited(code))
    }

    @Test("a command whose streams are closed writes into none of its own files")
    func ownFiles() async throws {
        let folder = try TemporaryFolder("output")
        let group = try AppGroup(folder: URL(fileURLWithPath: folder.file("group"), isDirectory: true))
        let store = try StateStore(group: group)
        _ = try store.add(text: "Hello.", locale: "en-US")
        let before = try FileManager.default.contentsOfDirectory(atPath: group.folder.path).sorted()
        let program = try Self.start(
            "dictstate", ["history"], "<&- >&- 2>&-", environment: Self.environment(folder))
        #expect(try await program.waitForExit() == .exited(1))
        #expect(try StateStore(group: group).history(limit: 1).first?.cleanedText == "Hello.")
        for name in before {
            let bytes =
                FileManager.default.contents(atPath: group.folder.appending(path: name).path) ?? Data()
            #expect(bytes.range(of: Data("“Hello.”".utf8)) == nil, "\(name)")
        }
    }

    @Test("an impossible typing speed is refused", arguments: ["1e-300", "1e-320", "0", "nan", "1e9"])
    func typingSpeed(speed: String) async throws {
        let folder = try TemporaryFolder("output")
        let program = try Program.start(
            BuildFolder.program("dictstate"), ["stats", "--json", "--typing-speed", speed],
            environment: Self.environment(folder))
        #expect(try await program.exitCode == 64)
        #expect(program.errors.contains("from 1 to 1000"))
    }
}
