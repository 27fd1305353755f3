import Foundation
import TestSupport
import Testing

/// `host-agent models`: the known models, the installed ones, and the working ones.
@Suite("Models by command", .serialized, .timeLimit(.minutes(5)))
struct ModelCommandTests {
    @Test("without a catalog there are the models that install-engines knows, and how to get one")
    func modelsThatAreKnown() async throws {
        let folder = try TemporaryFolder("models")
        let environment = ["VOICEDICTATION_ENGINES": folder.file("engines")]
        func models(_ arguments: String...) async throws -> (code: Int32, output: String) {
            let program = try Program.start(
                BuildFolder.program("host-agent"), ["models"] + arguments, environment: environment)
            let code = try await program.exitCode
            return (code, program.output + program.errors)
        }
        let list = try await models()
        #expect(list.code == 0 && list.output.contains("models install \(InstalledEngines.model)"))
        let line = try await models("list", "--json").output
        #expect(line.contains("\"name\":\"\(InstalledEngines.model)\""))
        #expect(line.contains("\"isInstalled\":false"))
        let unknown = try await models("install", "nosuchmodel")
        #expect(unknown.code == 2 && unknown.output.contains(InstalledEngines.model))
        let named = try await models("install", InstalledEngines.model, "--language", "de")
        #expect(named.code == 64 && named.output.contains("--name and --language go with a path"))
        if InstalledEngines.hasModel {
            // The files that were listed before are there afterward.
            let there = try await Program.run(
                BuildFolder.program("host-agent"), ["models", "list", "--json"],
                environment: ["VOICEDICTATION_ENGINES": InstalledEngines.folder])
            let size = try #require(line.firstMatch(of: /"size":(\d+)/)?.output.1)
            #expect(there.contains("\"size\":\(size)") && there.contains("\"isInstalled\":true"))
        }
    }

    @Test("the shell completes the names of models, and asks no server for them")
    func completion() async throws {
        let folder = try TemporaryFolder("models")
        let engines = folder.file("engines")
        try FileManager.default.createDirectory(
            atPath: engines + "/models", withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: repositoryFile("Tests/ToneModels/streaming"), toPath: engines + "/models/tones")
        let complete = """
            source <("$0" --generate-completion-script bash)
            COMP_WORDS=("$0" "$@") COMP_CWORD=$# COMP_LINE="${COMP_WORDS[*]}" COMP_POINT=${#COMP_LINE}
            _host-agent "$0" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        func completed(_ words: String...) async throws -> [Substring] {
            let output = try await Program.run(
                "bash", ["-c", complete, BuildFolder.program("host-agent")] + words,
                environment: ["VOICEDICTATION_ENGINES": engines])
            return output.split(separator: "\n")
        }
        #expect(try await completed("models", "remove", "").contains("tones"))
        #expect(try await completed("models", "install", "moonshine-tiny").contains("moonshine-tiny-en"))
        #expect(try await completed("run", "--log-level", "war") == ["warning"])
    }

    @Test("a model is listed, installed from a catalog, checked, used and removed")
    func models() async throws {
        let folder = try TemporaryFolder("models")
        let shop = try await ModelShop.open(offering: "tones")
        let settings = try folder.write(
            """
            [speech]
            engine = "sherpa-onnx"
            model = "tones"
            \(shop.settings)

            """, to: "settings.toml")
        let environment = [
            "VOICEDICTATION_SETTINGS": settings,
            "VOICEDICTATION_ENGINES": try Desk.enginesWithoutVoices(in: folder),
        ]
        func hostAgent(_ arguments: String...) async throws -> (code: Int32, output: String) {
            let program = try Program.start(
                BuildFolder.program("host-agent"), arguments, environment: environment)
            let code = try await program.exitCode
            return (code, program.output + program.errors)
        }
        #expect(try await hostAgent("models", "install", "none").code == 2)
        #expect(try await hostAgent("models").output.contains("tones"))
        #expect(try await hostAgent("models", "install", "tones").code == 0)
        let list = try await hostAgent("models", "list", "--json").output
        #expect(list.contains("\"isInstalled\":true") && list.contains("\"licence\":\"MIT\""))
        #expect(try await hostAgent("models", "verify").output.contains("tones: ok"))
        let heard = try await hostAgent("transcribe", repositoryFile("Tests/ToneModels/hello-there.wav"))
        #expect(heard.code == 0 && heard.output.contains("hello there"))
        #expect(try await hostAgent("models", "remove", "tones").code == 0)
        let missing = try await hostAgent("transcribe", repositoryFile("Tests/ToneModels/hello-there.wav"))
        #expect(missing.code == 1 && missing.output.contains("host-agent models"))
    }

    @Test("a model that one has is installed by its path, listed, checked and used")
    func modelByPath() async throws {
        let folder = try TemporaryFolder("models")
        let given = folder.file("tones")
        try FileManager.default.copyItem(
            atPath: repositoryFile("Tests/ToneModels/streaming"), toPath: given)
        try FileManager.default.removeItem(atPath: given + "/model.json")
        let engines = try Desk.enginesWithoutVoices(in: folder)
        let environment = [
            "VOICEDICTATION_SETTINGS": try folder.write(
                "[speech]\nengine = \"sherpa-onnx\"\nmodel = \"tones\"\n", to: "settings.toml"),
            "VOICEDICTATION_ENGINES": engines,
        ]
        func hostAgent(_ arguments: String...) async throws -> (code: Int32, output: String) {
            let program = try Program.start(
                BuildFolder.program("host-agent"), arguments, environment: environment)
            let code = try await program.exitCode
            return (code, program.output + program.errors)
        }
        #expect(try await hostAgent("models", "install", folder.file("none")).code == 2)
        let untold = try await hostAgent("models", "install", given)
        #expect(untold.code == 1 && untold.output.contains("--language en"))
        #expect(try await hostAgent("models", "install", given, "--language", "German").code == 64)
        let installed = try await hostAgent("models", "install", given, "--language", "en")
        #expect(installed.code == 0 && installed.output.contains("tones (streaming-zipformer2-ctc, en)"))
        #expect(try await hostAgent("models").output.contains(/tones +not tried +en +installed/))
        let heard = try await hostAgent("transcribe", repositoryFile("Tests/ToneModels/hello-there.wav"))
        #expect(heard.code == 0 && heard.output.contains("hello there"))
        #expect(try await hostAgent("models", "verify").output.contains("tones: ok"))
        try Data("0".utf8).write(to: URL(filePath: engines + "/models/tones/tokens.txt"))
        let damaged = try await hostAgent("models", "verify")
        #expect(damaged.code == 1 && damaged.output.contains("models remove tones"))
    }
}
