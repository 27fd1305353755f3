import DictationSpeech
import DictationSystem
import Foundation
import Synchronization
import Testing

@Suite("Audio files", .serialized, .timeLimit(.minutes(5)))
struct FileTranscriptionTests {
    /// Writes a recording as another kind of file with sox, which resamples and duplicates the channel.
    private func converted(_ recording: Recording, to name: String, in folder: Folder) throws -> URL {
        let target = folder.url.appending(path: name)
        let sox = try StartedProcess("sox", [recording.url.path, "-r", "44100", "-c", "2", target.path])
        try #require(sox.reap() == .exited(0))
        return target
    }

    @Test(
        "speech in a file is recognized",
        arguments: [
            (Recording.demo, 0.1), (.short, 0.3), (.casting, 0.2), (.calligraphy, 0.3), (.universe, 0.7),
        ])
    func speechInFile(recording: Recording, bound: Double) async throws {
        let transcript = try await SpeechSession().transcribe(audioFile: recording.url)
        let rate = wordErrorRate(transcript.plainText, reference: try recording.reference())
        #expect(rate <= bound, "heard: \(transcript.plainText)")
        #expect(abs(transcript.duration - (try AudioFile(url: recording.url)).duration) < 0.001)
    }

    @Test("FLAC and WAV at 44.1 kHz in stereo give the same words", arguments: ["demo.flac", "demo44.wav"])
    func otherFormats(name: String) async throws {
        let folder = try Folder()
        let file = try converted(.demo, to: name, in: folder)
        let transcript = try await SpeechSession().transcribe(audioFile: file)
        #expect(wordErrorRate(transcript.plainText, reference: try Recording.demo.reference()) <= 0.2)
        #expect(abs(transcript.duration - (try AudioFile(url: Recording.demo.url)).duration) < 0.01)
    }

    @Test("an interrupted attempt continues after its results, at any place")
    func resumed() async throws {
        let folder = try Folder()
        let file = folder.url.appending(path: "tones.wav")
        let said = ["one", "and two", "three", "then four"]
        let writer = try WaveFileWriter(url: file)
        for text in said { try writer.append(try ToneModel.speak(text, before: 0.4, after: 0.8)) }
        writer.finish()
        for model in [ToneModel.streaming, .offline, .nemo] {
            let session = SpeechSession(recognizer: Engines.recognizer(model), voiceDetection: .loudness)
            let whole = try await session.transcribe(audioFile: file)
            #expect(whole.results.map(\.plainText) == said)
            for count in 0...said.count {
                // As they come back from a file.
                let data = try JSONEncoder().encode(Array(whole.results.prefix(count)))
                var earlier = try JSONDecoder().decode([TranscriptionResult].self, from: data)
                #expect(earlier == Array(whole.results.prefix(count)))
                // Kept results are not made again, and the last one is.
                for index in earlier.indices { earlier[index].text = AttributedString("kept") }
                let new = Mutex<[String]>([])
                let fractions = Mutex<[Double]>([])
                let resumed = try await session.transcribe(
                    audioFile: file, after: earlier,
                    onProgress: { fraction in fractions.withLock { $0.append(fraction) } },
                    onResult: { result in new.withLock { $0.append(result.plainText) } })
                let kept = max(0, count - 1)
                #expect(
                    resumed.results.map(\.plainText)
                        == Array(repeating: "kept", count: kept) + said.dropFirst(kept))
                #expect(new.withLock { $0 } == Array(said.dropFirst(kept)))
                #expect(resumed.duration == whole.duration)
                for (result, full) in zip(resumed.results, whole.results) {
                    #expect(abs(result.range.lowerBound - full.range.lowerBound) < 0.25)
                }
                let told = fractions.withLock { $0 }
                #expect(told == told.sorted() && told.last == 1)
                #expect((told.first ?? 1) >= Double(kept) * 0.15)
            }
        }
    }

    @Test("one session transcribes file after file, the queued ones too")
    func queuedFiles() async throws {
        let session = SpeechSession()
        async let first = session.transcribe(audioFile: Recording.demo.url)
        async let second = session.transcribe(audioFile: Recording.short.url)
        let texts = try await [first.plainText, second.plainText]
        #expect(texts[0].contains("block books"))
        #expect(texts[1].contains("surpassed"))
    }

    @Test("recognizers made at the same time do not disturb each other")
    func manyAtOnce() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<6 { group.addTask { try await PocketSphinxRecognizer().prepare() } }
            try await group.waitForAll()
        }
    }

    @Test(
        "other files are refused with their names", arguments: ["", "not audio at all", "RIFF\0\0\0\0WAVE"])
    func noAudio(content: String) async throws {
        let folder = try Folder()
        let file = folder.url.appending(path: "broken.wav")
        try Data(content.utf8).write(to: file)
        await #expect { try await SpeechSession().transcribe(audioFile: file) } throws: { error in
            "\(error)".contains("broken.wav")
        }
    }

    @Test("neither a folder nor an empty file is of an unknown kind, to be converted")
    func noFile() async throws {
        let folder = try Folder()
        let file = folder.url.appending(path: "empty.wav")
        try Data().write(to: file)
        for (url, reason) in [(folder.url, "it is a folder"), (file, "it is empty")] {
            await #expect(throws: SpeechSessionError.unreadableAudio(path: url.path, reason: reason)) {
                try await ConvertedAudio.ifNeeded(url)
            }
        }
    }

    @Test("a pipe is refused at once: opening it waits for its writer, and it can be read only once")
    func pipe() async throws {
        let folder = try Folder()
        let pipe = folder.url.appending(path: "pipe.wav")
        try #require(mkfifo(pipe.path, 0o600) == 0)
        await #expect {
            try await ConvertedAudio.ifNeeded(pipe)
        } throws: { error in
            "\(error)".contains("pipe.wav") && "\(error)".contains("it is not a file")
        }
    }

    @Test("a missing model is reported with the package that has it")
    func missingModel() async {
        var model = PocketSphinxModel.debianEnglish
        model.languageModel = "/nonexistent/en-us.lm.bin"
        let recognizer = PocketSphinxRecognizer(model: model)
        await #expect(
            throws: SpeechSessionError.modelMissing(
                engine: "PocketSphinx", path: model.languageModel, package: "pocketsphinx-en-us")
        ) { try await recognizer.prepare() }
    }
}

