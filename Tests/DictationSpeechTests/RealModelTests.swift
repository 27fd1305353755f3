import Foundation
import TestSupport
import Testing

@testable import DictationSpeech

/// A model that people dictate with, as `host-agent install-engines moonshine-tiny-en` installs it.
@Suite(
    "A real model in sherpa-onnx", .serialized, .timeLimit(.minutes(5)),
    .enabled(if: InstalledEngines.hasModel, "the model could not be fetched"))
struct RealModelTests {
    private static let model = Engines.folder.model(InstalledEngines.model)

    private func configuration() -> SherpaConfiguration {
        Engines.configuration(Self.model, voiceActivityModel: Engines.folder.voiceActivityModel)
    }

    @Test("is what it was when it was made, by its hashes")
    func verified() throws {
        try ModelStore(folder: Engines.folder.models).verify(InstalledEngines.model)
    }

    @Test("hears real speech, with its marks and capitals")
    func speech() async throws {
        let folder = try Folder()
        // The trial writes its results there when the model is loaded.
        defer { withExtendedLifetime(folder) {} }
        let recognizer = SherpaRecognizer(configuration(), trial: Engines.trial(remembering: folder))
        var (wrong, words) = (0.0, 0.0)
        for recording in Recording.allCases {
            let finals = try await recognizer.hear(try AudioFile.samples(of: recording.url))
            let text = finals.map(\.text).joined(separator: " ")
            #expect(text.contains { $0.isUppercase } && !text.contains(",,"), "\(text)")
            let heard = text.filter { !$0.isPunctuation }
            let reference = try recording.reference()
            let count = Double(reference.split(separator: " ").count)
            wrong += wordErrorRate(heard, reference: reference) * count
            words += count
            #expect(finals.allSatisfy { $0.range.lowerBound >= 0 && !$0.range.isEmpty })
        }
        #expect(wrong / words <= 0.1, "\(wrong) of \(words) words are wrong")
    }

    /// Places at which the model alone, without silence after the sound, repeats the last words endlessly.
    private static let breaks: [(Recording, samples: Int)] = [
        (.calligraphy, 22_400), (.calligraphy, 24_000), (.calligraphy, 72_000), (.universe, 48_000),
        (.universe, 49_600), (.universe, 57_600), (.universe, 62_400),
    ]

    @Test("does not repeat words endlessly if the sound breaks off in the middle of one")
    func brokenOff() async throws {
        let folder = try Folder()
        // The trial writes its results there when the model is loaded.
        defer { withExtendedLifetime(folder) {} }
        let recognizer = SherpaRecognizer(configuration(), trial: Engines.trial(remembering: folder))
        var texts: [String] = []
        for (recording, count) in Self.breaks {
            let sound = try AudioFile.samples(of: recording.url).prefix(count)
            texts.append(try await recognizer.hear(Array(sound)).map(\.text).joined(separator: " "))
        }
        // Processors differ in the last digit.
        #expect(texts.filter { RepetitionLoop(in: $0) != nil }.count <= 1, "\(texts)")
        #expect(texts.allSatisfy { $0.split(separator: " ").count >= 3 }, "\(texts)")
    }

    @Test("is refused, and ends no agent, with half of a file", arguments: ["encoder", "merged-decoder"])
    func half(role: String) async throws {
        let folder = try Folder()
        let copy = folder.url.appending(path: "model", directoryHint: .isDirectory)
        try FileManager.default.copyItem(at: Self.model, to: copy)
        let file = URL(filePath: try #require(try SherpaModel(folder: copy).path(of: role)))
        let whole = try Data(contentsOf: file)
        try whole.prefix(whole.count / 2).write(to: file)
        let recognizer = SherpaRecognizer(
            Engines.configuration(copy), trial: Engines.trial(remembering: folder))
        await #expect {
            try await recognizer.prepare()
        } throws: { error in
            guard case .modelUnusable = error as? SpeechSessionError else { return false }
            return true
        }
    }
}
