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
        // The voice activity detector hears no voice in tones: without it, loudness decides.
        let engines = try Desk.enginesWithoutVoices(in: desk.folder)
        try desk.folder.write(
            Self.settings(model: repositoryFile("Tests/ToneModels/\(model)")), to: "settings.toml")
        let window = try await TextWindow.start(.xterm, on: desk.display, title: "Letter")
        let host = try await desk.startHost(engines: engines)
        let inserter = try await desk.startInserter()
        try tapKey("F9", on: desk.display)
        try await desk.speak(seconds: 3)
        try tapKey("F9", on: desk.display)
        let state = try await desk.waitForDictation { $0.isSettled }
        #expect(state.rawText == "hello there")
        #expect(state.engine == "sherpa-onnx" && state.delivery == .inserted)
        try await window.waitForText(equal: "Hello there.")
        await desk.end(host, inserter)
    }

    @Test("sound without a voice for the detector is recognized once loudness decides")
    func loudness() async throws {
        let desk = try await Desk.set(.speaks("../ToneModels/hello-there.wav"))
        try desk.folder.write(
            Self.settings(model: repositoryFile("Tests/ToneModels/nemo")), to: "settings.toml")
        let host = try await desk.startHost()
        _ = try await desk.dictstate("start")
        try await desk.speak(seconds: 3)
        _ = try await desk.start("dictstate", "stop").waitForExit()
        let unheard = try await desk.waitForDictation { $0.isSettled }
        #expect(unheard.error?.knownCode == .noVoice)
        // As the message advises.
        _ = try await desk.dictstate("settings", "set", "audio.voice-detection", "loudness")
        _ = try await desk.dictstate("recognize", unheard.id.description)
        let state = try await desk.waitForDictation(unheard.id) { $0.delivery != nil }
        #expect(state.rawText == "hello there")
        // And the next ones, without a restart.
        try await host.waitForLine(containing: "the next dictation is recognized by")
        _ = try await desk.dictstate("start")
        try await desk.speak(seconds: 3)
        _ = try await desk.dictstate("stop")
        let next = try await desk.waitForDictation { $0.id > unheard.id && $0.status == .ready }
        #expect(next.rawText == "hello there")
        await desk.end(host)
    }

    @Test("a model of several languages finds out which one is spoken, and its text is cleaned by that")
    func foundLanguage() async throws {
        let desk = try await Desk.set(.speaks("../ToneModels/hello-there.wav"))
        let engines = try Desk.enginesWithoutVoices(in: desk.folder)
        let model = URL(filePath: desk.folder.file("several"))
        try FileManager.default.copyItem(
            at: URL(filePath: repositoryFile("Tests/ToneModels/nemo")), to: model)
        let description = model.appending(path: "model.json")
        let text = try String(contentsOf: description, encoding: .utf8)
        let settings = "locale = \"auto\"\n"
        try desk.folder.write(Self.settings(model: model.path) + settings, to: "settings.toml")
        // Unmodified, it knows one language, and reports it.
        let check = try Program.start(
            BuildFolder.program("host-agent"), ["check", "--engine"],
            environment: desk.environment.merging(["VOICEDICTATION_ENGINES": engines]) { $1 })
        #expect(try await check.exitCode == 1)
        #expect(check.output.contains("detects the language"), "\(check.output)")
        try text.replacing(/"en"/, with: "\"en\", \"de\"")
            .write(to: description, atomically: true, encoding: .utf8)
        let host = try await desk.startHost(engines: engines)
        _ = try await desk.dictstate("start")
        try await desk.speak(seconds: 3)
        _ = try await desk.dictstate("stop")
        let state = try await desk.waitForDictation { $0.status == .ready }
        #expect(state.rawText == "hello there" && state.cleanedText == "Hello there.")
        #expect(state.locale == "en")
        await desk.end(host)
    }

    @Test(
        "“stop listening” ends the recording at the pause behind it; one word more, and it is text",
        arguments: [("stop listening", true), ("stop listening to me", false)])
    func stopListening(words: String, isCommand: Bool) async throws {
        let desk = try await Desk.set(.plays(try tones(of: words, before: 1, after: 3)))
        try desk.folder.write(
            Self.settings(model: repositoryFile("Tests/ToneModels/streaming")), to: "settings.toml")
        let host = try await desk.startHost(engines: try Desk.enginesWithoutVoices(in: desk.folder))
        _ = try await desk.dictstate("start")
        if isCommand {
            // No key is touched.
            let stopped = try await desk.waitForDictation { $0.isSettled }
            #expect(stopped.status == .cancelled && stopped.cleanedText.isEmpty)
        } else {
            // This model decodes while one speaks: it had the two words alone for a while.
            let heard = try await desk.waitForDictation {
                $0.partialText.contains("listening t") || $0.isSettled
            }
            #expect(heard.status == .recording)
            try await desk.speak(seconds: 2)
            _ = try await desk.dictstate("stop")
            let state = try await desk.waitForDictation(heard.id) { $0.status == .ready || $0.isSettled }
            #expect(state.rawText == words)
        }
        await desk.end(host)
    }

    @Test(
        "sherpa-onnx with a real model types real speech, as it is written",
        .enabled(if: InstalledEngines.hasModel, "the model could not be fetched"))
    func realModel() async throws {
        let desk = try await Desk.set(.speaks("calligraphy.wav"))
        try desk.folder.write(Self.settings(model: InstalledEngines.model), to: "settings.toml")
        let window = try await TextWindow.start(.xterm, on: desk.display, title: "Letter")
        let host = try await desk.startHost(engines: InstalledEngines.folder)
        let inserter = try await desk.startInserter()
        try tapKey("F9", on: desk.display)
        try await desk.speak(seconds: 6.3)
        try tapKey("F9", on: desk.display)
        let state = try await desk.waitForDictation { $0.isSettled }
        #expect(state.engine == "sherpa-onnx" && state.delivery == .inserted)
        #expect(state.cleanedText.contains("Middle Ages brought calligraphy to perfection"))
        try await window.waitForText(equal: state.cleanedText)
        await desk.end(host, inserter)
    }

    @Test(
        "a server recognizes, and if it does not, PocketSphinx, with the same sound",
        arguments: [true, false])
    func remote(isServed: Bool) async throws {
        let server = try LoopbackServer { _ in
            isServed ? [.answer(200, [:], Data("{\"text\": \"Said the server.\"}".utf8))] : [.answer(500)]
        }
        let desk = try await Desk.set(.speaks("demo.wav"))
        try desk.folder.write(
            "[speech]\nengine = \"remote\"\n[remote]\naddress = \"\(server.address("/v1"))\"\n",
            to: "settings.toml")
        try desk.folder.write("[words]\nnames = [\"Gutenberg\", \"McDonald\"]\n", to: "dictionary.toml")
        let host = try await desk.startHost()
        _ = try await desk.dictstate("start")
        try await desk.speak(seconds: 6.5)
        _ = try await desk.dictstate("stop")
        let state = try await desk.waitForDictation { $0.status == .ready }
        #expect(state.engine == (isServed ? "remote" : "pocketsphinx"))
        if isServed {
            #expect(state.cleanedText == "Said the server.")
        } else {
            #expect(state.rawText.contains("block books"))
            #expect(host.errors.contains("answered with status 500"))
        }
        let body = String(decoding: try #require(server.requests.first).body, as: UTF8.self)
        // Recognition is biased toward the names of the dictionary.
        #expect(body.contains("Gutenberg, McDonald"))
        await desk.end(host)
    }

    @Test("control characters of a recognized text reach a pipe as they are, and no terminal")
    func controlCharacters() async throws {
        let folder = try TemporaryFolder("controls")
        let answer = "{\"text\": \"hello \\u001b[31mred\"}"
        let server = try LoopbackServer { _ in [.answer(200, [:], Data(answer.utf8))] }
        let settings = try folder.write(
            "[speech]\nengine = \"remote\"\n[remote]\naddress = \"\(server.address("/v1"))\"\n",
            to: "settings.toml")
        let command = [BuildFolder.program("host-agent"), "transcribe", Desk.recording("short.wav")]
        let environment = ["VOICEDICTATION_SETTINGS": settings]
        let piped = try await Program.run(command[0], Array(command[1...]), environment: environment)
        #expect(piped == "hello \u{1B}[31mred\n")
        let terminal = try await Terminal.start(
            command, environment: Program.cleanEnvironment.merging(environment) { $1 })
        #expect(try await terminal.waitForText("ended 0").contains("hello \\x1B[31mred"))
        await terminal.end()
    }

    @Test(
        "without a word in the settings a model that is installed recognizes, and PocketSphinx where it is broken"
    )
    func automatic() async throws {
        let folder = try TemporaryFolder("automatic")
        let engines = try Desk.enginesWithoutVoices(in: folder)
        let environment = ["VOICEDICTATION_ENGINES": engines]
        func hostAgent(_ arguments: String...) async throws -> String {
            let program = try Program.start(
                BuildFolder.program("host-agent"), arguments, environment: environment)
            let code = try await program.exitCode
            #expect(code == 0, "\(arguments) \(program.errors)")
            return program.output + program.errors
        }
        let (tones, words) = (repositoryFile("Tests/ToneModels/hello-there.wav"), Desk.recording("short.wav"))
        let poor = try await hostAgent("check", "--engine")
        #expect(poor.contains("host-agent models install moonshine-tiny-en"))
        #expect(poor.hasSuffix("engine: ok, pocketsphinx\n"))
        let model = engines + "/models/tones"
        try FileManager.default.createDirectory(
            atPath: engines + "/models", withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: repositoryFile("Tests/ToneModels/streaming"), toPath: model)
        #expect(try await hostAgent("check", "--engine") == "engine: ok, sherpa-onnx, tones\n")
        #expect(try await hostAgent("transcribe", tones) == "hello there\n")
        try Data("no model".utf8).write(to: URL(filePath: model + "/model.onnx"))
        let broken = try await hostAgent("check", "--engine")
        #expect(broken.contains("cannot use the model") && broken.contains("engine: ok, pocketsphinx"))
        let heard = try await hostAgent("transcribe", words)
        #expect(heard.contains("surpassed") && heard.contains("cannot use the model"))
    }

    @Test("if only the engine is named, an installed model that knows the language recognizes")
    func unnamedModel() async throws {
        let folder = try TemporaryFolder("unnamed-model")
        let engines = try Desk.enginesWithoutVoices(in: folder)
        let models = engines + "/models"
        func hostAgent(_ arguments: String..., locale: String = "en-US") async throws -> String {
            let program = try Program.start(
                BuildFolder.program("host-agent"), arguments,
                environment: [
                    "VOICEDICTATION_ENGINES": engines, "VOICEDICTATION_SPEECH_ENGINE": "sherpa-onnx",
                    "VOICEDICTATION_SPEECH_LOCALE": locale,
                ])
            _ = try await program.exitCode
            return program.output + program.errors
        }
        try FileManager.default.createDirectory(atPath: models, withIntermediateDirectories: true)
        #expect(try await hostAgent("check", "--engine").contains("sherpa-onnx has no model in \(models)/"))
        // Their files are not mistaken for those of one model.
        for (name, kind) in [("adding-marks", "punctuation"), ("nemo", "nemo"), ("tones", "streaming")] {
            try FileManager.default.copyItem(
                atPath: repositoryFile("Tests/ToneModels/\(kind)"), toPath: "\(models)/\(name)")
        }
        let description = "\(models)/nemo/model.json"
        let german = try String(contentsOfFile: description, encoding: .utf8)
            .replacingOccurrences(of: "\"en\"", with: "\"de\"")
        try Data(german.utf8).write(to: URL(filePath: description))
        #expect(try await hostAgent("check", "--engine") == "engine: ok, sherpa-onnx, tones\n")
        #expect(
            try await hostAgent("transcribe", repositoryFile("Tests/ToneModels/hello-there.wav"))
                == "hello there\n")
        #expect(try await hostAgent("check", "--engine", locale: "de-DE").hasSuffix("sherpa-onnx, nemo\n"))
        #expect(try await hostAgent("check", "--engine", locale: "fr-FR").contains("knows “fr-FR”"))
    }

    @Test("an installed or removed model counts from the next dictation on; one under way keeps its own")
    func replacement() async throws {
        let desk = try await Desk.set(.speaks("../ToneModels/hello-there.wav"))
        let engines = try Desk.enginesWithoutVoices(in: desk.folder)
        let host = try await desk.startHost(engines: engines)
        func models(_ arguments: String...) async throws -> String {
            try await Program.run(
                BuildFolder.program("host-agent"), ["models"] + arguments,
                environment: desk.environment.merging(["VOICEDICTATION_ENGINES": engines]) { $1 })
        }
        func dictate(_ meanwhile: () async throws -> Void = {}) async throws -> DictationState {
            let seen = try desk.store.revision()
            _ = try await desk.dictstate("start")
            try await desk.speak(seconds: 3)
            try await meanwhile()
            _ = try await desk.dictstate("stop")
            return try await desk.waitForDictation(since: seen) { $0.status == .ready || $0.status == .error }
        }
        let before = try await dictate {
            _ = try await models(
                "install", repositoryFile("Tests/ToneModels/streaming"), "--name", "tones", "--language",
                "en")
            try await host.waitForLine(containing: "the next dictation is recognized by sherpa-onnx, tones")
        }
        #expect(before.engine == "pocketsphinx")
        let after = try await dictate()
        #expect(after.engine == "sherpa-onnx" && after.rawText == "hello there")
        // A setting that cannot be fulfilled costs no dictation.
        try desk.folder.write("[speech]\nmodel = \"nosuchmodel\"\n", to: "settings.toml")
        let refused = try await host.waitForLine(
            containing: "stays in use until the settings or the model change")
        #expect(try await dictate().rawText == "hello there")
        let check = try await Program.run(
            BuildFolder.program("host-agent"), ["check", "--engine"],
            environment: desk.environment.merging(["VOICEDICTATION_ENGINES": engines]) { $1 })
        #expect(check.contains("nosuchmodel"))
        try desk.folder.write("[speech]\nthreads = 1\n", to: "settings.toml")
        let threads = try await host.waitForLine(
            containing: "the next dictation is recognized by sherpa-onnx, tones",
            from: refused.number + 1)
        _ = try await models("remove", "tones")
        let gone = try await host.waitForLine(
            containing: "the next dictation is recognized by pocketsphinx", from: threads.number + 1)
        #expect(try await dictate().engine == "pocketsphinx")
        // While none of the user's languages can be recognized, a missing model is not worse.
        try desk.folder.write("[speech]\nlocale = \"de-DE\"\n", to: "settings.toml")
        let german = try await host.waitForLine(
            containing: "the next dictation is recognized by pocketsphinx", from: gone.number + 1)
        try desk.folder.write("[speech]\nmodel = \"nosuchmodel\"\n", to: "settings.toml")
        // The engine that recognizes is named, and not the one that cannot.
        try await host.waitForLine(
            containing: "the next dictation is recognized by pocketsphinx", from: german.number + 1)
        await desk.end(host)
    }

    @Test("an engine or a model that is not there is reported, and the sound is kept; the agent continues")
    func missing() async throws {
        let desk = try await Desk.set(.speaks("short.wav"))
        try desk.folder.write(Self.settings(model: "nosuchmodel"), to: "settings.toml")
        let host = try await desk.startHost(engines: desk.folder.file("engines"))
        for _ in 0..<2 {
            let seen = try desk.store.revision()
            // The first report may be the start or the end of the recording.
            _ = try await desk.start("dictstate", "start").waitForExit()
            try await desk.waitForDictation(since: seen) { $0.isSettled }
        }
        let state = try await desk.waitForDictation { $0.isSettled }
        #expect(state.status == .error)
        #expect(state.error?.code == "engine-missing")
        #expect(state.error?.message.contains("host-agent install-engines") == true)
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
    /// A folder of engines as `host-agent install-engines` installs it, without the voice activity detector.
    static func enginesWithoutVoices(in folder: TemporaryFolder) throws -> String {
        try engines(in: folder) { $0.hasPrefix("sherpa-onnx") }
    }

    /// The same with these settings, and without any speech model.
    static func engines(
        in folder: TemporaryFolder, _ isWanted: (String) -> Bool = { $0 != "models" }
    ) throws -> String {
        let installed = InstalledEngines.folder
        let engines = folder.file("engines")
        try FileManager.default.createDirectory(atPath: engines, withIntermediateDirectories: true)
        for name in try FileManager.default.contentsOfDirectory(atPath: installed) where isWanted(name) {
            try FileManager.default.createSymbolicLink(
                atPath: engines + "/" + name, withDestinationPath: installed + "/" + name)
        }
        return engines
    }

    func startHost(engines: String) async throws -> Program {
        let host = try Program.start(
            BuildFolder.program("host-agent"),
            environment: environment.merging(["VOICEDICTATION_ENGINES": engines]) { $1 })
        try await host.waitForLine(containing: "host-agent is ready")
        return host
    }
}
