import Foundation
import TestSupport
import Testing

/// Paths that mean nothing, or another place for each program.
@Suite("Paths that are refused as wrong usage", .timeLimit(.minutes(3)))
struct PathArgumentTests {
    @Test(
        "a relative group folder is refused, and nothing is made",
        arguments: [
            ("host-agent", ["--no-hotkey"]), ("insert-agent", ["--to", "/dev/null"]),
            ("dictstate", ["start"]),
            ("dictstate", []),
        ])
    func relativeGroup(program: String, arguments: [String]) async throws {
        let folder = try TemporaryFolder("paths")
        let name = "relative-\(UUID().uuidString)"
        let started = try Program.start(
            "sh",
            ["-c", "cd \"$1\" && shift && exec \"$@\"", "sh", folder.path, BuildFolder.program(program)]
                + arguments,
            environment: ["VOICEDICTATION_GROUP": name])
        #expect(try await started.exitCode == 64)
        #expect(started.errors.contains("VOICEDICTATION_GROUP is not an absolute path"), "\(started.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test("doctor says so as well")
    func doctor() async throws {
        let doctor = try Program.start(
            BuildFolder.program("dictstate"), ["doctor"], environment: ["VOICEDICTATION_GROUP": "relative"])
        #expect(try await doctor.exitCode == 1)
        #expect(doctor.output.contains("PROBLEM  folder        VOICEDICTATION_GROUP is not an absolute path"))
    }

    @Test(
        "an empty path is none",
        arguments: [
            ("dictstate", ["insert", "--file", ""], "Name a file"),
            ("dictstate", ["learn", "--import", ""], "Name a file"),
            ("host-agent", ["transcribe", ""], "Name a file"),
            ("host-agent", ["transcribe", "--output", "", "a.wav"], "Name a folder"),
            ("host-agent", ["transcribe", "--watch", ""], "Name a folder"),
        ])
    func empty(program: String, arguments: [String], message: String) async throws {
        let started = try Program.start(BuildFolder.program(program), arguments)
        #expect(try await started.exitCode == 64)
        #expect(started.errors.contains(message), "\(started.errors)")
    }
}
