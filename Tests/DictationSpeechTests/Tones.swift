import DictationSpeech
import Foundation
import TestSupport

/// The models in Tests/ToneModels, which read tones as letters, and the tones.
enum ToneModel: String, CaseIterable, Sendable {
    case offline, streaming, nemo
    case streamingTransducer = "streaming-transducer"

    var folder: URL {
        URL(filePath: repositoryFile("Tests/ToneModels/\(rawValue)"), directoryHint: .isDirectory)
    }

    /// A copy that may be broken.
    func copy(in folder: Folder) throws -> URL {
        let copy = folder.url.appending(path: rawValue, directoryHint: .isDirectory)
        try FileManager.default.copyItem(at: self.folder, to: copy)
        return copy
    }

    /// The text in tones: for each letter 100 ms of its own, then 60 ms of silence; with silence around all.
    ///
    /// - Parameter loudness: 0…1.
    static func speak(
        _ text: String, loudness: Double = 0.5, before: Double = 0.2, after: Double = 0.4
    ) throws -> [Int16] {
        try tones(of: text, loudness: loudness, before: before, after: after)
    }

    /// The text in tones as a WAV file.
    static func write(_ text: String, in folder: Folder) throws -> URL {
        let file = folder.url.appending(path: "tones.wav")
        let writer = try WaveFileWriter(url: file)
        try writer.append(try speak(text))
        writer.finish()
        return file
    }

    static func silence(_ seconds: Double) -> [Int16] {
        [Int16](repeating: 0, count: Int(seconds * Double(SpeechAudio.sampleRate)))
    }
}

/// Engines as `host-agent install-engines` installs them, and the program that tries models.
enum Engines {
    static let folder = EngineFolder.standard()

    /// By loudness by default: the voice activity detector hears no voice in a tone.
    static func configuration(
        _ model: URL, voiceActivityModel: URL? = nil
    ) -> SherpaConfiguration {
        SherpaConfiguration(
            library: folder.sherpaLibrary, model: model, voiceActivityModel: voiceActivityModel, threads: 1)
    }

    static func trial(remembering folder: Folder) -> ModelTrial {
        ModelTrial(
            program: URL(filePath: BuildFolder.program("model-trial")), arguments: [],
            memory: folder.url.appending(path: "tried.json"), limit: .seconds(60))
    }

    static func recognizer(_ model: ToneModel) -> SherpaRecognizer {
        SherpaRecognizer(configuration(model.folder), trial: nil)
    }
}

extension SpeechRecognizer {
    /// Feeds samples as from a microphone, 20 ms at a time.
    func hear(_ samples: [Int16], likelyWords: [String] = []) async throws -> [Recognition] {
        try await begin(UtteranceContext(source: "test", likelyWords: likelyWords))
        var finals: [Recognition] = []
        for start in stride(from: 0, to: samples.count, by: 320) {
            let piece = Array(samples[start..<min(start + 320, samples.count)])
            finals += try await accept(AudioChunk(samples: piece, position: start))
        }
        return finals + (try await finish())
    }
}
