import Foundation
import Glibc
import TestSupport
import Testing

/// The messages about files and folders that cannot be used.
@Suite("Messages about files", .timeLimit(.minutes(3)))
struct FileMessageTests {
    /// A settings file below something that is no folder: not even root can write it.
    private static func environment(_ folder: TemporaryFolder, _ settings: String) -> [String: String] {
        [
            "VOICEDICTATION_GROUP": folder.file("group"), "VOICEDICTATION_SETTINGS": settings,
            "VISUAL": "true", "VOICEDICTATION_ENGINES": folder.file("engines"),
        ]
    }

    @Test(
        "a folder that cannot be created is reported in plain words",
        arguments: [
            ["dictstate", "settings", "--path"], ["dictstate", "settings", "set", "host.hotkey", "none"],
            ["dictstate", "settings", "edit"], ["dictstate", "learn", "one", "two"],
            ["host-agent", "transcribe", "--output", "FILE/out", "x.wav"],
        ])
    func uncreatable(call: [String]) async throws {
        let folder = try TemporaryFolder("files")
        let file = try folder.write("", to: "file")
        let program = try Program.start(
            BuildFolder.program(call[0]), call.dropFirst().map { $0.replacing("FILE", with: file) },
            environment: Self.environment(
                folder, call[0] == "dictstate" ? file + "/folder/config.toml" : folder.file("config.toml")))
        #expect(try await program.exitCode != 0)
        #expect(program.errors.contains("Not a directory"), "\(program.errors)")
        #expect(!program.errors.contains("Domain") && !program.errors.contains("could not be completed"))
    }

    @Test("a folder in the place of a file is called so")
    func folders() async throws {
        let folder = try TemporaryFolder("files")
        let settings = folder.file("config.toml")
        try FileManager.default.createDirectory(atPath: settings, withIntermediateDirectories: true)
        let show = try Program.start(
            BuildFolder.program("dictstate"), ["settings"], environment: Self.environment(folder, settings))
        #expect(try await show.exitCode == 78)
        #expect(show.errors == "dictstate: \(settings): cannot be read: it is a folder\n")
        let learn = try Program.start(
            BuildFolder.program("dictstate"), ["learn", "--import", folder.file("")],
            environment: Self.environment(folder, folder.file("other.toml")))
        #expect(try await learn.exitCode == 1)
        #expect(learn.errors.contains(": it cannot be read: it is a folder"))
    }

    @Test("a list of words may come from a pipe, as a shell's <(command) does")
    func pipe() async throws {
        let folder = try TemporaryFolder("files")
        let output = try await Program.run(
            "bash", ["-c", "\"$0\" learn --import <(echo Kubernetes)", BuildFolder.program("dictstate")],
            environment: Self.environment(folder, folder.file("config.toml")))
        #expect(output.contains("Added 1 term"))
    }

    @Test("nobody waits for a pipe, or reads a device, in the place of the settings or the dictionary")
    func special() async throws {
        let folder = try TemporaryFolder("files")
        let reason = "cannot be read: it is a pipe or a device, and must be a file"
        let pipe = folder.file("dictionary.toml")
        #expect(mkfifo(pipe, 0o600) == 0)
        for settings in [pipe, "/dev/zero"] {
            let show = try Program.start(
                BuildFolder.program("dictstate"), ["settings"],
                environment: Self.environment(folder, settings))
            #expect(try await show.exitCode == 78)
            #expect(show.errors == "dictstate: \(settings): \(reason)\n")
        }
        let clean = try Program.start(
            BuildFolder.program("host-agent"), ["clean"],
            environment: Self.environment(folder, folder.file("config.toml")))
        #expect(try await clean.exitCode == 78)
        #expect(clean.errors == "host-agent: \(pipe): \(reason)\n")
    }

    @Test("/dev/null is a settings file without settings")
    func emptyDevice() async throws {
        let folder = try TemporaryFolder("files")
        let output = try await Program.run(
            BuildFolder.program("dictstate"), ["settings", "get", "host.hotkey"],
            environment: Self.environment(folder, "/dev/null"))
        #expect(output == "\"F9\"\n")
    }

    @Test("a folder that is not there is not watched")
    func watched() async throws {
        let folder = try TemporaryFolder("files")
        let file = try folder.write("", to: "file")
        for (path, message) in [
            ("/nonexistent", "/nonexistent: there is no such folder"), (file, "\(file) is not a folder"),
        ] {
            let program = try Program.start(
                BuildFolder.program("host-agent"), ["transcribe", "--watch", path],
                environment: Self.environment(folder, folder.file("config.toml")))
            #expect(try await program.exitCode == 1)
            #expect(program.errors == "host-agent: \(message)\n")
        }
    }
}
