import DictationShared
import Foundation
import TestSupport
import Testing

/// The settings file as the programs read it.
@Suite("Settings", .serialized, .timeLimit(.minutes(5)))
struct SettingsTests {
    @Test(
        "another hotkey works at once, a broken file changes nothing, and dictstate says where it is broken")
    func hotkey() async throws {
        let desk = try await Desk.set()
        try desk.folder.write("[host]\nhotkey = \"F8\"\n", to: "settings.toml")
        let host = try await desk.startHost()
        #expect(host.errors.contains("Hold F8"))
        try desk.folder.write("[host]\nhotkey = \"F7\"\n", to: "settings.toml")
        try await host.waitForLine(containing: "the hotkey is F7 now")
        try tapKey("F7", on: desk.display)
        try await desk.waitForDictation { $0.status == .recording }
        try desk.folder.write("[host]\nhotkey = \"no such key\"\n", to: "settings.toml")
        let file = desk.folder.file("settings.toml")
        try await host.waitForLine(containing: "\(file):2:1: “no such key” is not the X11 name of a key")
        try desk.folder.write("[host]\nhotkey = 8\n", to: "settings.toml")
        try await host.waitForLine(containing: "\(file):2:10: ")
        #expect(
            try await desk.dictstate("status").contains("\(file):2:10: “hotkey” must be the name of a key"))
        #expect(try await desk.dictstate("--json").contains("\"settingsError\":\"\(file):2:10"))
        try tapKey("F7", on: desk.display)
        try await desk.waitForDictation { $0.isSettled || $0.status == .processing }
        await desk.end(host)
    }

    @Test("an agent with a broken file does not start, and names the place")
    func refused() async throws {
        let desk = try await Desk.set()
        try desk.folder.write("[insert]\npatience = \"long\"\n", to: "settings.toml")
        let inserter = try desk.start("insert-agent")
        #expect(try await inserter.exitCode == 78)
        #expect(inserter.errors.contains("settings.toml:2:12: “patience” must be a whole number"))
        let check = try desk.start("host-agent", "check", "--settings")
        #expect(try await check.exitCode == 78)
        await desk.end()
    }

    @Test(
        "on a disk that is read-only or full, settings and words are not written; that is no error in the settings",
        .enabled(if: SmallDisk.isPermitted, "mounting a small disk needs root"), arguments: [true, false])
    func unwritable(isReadOnly: Bool) async throws {
        let folder = try TemporaryFolder("settings")
        let disk = try SmallDisk(megabytes: 1)
        let settings = disk.folder("config").appendingPathComponent("config.toml")
        try FileManager.default.createDirectory(
            at: settings.deletingLastPathComponent(), withIntermediateDirectories: true)
        let text = "[host]\nhotkey = \"F8\"\n"
        try Data(text.utf8).write(to: settings)
        if isReadOnly { try disk.remount("ro") } else { try disk.fill() }
        let environment = [
            "VOICEDICTATION_GROUP": folder.file("group"), "VOICEDICTATION_SETTINGS": settings.path,
        ]
        let reason = isReadOnly ? "Read-only file system" : "No space left on device"
        for arguments in [
            ["settings", "set", "audio.tail", "100"], ["learn", "cooper netties", "Kubernetes"],
        ] {
            let program = try Program.start(
                BuildFolder.program("dictstate"), arguments, environment: environment)
            #expect(try await program.exitCode == 1, "\(arguments)")
            #expect(program.errors.contains("cannot be written, and is unchanged: "), "\(program.errors)")
            #expect(program.errors.contains(reason), "\(program.errors)")
        }
        #expect(try String(contentsOf: settings, encoding: .utf8) == text)
    }

    @Test("if the file is not TOML, dictstate still finds the agents of the usual folder")
    func noTOML() async throws {
        let folder = try TemporaryFolder("settings")
        try folder.write("[overlay\n", to: "settings.toml")
        let environment = [
            "VOICEDICTATION_SETTINGS": folder.file("settings.toml"), "VOICEDICTATION_GROUP": "",
            "XDG_DATA_HOME": folder.file("data"),
        ]
        let dictstate = BuildFolder.program("dictstate")
        let alone = try Program.start(dictstate, ["status"], environment: environment)
        #expect(try await alone.exitCode == 78)
        #expect(alone.errors.contains("settings.toml:1:9: "))
        let group = try AppGroup(folder: AppGroup.defaultFolder(environment: environment))
        let lock = try RoleLock(.host, in: group)
        let status = try await Program.run(dictstate, ["status"], environment: environment)
        #expect(status.contains("host-agent    running (process \(getpid()))"))
        #expect(status.contains("settings.toml:1:9: "))
        let doctor = try Program.start(dictstate, ["doctor"], environment: environment)
        #expect(try await doctor.exitCode == 1)
        #expect(doctor.output.contains("ok       host-agent    runs (process \(getpid()))"))
        withExtendedLifetime(lock) {}
    }

    @Test("an agent with an unknown key runs, and all who are asked warn of it with the nearest one")
    func unknown() async throws {
        let desk = try await Desk.set()
        try desk.folder.write("[insert]\npatiense = 9\n", to: "settings.toml")
        let warning =
            "settings.toml:2:1: “patiense” has no effect: [insert] has no such key; did you mean “patience”?"
        let inserter = try await desk.startInserter()
        #expect(inserter.errors.contains("warning: ") && inserter.errors.contains(warning))
        let settings = try desk.start("dictstate", "settings", "--json")
        #expect(try await settings.exitCode == 0)
        #expect(settings.errors.contains(warning) && !settings.output.contains("patiense"))
        let doctor = try desk.start("dictstate", "doctor")
        _ = try await doctor.waitForExit()
        #expect(doctor.output.contains("warning  settings") && doctor.output.contains(warning))
        let check = try desk.start("host-agent", "check", "--settings")
        #expect(try await check.exitCode == 0)
        #expect(check.output.contains(warning))
        await desk.end(inserter)
    }

    @Test("dictstate shows them with their origin, and an example that is a settings file")
    func shown() async throws {
        let folder = try TemporaryFolder("settings")
        let environment = ["VOICEDICTATION_SETTINGS": folder.file("sub/settings.toml")]
        let dictstate = BuildFolder.program("dictstate")
        let none = try await Program.run(dictstate, ["settings"], environment: environment)
        #expect(none.contains("there is none yet"))
        let example = try await Program.run(dictstate, ["settings", "--example"], environment: environment)
        let path = try await Program.run(dictstate, ["settings", "--path"], environment: environment)
        #expect(path == folder.file("sub/settings.toml") + "\n")
        #expect(try Self.mode(folder.file("sub")) == 0o700)
        let changed = example.replacing("# level = \"info\"", with: "level = \"debug\"")
        try Data(changed.utf8).write(to: URL(fileURLWithPath: folder.file("sub/settings.toml")))
        let shown = try await Program.run(dictstate, ["settings"], environment: environment)
        let line = try #require(shown.split(separator: "\n").first { $0.hasPrefix("log.level") })
        #expect(line.hasPrefix("log.level = \"debug\" ") && line.contains("line "))
        let json = try await Program.run(dictstate, ["settings", "--json"], environment: environment)
        #expect(json.contains("{\"isDefault\":true,\"key\":\"audio.keep\",\"value\":\"\\\"never\\\"\"}"))
    }

    private static func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test("a file is created from the example, for its user alone; one that is there is left as it is")
    func created() async throws {
        let folder = try TemporaryFolder("settings")
        let path = folder.file("sub/settings.toml")
        let environment = ["VOICEDICTATION_SETTINGS": path]
        let dictstate = BuildFolder.program("dictstate")
        let output = try await Program.run(dictstate, ["settings", "create"], environment: environment)
        #expect(output == "Created \(path). As it is, it changes nothing.\n")
        let example = try await Program.run(dictstate, ["settings", "--example"], environment: environment)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == example)
        #expect(try Self.mode(path) == 0o600 && Self.mode(folder.file("sub")) == 0o700)
        try Data("[host]\nhotkey = \"F8\"\n".utf8).write(to: URL(fileURLWithPath: path))
        let again = try Program.start(dictstate, ["settings", "create"], environment: environment)
        #expect(try await again.exitCode == 1)
        #expect(again.errors.contains("\(path) exists already, and is unchanged."))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "[host]\nhotkey = \"F8\"\n")
        let help = try await Program.run(dictstate, ["settings", "--help"], environment: environment)
        let words = help.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        for command in ["settings create", "settings --example", "settings --path"] {
            #expect(words.contains("dictstate \(command)"))
        }
    }

    @Test(
        "values that cannot be are refused, and why",
        arguments: [
            (["learn", "foo", "foo"], "WRONG and RIGHT are the same"),
            (["learn", " foo  bar", "foo bar"], "WRONG and RIGHT are the same"),
            (["insert", "--after", "-1"], "--after takes seconds, from 1 to 3600."),
            (["transform", "--after", "-1", "shorter"], "--after takes seconds, from 1 to 3600."),
            (
                ["settings", "set", "speech.locale", "\"en\\u001b]0;\\u0007\""],
                "must be a language and a region"
            ),
        ])
    func refused(arguments: [String], message: String) async throws {
        let folder = try TemporaryFolder("settings")
        let program = try Program.start(
            BuildFolder.program("dictstate"), arguments,
            environment: [
                "VOICEDICTATION_SETTINGS": folder.file("settings.toml"),
                "VOICEDICTATION_GROUP": folder.file("group"),
            ])
        #expect(try await program.exitCode == 64)
        #expect(program.errors.contains(message), "\(program.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder.file("dictionary.toml")))
    }
}
