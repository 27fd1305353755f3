import DictationShared
import Foundation
import TestSupport
import Testing

/// The engines that are not the default one, from the settings file to the typed text.
@Suite("Engines", .serialized, .timeLimit(.minutes(5)))
struct EngineTests {
    private static func settings(model: String) -> String {
        "[speech]\nengine = \"sherpa-onnx\"\nmodel = \"\(model)\"\n"
    }

    @Test(
        "sherpa-onnx types what was said, with models that decode while one speaks and with others",
        arguments: ["streaming", "nemo"])
    func sherpa(model: String) async throws {
        let desk = try await Desk.set(.speaks("../ToneModels/hello-there.wav"))
        // To the model of voices tones are none: without it, loudness decides.
        let engines = try desk.withoutVoices()
        try desk.folder.write(
            Self.settings(model: repositoryFile("Tests/ToneModels/\(model)")), to: "settings.toml")
        let window = try await TextWindow.start(.xterm, on: desk.display, title: "Letter")
        let host = try await desk.startHost(engines: engines)
        let inserter = try await desk.startInserter()
        try await tapKey("F9", on: desk.display)
        try await desk.speak(seconds: 3)
        try await tapKey("F9", on: desk.display)
        let state = try await desk.waitForDictation { $0.isSettled }
        #expect(state.rawText == "hello there")
        #expect(state.engine == "sherpa-onnx" && state.delivery == .inserted)
        try await window.waitForText(equal: "Hello there.")
        await desk.end(host, inserter)
    }

    @Test(
        "a server recognises, and where it does not, PocketSphinx, with the same sound",
        arguments: [true, false])
    func remote(isServed: Bool) async throws {
        let server = try LoopbackServer { _ in
            isServed ? [.answer(200, [:], Data("{\"text\": \"Said the server.\"}".utf8))] : [.answer(500)]
        }
        let desk = try await Desk.set(.speaks("demo.wav"))
        try desk.folder.write(
            "[speech]\nengine = \"remote\"\n[remote]\naddress = \"\(server.address("/v1"))\"\n",
            to: "settings.toml")
        let host = try await desk.startHost()
        _ = try await desk.dictstate("start")
        try await desk.speak(seconds: 6.5)
        _ = try await desk.dictstate("stop")
        let state = try await desk.waitForDictation { $0.status == .ready }
        #expect(state.engine == "remote")
        if isServed {
            #expect(state.cleanedText == "Said the server.")
        } else {
            #expect(state.rawText.contains("block books"))
            #expect(host.errors.contains("answered with status 500"))
        }
        #expect(!server.requests.isEmpty)
        await desk.end(host)
    }

    @Test("an engine or a model that is not there is told, and the sound is kept; the agent lives on")
    func missing() async throws {
        let desk = try await Desk.set(.speaks("short.wav"))
        try desk.folder.write(Self.settings(model: "nosuchmodel"), to: "settings.toml")
        let host = try await desk.startHost(engines: desk.folder.file("engines"))
        for _ in 0..<2 {
            _ = try await desk.dictstate("start")
            try await desk.speak(seconds: 0.5)
            _ = try? await desk.dictstate("stop")
        }
        let state = try await desk.waitForDictation { $0.isSettled }
        #expect(state.status == .error)
        #expect(state.error?.code == "engine-missing")
        #expect(state.error?.message.contains("make engines") == true)
        let audio = desk.group.audio(of: state.id)
        if state.error?.kept != nil { #expect(FileManager.default.fileExists(atPath: audio.path)) }
        let check = try Program.start(
            BuildFolder.program("host-agent"), ["check", "--engine"],
            environment: desk.environment.merging(["VOICEDICTATION_ENGINES": desk.folder.file("engines")]) {
                $1
            })
        #expect(try await check.exitCode == 1)
        #expect(check.output.contains("engine: sherpa-onnx is not installed"))
        await desk.end(host)
    }
}

extension Desk {
    /// A folder of engines as `make engines` installs it, without the model of voices.
    fileprivate func withoutVoices() throws -> String {
        let environment = ProcessInfo.processInfo.environment
        let installed =
            environment["VOICEDICTATION_ENGINES"]
            ?? (environment["XDG_DATA_HOME"] ?? NSHomeDirectory() + "/.local/share")
            + "/voicedictation/engines"
        let engines = folder.file("engines")
        try FileManager.default.createDirectory(atPath: engines, withIntermediateDirectories: true)
        for name in try FileManager.default.contentsOfDirectory(atPath: installed)
        where name.hasPrefix("sherpa-onnx") {
            try FileManager.default.createSymbolicLink(
                atPath: engines + "/" + name, withDestinationPath: installed + "/" + name)
        }
        return engines
    }

    fileprivate func startHost(engines: String) async throws -> Program {
        let host = try Program.start(
            BuildFolder.program("host-agent"),
            environment: environment.merging(["VOICEDICTATION_ENGINES": engines]) { $1 })
        try await host.waitForLine(containing: "host-agent is ready")
        return host
    }
}
