import DictationSpeech
import DictationSystem
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Further features of a session", .serialized, .timeLimit(.minutes(3)))
struct SessionFeatureTests {
    @Test("alternatives come when they are asked for, and none of them is the recognized text")
    func alternatives() async throws {
        let session = SpeechSession()
        #expect(
            try await session.transcribe(audioFile: Recording.demo.url).results.allSatisfy(
                \.alternatives.isEmpty))
        try await session.setAlternativeCount(3)
        let results = try await session.transcribe(audioFile: Recording.demo.url).results
        let first = try #require(results.first)
        #expect((1...3).contains(first.alternatives.count))
        #expect(!first.alternatives.map { String($0.characters) }.contains(first.plainText))
    }

    @Test("a feature that an engine does not have is refused by its name")
    func missing() async throws {
        let sphinx = SpeechSession()
        try await sphinx.setContextualStrings(["Anna"])
        await #expect { try await sphinx.setContextualStrings(["Anna", "Kubernetes"]) } throws: {
            "\($0)".contains("“Kubernetes” cannot be used")
        }
        let offline = SpeechSession(recognizer: Engines.recognizer(.offline))
        await #expect { try await offline.setContextualStrings(["Anna"]) } throws: {
            "\($0)".contains("sherpa-onnx")
        }
        let sherpa = SpeechSession(recognizer: Engines.recognizer(.streamingTransducer))
        try await sherpa.setContextualStrings(["world"])
        await #expect(throws: SpeechSessionError.self) { try await sherpa.setAlternativeCount(3) }
        await #expect(throws: SpeechSessionError.self) { try await sherpa.setCustomVocabulary([]) }
        try await sphinx.setCustomVocabulary([
            CustomWord(text: "BlockBooks", pronunciation: "B L AA K B UH K S")
        ])
        #expect(try await sphinx.transcribe(audioFile: Recording.demo.url).plainText.contains("BlockBooks"))
    }

    @Test("words that are likely in one utterance are heard in that one, and not in the next one")
    func likelyWords() async throws {
        let folder = try Folder()
        let file = folder.url.appending(path: "tones.wav")
        let writer = try WaveFileWriter(url: file)
        // One of its letters may be either of two.
        try writer.append(
            zip(try ToneModel.speak("a zero"), try ToneModel.speak("a zebo")).map { $0 / 2 + $1 / 2 })
        writer.finish()
        var configuration = Engines.configuration(ToneModel.streamingTransducer.folder)
        (configuration.hotWordsScore, configuration.expectsHotWords) = (2_000, true)
        let session = SpeechSession(
            recognizer: SherpaRecognizer(configuration, trial: nil), input: AudioFileInput(url: file),
            voiceDetection: .loudness)
        let plain = try await Outcome(session.startTranscribing()).text
        #expect(["a zero", "a zebo"].contains(plain))
        for word in ["zero", "zebo"] {
            #expect(try await Outcome(session.startTranscribing(likelyWords: { [word] })).text == "a \(word)")
        }
        #expect(try await Outcome(session.startTranscribing()).text == plain)
    }

    @Test("the machine's engines are known, with their models, and what is missing")
    func capabilities() throws {
        let folder = try Folder()
        let none = SpeechSession.deviceCapabilities(EngineFolder(url: folder.url))
        #expect(none.engines.map(\.name) == ["pocketsphinx", "sherpa-onnx"])
        #expect(none.engines[0].problem == nil && none.engines[0].models.map(\.locales) == [["en-US"]])
        guard case .libraryMissing = none.engines[1].problem else {
            Issue.record("\(String(describing: none.engines[1].problem))")
            return
        }
        let models = folder.url.appending(path: "models")
        try FileManager.default.createDirectory(at: models, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            at: folder.url.appending(
                path: Engines.folder.sherpaLibrary.deletingLastPathComponent().lastPathComponent),
            withDestinationURL: Engines.folder.sherpaLibrary.deletingLastPathComponent())
        try FileManager.default.copyItem(
            at: ToneModel.streamingTransducer.folder, to: models.appending(path: "tones"))
        let sherpa = SpeechSession.deviceCapabilities(EngineFolder(url: folder.url)).engines[1]
        #expect(sherpa.problem == nil && sherpa.models.map(\.name) == ["tones"])
        #expect(sherpa.models.first?.features == [.wordTimes, .partialResults, .hotWords])
    }

    @Test("a model is chosen that was made for the language, or else one that finds out by itself; else none")
    func choice() throws {
        let folder = try Folder()
        let engines = EngineFolder(url: folder.url)
        func install(_ name: String, _ languages: [String]) throws {
            let model = try SherpaModel(folder: ToneModel.streaming.folder)
            var description = model.description
            description.languages = languages
            let copy = engines.models.appending(path: name)
            try FileManager.default.createDirectory(at: engines.models, withIntermediateDirectories: true)
            try FileManager.default.copyItem(at: model.folder, to: copy)
            try JSONEncoder().encode(description).write(
                to: copy.appending(path: SherpaModel.descriptionName))
        }
        func chosen(_ locale: String) -> String? { SpeechSession.installedModel(for: locale, in: engines) }
        try install("many", ["*"])
        try install("one", ["en"])
        try install("other", ["de-DE", "en-US"])
        #expect(chosen("en-US") == nil, "the library is not installed")
        let library = Engines.folder.sherpaLibrary.deletingLastPathComponent()
        try FileManager.default.createSymbolicLink(
            at: engines.sherpaLibrary.deletingLastPathComponent(), withDestinationURL: library)
        #expect(chosen("en-US") == "one" && chosen("de-DE") == "other" && chosen("fr-FR") == "many")
        try FileManager.default.removeItem(at: engines.models.appending(path: "many"))
        #expect(chosen("fr-FR") == nil && chosen("english") == nil)
    }

    @Test("the microphone's format is reported when it opens, and its loss when it vanishes")
    func inputConfiguration() async throws {
        let session = SpeechSession(input: Microphones.input(speaking: Recording.demo.url, unplugAfter: 1500))
        let seen = Task { [stream = session.audioInputConfigurationStream] in
            var seen: [AudioInputConfiguration] = []
            for await configuration in stream {
                seen.append(configuration)
                if !configuration.isAvailable { break }
            }
            return seen
        }
        let outcome = try await Outcome(session.startTranscribing())
        if case .microphoneLost = outcome.error {
        } else {
            Issue.record("\(String(describing: outcome.error))")
        }
        let configurations = await seen.value
        #expect(configurations.map(\.isAvailable) == [true, false])
        #expect(configurations.first?.format == AudioInputFormat(rate: 16_000, channels: 1))
        #expect(configurations.first?.device.hasPrefix("alsa:") == true)
    }
}

