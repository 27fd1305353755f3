import DictationShared
import Foundation
import TestSupport
import Testing

/// The sound on disk: there while it is needed, and no longer.
@Suite("Recordings on disk", .serialized, .timeLimit(.minutes(5)))
struct RecordingTests {
    private func files(_ desk: Desk) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: desk.group.audioFolder.path).sorted()
    }

    /// Seconds, as another program reads them.
    private func length(of file: URL) async throws -> Double {
        let text = try await Program.run("soxi", ["-D", file.path])
        return try #require(Double(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    @Test(
        "can be opened in the middle of the recording, and after a kill; recovered and discarded, it is gone")
    func openAnytime() async throws {
        let desk = try await Desk.set(.speaks("demo.wav"))
        let host = try await desk.startHost()
        try tapKey("F9", on: desk.display)
        let recording = try await desk.waitForDictation { $0.status == .recording && !$0.partialText.isEmpty }
        let file = desk.group.audio(of: recording.id)
        let early = try await length(of: file)
        #expect(early > 0.3, "the first word took that long")
        try await desk.speak(seconds: 2)
        #expect(try await length(of: file) > early + 1)
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        try await desk.kill(host)
        #expect(try await length(of: file) > early + 1)
        #expect(
            try await desk.dictstate().contains("host-agent ended in the middle"), "no row waits for the dead"
        )
        #expect(try desk.store.unfinished().isEmpty)

        let next = try await desk.startHost()
        // Of low priority, on a machine that may be busy.
        try await next.waitForLine(
            containing: "was recovered: dictstate insert \(recording.id)", within: .seconds(180))
        let state = try #require(try desk.store.dictation(recording.id))
        #expect(state.delivery == .held(.recovered))
        #expect(try await desk.dictstate().contains("recognized later"))
        #expect(try files(desk) == ["\(recording.id).wav"], "kept while the text is held")
        let inserter = try await desk.startInserter()
        _ = try await desk.dictstate("discard", recording.id.description)
        // The sound is removed when the host has seen it: its next dictation comes after that.
        _ = try await desk.dictstate("start")
        _ = try await desk.dictstate("cancel")
        try await desk.waitForDictation { $0.status == .cancelled }
        await desk.end(next, inserter)
        #expect(try files(desk).isEmpty, "discarded and cancelled")
    }

    @Test("are synced during speech, and not only when the kernel writes them")
    func onDisk() async throws {
        let desk = try await Desk.set(.speaks("demo.wav"))
        let log = desk.folder.file("calls")
        let recorded = RecordedCall.environment(log: log, folder: desk.group.folder.path)
        let host = try Program.start(
            BuildFolder.program("host-agent"),
            environment: desk.environment.merging(recorded) { _, new in new })
        try await host.waitForLine(containing: "host-agent is ready")
        try tapKey("F9", on: desk.display)
        let recording = try await desk.waitForDictation { $0.status == .recording && !$0.partialText.isEmpty }
        // Steps of two seconds.
        try await desk.speak(seconds: 5)
        try tapKey("F9", on: desk.display)
        try await desk.waitForDictation(recording.id) { $0.isSettled || $0.status == .ready }
        await desk.end(host)
        var written = 0
        var safe: [Int] = []
        for call in try RecordedCall.all(in: log) {
            switch call {
            case .write("audio/\(recording.id).wav", let offset, let bytes):
                written = max(written, offset + bytes.count)
            case .sync("audio/\(recording.id).wav"): safe.append(written)
            default: break
            }
        }
        #expect(safe.count >= 2, "\(safe) of \(written) bytes")
        #expect(written - (safe.last ?? 0) < 3 * 64 * 1024, "\(safe) of \(written) bytes")
    }

    @Test(
        "while the disk takes the text, it is typed, the next ones are typed and recorded, and its recording stays until the disk has it"
    )
    func slowDisk() async throws {
        let desk = try await Desk.set()
        let gate = desk.folder.file("gate")
        let recorded = RecordedCall.environment(
            log: desk.folder.file("calls"), folder: desk.group.folder.path, diskGate: gate)
        var agents: [Program] = []
        for agent in ["host-agent", "insert-agent"] {
            let program = try Program.start(
                BuildFolder.program(agent),
                environment: desk.environment.merging(recorded) { _, new in new })
            try await program.waitForLine(containing: "\(agent) is ready")
            agents.append(program)
        }
        let window = try await TextWindow.start(.xterm, on: desk.display, title: "Letter")
        _ = try await desk.dictstate("start")
        try await desk.speak(seconds: 3)
        try #require(mkfifo(gate, 0o600) == 0)
        _ = try await desk.dictstate("stop")
        let first = try await desk.waitForDictation { $0.delivery == .inserted }
        try await window.waitForText(equal: first.cleanedText)
        _ = try desk.store.add(text: "Again.", locale: "en-US")
        try await window.waitForText(equal: first.cleanedText + " Again.")
        // It has seen that the text is inserted before it takes this request.
        _ = try await desk.dictstate("start")
        _ = try await desk.dictstate("cancel")
        try await desk.waitForDictation { $0.status == .cancelled }
        #expect(try files(desk).contains("\(first.id).wav"))
        let opened = open(gate, O_RDWR | O_CLOEXEC)
        defer { close(opened) }
        for agent in agents { await agent.end() }
        await desk.end()
        #expect(try files(desk).isEmpty)
    }

    @Test("the settings say which recordings of delivered texts stay")
    func kept() async throws {
        let desk = try await Desk.set(.silent)
        try desk.folder.write("[audio]\nkeep = \"2 recordings\"\n", to: "settings.toml")
        // Left by an earlier run, and delivered in this one.
        var ids: [DictationID] = []
        for _ in 0..<3 {
            let id = try desk.store.begin(target: nil, engine: "test", locale: "en-US").id
            try desk.store.apply(.recognized(.init(rawText: "a", cleanedText: "A.")), to: id)
            try Data("sound".utf8).write(to: desk.group.audio(of: id))
            ids.append(id)
        }
        let window = try await TextWindow.start(.xterm, on: desk.display, title: "Letter")
        let host = try await desk.startHost("--no-hotkey")
        let inserter = try await desk.startInserter()
        try await window.waitForText { $0.filter { $0 == "A" }.count == 3 }
        try await desk.waitForDictation(ids[2]) { $0.delivery == .inserted }
        await desk.end(host, inserter)
        let left = try files(desk)
        #expect(left == ids.sorted().dropFirst().map { "\($0).delivered.wav" })
    }

    @Test("a new dictation does not wait for old sound to be recognized")
    func recoveryWaitsForNobody() async throws {
        let desk = try await Desk.set(.speaks("short.wav"))
        // An hour of speech, on which the recognizer works for minutes.
        let old = try desk.store.begin(target: nil, engine: "pocketsphinx", locale: "en-US")
        let file = desk.group.audio(of: old.id)
        try await Program.run("sox", [Desk.recording("demo.wav"), file.path, "repeat", "600"])
        #expect(chmod(file.path, 0o600) == 0)
        let window = try await TextWindow.start(.xterm, on: desk.display, title: "Letter")
        let host = try await desk.startHost()
        let inserter = try await desk.startInserter()
        try await host.waitForLine(containing: "recognizing the recording of dictation \(old.id)")
        try tapKey("F9", on: desk.display)
        try await desk.speak(seconds: 3)
        try tapKey("F9", on: desk.display)
        let new = try await desk.waitForDictation { $0.id > old.id && $0.isSettled }
        #expect(new.cleanedText.contains("surpassed"))
        try await window.waitForText(equal: new.cleanedText)
        #expect(
            try desk.store.dictation(old.id)?.error?.code == "host-died", "still being recognized meanwhile")
        // A host that ends does not wait for it either, and leaves no child process.
        await desk.end(host, inserter)
        #expect(try await host.waitForExit().code == 0)
        #expect(try files(desk) == ["\(old.id).wav"])
    }

    @Test("a disk that fills up ends the recording: what was said until then is typed, with a message")
    func fullDisk() async throws {
        let desk = try await Desk.set(.speaks("demo.wav"))
        let disk = try await SmallDisk(at: desk.group.folder.path)
        let window = try await TextWindow.start(.xterm, on: desk.display, title: "Letter")
        let host = try disk.start(BuildFolder.program("host-agent"), environment: desk.environment)
        try await host.waitForLine(containing: "host-agent is ready")
        let inserter = try disk.start(BuildFolder.program("insert-agent"), environment: desk.environment)
        try await inserter.waitForLine(containing: "insert-agent is ready")
        let watch = try disk.start(
            BuildFolder.program("dictstate"), ["watch", "--json"], environment: desk.environment)
        try tapKey("F9", on: desk.display)
        try await watch.waitForLine(matching: "\"partialText\":\"[^\"]*book")
        // Another program takes the rest.
        let filler = desk.group.folder.path + "/filler"
        func fill() async throws {
            let filling = try disk.start("sh", ["-c", "cat /dev/zero >> \(filler)"])
            #expect(try await filling.waitForExit().code != 0)
        }
        try await fill()
        let told = try await host.waitForLine(containing: "The recording ended after")
        #expect(told.text.contains("No space left"))
        let typed = try await watch.waitForLine(containing: "\"delivery\":\"inserted\"")
        #expect(typed.text.contains("\"code\":\"recording-failed\""))
        let first = try await window.waitForText { $0.contains("book") }

        // There is no room, and the user is notified at once; with space again, everything continues as before.
        try await fill()
        try tapKey("F9", on: desk.display)
        let full = try await host.waitForLine(containing: "The recording ended after 0.0 s")
        #expect(full.text.contains("Nothing was recorded."))
        #expect(try await disk.start("rm", [filler]).waitForExit().code == 0)
        try tapKey("F9", on: desk.display)
        let heard = try await watch.waitForLine(
            matching: "\"partialText\":\"[^\"]*book", from: typed.number + 1)
        try tapKey("F9", on: desk.display)
        try await watch.waitForLine(containing: "\"delivery\":\"inserted\"", from: heard.number + 1)
        try await window.waitForText { $0.count > first.count && $0.hasPrefix(first) }
        await watch.end()
        await desk.end(host, inserter)
        await disk.end()
    }

    @Test("a limit on the size of files ends the recording as a full disk does, and not the agent")
    func limitedFileSize() async throws {
        let desk = try await Desk.set(.speaks("short.wav"))
        // Ten seconds of sound. The store's log would grow to half of that for two seconds of speech.
        let limit = 320 * 1024
        try desk.store.checkpoint()
        let host = try Program.start(
            "prlimit", ["--fsize=\(limit)", BuildFolder.program("host-agent")],
            environment: desk.environment)
        try await host.waitForLine(containing: "host-agent is ready")
        try tapKey("F9", on: desk.display)
        try await host.waitForLine(containing: "The recording ended after 10.2 s")
        let state = try await desk.waitForDictation { $0.status == .ready || $0.status == .error }
        #expect(state.error?.code == "recording-failed")
        #expect(state.rawText.contains("surpassed"))
        #expect(try await length(of: desk.group.audio(of: state.id)) == Double((limit - 44) / 2) / 16_000)
        #expect(host.isRunning)
        await desk.end(host)
    }
}

/// A disk of 3 MiB over a folder, for the programs that are started with it: in a name space of their own, in which
/// any user may mount.
private struct SmallDisk {
    private let keeper: Program

    init(at folder: String) async throws {
        let script = "mount -t tmpfs -o size=3m,mode=700 tmpfs \"$1\" && echo mounted && exec sleep infinity"
        keeper = try Program.start(
            "unshare", ["--user", "--map-root-user", "--mount", "sh", "-c", script, "sh", folder])
        do {
            try await keeper.waitForLine(containing: "mounted")
        } catch {
            // A limit on the size of files shows the same, less truly, everywhere.
            try Test.cancel("this machine lets nobody mount a small disk: \(keeper.errors)")
        }
    }

    func start(
        _ program: String, _ arguments: [String] = [], environment: [String: String] = [:]
    ) throws -> Program {
        let enter = [
            "--target", "\(keeper.processID)", "--user", "--mount", "--preserve-credentials", program,
        ]
        return try Program.start("nsenter", enter + arguments, environment: environment)
    }

    func end() async { await keeper.end() }
}