@Suite("Words and languages", .serialized, .timeLimit(.minutes(5)))
struct VocabularyTests {
    @Test("a word of one's own is heard, written as it was given, and forgotten again")
    func ownWord() async throws {
        let recognizer = PocketSphinxRecognizer()
        let session = SpeechSession(recognizer: recognizer)
        let word = CustomWord(text: "BlockBooks™", pronunciation: "B L AA K B UH K S")
        try await recognizer.learn([word])
        #expect(try await session.transcribe(audioFile: Recording.demo.url).plainText.contains("BlockBooks™"))
        try await recognizer.learn([])
        let text = try await session.transcribe(audioFile: Recording.demo.url).plainText
        #expect(text.contains("block books"))
    }

    @Test(
        "a known word gets another pronunciation; sounds that do not exist are told, and the rest is learned")
    func pronunciations() async throws {
        let recognizer = PocketSphinxRecognizer()
        let wrong = CustomWord(text: "nonsense", pronunciation: "QQ ZZ")
        let words = [
            CustomWord(text: "printed", pronunciation: "P R IH N IH D"), wrong,
            CustomWord(text: "BlockBooks", pronunciation: "B L AA K B UH K S"),
        ]
        await #expect {
            try await recognizer.learn(words)
        } throws: { error in
            "\(error)".contains("“nonsense” (QQ ZZ)")
        }
        let text = try await SpeechSession(recognizer: recognizer).transcribe(audioFile: Recording.demo.url)
            .plainText
        #expect(text.contains("BlockBooks") && !text.contains("(2)"), "heard: \(text)")
    }

    @Test("a language that the engine lacks is refused with those that it has, live and for files")
    func locale() async throws {
        let session = SpeechSession(
            input: Microphones.input(speaking: Recording.short.url), locale: "de-DE")
        let expected = SpeechSessionError.unsupportedLocale(
            "de-DE", engine: "pocketsphinx", supported: ["en-US"])
        await #expect(throws: expected) { try await session.prepare() }
        await #expect(throws: expected) { try await session.transcribe(audioFile: Recording.short.url) }
        #expect(try await Outcome(session.startTranscribing()).error == expected)
        #expect(session.status == .idle)
    }
}
