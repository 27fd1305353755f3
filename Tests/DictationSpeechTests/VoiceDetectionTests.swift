import DictationSystem
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import DictationSpeech

@Suite("Telling voices from other sounds", .serialized, .timeLimit(.minutes(5)))
struct VoiceDetectionTests {
    private func session(
        hearing samples: [Int16], in folder: Folder, endpointing: Endpointing = Endpointing(),
        _ detection: VoiceDetection = .automatic, engines: EngineFolder = .standard()
    ) throws -> SpeechSession {
        let file = folder.url.appending(path: "sound.wav")
        let writer = try WaveFileWriter(url: file)
        try writer.append(samples)
        writer.finish()
        return SpeechSession(
            input: AudioFileInput(url: file), endpointing: endpointing, voiceDetection: detection,
            engines: engines)
    }

    @Test("noise becomes no words, and ends without an error", arguments: Noise.allCases)
    func nobody(noise: Noise) async throws {
        let folder = try Folder()
        let session = try session(hearing: noise.samples(), in: folder)
        try await session.prepare()
        #expect(session.tellsVoices)
        let outcome = try await Outcome(session.startTranscribing())
        #expect(outcome.error == nil && outcome.results.isEmpty && outcome.volatileCount == 0)
    }

    @Test("speech after noise is heard from its first word on, with the times of the recording")
    func behindNoise() async throws {
        let folder = try Folder()
        let speech = try AudioFile.samples(of: Recording.demo.url)
        let lead = ToneModel.silence(1) + Noise.knocks.samples() + ToneModel.silence(1)
        let session = try session(hearing: lead + speech, in: folder)
        let outcome = try await Outcome(session.startTranscribing())
        #expect(wordErrorRate(outcome.text, reference: try Recording.demo.reference()) <= 0.2)
        let first = try #require(outcome.results.first?.text.runs.compactMap(\.audioTimeRange).first)
        // The recording itself begins with 0.4 s of silence.
        #expect(first.lowerBound > 5.2 && first.lowerBound < 6)
    }

    @Test("a recording ends after the speech, though something is loud after it")
    func autoStop() async throws {
        let folder = try Folder()
        let sound = try AudioFile.samples(of: Recording.short.url) + Noise.gusts.samples(seconds: 20)
        let kept = folder.url.appending(path: "kept.wav")
        let session = try session(
            hearing: sound, in: folder, endpointing: Endpointing(silence: .seconds(1)))
        let isStopped = Atomic(false)
        _ = try await Outcome(
            session.startTranscribing(recording: kept) { [weak session] _ in
                if session?.status == .stopping { isStopped.store(true, ordering: .releasing) }
            })
        let wasStopped = isStopped.load(ordering: .acquiring)
        #expect(wasStopped)
    }

    @Test("without the model, with half of it, and if it is not wanted, loudness decides")
    func without() async throws {
        let folder = try Folder()
        let empty = EngineFolder(url: folder.url)
        let half = EngineFolder(url: folder.url.appending(path: "half"))
        for part in [half.sherpaLibrary, half.voiceActivityModel] {
            try FileManager.default.createDirectory(
                at: part.deletingLastPathComponent(), withIntermediateDirectories: true)
        }
        try FileManager.default.createSymbolicLink(
            at: half.sherpaLibrary, withDestinationURL: Engines.folder.sherpaLibrary)
        let whole = try Data(contentsOf: Engines.folder.voiceActivityModel)
        try whole.prefix(whole.count / 2).write(to: half.voiceActivityModel)
        let speech = try AudioFile.samples(of: Recording.demo.url)
        for (detection, engines) in [
            (VoiceDetection.automatic, empty), (.automatic, half), (.loudness, .standard()),
        ] {
            let session = try session(hearing: speech, in: folder, detection, engines: engines)
            let outcome = try await Outcome(session.startTranscribing())
            #expect(!session.tellsVoices)
            #expect(wordErrorRate(outcome.text, reference: try Recording.demo.reference()) <= 0.2)
        }
    }
}
