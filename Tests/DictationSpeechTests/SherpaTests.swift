import Foundation
import TestSupport
import Testing

@testable import DictationSpeech

@Suite("sherpa-onnx", .serialized, .timeLimit(.minutes(5)))
struct SherpaTests {
    private func text(_ finals: [Recognition]) -> String { finals.map(\.text).joined(separator: " | ") }

    @Test("models of every shape turn tones into text", arguments: ToneModel.allCases)
    func tones(model: ToneModel) async throws {
        // One of them cannot read double letters.
        let said = model == .streamingTransducer ? "a new world, it's" : "mississippi bookkeeper, it's"
        let finals = try await Engines.recognizer(model).hear(try ToneModel.speak(said))
        #expect(text(finals) == said)
    }

    @Test("quiet speech is heard as loud speech is", arguments: ToneModel.allCases)
    func quiet(model: ToneModel) async throws {
        let samples = try ToneModel.speak("new world", loudness: 0.01)
        #expect(text(try await Engines.recognizer(model).hear(samples)) == "new world")
    }

    @Test("words have the times at which they were spoken, over pauses too", arguments: ToneModel.allCases)
    func times(model: ToneModel) async throws {
        let samples =
            try ToneModel.speak("go on", after: 0) + ToneModel.silence(2)
            + ToneModel.speak("and stop")
        let finals = try await Engines.recognizer(model).hear(samples)
        #expect(text(finals) == "go on | and stop")
        let words = finals.flatMap(\.words)
        #expect(words.map(\.text) == ["go", "on", "and", "stop"])
        // A letter takes 0.16 s, and the space before a word belongs to it.
        let spoken = [0.2, 0.2 + 2 * 0.16, 3.2, 3.2 + 3 * 0.16]
        for (word, start) in zip(words, spoken) {
            #expect(abs(word.range.lowerBound - start) < 0.15, "\(word)")
            #expect(word.range.upperBound > word.range.lowerBound)
            #expect(word.confidence > 0 && word.confidence <= 1)
        }
        #expect(finals.allSatisfy { $0.range.upperBound <= Double(samples.count) / 16_000 })
    }

