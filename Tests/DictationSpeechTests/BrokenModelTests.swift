import Foundation
import TestSupport
import Testing

@testable import DictationSpeech

@Suite("Models that are broken", .serialized, .timeLimit(.minutes(5)))
struct BrokenModelTests {
    @Test("a library that is not there is reported, with its place")
    func missingLibrary() async {
        var configuration = Engines.configuration(ToneModel.offline.folder)
        configuration.library = URL(filePath: "/nonexistent/libsherpa-onnx-c-api.so")
        await #expect {
            try await SherpaRecognizer(configuration, trial: nil).prepare()
        } throws: { error in
            error as? SpeechSessionError
                == .libraryMissing(
                    engine: "sherpa-onnx", path: "/nonexistent/libsherpa-onnx-c-api.so")
        }
    }

    @Test("a library that is none, or of another kind, is reported")
    func unfitLibrary() async throws {
        let folder = try Folder()
        let broken = folder.url.appending(path: "lib.so")
        try Data("not a library".utf8).write(to: broken)
        for library in [
            broken,
            Engines.folder.sherpaLibrary.deletingLastPathComponent().appending(path: "libonnxruntime.so"),
        ] {
            var configuration = Engines.configuration(ToneModel.offline.folder)
            configuration.library = library
            let recognizer = SherpaRecognizer(configuration, trial: nil)
            await #expect {
                try await recognizer.prepare()
            } throws: { error in
                if case SpeechSessionError.libraryUnfit = error { true } else { false }
            }
        }
    }

    @Test("a folder without a model, without a description, or without a file of it, is reported")
    func missingFiles() async throws {
        func load(_ folder: URL) async throws {
            try await SherpaRecognizer(Engines.configuration(folder), trial: nil).prepare()
        }
        let folder = try Folder()
        await #expect { try await load(folder.url) } throws: { "\($0)".contains("has no model in") }
        let model = try ToneModel.offline.copy(in: folder)
        try FileManager.default.removeItem(at: model.appending(path: "tokens.txt"))
        await #expect { try await load(model) } throws: { "\($0)".contains("tokens.txt is not there") }
        try Data("{\"family\": \"magic\"}".utf8).write(to: model.appending(path: "model.json"))
        await #expect(throws: SpeechSessionError.self) { try await load(model) }
    }

    /// Each ends the process that loads it, or is refused by the library.
    private static let damages: [(name: String, model: ToneModel, damage: @Sendable (URL) throws -> Void)] = [
        ("cut in half", .streaming, { try cut($0.appending(path: "model.onnx")) }),
        ("cut in half", .nemo, { try cut($0.appending(path: "encoder.onnx")) }),
        ("empty", .offline, { try Data().write(to: $0.appending(path: "model.onnx")) }),
        ("too few tokens", .offline, { try cut($0.appending(path: "tokens.txt")) }),
        ("no blank", .streaming, { try Data("a 0\n".utf8).write(to: $0.appending(path: "tokens.txt")) }),
        (
            "of another kind", .streaming,
            { folder in
                let file = folder.appending(path: "model.onnx")
                try FileManager.default.removeItem(at: file)
                try FileManager.default.copyItem(
                    at: ToneModel.nemo.folder.appending(path: "joiner.onnx"), to: file)
            }
        ),
    ]

    private static func cut(_ file: URL) throws {
        let data = try Data(contentsOf: file)
        try data.prefix(data.count / 2).write(to: file)
    }

    @Test("a broken model ends only a separate process, and is reported", arguments: Self.damages.indices)
    func broken(index: Int) async throws {
        let (name, model, damage) = Self.damages[index]
        let folder = try Folder()
        let copy = try model.copy(in: folder)
        try damage(copy)
        let recognizer = SherpaRecognizer(
            Engines.configuration(copy), trial: Engines.trial(remembering: folder))
        await #expect("\(name)") {
            try await recognizer.prepare()
        } throws: { error in
            if case SpeechSessionError.modelUnusable = error { true } else { false }
        }
        // The session says the same, and serves on.
        let outcome = try await Outcome(
            SpeechSession(recognizer: recognizer, input: AudioFileInput(url: Recording.short.url))
                .startTranscribing())
        if case .modelUnusable = outcome.error {
        } else {
            Issue.record("\(name): \(String(describing: outcome.error))")
        }
    }

    @Test("a good model is tried once, and again when it has changed")
    func remembered() async throws {
        let folder = try Folder()
        let copy = try ToneModel.streaming.copy(in: folder)
        let trial = Engines.trial(remembering: folder)
        try await SherpaRecognizer(Engines.configuration(copy), trial: trial).prepare()
        let dead = ModelTrial(
            program: URL(filePath: "/bin/false"), arguments: [], memory: trial.memory, limit: .seconds(60))
        try await SherpaRecognizer(Engines.configuration(copy), trial: dead).prepare()
        let tokens = copy.appending(path: "tokens.txt")
        try (Data(contentsOf: tokens) + Data("\n".utf8)).write(to: tokens)
        await #expect(throws: SpeechSessionError.self) {
            try await SherpaRecognizer(Engines.configuration(copy), trial: dead).prepare()
        }
    }

    @Test("a trial that hangs ends with its limit")
    func hanging() async throws {
        let folder = try Folder()
        let trial = ModelTrial(
            program: URL(filePath: "/bin/sh"), arguments: ["-c", "exec sleep 1000"],
            memory: folder.url.appending(path: "tried.json"), limit: .milliseconds(200))
        let recognizer = SherpaRecognizer(Engines.configuration(ToneModel.streaming.folder), trial: trial)
        await #expect { try await recognizer.prepare() } throws: { "\($0)".contains("did not finish within") }
    }
}
