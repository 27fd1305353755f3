import DictationSystem
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import DictationSpeech

/// Models that a catalogue has as archives, from a server.
@Suite("Models in archives", .timeLimit(.minutes(5)))
struct ModelArchiveTests {
    /// An archive of a real model, with what comes with such models.
    private static func archive(_ model: ToneModel = .streaming, in folder: Folder) async throws -> Data {
        let inner = folder.url.appending(path: "published-en", directoryHint: .isDirectory)
        try FileManager.default.moveItem(at: try model.copy(in: folder), to: inner)
        try FileManager.default.removeItem(at: inner.appending(path: "model.json"))
        try Data("terms".utf8).write(to: inner.appending(path: "LICENSE"))
        try Data("sound".utf8).write(to: inner.appending(path: "0.wav"))
        let file = folder.url.appending(path: "published.tar.bz2")
        try await Program.run("tar", ["-cjf", file.path, "-C", folder.url.path, "published-en"])
        return try Data(contentsOf: file)
    }

    private static func entry(
        _ archive: Data, size: Int? = nil, sha256: String? = nil,
        family: SherpaModel.Family = .streamingZipformerCTC, files: [String: String] = [:]
    ) throws -> ModelCatalogue.Entry {
        let hash = try #require(ContentHash())
        hash.add(archive)
        return ModelCatalogue.Entry(
            name: "tones", licence: "CC-BY-4.0", attribution: "by somebody",
            description: .init(family: family, files: files, languages: ["en"]),
            archive: .init(
                address: "published.tar.bz2", size: size ?? archive.count, sha256: sha256 ?? hash.text))
    }

    private func install(
        _ entry: ModelCatalogue.Entry, serving archive: Data, breakingAfter limit: Int = .max,
        into folder: Folder
    ) async throws -> [ModelDownloadProgress] {
        let server = try LoopbackServer { request in
            let start = request.headers["range"].flatMap { Int($0.dropFirst("bytes=".count).dropLast()) } ?? 0
            let rest = archive.dropFirst(start)
            let head =
                start > 0
                ? "HTTP/1.1 206 Partial\r\nContent-Range: bytes \(start)-\(archive.count - 1)/\(archive.count)\r\n"
                : "HTTP/1.1 200 OK\r\n"
            return [.send(Data((head + "Content-Length: \(rest.count)\r\n\r\n").utf8) + rest.prefix(limit))]
        }
        let quick = RetryPolicy(retries: 3, firstDelay: .milliseconds(1))
        let all = ModelStore(folder: folder.url, retries: quick).modelDownloadProgress(
            installing: entry, base: server.address(), trial: Engines.trial(remembering: folder),
            library: Engines.folder.sherpaLibrary)
        var seen: [ModelDownloadProgress] = []
        for try await progress in all { seen.append(progress) }
        return seen
    }

    private func names(_ folder: Folder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    }

