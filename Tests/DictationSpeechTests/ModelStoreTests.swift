import DictationSystem
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import DictationSpeech

@Suite("Models from a server", .timeLimit(.minutes(3)))
struct ModelStoreTests {
    /// A megabyte, so that a break is somewhere in the middle.
    private static let content = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
    /// As `sha256sum` gives it.
    private static func sha256(_ data: Data) async throws -> String {
        let folder = try TemporaryFolder("hash")
        let file = folder.file("content")
        try data.write(to: URL(filePath: file))
        return String(try await Program.run("sha256sum", [file]).prefix(64))
    }

    private static func entry(
        size: Int = content.count, sha256: String? = nil
    ) async throws -> ModelCatalogue.Entry {
        let tokens = Data("<blk> 0\na 1\n".utf8)
        let contentHash = try await Self.sha256(content)
        return ModelCatalogue.Entry(
            name: "tiny", licence: "MIT",
            description: .init(
                family: .streamingZipformerCTC, files: ["model": "sub/model.onnx", "tokens": "tokens.txt"],
                languages: ["en"]),
            files: [
                .init(
                    path: "sub/model.onnx", size: size, sha256: sha256 ?? contentHash,
                    address: "tiny/model.onnx"),
                .init(
                    path: "tokens.txt", size: tokens.count, sha256: try await Self.sha256(tokens),
                    address: "tiny/tokens.txt"),
            ])
    }

    /// Serves both files; the large one as a test wants.
    private static func server(
        _ model: @escaping @Sendable (LoopbackServer.Request) -> [LoopbackServer.Step]
    ) throws -> LoopbackServer {
        try LoopbackServer { request in
            request.path == "/tiny/tokens.txt"
                ? [.answer(200, [:], Data("<blk> 0\na 1\n".utf8))] : model(request)
        }
    }

    /// As a server does that knows ranges: all from there on, or the beginning of it.
    private static func serve(
        _ request: LoopbackServer.Request, breakingAfter limit: Int = .max
    ) -> [LoopbackServer.Step] {
        let start = request.headers["range"].flatMap { Int($0.dropFirst("bytes=".count).dropLast()) } ?? 0
        let rest = content.dropFirst(start)
        let head =
            start > 0
            ? "HTTP/1.1 206 Partial\r\nContent-Range: bytes \(start)-\(content.count - 1)/\(content.count)\r\n"
            : "HTTP/1.1 200 OK\r\n"
        return [.send(Data((head + "Content-Length: \(rest.count)\r\n\r\n").utf8) + rest.prefix(limit))]
    }

    private func install(
        _ entry: ModelCatalogue.Entry, from server: LoopbackServer, in folder: Folder
    ) async throws -> [ModelDownloadProgress] {
        var seen: [ModelDownloadProgress] = []
        let quick = RetryPolicy(retries: 3, firstDelay: .milliseconds(1))
        let store = ModelStore(folder: folder.url, retries: quick)
        for try await progress in store.modelDownloadProgress(installing: entry, base: server.address()) {
            seen.append(progress)
        }
        return seen
    }

    private func files(_ folder: Folder) -> [String] {
        (FileManager.default.enumerator(atPath: folder.url.path)?.allObjects as? [String] ?? [])
            .filter { !$0.hasSuffix(".lock") }.sorted()
    }

