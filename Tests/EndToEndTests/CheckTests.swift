import DictationShared
import Foundation
import TestSupport
import Testing

/// The findings of `host-agent check` about servers and the microphone's switch, and a dictation's message
/// about the latter.
@Suite("Checks", .serialized, .timeLimit(.minutes(3)))
struct CheckTests {
    private struct Line: Decodable {
        let name: String
        let verdict: String
        let finding: String
        let advice: String?
    }

    private static func check(
        _ arguments: String..., settings: String, in folder: TemporaryFolder,
        environment: [String: String] = [:]
    ) async throws -> (code: Int32, lines: [Line]) {
        let file = try folder.write(settings, to: "settings.toml")
        let own = ["VOICEDICTATION_SETTINGS": file, "KEY": "secret"]
        let program = try Program.start(
            BuildFolder.program("host-agent"), ["check", "--json"] + arguments,
            environment: environment.merging(own) { $1 })
        let code = try await program.exitCode
        let lines = try program.output.split(separator: "\n").map {
            try JSONDecoder().decode(Line.self, from: Data($0.utf8))
        }
        return (code, lines)
    }

    @Test("an agent whose program was replaced while it runs is named")
    func replacedProgram() async throws {
        let desk = try await Desk.set()
        func copy(to name: String) throws -> String {
            let copy = desk.folder.file(name)
            try FileManager.default.copyItem(atPath: BuildFolder.program("host-agent"), toPath: copy)
            return copy
        }
        func verdict() async throws -> String? {
            let doctor = try desk.start("dictstate", "doctor", "--json")
            _ = try await doctor.exitCode
            let lines = try doctor.output.split(separator: "\n").map {
                try JSONDecoder().decode(Line.self, from: Data($0.utf8))
            }
            return lines.first { $0.name == "host-agent" }?.verdict
        }
        let agent = try copy(to: "host-agent")
        let host = try Program.start(agent, ["--no-hotkey"], environment: desk.environment)
        try await host.waitForLine(containing: "host-agent is ready")
        #expect(try await verdict() == "ok")
        #expect(rename(try copy(to: "host-agent.new"), agent) == 0)
        #expect(try await verdict() == "warning")
        await desk.end(host)
    }

    @Test(
        "a folder that cannot be written into is named",
        .enabled(if: SmallDisk.isPermitted, "mounting a small disk needs root"))
    func unwritableFolder() async throws {
        let folder = try TemporaryFolder("check")
        let disk = try SmallDisk(megabytes: 8)
        let group = try AppGroup(folder: disk.folder("group"))
        _ = try StateStore(group: group)
        try disk.remount("ro")
        let environment = ["VOICEDICTATION_GROUP": group.folder.path]
        let (code, lines) = try await Self.check(
            "--group", settings: "", in: folder, environment: environment)
        #expect(code == 77 && lines.first?.finding.hasPrefix("\(group.folder.path) can only be read") == true)
        let doctor = try Program.start(BuildFolder.program("dictstate"), ["doctor"], environment: environment)
        #expect(try await doctor.exitCode == 1)
        #expect(doctor.output.contains("PROBLEM  folder        \(group.folder.path) can only be read"))
    }

