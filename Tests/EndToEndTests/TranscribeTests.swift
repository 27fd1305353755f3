import DictationSystem
import Foundation
import TestSupport
import Testing

/// Recordings to transcripts, without a desktop or a microphone.
@Suite("host-agent transcribe", .timeLimit(.minutes(5)))
struct TranscribeTests {
    private static let demo = repositoryFile("Tests/Recordings/demo.wav")
    private static let short = repositoryFile("Tests/Recordings/short.wav")

    private static func start(_ arguments: String...) throws -> Program {
        try Program.start(BuildFolder.program("host-agent"), ["transcribe"] + arguments)
    }

    @Test("several recordings at once: printed in the given order, and what cannot be read is reported")
    func order() async throws {
        let program = try Self.start("--json", Self.demo, "/nonexistent.wav", Self.short)
        #expect(try await program.waitForExit().code == 1)
        #expect(program.errors.contains("/nonexistent.wav"))
        struct Line: Decodable {
            struct Segment: Decodable { let text: String, start: Double, end: Double }
            struct Word: Decodable { let text: String, start: Double, end: Double, confidence: Double? }
            let file: String, text: String, seconds: Double, segments: [Segment], words: [Word]
        }
        let lines = try program.output.split(separator: "\n").map {
            try JSONDecoder().decode(Line.self, from: Data($0.utf8))
        }
        #expect(lines.map(\.file) == [Self.demo, Self.short])
        let line = try #require(lines.first)
        #expect(line.text.contains("block books"))
        #expect(abs(line.seconds - 6.14) < 0.1)
        #expect(
            line.words.count > 8
                && line.words.allSatisfy { $0.start < $0.end && $0.end <= line.seconds + 0.1 })
        #expect(line.segments.map(\.text).joined(separator: " ") == line.text)
    }

    @Test("transcripts in a folder: clean, readable by those who can read the recording, and made once")
    func folder() async throws {
        let folder = try TemporaryFolder("transcripts")
        let recording = folder.file("talk.wav")
        try FileManager.default.copyItem(atPath: Self.demo, toPath: recording)
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: recording)
        let first = try Self.start("--format", "srt", "--clean", "--output", folder.file("out"), recording)
        #expect(try await first.waitForExit().code == 0)
        #expect(first.output.isEmpty)
        let transcript = folder.file("out/talk.srt")
        let text = try String(contentsOfFile: transcript, encoding: .utf8)
        #expect(text.hasPrefix("1\n00:00:0") && text.contains(" --> ") && text.contains("lock books"))
        #expect(text.contains { $0.isUppercase })
        let attributes = try FileManager.default.attributesOfItem(atPath: transcript)
        #expect(attributes[.posixPermissions] as? Int == 0o640)

        try folder.write("by hand", to: "out/talk.srt")
        let again = try Self.start("--format", "srt", "--output", folder.file("out"), recording)
        #expect(try await again.waitForExit().code == 0)
        #expect(again.errors.contains("1 of 1 files have a transcript already"))
        #expect(try String(contentsOfFile: transcript, encoding: .utf8) == "by hand")
        let made = try Self.start("--format", "srt", "--overwrite", "--output", folder.file("out"), recording)
        #expect(try await made.waitForExit().code == 0)
        #expect(try String(contentsOfFile: transcript, encoding: .utf8).contains(" --> "))
        #expect(!FileManager.default.fileExists(atPath: transcript + ".~1~"))
    }

    @Test("a file that is older than its recording is kept, under another name")
    func olderFile() async throws {
        let folder = try TemporaryFolder("notes")
        let (notes, recording) = (folder.file("talk.txt"), folder.file("talk.wav"))
        for number in 1...2 {
            try folder.write("notes \(number)", to: "talk.txt")
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -3_600)], ofItemAtPath: notes)
            try? FileManager.default.removeItem(atPath: recording)
            try FileManager.default.copyItem(atPath: Self.short, toPath: recording)
            let program = try Self.start("--beside", recording)
            #expect(try await program.waitForExit().code == 0, "\(program.errors)")
            let kept = "\(notes).~\(number)~"
            #expect(program.errors.contains("It is kept as \(kept)."))
            #expect(try String(contentsOfFile: kept, encoding: .utf8) == "notes \(number)")
            #expect(try String(contentsOfFile: notes, encoding: .utf8).contains("surpassed"))
        }
    }

    @Test("a recording that libsndfile does not read is read with sox, and nothing is left of the conversion")
    func converted() async throws {
        let folder = try TemporaryFolder("converted")
        let recording = folder.file("-short talk.sox")
        try await Program.run("sox", [Self.short, recording])
        let program = try Program.start(
            BuildFolder.program("host-agent"), ["transcribe", recording],
            environment: ["TMPDIR": folder.path])
        #expect(try await program.waitForExit().code == 0, "\(program.errors)")
        #expect(program.output.contains("surpassed"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["-short talk.sox"])
        let without = try Program.start(
            BuildFolder.program("host-agent"), ["transcribe", recording], environment: ["PATH": folder.path])
        #expect(try await without.waitForExit().code == 1)
        #expect(without.errors.contains("install ffmpeg"))
        // sox alone does not know this format either: that does not mean that the file is broken.
        let bin = try TemporaryFolder("bin")
        let sox = try await Program.run("sh", ["-c", "command -v sox"]).dropLast()
        try FileManager.default.createSymbolicLink(
            atPath: bin.file("sox"), withDestinationPath: String(sox))
        try folder.write("\0\0\0\u{20}ftypM4A \0\0\0\0", to: "note.m4a")
        let unknown = try Program.start(
            BuildFolder.program("host-agent"), ["transcribe", folder.file("note.m4a")],
            environment: ["PATH": bin.path])
        #expect(try await unknown.waitForExit().code == 1)
        #expect(unknown.errors.contains("is an M4A file") && unknown.errors.contains("install ffmpeg"))
        try folder.write("no sound at all", to: "noise.sox")
        let broken = try Self.start(folder.file("noise.sox"))
        #expect(try await broken.waitForExit().code == 1)
        #expect(broken.errors.contains("noise.sox cannot be read as audio: sox failed"))
    }

    @Test("a run that is killed repeatedly inside a file continues where it was, until all is done once")
    func killed() async throws {
        let folder = try TemporaryFolder("killed")
        let out = folder.file("out")
        try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: true)
        let recording = folder.file("talk.wav")
        let pause = folder.file("pause.wav")
        try await Program.run("sox", ["-n", "-r", "16000", "-c", "1", "-b", "16", pause, "trim", "0", "1"])
        let parts = ["demo", "short", "short", "short"].flatMap {
            [repositoryFile("Tests/Recordings/\($0).wav"), pause]
        }
        try await Program.run("sox", parts + [recording])
        let draft = out + "/talk.json.part"
        let lines = { @Sendable () -> Int in
            FileManager.default.contents(atPath: draft)?.count { $0 == UInt8(ascii: "\n") } ?? 0
        }
        let news = Observed(())
        let watch = try FolderNews(of: out, for: [.modified, .entryMovedIn]) { _ in news.change { _ in } }
        defer { withExtendedLifetime(watch) {} }
        var kills = 0
        while true {
            let before = lines()
            let program = try Self.start("--format", "json", "--output", out, recording)
            let isDone: Bool? = await news.wait(within: .seconds(120)) { _ in
                if FileManager.default.fileExists(atPath: out + "/talk.json") { return true }
                // One is made again, and a further one has come.
                return lines() > max(before, 2) ? false : nil
            }
            guard let isDone else {
                Issue.record("no further segment came: \(program.errors)")
                return await program.end()
            }
            if isDone {
                #expect(try await program.waitForExit().code == 0)
                #expect(
                    program.errors.contains(
                        "an earlier run ended in the middle of \(recording). This run continues at 0:00:"))
                break
            }
            program.signal(SIGKILL)
            _ = try await program.waitForExit()
            kills += 1
            if kills == 1 {
                // Finished parts are reused, not recognized again: "glock" is said nowhere.
                let kept = try String(contentsOfFile: draft, encoding: .utf8)
                #expect(kept.contains("block"))
                try kept.replacing("block", with: "glock").write(
                    toFile: draft, atomically: false, encoding: .utf8)
            }
        }
        #expect(kills >= 2)
        #expect(try FileManager.default.contentsOfDirectory(atPath: out) == ["talk.json"])
        struct Transcript: Decodable {
            struct Segment: Decodable { let text: String, start: Double, end: Double }
            let text: String, seconds: Double, segments: [Segment]
        }
        let made = try JSONDecoder().decode(
            Transcript.self, from: Data(contentsOf: URL(fileURLWithPath: out + "/talk.json")))
        #expect(made.text.ranges(of: "glock books").count == 1)
        #expect(!made.text.contains("block books"))
        #expect(made.text.ranges(of: "surpassed").count == 3)
        #expect(zip(made.segments, made.segments.dropFirst()).allSatisfy { $0.end <= $1.start })
        let whole = try Self.start("--json", recording)
        #expect(try await whole.waitForExit().code == 0)
        let once = try JSONDecoder().decode(Transcript.self, from: Data(whole.output.utf8))
        #expect(made.segments.count == once.segments.count && made.seconds == once.seconds)
    }

    @Test("a watched folder: what is there and what comes later, also in pieces")
    func watched() async throws {
        let folder = try TemporaryFolder("watched")
        let (names, output) = AsyncStream<String>.makeStream()
        let news = try FolderNews(of: folder.path, for: .entryMovedIn) {
            for event in $0 { output.yield(event.name) }
        }
        defer { withExtendedLifetime(news) {} }
        var made = names.makeAsyncIterator()
        try FileManager.default.copyItem(atPath: Self.short, toPath: folder.file("first.wav"))
        let program = try Self.start("--watch", folder.path)
        #expect(await made.next() == "first.txt")
        let sound = try Data(contentsOf: URL(fileURLWithPath: Self.demo))
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.write("", to: "later.wav")))
        for piece in stride(from: 0, to: sound.count, by: 50_000) {
            try file.write(contentsOf: sound[piece..<min(piece + 50_000, sound.count)])
        }
        try file.close()
        #expect(await made.next() == "later.txt")
        #expect(try String(contentsOfFile: folder.file("first.txt"), encoding: .utf8).contains("surpassed"))
        #expect(try String(contentsOfFile: folder.file("later.txt"), encoding: .utf8).contains("block books"))
        #expect(program.isRunning && program.errors.isEmpty, "\(program.errors)")
        await program.end()
    }

    @Test("a server that fails is reported with the name of each recording that has no transcript")
    func failingServer() async throws {
        let server = try LoopbackServer { _ in [.answer(500)] }
        let folder = try TemporaryFolder("failing")
        let settings = try folder.write(
            """
            [speech]
            engine = "remote"
            [remote]
            address = "\(server.address("/v1"))"
            fallback = "none"
            """, to: "config.toml")
        let program = try Program.start(
            BuildFolder.program("host-agent"), ["transcribe", "--jobs", "1", Self.demo, Self.short],
            environment: ["VOICEDICTATION_SETTINGS": settings])
        #expect(try await program.waitForExit().code == 1)
        for file in [Self.demo, Self.short] {
            #expect(program.errors.contains("\(file): The server did not recognize the speech"))
        }
    }

    @Test("a recording without speech has an empty transcript, and that is said")
    func silence() async throws {
        let folder = try TemporaryFolder("silent-transcript")
        let silence = folder.file("silence.wav")
        try Desk.wave([Int16](repeating: 0, count: 16_000)).write(to: URL(filePath: silence))
        let program = try Self.start(silence, Self.short)
        #expect(try await program.waitForExit().code == 0)
        #expect(program.output.hasPrefix("\n") && program.output.contains("surpassed"))
        #expect(program.errors.contains("no speech was recognized in \(silence)."))
        #expect(!program.errors.contains(Self.short))
    }

    @Test(
        "options that do not go together are refused",
        arguments: [
            ["--format", "srt", "a.wav", "b.wav"], ["--output", "x", "--beside", "a.wav"], [],
            ["--watch", "x", "a.wav"], ["--json", "--format", "srt", "a.wav"], ["--jobs", "0", "a.wav"],
            ["--output", "x", "a/talk.wav", "b/talk.wav"],
        ])
    func refused(arguments: [String]) async throws {
        let program = try Program.start(BuildFolder.program("host-agent"), ["transcribe"] + arguments)
        #expect(try await program.waitForExit().code == 64)
    }
}