    @Test("a model is fetched, checked, listed with what it is, verified and removed")
    func whole() async throws {
        let folder = try Folder()
        let server = try Self.server { Self.serve($0) }
        let entry = try await Self.entry()
        let seen = try await install(entry, from: server, in: folder)
        #expect(seen.last?.done == entry.size && seen.last?.total == entry.size)
        #expect(zip(seen, seen.dropFirst()).allSatisfy { $0.done <= $1.done })
        #expect(
            files(folder) == [
                "tiny", "tiny/catalogue-entry.json", "tiny/model.json", "tiny/sub", "tiny/sub/model.onnx",
                "tiny/tokens.txt",
            ])
        let store = ModelStore(folder: folder.url)
        #expect(store.installed().map(\.entry) == [entry])
        #expect(try SherpaModel(folder: folder.url.appending(path: "tiny")).description == entry.description)
        try store.verify("tiny")
        let model = folder.url.appending(path: "tiny/sub/model.onnx")
        var damaged = Self.content
        damaged[500_000] ^= 1
        try damaged.write(to: model)
        let harm = ModelError.damaged(name: "tiny", file: "sub/model.onnx")
        #expect(throws: harm) { try store.verify("tiny") }
        try Self.content.prefix(500_000).write(to: model)
        #expect(throws: harm) { try store.verify("tiny") }
        // Installing mends it, by the catalogue's name for it too.
        let catalogue = folder.url.appending(path: "catalogue.json")
        try JSONEncoder().encode(ModelCatalogue(models: [entry])).write(to: catalogue)
        func fetch(_ name: String) -> AsyncThrowingStream<ModelDownloadProgress, any Error> {
            SpeechSession.modelDownloadProgress(
                installing: name, from: ModelSource(catalogue: catalogue.path, address: server.address()),
                into: store)
        }
        var last: ModelDownloadProgress?
        for try await progress in fetch("tiny") { last = progress }
        #expect(last?.done == entry.size && last?.total == entry.size)
        await #expect(throws: ModelError.unknown(name: "huge", known: ["tiny"])) {
            for try await _ in fetch("huge") {}
        }
        try FileManager.default.removeItem(at: catalogue)
        try store.verify("tiny")
        try store.remove("tiny")
        #expect(files(folder).isEmpty)
        #expect(throws: ModelError.notInstalled(name: "tiny")) { try store.remove("tiny") }
        #expect(throws: ModelError.notInstalled(name: "../tiny")) { try store.remove("../tiny") }
    }

    @Test("a server that breaks off again and again is asked for the rest each time, and no byte twice")
    func breaks() async throws {
        let folder = try Folder()
        let server = try Self.server { Self.serve($0, breakingAfter: 300_000) }
        _ = try await install(try await Self.entry(), from: server, in: folder)
        let ranges = server.requests.filter { $0.path == "/tiny/model.onnx" }.map { $0.headers["range"] }
        #expect(ranges == [nil, "bytes=300000-", "bytes=600000-", "bytes=900000-"])
        try ModelStore(folder: folder.url).verify("tiny")
    }

    @Test(
        "a server that does not know ranges gives all of it again; one that gives another range is not believed"
    )
    func ranges() async throws {
        for lie in ["", "HTTP/1.1 206 Partial\r\nContent-Range: bytes 7-999999/1000000\r\n"] {
            let folder = try Folder()
            let first = Mutex(true)
            let server = try Self.server { request in
                let isFirst = first.withLock { first in
                    defer { first = false }
                    return first
                }
                if isFirst { return Self.serve(request, breakingAfter: 400_000) }
                let head = lie.isEmpty ? "HTTP/1.1 200 OK\r\n" : lie
                return [.send(Data((head + "Content-Length: 1000000\r\n\r\n").utf8) + Self.content)]
            }
            _ = try await install(try await Self.entry(), from: server, in: folder)
            try ModelStore(folder: folder.url).verify("tiny")
        }
    }

    @Test("the part that was fetched before a cancelled or failed try is not fetched again")
    func resumes() async throws {
        let folder = try Folder()
        let entry = try await Self.entry()
        let hanging = try Self.server { Self.serve($0, breakingAfter: 300_000) + [.hang] }
        let store = ModelStore(folder: folder.url)
        let task = Task {
            for try await progress in store.modelDownloadProgress(installing: entry, base: hanging.address())
            where progress.done >= 300_000 { return }
        }
        try await task.value
        // Letting go of the stream ends the download a moment later, and with it the lock.
        hanging.stop()
        let server = try Self.server { Self.serve($0) }
        while true {
            do {
                _ = try await install(entry, from: server, in: folder)
                break
            } catch ModelError.busy { continue }
        }
        let request = try #require(server.requests.first { $0.path == "/tiny/model.onnx" })
        #expect(request.headers["range"] == "bytes=300000-")
        try store.verify("tiny")
        // A partial download is removed like a whole model.
        let part = folder.url.appending(path: ".tiny.part")
        try FileManager.default.moveItem(at: folder.url.appending(path: "tiny"), to: part)
        try store.remove("tiny")
        #expect(files(folder).isEmpty)
    }

    @Test("a wrong hash, a wrong size and a server that lies about it are refused, and nothing is installed")
    func lies() async throws {
        let more = Data("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n".utf8)
        let cases: [(ModelCatalogue.Entry, [LoopbackServer.Step])] = [
            (
                try await Self.entry(sha256: String(repeating: "0", count: 64)),
                [.answer(200, [:], Self.content)]
            ),
            (try await Self.entry(size: 999_999), [.answer(200, [:], Self.content)]),
            (try await Self.entry(), [.answer(200, [:], Self.content + Data(count: 10))]),
            (try await Self.entry(), [.answer(404)]),
            // It promises all and gives nothing, each time.
            (try await Self.entry(), [.send(more)]),
            (try await Self.entry(), [.answer(200, [:], Self.content.prefix(10))]),
        ]
        for (entry, steps) in cases {
            let folder = try Folder()
            let server = try Self.server { _ in steps }
            await #expect(throws: ModelError.self) { try await install(entry, from: server, in: folder) }
            #expect(ModelStore(folder: folder.url).installed().isEmpty)
        }
    }

    @Test("an installed model stays as it is when a newer one cannot be fetched")
    func stays() async throws {
        let folder = try Folder()
        let server = try Self.server { Self.serve($0) }
        _ = try await install(try await Self.entry(), from: server, in: folder)
        let wrong = try await Self.entry(sha256: String(repeating: "0", count: 64))
        await #expect(throws: ModelError.wrongHash(file: "sub/model.onnx")) {
            try await install(wrong, from: server, in: folder)
        }
        try ModelStore(folder: folder.url).verify("tiny")
    }

    @Test("two processes do not install one model at the same time; there must be room for it")
    func busy() async throws {
        let folder = try Folder()
        let entry = try await Self.entry()
        let asked = Once()
        let server = try Self.server { _ in
            asked.happen()
            return [.hang]
        }
        let store = ModelStore(folder: folder.url)
        let stream = store.modelDownloadProgress(installing: entry, base: server.address())
        let task = Task { for try await _ in stream {} }
        await asked.wait()
        await #expect(throws: ModelError.busy(name: "tiny")) {
            try await install(entry, from: server, in: folder)
        }
        task.cancel()
        _ = try? await task.value
        var huge = entry
        huge.files[0].size = 1 << 50
        huge.name = "huge"
        await #expect {
            try await install(huge, from: server, in: folder)
        } throws: { error in
            if case ModelError.noRoom = error { true } else { false }
        }
    }

    @Test(
        "a catalogue that would write elsewhere, or lacks something, is refused",
        arguments: [
            ("\"tiny\"", "\"../tiny\""), ("\"tiny\"", "\".tiny\""), ("\"tiny\"", "\"\""),
            ("sub/model.onnx", "../model.onnx"),
            ("sub/model.onnx", "/etc/passwd"), ("sub/model.onnx", "sub//model.onnx"),
            ("tokens.txt", "model.json"),
            ("\"sherpa-onnx\"", "\"magic\""), ("\"sha256\":\"", "\"sha256\":\"x"),
            ("\"size\":12", "\"size\":-1"), ("\"size\":12", "\"size\":\(Int.max)"),
            // Each of them could be; together they are more than 1 TiB.
            ("\"size\":12", "\"size\":\(1 << 40)"), ("\"name\":", "\"memory\":\(Int.max),\"name\":"),
            ("{", "["),
        ])
    func badCatalogue(text: String, replacement: String) async throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let good = String(
            decoding: try encoder.encode(ModelCatalogue(models: [try await Self.entry()])), as: UTF8.self)
        _ = try ModelCatalogue(Data(good.utf8))
        let bad = good.replacingOccurrences(of: text, with: replacement)
        #expect(bad != good)
        #expect(throws: ModelError.self) { try ModelCatalogue(Data(bad.utf8)) }
    }

    @Test(
        "a catalogue comes from a file or from a server, which is where its files are unless told otherwise")
    func sources() async throws {
        let catalogue = ModelCatalogue(models: [try await Self.entry()])
        let data = try JSONEncoder().encode(catalogue)
        let folder = try Folder()
        let file = folder.url.appending(path: "models.json")
        try data.write(to: file)
        #expect(try await ModelSource(catalogue: file.path).load() == catalogue)
        let server = try LoopbackServer { _ in [.answer(200, [:], data)] }
        let source = ModelSource(catalogue: server.address("/list/models.json"))
        #expect(try await source.load() == catalogue)
        #expect(source.base == server.address("/list"))
        #expect(ModelSource(catalogue: file.path, address: "http://a/b").base == "http://a/b")
        await #expect(throws: ModelError.noCatalogue) { try await ModelSource(catalogue: "").load() }
        // As large as no catalogue is, from a file as from a server.
        try Data(repeating: 0x20, count: 8 << 20 + 1).write(to: file)
        let tooLarge = ModelError.catalogueNotLoaded(from: file.path, reason: "it is larger than 8 MiB")
        await #expect(throws: tooLarge) { try await ModelSource(catalogue: file.path).load() }
        server.stop()
        await #expect(throws: ModelError.self) { try await source.load() }
    }
}
