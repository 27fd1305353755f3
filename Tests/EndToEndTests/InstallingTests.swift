import DictationShared
import DictationSystem
import Foundation
import Glibc
import TestSupport
import Testing

/// A better recognizer, installed from the notification and from the guided setup. It comes from a
/// server on this machine, under the name of the model that is recommended.
@Suite("Installing a recognizer", .serialized, .timeLimit(.minutes(3)))
struct InstallingTests {
    @Test("the button of the notification installs it, and the next dictation uses it")
    func notification() async throws {
        let service = try await BusTests.Service.start(BusTests.notifications)
        let shop = try await ModelShop.open(offering: InstalledEngines.model)
        let desk = try await Desk.set(.speaks("../ToneModels/hello-there.wav"))
        try desk.folder.write(
            "[audio]\nvoice-detection = \"loudness\"\n" + shop.settings, to: "settings.toml")
        let bus = ["DBUS_SESSION_BUS_ADDRESS": service.address]
        let environment = desk.environment.merging(bus) { $1 }.merging([
            "VOICEDICTATION_NOTICES_OFFERS": "true",
            "VOICEDICTATION_ENGINES": try Desk.engines(in: desk.folder),
        ]) { $1 }
        let host = try Program.start(BuildFolder.program("host-agent"), [], environment: environment)
        try await service.program.waitForLine(containing: "Install the better recognizer (")
        try await BusTests.click("install", in: 1, on: service.bus)
        try await service.program.waitForLine(containing: "The better recognizer is installed")
        try await host.waitForLine(containing: "recognized by sherpa-onnx, \(InstalledEngines.model)")
        _ = try await desk.dictstate("start")
        try await desk.speak(seconds: 3)
        _ = try await desk.dictstate("stop")
        let state = try await desk.waitForDictation { $0.status == .ready || $0.status == .error }
        #expect(state.engine == "sherpa-onnx" && state.rawText == "hello there")
        #expect(shop.downloads == 1)
        await desk.end(host)
        await service.end()
    }

    @Test("the guided setup fetches the recommended model; a second time there is nothing to fetch")
    func setup() async throws {
        let shop = try await ModelShop.open(offering: InstalledEngines.model)
        let desk = try await Desk.set()
        try desk.folder.write(shop.settings, to: "settings.toml")
        let environment = desk.environment.merging([
            "HOME": desk.folder.path, "VOICEDICTATION_ENGINES": try Desk.engines(in: desk.folder),
        ]) { $1 }
        for _ in 0..<2 {
            let setup = try Program.start(
                BuildFolder.program("dictstate"), ["setup", "--yes", "model"], environment: environment)
            #expect(try await setup.exitCode == 0, "\(setup.output) \(setup.errors)")
            #expect(setup.output.contains("\(InstalledEngines.model) is installed"))
        }
        #expect(shop.downloads == 1)
        // It is used because it is there: no setting was needed for it.
        #expect(
            try String(contentsOfFile: desk.folder.file("settings.toml"), encoding: .utf8) == shop.settings)
        let check = try await Program.run(
            BuildFolder.program("host-agent"), ["check", "--engine"], environment: environment)
        #expect(check == "engine: ok, sherpa-onnx, \(InstalledEngines.model)\n")
        await desk.end()
    }

    @Test(
        "the guided setup leaves a recognizer that the settings name",
        arguments: [
            "engine = \"pocketsphinx\"", "model = \"mine\"",
            "model = \"\(repositoryFile("Tests/ToneModels/streaming"))\"",
        ])
    func setupAgain(chosen: String) async throws {
        let shop = try await ModelShop.open(offering: InstalledEngines.model)
        let desk = try await Desk.set()
        let settings = shop.settings + "[speech]\n\(chosen)\n"
        try desk.folder.write(settings, to: "settings.toml")
        let engines = try Desk.engines(in: desk.folder)
        try FileManager.default.createDirectory(
            atPath: engines + "/models", withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: repositoryFile("Tests/ToneModels/streaming"), toPath: engines + "/models/mine")
        let setup = try Program.start(
            BuildFolder.program("dictstate"), ["setup", "--yes", "model"],
            environment: desk.environment.merging([
                "HOME": desk.folder.path, "VOICEDICTATION_ENGINES": engines,
            ]) { $1 })
        #expect(try await setup.exitCode == 0, "\(setup.output) \(setup.errors)")
        let left = try String(contentsOfFile: desk.folder.file("settings.toml"), encoding: .utf8)
        #expect(left == settings && shop.downloads == 0)
        await desk.end()
    }

    @Test("if pip fails, one line says why")
    func pipFails() async throws {
        let folder = try TemporaryFolder("pip")
        let environment = ["PIP_NO_INDEX": "1", "VOICEDICTATION_ENGINES": folder.file("engines")]
        let agent = try Program.start(
            BuildFolder.program("host-agent"), ["install-engines"], environment: environment)
        #expect(try await agent.exitCode == 1)
        let script = try Program.start(
            repositoryFile("packaging/install-engines"), [], environment: environment)
        #expect(try await script.exitCode == 1)
        for errors in [agent.errors, script.errors] {
            let lines = errors.split(separator: "\n").filter { !$0.hasPrefix("Fetching") }
            #expect(lines.count == 1 && lines.first?.contains("sherpa-onnx-core") == true, "\(errors)")
        }
    }

    @Test("an installation that waits for another one ends as soon as it is canceled")
    func cancelledWhileWaiting() async throws {
        let folder = try TemporaryFolder("engines")
        let other = try Descriptor.opening("open \(folder.path)") {
            open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        }
        try other.lock("lock \(folder.path)")
        let script = ChildProcess(
            program: repositoryFile("packaging/install-engines"), arguments: ["--steps"],
            limit: .seconds(600), errors: .taken,
            environment: ["PIP_NO_INDEX": "1", "VOICEDICTATION_ENGINES": folder.path], endsWithInput: true)
        let (lines, told) = AsyncStream.makeStream(of: String.self)
        let installation = Task { try await script.run { told.yield($0) } }
        let first = await lines.first { _ in true }
        #expect(first?.hasPrefix("Another install-engines is running") == true)
        installation.cancel()
        await #expect(throws: CancellationError.self) { try await installation.value }
        withExtendedLifetime(other) {}
    }

    @Test("if the disk is full, it says so", .enabled(if: SmallDisk.isPermitted))
    func fullDisk() async throws {
        let disk = try SmallDisk(megabytes: 2)
        let wheel = "sherpa_onnx_core-2.0.1-py3-none-any.whl"
        let server = try LoopbackServer { request in
            guard request.path.hasSuffix(wheel) else {
                return [
                    .answer(200, ["Content-Type": "text/html"], Data("<a href=\"/\(wheel)\">it</a>".utf8))
                ]
            }
            return [.answer(200, [:], Data(repeating: 1, count: 4_000_000))]
        }
        let agent = try Program.start(
            BuildFolder.program("host-agent"), ["install-engines"],
            environment: [
                "PIP_INDEX_URL": server.address("/simple"),
                "VOICEDICTATION_ENGINES": disk.folder("engines").path,
            ])
        #expect(try await agent.exitCode == 1)
        #expect(agent.errors.contains("No space left on device"), "\(agent.errors)")
        server.stop()
    }
}
