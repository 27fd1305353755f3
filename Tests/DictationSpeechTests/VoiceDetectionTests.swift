import DictationSystem
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import DictationSpeech

/// Sounds that are none of a voice, as loud as speech and louder.
enum Noise: String, CaseIterable, Sendable {
    case hiss, tone, hum, knocks, gusts

    func samples(seconds: Double = 3) -> [Int16] {
        var generator = SeededGenerator(seed: 5)
        return (0..<Int(seconds * Double(SpeechAudio.sampleRate))).map { index in
            let time = Double(index) / Double(SpeechAudio.sampleRate)
            let white = Double.random(in: -1...1, using: &generator)
            let beat = (time * 2).truncatingRemainder(dividingBy: 1)
            let turns = 2 * Double.pi * time
            let value: Double =
                switch self {
                case .hiss: 10_000 * white
                case .tone: 12_000 * sin(440 * turns)
                case .hum:
                    (1...8).map(Double.init).reduce(0.0) { $0 + 4_000 / $1 * sin(50 * $1 * turns) }
                case .knocks: (beat < 0.05 ? 20_000 : 10) * white
                case .gusts: (beat < 0.5 ? 9_000 : 20) * white
                }
            return Int16(value.rounded())
        }
    }
}

@Suite("Telling voices from other sounds", .serialized, .timeLimit(.minutes(5)))
struct VoiceDetectionTests {
    private func detector(_ sensitivity: SpeechSensitivity = .medium) throws -> SileroVoiceDetector {
        try SileroVoiceDetector(
            SherpaLibrary(Engines.folder.sherpaLibrary), model: Engines.folder.voiceActivityModel,
            sensitivity: sensitivity)
    }

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

    private func mixed(_ speech: [Int16], _ noise: [Int16], loudness: Double) -> [Int16] {
        zip(speech, noise).map { Int16(clamping: Int(Double($0) + loudness * Double($1))) }
    }

    @Test("no noise is a voice, however loud", arguments: Noise.allCases, SpeechSensitivity.allCases)
    func noise(noise: Noise, sensitivity: SpeechSensitivity) throws {
        let detector = try detector(sensitivity)
        detector.add(noise.samples())
        #expect(!detector.activity.hasHeardSpeech && !detector.activity.isSpeech)
        #expect(detector.activity.silence > .seconds(2.9))
        detector.flush()
        #expect(detector.takeSegments().isEmpty)
    }

    @Test(
        "a voice is noticed within the second that is held back, quiet or beside a noise",
        arguments: Recording.allCases, [1, 0.05])
    func speech(recording: Recording, loudness: Double) throws {
        let samples = try AudioFile.samples(of: recording.url).map { Int16(Double($0) * loudness) }
        let hiss = Noise.hiss.samples(seconds: Double(samples.count) / 16_000)
        for sound in [samples, mixed(samples, hiss, loudness: 0.02 * loudness)] {
            let detector = try detector()
            // From where it is loud for the first time.
            let limit = 0.1 * Double(samples.map { abs(Int($0)) }.max() ?? 0)
            let onset = try #require(samples.firstIndex { abs(Double($0)) > limit })
            detector.add(Array(sound[..<(onset + 12_000)]))
            #expect(detector.activity.hasHeardSpeech)
            detector.add(Array(sound[(onset + 12_000)...]) + ToneModel.silence(1))
            #expect(!detector.activity.isSpeech && detector.activity.silence > .seconds(0.9))
        }
    }

    @Test(
        "while somebody speaks there is no long silence, though nothing stands out: in noise, and with a quiet microphone",
        arguments: Recording.allCases, [0.1, 0.2, 0])
    func unclear(recording: Recording, noise: Double) throws {
        let speech = try AudioFile.samples(of: recording.url)
        let hiss = Noise.hiss.samples(seconds: Double(speech.count) / 16_000)
        let sound = noise > 0 ? mixed(speech, hiss, loudness: noise) : speech.map { $0 / 60 }
        let detector = try detector()
        var longest = Duration.zero
        for start in stride(from: 0, to: sound.count, by: 320) {
            let piece = Array(sound[start..<min(start + 320, sound.count)])
            detector.add(piece)
            if detector.activity.isSpeech { longest = max(longest, detector.activity.silence) }
        }
        #expect(detector.activity.hasHeardSpeech)
        // So much sooner than the model, loudness knows of a pause.
        #expect(longest <= .milliseconds(250))
    }

