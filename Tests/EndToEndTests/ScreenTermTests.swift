import DictationShared
import Foundation
import TestSupport
import Testing

/// Names on the screen: real windows, and real recognizers that do not know them.
@Suite("Names on the screen", .serialized, .timeLimit(.minutes(5)))
struct ScreenTermTests {
    /// The words of `lindqvist.wav`, without the name.
    private static let sentence = "Please send the report to"
    private static let seconds = 4.2

    private static func settings(_ context: String, rest: String = "") -> String {
        """
        [speech]
        engine = "sherpa-onnx"
        model = "\(InstalledEngines.model)"
        context = "\(context)"
        \(rest)
        """
    }

    private struct Scene {
        let desk: Desk
        let window: TextWindow
        let host: Program
        let inserter: Program

        static func open(_ settings: String, title: String) async throws -> Scene {
            let desk = try await Desk.set(.speaks("lindqvist.wav"))
            try desk.folder.write(settings, to: "settings.toml")
            let window = try await TextWindow.start(.gtkText, on: desk.display, title: title)
            let inserter = try await desk.startInserter()
            return Scene(
                desk: desk, window: window, host: try await desk.startHost(engines: InstalledEngines.folder),
                inserter: inserter)
        }

        func dictate() async throws -> DictationState {
            try tapKey("F9", on: desk.display)
            try await desk.speak(seconds: ScreenTermTests.seconds)
            try tapKey("F9", on: desk.display)
            return try await desk.waitForDictation { $0.isSettled }
        }

        func close() async { await desk.end(host, inserter) }
    }

    @Test(
        "a name in the title is written as it is there, though the model heard something else",
        .enabled(if: InstalledEngines.hasModel, "the model could not be fetched"),
        arguments: [
            ("window", "", true), ("off", "", false), ("window", "off", false), ("off", "window", true),
        ])
    func title(context: String, ofProfile: String, isWritten: Bool) async throws {
        let profile = ofProfile.isEmpty ? "" : "[[profile]]\ntitle = \"Re:*\"\ncontext = \"\(ofProfile)\"\n"
        let scene = try await Scene.open(
            Self.settings(context, rest: profile), title: "Re: Offer for Lindqvist - Mail")
        let state = try await scene.dictate()
        #expect(state.rawText.hasPrefix(Self.sentence) && !state.rawText.contains("Lindqvist"))
        #expect(state.cleanedText.contains("to Lindqvist") == isWritten, "\(state.cleanedText)")
        try await scene.window.waitForText(equal: state.cleanedText)
        await scene.close()
    }

    @Test(
        "a name in the selection counts, and nothing of the selection is kept anywhere",
        .enabled(if: InstalledEngines.hasModel, "the model could not be fetched"))
    func selection() async throws {
        let scene = try await Scene.open(Self.settings("selection"), title: "Letter")
        let selected = "Ask Lindqvist and Quillerby"
        try await scene.desk.display.xdotool("type", selected)
        try await scene.window.waitForText(equal: selected)
        try await scene.desk.display.xdotool("key", "ctrl+a")
        let state = try await scene.dictate()
        #expect(state.cleanedText.hasPrefix("\(Self.sentence) Lindqvist"), "\(state.cleanedText)")
        #expect(!state.rawText.contains("Lindqvist"))
        // Like all typed text, it replaces the selection.
        try await scene.window.waitForText(equal: state.cleanedText)
        let logs = scene.host.errors + scene.host.output + scene.inserter.errors
        #expect(!logs.contains("Quillerby") && !logs.contains("Lindqvist"))
        let files = try FileManager.default.subpathsOfDirectory(atPath: scene.desk.group.folder.path)
        #expect(files.contains("dictation.sqlite"))
        for file in files {
            let bytes = FileManager.default.contents(atPath: scene.desk.group.folder.path + "/" + file)
            #expect(bytes?.firstRange(of: Data("Quillerby".utf8)) == nil, "\(file)")
        }
        await scene.close()
    }

    @Test("words that are typed while the user speaks have the names as well")
    func live() async throws {
        let sound =
            try tones(of: "ask zabrovski now and", before: 1, after: 1)
            + tones(of: "then go on", before: 0.5, after: 2)
        let desk = try await Desk.set(.plays(sound))
        let model = repositoryFile("Tests/ToneModels/streaming")
        try desk.folder.write(
            """
            [speech]
            engine = "sherpa-onnx"
            model = "\(model)"
            context = "window"
            [insert]
            live = "segments"
            """, to: "settings.toml")
        let window = try await TextWindow.start(.gtkEntry, on: desk.display, title: "Re: Zabrowski")
        let host = try await desk.startHost(engines: try Desk.enginesWithoutVoices(in: desk.folder))
        let inserter = try await desk.startInserter()
        _ = try await desk.dictstate("start")
        try await window.waitForText { $0.hasPrefix("Ask Zabrowski") }
        _ = try await desk.dictstate("stop")
        let state = try await desk.waitForDictation { $0.isSettled }
        #expect(state.rawText.hasPrefix("ask zabrovski now and"))
        try await window.waitForText(equal: state.cleanedText)
        await desk.end(host, inserter)
    }

    @Test("the title and the selection of a native Wayland window count as well; doctor says so")
    func native() async throws {
        let desktop = try await WaylandDesktop.start()
        let desk = try await Desk.set(
            .plays(try tones(of: "ask zabrovski and lindkvist", before: 1, after: 2)))
        try desk.folder.write(
            """
            [speech]
            engine = "sherpa-onnx"
            model = "\(repositoryFile("Tests/ToneModels/streaming"))"
            context = "selection"
            """, to: "settings.toml")
        let environment = desk.environment.merging(desktop.environment) { $1 }
            .merging(["VOICEDICTATION_ENGINES": try Desk.enginesWithoutVoices(in: desk.folder)]) { $1 }
        var agents: [Program] = []
        for name in ["insert-agent", "host-agent"] {
            let agent = try Program.start(BuildFolder.program(name), [], environment: environment)
            try await agent.waitForLine(containing: "\(name) is ready")
            agents.append(agent)
        }
        let window = try await WaylandWindow.start(on: desktop, title: "Re: Zabrowski")
        let selection = try await desktop.copy("Ask Lindqvist", "--primary")
        func dictstate(_ arguments: String...) async throws -> Program {
            let program = try Program.start(
                BuildFolder.program("dictstate"), arguments, environment: environment)
            _ = try await program.waitForExit()
            return program
        }
        _ = try await dictstate("start")
        try await desk.speak(seconds: 6)
        _ = try await dictstate("stop")
        let state = try await desk.waitForDictation { $0.isSettled }
        #expect(state.rawText == "ask zabrovski and lindkvist")
        #expect(state.cleanedText == "Ask Zabrowski and Lindqvist.")
        // The store does not record a native window as the start of a dictation.
        #expect(state.target == nil)
        try await window.waitForText(equal: state.cleanedText)
        #expect(try await dictstate("doctor").output.contains("in the titles and selections of all windows"))
        await selection.end()
        await window.end()
        for agent in agents { await agent.end() }
        await desk.end()
        await desktop.end()
    }
}