    @Test("a speech server is asked for its models, with the key, and nothing else")
    func speechServer() async throws {
        let folder = try TemporaryFolder("check")
        let server = try LoopbackServer { request in
            request.path == "/v1/models"
                ? [.answer(200, [:], Data("{\"data\": [{\"id\": \"large\"}, {\"id\": \"small\"}]}".utf8))]
                : [.answer(404)]
        }
        func settings(_ address: String, _ model: String, _ fallback: String = "auto") -> String {
            """
            [speech]
            engine = "remote"
            [remote]
            address = "\(address)"
            model = "\(model)"
            key-variable = "KEY"
            fallback = "\(fallback)"

            """
        }
        let good = try await Self.check(
            "--engine", settings: settings(server.address("/v1"), "small"), in: folder)
        #expect(good.code == 0 && good.lines.map(\.verdict) == ["ok"])
        #expect(server.requests.count == 1 && server.requests.first?.body.isEmpty == true)
        #expect(server.requests.first?.headers["authorization"] == "Bearer secret")
        let unknown = try await Self.check(
            "--engine", settings: settings(server.address("/v1/"), "huge"), in: folder)
        #expect(unknown.code == 0 && unknown.lines.map(\.verdict) == ["warning"])
        #expect(unknown.lines.first?.finding.contains("it has large, small") == true)
        // whisper.cpp's server has no list.
        let bare = try await Self.check(
            "--engine", settings: settings(server.address("/other"), "x"), in: folder)
        #expect(bare.lines.map(\.verdict) == ["ok"])
    }

    @Test(
        "a speech server that is off is a problem, or a warning if another engine recognizes",
        arguments: ["none", "pocketsphinx"])
    func serverThatIsOff(fallback: String) async throws {
        let folder = try TemporaryFolder("check")
        let found = try await Self.check(
            "--engine",
            settings: """
                [speech]
                engine = "remote"
                [remote]
                address = "http://me:hidden@127.0.0.1:1/v1"
                fallback = "\(fallback)"

                """, in: folder)
        let line = try #require(found.lines.first)
        #expect(line.verdict == (fallback == "none" ? "problem" : "warning"))
        #expect(found.code == (fallback == "none" ? 1 : 0))
        #expect(line.finding.contains("127.0.0.1:1") && !line.finding.contains("hidden"))
        #expect(line.advice?.contains("remote.address") == true)
        #expect(line.advice?.contains("Until it answers, pocketsphinx recognizes") == (fallback != "none"))
    }

    @Test("a server that refuses the key is reported, and so is one for polish")
    func refusedKey() async throws {
        let folder = try TemporaryFolder("check")
        let server = try LoopbackServer { _ in [.answer(401)] }
        let found = try await Self.check(
            "--engine",
            settings: """
                [speech]
                engine = "pocketsphinx"
                [polish]
                endpoint = "\(server.address("/v1"))"
                key-variable = "KEY"

                """, in: folder)
        #expect(found.code == 0 && found.lines.map(\.name) == ["engine", "polish"])
        #expect(found.lines.last?.verdict == "warning")
        #expect(found.lines.last?.finding.contains("refuses the key") == true)
        #expect(found.lines.last?.advice?.contains("polish.key-variable") == true)
    }

    @Test("a muted microphone is named by the check, and by the dictation that heard nothing")
    func mutedMicrophone() async throws {
        let server = try await SoundServer.start()
        let desk = try await Desk.set()
        let settings = "[audio]\ndevice = \"\(server.microphone)\"\n"
        func check() async throws -> [Line] {
            try await Self.check(
                "--microphone", settings: settings, in: desk.folder, environment: desk.environment
            )
            .lines
        }
        try await server.setMicrophone(isMuted: true, percent: 100)
        let muted = try #require(try await check().first)
        #expect(muted.verdict == "warning" && muted.finding.hasSuffix("it is muted"))
        let host = try await desk.startHost()
        _ = try await desk.dictstate("start")
        try await desk.speak(seconds: 1)
        _ = try await desk.start("dictstate", "stop").waitForExit()
        let state = try await desk.waitForDictation { $0.isSettled }
        #expect(state.error?.code == "microphone-muted")
        #expect(state.error?.message.contains("is muted") == true)
        try await server.setMicrophone(isMuted: false, percent: 0)
        #expect(try await check().first?.finding.hasSuffix("its volume is 0") == true)
        try await server.setMicrophone(isMuted: false, percent: 100)
        // It plays nothing, which the second of listening finds.
        #expect(try await check().first?.finding.contains("it delivers only silence") == true)
        await desk.end(host)
        await server.end()
    }
}
