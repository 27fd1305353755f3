import Foundation
import Synchronization
import TestSupport
import Testing

@testable import DictationSpeech

@Suite("Models that are on this machine", .timeLimit(.minutes(5)))
struct LocalModelTests {
    private func install(
        _ source: URL, into folder: Folder, name: String? = nil, languages: [String]? = nil,
        library: URL = Engines.folder.sherpaLibrary,
        report: @escaping @Sendable (ModelDownloadProgress) -> Void = { _ in }
    ) async throws -> ModelStore.Installed {
        try await ModelStore(folder: folder.url).install(
            .init(source: source, name: name, languages: languages),
            trial: Engines.trial(remembering: folder),
            library: library, report: report)
    }

    /// A model as it is shared: its files, and unneeded files with them.
    private func passedOn(_ model: ToneModel, as name: String, in folder: Folder) throws -> URL {
        let copy = folder.url.appending(path: name, directoryHint: .isDirectory)
        try FileManager.default.moveItem(at: try model.copy(in: folder), to: copy)
        try FileManager.default.removeItem(at: copy.appending(path: "model.json"))
        let recordings = copy.appending(path: "test_wavs")
        try FileManager.default.createDirectory(at: recordings, withIntermediateDirectories: true)
        for (name, content) in [
            ("test_wavs/0.wav", "sound"), ("export.py", "program"), ("LICENSE", "terms"), (".hidden", "no"),
        ] {
            try Data(content.utf8).write(to: copy.appending(path: name))
        }
        return copy
    }

    private func names(_ folder: Folder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
            .filter { !$0.hasSuffix(".lock") && !$0.hasSuffix(".json") }.sorted()
    }