    @Test("one that is whole, or comes in pieces, is checked, unpacked, tried and installed; no more is left")
    func whole() async throws {
        for limit in [Int.max, 3000] {
            let (source, folder) = (try Folder(), try Folder())
            let archive = try await Self.archive(in: source)
            let entry = try Self.entry(archive)
            let seen = try await install(entry, serving: archive, breakingAfter: limit, into: folder)
            #expect(seen.last?.step == .trying)
            #expect(try names(folder) == ["tones"])
            let store = ModelStore(folder: folder.url)
            let installed = try #require(store.installed().first)
            #expect(installed.entry?.attribution == "by somebody" && installed.entry?.licence == "CC-BY-4.0")
            #expect(installed.entry?.archive == entry.archive)
            #expect(installed.description?.family == .streamingZipformerCTC)
            #expect(
                installed.entry?.files.map(\.path).filter { !$0.hasSuffix(".onnx") } == [
                    "LICENSE", "tokens.txt",
                ])
            try store.verify("tones")
            #expect(store.isInstalled(entry))
            let recognizer = SherpaRecognizer(
                Engines.configuration(folder.url.appending(path: "tones")), trial: nil)
            #expect(try await recognizer.hear(try ToneModel.speak("new world")).map(\.text) == ["new world"])
        }
    }

    @Test("a wrong hash, size, kind or layout installs nothing; the actual hash is reported")
    func wrong() async throws {
        let source = try Folder()
        let archive = try await Self.archive(in: source)
        let right = try #require(try Self.entry(archive).archive?.sha256)
        let zeros = String(repeating: "0", count: 64)
        let cases: [(ModelCatalogue.Entry, (ModelError) -> Bool)] = [
            (
                try Self.entry(archive, sha256: zeros),
                { $0 == .wrongArchive(address: "published.tar.bz2", expected: zeros, found: right) }
            ),
            (
                try Self.entry(archive, size: archive.count - 1),
                { if case .wrongSize("The archive of the model “tones”", _, _) = $0 { true } else { false } }
            ),
            (
                try Self.entry(archive, size: archive.count + 1),
                { "\($0)".hasPrefix("The archive of the model “tones” could not be fetched: ") }
            ),
            (try Self.entry(archive, family: .whisper), { "\($0)".contains("whisper was expected") }),
            (
                try Self.entry(archive, files: ["model": "other.onnx", "tokens": "tokens.txt"]),
                { "\($0)".contains("no file other.onnx") }
            ),
        ]
        for (entry, isExpected) in cases {
            let folder = try Folder()
            await #expect {
                try await install(entry, serving: archive, into: folder)
            } throws: { error in
                (error as? ModelError).map(isExpected) ?? false
            }
            #expect(ModelStore(folder: folder.url).installed().isEmpty)
        }
    }

    @Test("an archive that goes on beyond what the catalogue says is given up, and does not fill the disk")
    func tooLong() async throws {
        let (source, folder) = (try Folder(), try Folder())
        let archive = try await Self.archive(in: source)
        let entry = try Self.entry(archive)
        let isPartKept = Mutex(false)
        // Without a length of its own: nobody knows before how much comes.
        let more = Data(count: 1 << 20)
        let server = try LoopbackServer { _ in
            [.send(Data("HTTP/1.1 200 OK\r\n\r\n".utf8) + archive)] + Array(repeating: .send(more), count: 64)
        }
        let stream = ModelStore(folder: folder.url).modelDownloadProgress(
            installing: entry, base: server.address(), trial: Engines.trial(remembering: folder),
            library: Engines.folder.sherpaLibrary)
        await #expect {
            for try await progress in stream where progress.done > archive.count {
                isPartKept.withLock { $0 = true }
            }
        } throws: { error in
            guard case ModelError.wrongSize(_, archive.count, let found) = error else { return false }
            return found > archive.count
        }
        #expect(!isPartKept.withLock { $0 })
        #expect(try names(folder).isEmpty && server.requests.count == 1)
    }

    /// Python's tarfile writes what tar refuses to.
    private static func hostile(_ lines: String, in folder: Folder) async throws -> Data {
        let file = folder.url.appending(path: "hostile.tar.gz")
        let program = """
            import io, sys, tarfile
            archive = tarfile.open(sys.argv[1], "w:gz")
            def add(name, size=3, kind=tarfile.REGTYPE, link=""):
                entry = tarfile.TarInfo(name)
                entry.size, entry.type, entry.linkname = (size if kind == tarfile.REGTYPE else 0), kind, link
                archive.addfile(entry, io.BytesIO(bytes(size)) if kind == tarfile.REGTYPE else None)
            \(lines)
            archive.close()
            """
        try await Program.run("python3", ["-c", program, file.path])
        return try Data(contentsOf: file)
    }

    @Test(
        "an entry that leads out of the folder, is no plain file, comes twice, or is far too large is refused",
        arguments: [
            ("add('a/../../out')", ArchiveFlaw.leadsOutside(name: "a/../../out")),
            ("add('/tmp/out')", .leadsOutside(name: "/tmp/out")),
            ("add('a/link', kind=tarfile.SYMTYPE, link='/etc/passwd')", .link(name: "a/link")),
            ("add('a/x'); add('a/hard', kind=tarfile.LNKTYPE, link='a/x')", .link(name: "a/hard")),
            ("add('a/pipe', kind=tarfile.FIFOTYPE)", .special(name: "a/pipe")),
            ("add('a/device', kind=tarfile.CHRTYPE)", .special(name: "a/device")),
            ("add('a/x'); add('a/x')", .twice(name: "a/x")),
            ("[add(f'a/{i}', 0) for i in range(10001)]", .tooManyFiles(limit: 10_000)),
        ])
    func hostile(lines: String, flaw: ArchiveFlaw) async throws {
        let (source, folder) = (try Folder(), try Folder())
        let archive = try await Self.hostile(lines, in: source)
        await #expect {
            try await install(try Self.entry(archive), serving: archive, into: folder)
        } throws: { error in
            guard case ModelError.badArchive("The archive of the model “tones”", let found) = error else {
                return false
            }
            return found == flaw
        }
        #expect(try names(folder).isEmpty)
        #expect(!FileManager.default.fileExists(atPath: source.url.path + "/out"))
    }

    @Test("a name with commands to a terminal in it is shown without them, in one line")
    func shownName() {
        let shown = ArchiveFlaw.link(name: "a\u{1B}[31m\u{9B}1m\u{7F}\nb").description
        #expect(shown == "it has a link in it (a\\x1B[31m\\x9B1m\\x7F b)")
    }

    @Test(
        "a bomb is refused by what it says it holds, before it is unpacked; one that breaks off, when it does"
    )
    func bomb() async throws {
        let (source, folder) = (try Folder(), try Folder())
        let bomb = try await Self.hostile("add('a/model.onnx', 100_000_000)", in: source)
        await #expect {
            try await install(try Self.entry(bomb), serving: bomb, into: folder)
        } throws: { error in
            guard case ModelError.badArchive(_, .tooLarge) = error else { return false }
            return true
        }
        let good = try await Self.archive(in: source)
        let half = good.prefix(good.count / 2)
        await #expect {
            try await install(try Self.entry(half), serving: half, into: folder)
        } throws: { error in
            guard case ModelError.badArchive(_, .unreadable) = error else { return false }
            return true
        }
        #expect(try names(folder).isEmpty)
    }

    @Test("the work of a killed process is removed at the next call, of any model; a download is kept")
    func brokenOff() async throws {
        let (source, folder) = (try Folder(), try Folder())
        let archive = try await Self.archive(in: source)
        for name in [
            ".other.part/.unpacked/a", ".other.part/.model", ".kept.part/.unpacked", ".tones.part/.model",
        ] {
            try FileManager.default.createDirectory(
                at: folder.url.appending(path: name), withIntermediateDirectories: true)
        }
        try Data("begun".utf8).write(to: folder.url.appending(path: ".kept.part/.archive"))
        try Data().write(to: folder.url.appending(path: ".former.lock"))
        _ = try await install(try Self.entry(archive), serving: archive, into: folder)
        #expect(try names(folder) == [".kept.part", "tones"])
        #expect(
            try FileManager.default.contentsOfDirectory(
                atPath: folder.url.appending(path: ".kept.part").path) == [".archive"])
    }

    @Test("the built-in catalogue can be read, and has what a user needs to choose")
    func builtIn() throws {
        let models = try ModelCatalogue.builtIn().models
        #expect(models.count >= 15)
        for model in models {
            #expect(model.archive?.address.hasPrefix("https://") == true, "\(model.name)")
            #expect(["MIT", "Apache-2.0", "CC-BY-4.0"].contains(model.licence), "\(model.name)")
            #expect(model.attribution?.isEmpty == false && model.about?.isEmpty == false, "\(model.name)")
        }
        #expect(Set(models.compactMap { $0.archive?.sha256 }).count == models.count)
    }
}
