import DictationHTTP
import Foundation
import GRDB
import Synchronization
import TestSupport
import Testing

@testable import DictationPolish
@testable import DictationSettings
@testable import DictationShared
@testable import DictationSpeech
@testable import dictstate

/// All that comes in from outside: files, answers of servers, URLs, the store.
@Suite("Damaged input", .serialized, .timeLimit(.minutes(10)))
struct FuzzTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("fuzz") }

    private func write(_ bytes: [UInt8], to name: String) throws -> URL {
        let file = URL(fileURLWithPath: folder.file(name))
        try Data(bytes).write(to: file)
        return file
    }

    @Test("settings")
    func settings() async throws {
        let example = folder.file("config.toml")
        try SettingsFile(path: example).beginWithExample()
        let whole = try [UInt8](Data(contentsOf: URL(fileURLWithPath: example)))
        // The example's values are comments, and so are the heads of its lists.
        let used = String(decoding: whole, as: UTF8.self)
            .replacing(/(?m)^# ?([a-z-]+ = |\[\[[a-z]+\]\]$)/) { $0.output.1 }
            // A style needs both.
            .replacing(/(?m)^(name|prompt) = ""$/) { "\($0.output.1) = \"own\"" }
        let words = [
            "\"\"\"", "[[profile]]", "[a.b]", " = ", "1e999", "nan", "'''", "{", "\\u202e", "[[",
            Self.longName,
        ]
        try await Fuzzer("settings", corpus: [whole, Array(used.utf8)], words: words).run {
            let file = SettingsFile(path: try write($0, to: "settings.toml").path)
            _ = try file.load()
        }
    }

    /// More parts than the parser's stack has room for.
    private static let longName = String(repeating: "a.", count: 50_000) + "a = 1"

    @Test("the dictionary, with its patterns")
    func dictionary() async throws {
        let page = try String(contentsOfFile: repositoryFile("docs/clean-up.md"), encoding: .utf8)
        let example = try #require(
            page.firstMatch(of: /```toml\n((?:(?!```)[\s\S])*\[words\](?:(?!```)[\s\S])*)```/))
        let words = ["(a+)+$", "(?i)", "\\\\1", "$9", "[[pattern]]", "{1,9999}", ".*.*.*", Self.longName]
        try await Fuzzer("dictionary", corpus: [Array(example.1.utf8)], words: words).run {
            let file = DictionaryFile(path: try write($0, to: "dictionary.toml").path)
            _ = try file.load().dictionary
        }
    }

    @Test("catalogues of models and model.json")
    func catalogue() async throws {
        let catalogue = PackageResources.catalogue_json
        try await Fuzzer("catalogue", corpus: [catalogue], words: Self.catalogueWords).run {
            for entry in try ModelCatalogue(Data($0)).models { check(ModelOffer(entry, base: "")) }
        }
    }

    private static let catalogueWords = [
        "\"../\"", "\"/etc/passwd\"", "1e400", "-1", "null", "[[[[", "{\"a\":", "\"\\ud800\"", "\(Int.max)",
        "\(Int.min)", "\(1 << 40)", "\"size\": \(Int.max),", "\"memory\": \(Int.max),",
    ]

    /// Computes what is computed of a model's sizes.
    private func check(_ offer: ModelOffer) {
        #expect((offer.size ?? 0) >= 0 && (offer.downloadSize ?? 0) >= 0 && (offer.memory ?? 0) >= 0)
        let offers = ModelOffers(all: [offer, offer], failure: nil, missingEngineSize: 100_000_000)
        #expect(offers.bytesToFetch(offer) >= 0)
        _ = ModelRecommendation.choose(
            locale: "en-US", machine: .init(memory: 8 << 30, cores: 4), offers: offers.all)
    }

    @Test("what lies beside an installed model")
    func installed() async throws {
        let models = URL(filePath: folder.file("models"), directoryHint: .isDirectory)
        let model = models.appending(path: "tones", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: models, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            at: URL(filePath: repositoryFile("Tests/ToneModels/streaming")), to: model)
        let hash = String(repeating: "0", count: 64)
        let files = [("model.onnx", 1_000), ("tokens.txt", Int.max)].map { path, size in
            ModelCatalogue.File(path: path, size: size, sha256: hash, address: "")
        }
        let entry = ModelCatalogue.Entry(
            name: "tones", licence: "MIT", description: try SherpaModel(folder: model).description,
            files: files)
        let store = ModelStore(folder: models)
        struct NoEntry: Error {}
        func read(_ bytes: [UInt8]) throws {
            try Data(bytes).write(to: model.appending(path: ModelStore.entryName))
            for installed in store.installed() { check(ModelOffer(installed, offer: nil)) }
            guard store.entry(in: model) != nil else { throw NoEntry() }
        }
        // Two sizes that no sum has room for.
        #expect(throws: NoEntry.self) { try read(Array(try JSONEncoder().encode(entry))) }
        var good = entry
        good.files[1].size = 5_000
        let corpus = [Array(try JSONEncoder().encode(good))]
        try await Fuzzer("catalogue-entry", corpus: corpus, words: Self.catalogueWords).run(read)
    }

    @Test("archives of models")
    func archives() async throws {
        let source = try TemporaryFolder("archive")
        let published = source.file("published")
        try FileManager.default.createDirectory(atPath: published, withIntermediateDirectories: false)
        for name in ["model.onnx", "tokens.txt", "LICENSE"] {
            let bytes = Data((0..<3_000).map { UInt8($0 % 251) })
            try bytes.write(to: URL(fileURLWithPath: "\(published)/\(name)"))
        }
        var corpus: [[UInt8]] = []
        for (suffix, option) in [("tar", "-cf"), ("tar.gz", "-czf"), ("tar.bz2", "-cjf"), ("tar.xz", "-cJf")]
        {
            let file = source.file("archive.\(suffix)")
            try await Program.run("tar", [option, file, "-C", source.path, "published"])
            corpus.append(try [UInt8](Data(contentsOf: URL(fileURLWithPath: file))))
        }
        try await Fuzzer("archive", corpus: corpus, words: ["../../", "PaxHeader", "ustar"]).run {
            let file = try write($0, to: "archive")
            let target = folder.file("unpacked")
            try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: target) }
            try await ModelArchive(path: file.path).unpack(
                into: target, isWanted: { _ in true }, checkRoom: { _ in }, report: { _ in })
        }
    }

    @Test("recordings: WAV, FLAC, Ogg and AIFF")
    func recordings() async throws {
        let source = try TemporaryFolder("sound")
        var corpus: [[UInt8]] = []
        for suffix in ["wav", "flac", "ogg", "aiff"] {
            let file = source.file("sound.\(suffix)")
            try await Program.run(
                "sox", ["-n", "-r", "22050", "-c", "2", file, "synth", "0.3", "sine", "440"])
            corpus.append(try [UInt8](Data(contentsOf: URL(fileURLWithPath: file))))
        }
        try await Fuzzer("recording", corpus: corpus, words: ["RIFF", "data", "fmt ", "fLaC", "OggS"]).run {
            let file = try AudioFile(url: try write($0, to: "sound"))
            while try file.next() != nil {}
        }
    }

    @Test("answers of recognition servers")
    func speechServer() async throws {
        let answer = """
            {"text": " Hello there, Anna. ", "words": [{"word": "Hello", "start": 0.1, "end": 0.5},
            {"word": " there", "start": 0.5, "end": 0.4}], "extra": {"a": 1}}
            """
        // A hum between silence.
        let silence = [Int16](repeating: 0, count: 16_000)
        let sound = silence + (0..<16_000).map { $0 % 100 < 50 ? 9_000 : -9_000 } + silence
        let words = ["1e999", "-1e308", "null", "\\u0000", "[[[[[[", "\"words\": ", "\"text\": "]
        try await Fuzzer("speech-answer", corpus: [Array(answer.utf8)], words: words).run { bytes in
            let server = try LoopbackServer { _ in [.answer(200, [:], Data(bytes))] }
            let recognizer = RemoteRecognizer(
                RemoteConfiguration(
                    address: server.address("/v1/"), model: "large", key: .none, locale: "en-GB",
                    timeLimit: .seconds(20)), fallback: nil, onFallback: { _ in })
            await recognizer.begin(UtteranceContext(source: "test"))
            let early = await recognizer.accept(AudioChunk(samples: sound, position: 0))
            for recognition in early + (try await recognizer.finish()) {
                for word in recognition.words { #expect(word.range.upperBound <= 3) }
            }
            #expect(!server.requests.isEmpty)
        }
    }

    @Test("answers of language models")
    func chatServer() async throws {
        let stream = """
            data: {"choices": [{"delta": {"content": "Write to Bob."}}]}\r
            data: {"choices": [{"delta": {}, "finish_reason": "stop"}]}\r
            data: [DONE]\r
            """
        let whole =
            #"{"choices": [{"message": {"content": "<think>so</think>Yes."}, "finish_reason": "stop"}]}"#
        let words = ["data: ", "</think>", "<think>", "\n\n", "[DONE]", "\"choices\": [", "\\ud83d"]
        try await Fuzzer("chat-answer", corpus: [stream, whole].map { Array($0.utf8) }, words: words).run {
            var chat = ChatStream(limit: 1_000)
            try chat.take($0)
            _ = try chat.end()
        }
    }

    @Test("URLs")
    func urls() async throws {
        struct NoURL: Error {}
        let corpus = DictationURL.forms + ["voicedictation://insert/0198c9d2"]
        let words = ["%00", "%2e%2e/", "//", "@", ":", "?", "#", "[::1]", "\u{202E}"]
        try await Fuzzer("url", corpus: corpus.map { Array($0.utf8) }, words: words).run {
            guard DictationURL(String(decoding: $0, as: UTF8.self)) != nil else { throw NoURL() }
        }
    }

    @Test("the store's file: what is in it is read, or it is moved aside, and the next dictation works")
    func store() async throws {
        let group = try AppGroup(folder: URL(fileURLWithPath: folder.file("group")))
        do {
            let store = try StateStore(group: group)
            for number in 0..<20 { _ = try store.add(text: "Text \(number).", locale: "en-US") }
            _ = try store.submit(.insert(nil))
        }
        let good = try [UInt8](Data(contentsOf: group.database))
        try await Fuzzer("store", corpus: [good], words: ["SQLite format 3\0", "CREATE TABLE"]).run { bytes in
            for file in try FileManager.default.contentsOfDirectory(atPath: group.folder.path)
            where file.hasPrefix(group.database.lastPathComponent) {
                try FileManager.default.removeItem(atPath: group.folder.path + "/" + file)
            }
            try Data(bytes).write(to: group.database)
            let damage = Mutex<[String]>([])
            let store = try StateStore(
                group: group,
                onNotice: { notice in if notice.isProblem { damage.withLock { $0.append("\(notice)") } } })
            let added = try store.add(text: "Now.", locale: "en-US")
            #expect(try store.dictation(added.id)?.cleanedText == "Now.")
            _ = try store.changes(since: 0)
            if let first = damage.withLock(\.first) { throw Damage(description: first) }
        }
    }

    private struct Damage: Error, CustomStringConvertible {
        let description: String
    }

    @Test("rows of intents: an agent reads them, or passes over them")
    func intents() async throws {
        let group = try AppGroup(folder: URL(fileURLWithPath: folder.file("intents")))
        let store = try StateStore(group: group)
        let added = try store.add(text: "Text.", locale: "en-US")
        let intent = try store.submit(.recognize(added.id, .init()))
        let queue = try DatabaseQueue(path: group.database.path)
        let columns = [
            "action", "dictation", "timestamp", "time_to_live", "phase", "outcome", "seen", "options",
        ]
        let words = [
            "insert", "hold", "recognize", "record", "pending", "{\"engine\":", "-9223372036854775808",
        ]
        var turn = 0
        try await Fuzzer("intent", corpus: [Array("pending\(added.id)".utf8)], words: words)
            .run(mayTakeAll: true) { bytes in
                let column = columns[turn % columns.count]
                turn += 1
                let value: DatabaseValue =
                    turn % 3 == 0
                    ? Data(bytes).databaseValue : String(decoding: bytes, as: UTF8.self).databaseValue
                // Values that a column refuses never get in.
                try await queue.write { db in
                    try db.execute(
                        sql: "UPDATE intent SET \(column) = ? WHERE id = ?", arguments: [value, intent.id])
                }
                _ = try store.intent(intent.id)
                _ = try store.changes(since: 0)
            }
    }
}