@Suite("A microphone that stays open", .serialized, .timeLimit(.minutes(3)))
struct WarmInputTests {
    /// How often a device was opened.
    private struct Counted: AudioInput {
        let first: ALSAInput
        /// The device when it is opened again.
        let next: ALSAInput
        let opened: Box
        var name: String { first.name }
        func start(_ receive: @escaping @Sendable (AudioEvent) -> Void) -> any AudioCapture {
            let isFirst = opened.count.withLock { count in
                count += 1
                return count == 1
            }
            return isFirst ? first.start(receive) : next.start(receive)
        }
        final class Box: Sendable { let count = Mutex(0) }
    }

    private func warm(
        _ keepOpen: Duration, unpluggedAfter: Int? = nil, hangingAfter: Int? = nil, lock: String = ""
    ) -> (WarmInput, Counted.Box) {
        let box = Counted.Box()
        let first = Microphones.input(
            speaking: Recording.demo.url, unplugAfter: unpluggedAfter, hangAfter: hangingAfter, lock: lock)
        let next = Microphones.input(speaking: Recording.demo.url, lock: lock, retryPolicy: .untilFree)
        return (WarmInput(Counted(first: first, next: next, opened: box), keepOpen: { keepOpen }), box)
    }

    /// Records until this many samples have come.
    private func record(_ input: WarmInput, samples: Int, tail: Duration = .zero) async throws -> Int {
        let capture = input.start()
        var count = 0
        for try await chunk in capture.chunks {
            #expect(chunk.position == count)
            count += chunk.samples.count
            if count >= samples { capture.stop(tail: tail) }
        }
        return count
    }