    @Test(
        "partial results grow while somebody speaks, also with models that hear segments as a whole",
        arguments: ToneModel.allCases)
    func partials(model: ToneModel) async throws {
        let recognizer = Engines.recognizer(model)
        let said = "words come one by one"
        let samples = try ToneModel.speak(said)
        try await recognizer.begin(UtteranceContext(source: "test"))
        var partials: [String] = []
        var finals: [Recognition] = []
        for start in stride(from: 0, to: samples.count, by: 320) {
            let piece = Array(samples[start..<min(start + 320, samples.count)])
            finals += try await recognizer.accept(AudioChunk(samples: piece, position: start))
            if let partial = await recognizer.partialText(), !partial.isEmpty { partials.append(partial) }
        }
        let isStreaming = model == .streaming || model == .streamingTransducer
        #expect(partials.count > (isStreaming ? 5 : 2))
        #expect(
            zip(partials, partials.dropFirst()).allSatisfy { $1.hasPrefix($0) && $0 != $1 } || !isStreaming)
        // A letter that is half heard may be another one.
        #expect(partials.allSatisfy { said.hasPrefix($0.dropLast()) }, "\(partials)")
        finals += try await recognizer.finish()
        #expect(text(finals) == said)
    }

    @Test("a session gives the words with their attributes; a canceled utterance leaves nothing")
    func session() async throws {
        let folder = try Folder()
        let file = try ToneModel.write("hello there", in: folder)
        let session = SpeechSession(
            recognizer: Engines.recognizer(.streaming), input: AudioFileInput(url: file),
            voiceDetection: .loudness)
        let cancelled = session.startTranscribing()
        session.cancel()
        for try await result in cancelled where result.isFinal { Issue.record("\(result)") }
        let outcome = try await Outcome(session.startTranscribing())
        #expect(outcome.text == "hello there")
        let runs = try #require(outcome.results.first).text.runs.filter { $0.audioTimeRange != nil }
        #expect(runs.count == 2)
        let transcript = try await session.transcribe(audioFile: file)
        #expect(transcript.plainText == "hello there")
        #expect(try await session.transcribe(audioFile: file) == transcript)
    }

    @Test("real speech is found by the model of voices, and cut at its pauses; tones are no voices")
    func voices() async throws {
        let library = try SherpaLibrary(Engines.folder.sherpaLibrary)
        let detector = try SileroVoiceDetector(
            library, model: Engines.folder.voiceActivityModel)
        for recording in Recording.allCases {
            let samples = try AudioFile.samples(of: recording.url)
            var level = SpeechLevel()
            level.add(samples)
            detector.reset()
            detector.add(samples)
            detector.flush()
            let found = detector.takeSegments()
            let seconds = Double(found.map(\.count).reduce(0, +)) / 16_000
            #expect(seconds > 0.9 * level.activeSeconds, "\(recording): \(found)")
            #expect(zip(found, found.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound })
        }
        let configuration = Engines.configuration(
            ToneModel.offline.folder, voiceActivityModel: Engines.folder.voiceActivityModel)
        let recognizer = SherpaRecognizer(configuration, trial: nil)
        #expect(try await recognizer.hear(try ToneModel.speak("hello")).isEmpty)
    }

    @Test("a model is let go after a while, and loaded again while the next words are spoken")
    func released() async throws {
        let folder = try Folder()
        let file = try ToneModel.write("again", in: folder)
        let recognizer = Releasing()
        let session = SpeechSession(
            recognizer: recognizer, input: AudioFileInput(url: file), voiceDetection: .loudness)
        session.keepLoaded = .milliseconds(50)
        for _ in 0..<2 {
            #expect(try await Outcome(session.startTranscribing()).text == "again")
            await recognizer.waitForRelease()
        }
    }

    @Test("words that are likely can be named, if the model supports them")
    func hotWords() async throws {
        let recognizer = Engines.recognizer(.streamingTransducer)
        try await recognizer.bias(towards: ["world", "new"])
        #expect(text(try await recognizer.hear(try ToneModel.speak("new world"))) == "new world")
        // Others than before, also words that are given while somebody speaks.
        try await recognizer.begin(UtteranceContext(source: "test"))
        try await recognizer.bias(towards: [])
        _ = try await recognizer.finish()
        #expect(text(try await recognizer.hear(try ToneModel.speak("new world"))) == "new world")
        await #expect {
            try await Engines.recognizer(.offline).bias(towards: ["world"])
        } throws: { "\($0)".contains("zipformer-ctc") }
    }

    @Test("words that are likely in one utterance decide there, and no model is loaded for them")
    func likelyWords() async throws {
        let folder = try Folder()
        let model = try ToneModel.streamingTransducer.copy(in: folder)
        var configuration = Engines.configuration(model)
        configuration.expectsHotWords = true
        // The model is a thousand times more certain than a real one.
        configuration.hotWordsScore = 2_000
        let recognizer = SherpaRecognizer(configuration, trial: nil)
        try await recognizer.prepare()
        // If it were loaded again, its files would be missing.
        try FileManager.default.removeItem(at: model)
        // One of its letters may be either of two.
        let sound = zip(try ToneModel.speak("a zero"), try ToneModel.speak("a zebo")).map { $0 / 2 + $1 / 2 }
        for word in ["zero", "zebo", "zero"] {
            #expect(text(try await recognizer.hear(sound, likelyWords: [word])) == "a \(word)")
        }
        // Words that a model cannot write, or that mean something to the library, do no harm.
        let odd = ["Grüße", ":x", "zero :x", "a/b", "", "会议"]
        #expect(text(try await recognizer.hear(try ToneModel.speak("new"), likelyWords: odd)) == "new")
        // One that takes none passes over them.
        let other = Engines.recognizer(.offline)
        #expect(text(try await other.hear(try ToneModel.speak("new"), likelyWords: ["now"])) == "new")
    }

    @Test("a model that was loaded without them is loaded again when likely words come")
    func firstLikelyWords() async throws {
        var configuration = Engines.configuration(ToneModel.streamingTransducer.folder)
        configuration.hotWordsScore = 2_000
        let recognizer = SherpaRecognizer(configuration, trial: nil)
        let sound = zip(try ToneModel.speak("a zero"), try ToneModel.speak("a zebo")).map { $0 / 2 + $1 / 2 }
        _ = try await recognizer.hear(sound)
        for word in ["zero", "zebo"] {
            #expect(text(try await recognizer.hear(sound, likelyWords: [word])) == "a \(word)")
        }
    }

    @Test("a language that the model lacks is refused; a regional kind of one that it has is not")
    func languages() async throws {
        let german = SpeechSession(recognizer: Engines.recognizer(.streaming), locale: "de-DE")
        await #expect(throws: SpeechSessionError.self) { try await german.prepare() }
        let british = SpeechSession(recognizer: Engines.recognizer(.streaming), locale: "en-GB")
        try await british.prepare()
        let unsaid = SpeechSession(recognizer: Engines.recognizer(.streaming), locale: SpokenLanguage.found)
        await #expect {
            try await unsaid.prepare()
        } throws: {
            "\($0)".contains("sherpa-onnx cannot detect the language: its model knows en.")
        }
    }

    @Test(
        "a model of several languages finds out which one is spoken, unless it must be told",
        arguments: [
            (SherpaModel.Family.nemoTransducer, ["en", "de"], true), (.nemoTransducer, ["en"], false),
            (.whisper, ["*"], true), (.whisper, ["en"], false), (.canary, ["en", "de"], false),
            (.canary, ["*"], false), (.qwen3, ["zh", "en"], true), (.punctuation, ["zh", "en"], false),
        ])
    func found(family: SherpaModel.Family, languages: [String], finds: Bool) {
        let model = SherpaModel.Description(family: family, files: [:], languages: languages)
        #expect(model.locales.contains(SpokenLanguage.found) == finds)
        #expect(model.locales.filter { $0 != SpokenLanguage.found } == languages)
    }
}

/// Reports when its model was released.
private actor Releasing: SpeechRecognizer {
    nonisolated let engine = "sherpa-onnx"
    nonisolated let locales = ["en"]
    private var recognizer: SherpaRecognizer?
    private let (releases, release_) = AsyncStream.makeStream(of: Void.self)

    private func loaded() throws -> SherpaRecognizer {
        if let recognizer { return recognizer }
        let recognizer = Engines.recognizer(.streaming)
        self.recognizer = recognizer
        return recognizer
    }

    func prepare() async throws { try await loaded().prepare() }
    func begin(_ context: UtteranceContext) async throws { try await loaded().begin(context) }
    func accept(_ chunk: AudioChunk) async throws -> [Recognition] { try await loaded().accept(chunk) }
    func finish() async throws -> [Recognition] { try await loaded().finish() }
    func cancel() async { await recognizer?.cancel() }

    func release() async {
        await recognizer?.release()
        release_.yield()
    }

    func waitForRelease() async { for await _ in releases { return } }
}