    @Test("a folder of each kind is known by its files, tried, installed, heard with, and looked after")
    func folders() async throws {
        let families: [ToneModel: SherpaModel.Family] = [
            .offline: .zipformerCTC, .streaming: .streamingZipformerCTC, .nemo: .nemoTransducer,
            .streamingTransducer: .streamingTransducer,
        ]
        #expect(families.count == ToneModel.allCases.count)
        for (model, family) in families {
            let (source, folder) = (try Folder(), try Folder())
            let given = try passedOn(model, as: "tones-en-2026", in: source)
            let reported = Mutex<[ModelDownloadProgress]>([])
            let installed = try await install(given, into: folder) { progress in
                reported.withLock { $0.append(progress) }
            }
            let seen = reported.withLock { $0 }.filter { $0.step == .checking }
            #expect(installed.description?.family == family)
            #expect(installed.description?.languages == ["en"])
            #expect(installed.entry?.files.map(\.path).contains("LICENSE") == true)
            #expect(seen.last?.done == seen.last?.total && seen.last?.total == installed.entry?.size)
            #expect(try names(folder) == ["tones-en-2026"])
            let there = folder.url.appending(path: "tones-en-2026", directoryHint: .isDirectory)
            #expect(!ModelFiles.all(in: there).keys.contains { $0.hasSuffix(".wav") || $0.hasSuffix(".py") })
            let store = ModelStore(folder: folder.url)
            #expect(store.installed() == [installed])
            try store.verify("tones-en-2026")
            let recognizer = SherpaRecognizer(Engines.configuration(there), trial: nil)
            #expect(try await recognizer.hear(try ToneModel.speak("new world")).map(\.text) == ["new world"])
            try Data("0".utf8).write(to: there.appending(path: "tokens.txt"))
            #expect(throws: ModelError.damaged(name: "tones-en-2026", file: "tokens.txt")) {
                try store.verify("tones-en-2026")
            }
            // The same without being installed: a folder that the settings name.
            let named = SherpaRecognizer(Engines.configuration(given), trial: nil)
            #expect(named.locales == ["en"])
            #expect(try await named.hear(try ToneModel.speak("go on")).map(\.text) == ["go on"])
        }
    }

    @Test("an archive is unpacked, with the folder in it; nothing but the model is left")
    func archive() async throws {
        let (source, folder) = (try Folder(), try Folder())
        _ = try passedOn(.streaming, as: "inner", in: source)
        let archive = source.url.appending(path: "tones: a.tar.gz")
        try await Program.run("tar", ["--force-local", "-czf", archive.path, "-C", source.url.path, "inner"])
        let installed = try await install(archive, into: folder, name: "tones", languages: ["de", "en"])
        #expect(installed.description?.languages == ["de", "en"])
        #expect(try names(folder) == ["tones"])
        try ModelStore(folder: folder.url).verify("tones")
    }

    @Test("a model from elsewhere keeps its license, is compared with its original, and follows links")
    func fromAnotherMachine() async throws {
        let (source, first, second) = (try Folder(), try Folder(), try Folder())
        let given = try passedOn(.offline, as: "tones-en", in: source)
        _ = try await install(given, into: first)
        let there = first.url.appending(path: "tones-en", directoryHint: .isDirectory)
        let entryFile = there.appending(path: "catalogue-entry.json")
        let entry = try String(contentsOf: entryFile, encoding: .utf8)
        try Data(entry.replacingOccurrences(of: "licence not known", with: "MIT").utf8).write(to: entryFile)
        // As in folders that store files by their hashes.
        let tokens = there.appending(path: "tokens.txt")
        let elsewhere = source.url.appending(path: "blob")
        try FileManager.default.moveItem(at: tokens, to: elsewhere)
        try FileManager.default.createSymbolicLink(at: tokens, withDestinationURL: elsewhere)
        let installed = try await install(there, into: second)
        #expect(installed.entry?.licence == "MIT")
        try FileManager.default.removeItem(at: elsewhere)
        try ModelStore(folder: second.url).verify("tones-en")
        try FileManager.default.removeItem(at: tokens)
        try Data("<blk> 0\n".utf8).write(to: tokens)
        await #expect(throws: ModelError.wrongHash(file: "tokens.txt")) {
            try await install(there, into: second, name: "again")
        }
    }

    @Test("a folder that is no model, is broken, or has a taken name is refused, and leaves nothing")
    func refused() async throws {
        let (source, folder) = (try Folder(), try Folder())
        let good = try passedOn(.streaming, as: "tones", in: source)
        func fails(
            _ source: URL, name: String? = nil, languages: [String]? = nil,
            _ isExpected: @escaping (ModelError) -> Bool
        ) async throws {
            await #expect {
                try await install(source, into: folder, name: name, languages: languages)
            } throws: { error in
                (error as? ModelError).map(isExpected) ?? false
            }
        }
        func isUnusable(_ error: ModelError) -> Bool { if case .unusable = error { true } else { false } }
        try await fails(good) {
            $0 == .languageUnknown(path: good.path + "/") || $0 == .languageUnknown(path: good.path)
        }
        try await fails(good, name: "a b", languages: ["en"]) { $0 == .badName("a b") }
        let nothing = source.url.appending(path: "nothing")
        try await fails(nothing) { $0 == .notThere(path: nothing.path) }
        let noArchive = source.url.appending(path: "text.tar.gz")
        try Data("text".utf8).write(to: noArchive)
        try await fails(noArchive) { if case .badArchive(_, .unreadable) = $0 { true } else { false } }
        let empty = source.url.appending(path: "empty", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: empty, withIntermediateDirectories: true)
        try await fails(empty, isUnusable)
        // Its properties are at its end: the remaining part shows its kind, and the trial finds the damage.
        let broken = try passedOn(.nemo, as: "broken-en", in: source)
        let joiner = broken.appending(path: "joiner.onnx")
        try Data(contentsOf: joiner).prefix(200).write(to: joiner)
        try await fails(broken, isUnusable)
        #expect(try names(folder).isEmpty)
        _ = try await install(good, into: folder, languages: ["en"])
        try await fails(good, languages: ["en"]) { $0 == .nameTaken("tones") }
        let missing = URL(filePath: "/nowhere/libsherpa.so")
        await #expect(
            throws: SpeechSessionError.libraryMissing(engine: "sherpa-onnx", path: "/nowhere/libsherpa.so")
        ) {
            try await install(good, into: folder, name: "other", languages: ["en"], library: missing)
        }
        #expect(try names(folder) == ["tones"])
    }
}