    @Test("the second recording uses the device that is open, and each begins at its own beginning")
    func reused() async throws {
        let (input, opened) = warm(.seconds(600))
        for _ in 0..<3 { #expect(try await record(input, samples: 4_000) >= 4_000) }
        #expect(opened.count.withLock { $0 } == 1)
    }

    @Test("a tail is recorded to the sample, also from a device that stays open")
    func tail() async throws {
        let (input, _) = warm(.seconds(600))
        let capture = input.start()
        var count = 0
        var heard: [Int] = []
        var stopped: Int?
        for try await chunk in capture.chunks {
            count += chunk.samples.count
            heard.append(count)
            if stopped == nil, count >= 3_200 {
                stopped = count
                capture.stop(tail: .milliseconds(300))
            }
        }
        // The microphone may be ahead of the listener: the tail begins after a chunk, this one or a later one.
        let start = try #require(heard.first { $0 == count - 4_800 })
        #expect(try start >= #require(stopped))
    }

    @Test(
        "after its time it is closed, and another program can have it; without a time at once",
        arguments: [0, 50])
    func closed(milliseconds: Int) async throws {
        let folder = try TemporaryFolder("warm")
        let lock = folder.file("lock")
        let (input, opened) = warm(.milliseconds(milliseconds), lock: lock)
        _ = try await record(input, samples: 1_600)
        // Opening waits for a device that is just being closed.
        let other = Microphones.input(speaking: Recording.short.url, lock: lock, retryPolicy: .untilFree)
            .start()
        for try await _ in other.chunks { break }
        other.stop(tail: .zero)
        #expect(try await record(input, samples: 1_600) >= 1_600)
        #expect(opened.count.withLock { $0 } == 2)
    }

    @Test("one without a listener is closed at once when the settings say so")
    func closedBySettings() async throws {
        let folder = try TemporaryFolder("warm")
        let lock = folder.file("lock")
        let limit = Mutex(Duration.seconds(600))
        let device = Microphones.input(speaking: Recording.demo.url, lock: lock)
        let input = WarmInput(device, keepOpen: { limit.withLock { $0 } })
        _ = try await record(input, samples: 1_600)
        limit.withLock { $0 = .zero }
        input.settingsChanged()
        let other = Microphones.input(speaking: Recording.short.url, lock: lock, retryPolicy: .untilFree)
        #expect(try await record(WarmInput(other, keepOpen: { .zero }), samples: 1_600) >= 1_600)
    }

    @Test("one that is unplugged without a listener is opened again by the next press")
    func unplugged() async throws {
        let (input, opened) = warm(.seconds(600), unpluggedAfter: 400)
        // Until it has vanished, recordings continue or fail as usual; after that a new one is opened.
        repeat { _ = try? await record(input, samples: 1_600) } while opened.count.withLock { $0 } == 1
        #expect(try await record(input, samples: 1_600) >= 1_600)
    }

    @Test("one that is lost when it has given what was in its buffer is opened again in the same recording")
    func lostBehindItsBuffer() async throws {
        let (input, opened) = warm(.seconds(600), unpluggedAfter: 1_000)
        _ = try await record(input, samples: 8_000)
        #expect(try await record(input, samples: 24_000) >= 24_000)
        #expect(opened.count.withLock { $0 } == 2)
    }

    @Test("the loss of one that was open before is reported with the length of this recording")
    func lost() async throws {
        let (input, opened) = warm(.seconds(600), unpluggedAfter: 3_000)
        let before = try await record(input, samples: 16_000)
        #expect(before >= 16_000 && opened.count.withLock { $0 } == 1)
        let capture = input.start()
        var count = 0
        do {
            for try await chunk in capture.chunks { count += chunk.samples.count }
            Issue.record("it was not lost")
        } catch SpeechSessionError.microphoneLost(_, _, let seconds) {
            #expect(seconds == Double(count) / Double(SpeechAudio.sampleRate))
        }
        #expect(count > 0)
    }

    @Test("one that hangs in a call is abandoned, and opened again in the same recording")
    func hanging() async throws {
        let (input, opened) = warm(.seconds(600), hangingAfter: 1_000)
        _ = try await record(input, samples: 8_000)
        #expect(try await record(input, samples: 24_000) >= 24_000)
        #expect(opened.count.withLock { $0 } == 2)
    }

    @Test("a session over it hears every word, dictation after dictation")
    func session() async throws {
        let (input, opened) = warm(.seconds(600))
        let session = SpeechSession(input: input, endpointing: Endpointing(silence: .seconds(1)))
        let outcome = try await Outcome(session.startTranscribing())
        #expect(wordErrorRate(outcome.text, reference: try Recording.demo.reference()) <= 0.2)
        #expect(try await Outcome(session.startTranscribing(), stopping: session).error == nil)
        #expect(opened.count.withLock { $0 } == 1)
    }
}

extension Outcome {
    /// The same, but the recording is ended at once.
    fileprivate init(
        _ stream: AsyncThrowingStream<TranscriptionResult, any Error>, stopping session: SpeechSession
    ) async throws {
        session.finishRecording(tail: .zero)
        try await self.init(stream)
    }
}