    @Test(
        "behind the last sound of a voice that never stands out, as much is recorded as behind a loud one",
        arguments: Recording.allCases)
    func softEnd(recording: Recording) throws {
        let detector = try detector()
        var tails: Set<Duration> = []
        let samples = try AudioFile.samples(of: recording.url).map { $0 / 300 }
        for start in stride(from: 0, to: samples.count, by: 512) {
            detector.add(Array(samples[start..<min(start + 512, samples.count)]))
            if detector.activity.isSpeech { tails.insert(Endpointing().tail(after: detector.activity)) }
        }
        #expect(detector.activity.hasHeardSpeech && !detector.activity.isAudible)
        #expect(tails == [Endpointing().tail])
    }

    @Test("the sound of a recording without words is told, and no more of it is read than is needed at once")
    func withoutWords() async throws {
        let folder = try Folder()
        let session = try session(hearing: [0], in: folder)
        try await session.prepare()
        #expect(session.tellsVoices)
        func sound(_ samples: [Int16]) throws -> SoundWithoutWords? {
            let file = folder.url.appending(path: "long.wav")
            let writer = try WaveFileWriter(url: file)
            for _ in 0..<40 { try writer.append(samples) }
            writer.finish()
            return session.soundWithoutWords(in: file)
        }
        #expect(try sound(AudioFile.samples(of: Recording.short.url)) == .voice)
        #expect(try sound(Noise.gusts.samples()) == .noise)
        let silence = ToneModel.silence(10)
        // 13 MB of sound; as a whole, it took more than 60 MB.
        let before = try Memory.newPeak()
        #expect(try sound(silence) == .silence)
        #expect(try Memory.peak() - before < 30_000)
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

    @Test("speech behind noise is heard from its first word on, with the times of the recording")
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

    @Test("a recording ends after the speech, though something is loud behind it")
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

    @Test("without the model, with half of it, and where it is not wanted, loudness decides")
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

    @Test(
        "sound is held back until there is a voice; the second before it is heard as well, or ten that were loud",
        arguments: [0, 3, 50, 60, 1_000], [false, true])
    func leading(frames: Int, isAudible: Bool) {
        var leading = LeadingSilence(isHeld: true)
        var heard: [AudioChunk] = []
        for frame in 0..<frames + 5 {
            let chunk = AudioChunk(samples: Array(repeating: 1, count: 320), position: frame * 320)
            heard += leading.add(
                chunk, VoiceActivity(hasHeardSpeech: frame >= frames, isAudible: isAudible))
        }
        #expect(heard.count == min(frames, isAudible ? 500 : 50) + 5)
        #expect(heard.last?.position == (frames + 4) * 320)
        #expect(zip(heard, heard.dropFirst()).allSatisfy { $0.position + 320 == $1.position })
    }

    @Test(
        "a word that was over before the model was sure of a voice is heard; a longer noise is not",
        arguments: [(20, 1), (49, 1), (50, 0), (200, 0)])
    func short(loudFrames: Int, isHeard: Int) {
        var leading = LeadingSilence(isHeld: true)
        for frame in 0..<30 + loudFrames {
            let chunk = AudioChunk(samples: Array(repeating: 1, count: 320), position: frame * 320)
            #expect(leading.add(chunk, VoiceActivity(isAudible: frame >= 30)).isEmpty)
        }
        #expect(leading.finish().count == isHeard * (30 + loudFrames))
    }

    @Test("silence is not heard at its end either")
    func silent() {
        var leading = LeadingSilence(isHeld: true)
        #expect(leading.add(AudioChunk(samples: [1], position: 0), VoiceActivity()).isEmpty)
        #expect(leading.finish().isEmpty)
    }

    @Test("nothing is held back where loudness decides")
    func open() {
        var leading = LeadingSilence(isHeld: false)
        let chunk = AudioChunk(samples: [1], position: 0)
        #expect(leading.add(chunk, VoiceActivity()) == [chunk])
    }
}

/// The memory of this process.
private enum Memory {
    struct Unknown: Error {}

    /// Forgets the most that it had; where the kernel cannot do that, the peak stays higher.
    ///
    /// - Returns: what it has now.
    static func newPeak() throws -> Int {
        try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
        return try peak()
    }

    /// The most that it had, in kilobytes.
    static func peak() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        guard let peak = status.firstMatch(of: /VmHWM:\s+(\d+) kB/).flatMap({ Int($0.output.1) }) else {
            throw Unknown()
        }
        return peak
    }
}
