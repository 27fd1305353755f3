import DictationHTTP
import DictationSpeech
import DictationSystem
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("A server that recognizes", .timeLimit(.minutes(2)))
struct RemoteTests {
    private static let words = """
        {"text": " Hello there, Anna. ", "words": [{"word": "Hello", "start": 0.1, "end": 0.5},
        {"word": " there", "start": 0.5, "end": 0.4}, {"word": "Anna", "start": -3, "end": 99}], "extra": {"a": 1}}
        """

    private func recognizer(
        _ server: LoopbackServer, key: RemoteConfiguration.KeySource = .none, limit: Duration = .seconds(20),
        locale: String = "en-GB", engines: EngineFolder? = nil, fallback: (any SpeechRecognizer)? = nil,
        onFallback: @escaping @Sendable (SpeechSessionError) -> Void = { _ in }
    ) -> RemoteRecognizer {
        RemoteRecognizer(
            RemoteConfiguration(
                address: server.address("/v1/"), model: "large", key: key, locale: locale, timeLimit: limit),
            engines: engines, fallback: fallback, onFallback: onFallback)
    }

    /// Something that is loud enough to be speech.
    private func speech() throws -> [Int16] { try ToneModel.speak("hello there", before: 3, after: 3) }

    private func sentSound(_ server: LoopbackServer) throws -> [Int16] {
        try sound(of: try #require(server.requests.first))
    }

    private func sound(of request: LoopbackServer.Request) throws -> [Int16] {
        let body = request.body
        let start = try #require(body.firstRange(of: Data("RIFF".utf8))).lowerBound
        let folder = try TemporaryFolder("sent")
        let file = folder.file("sent.wav")
        try Data(body[start...]).write(to: URL(filePath: file))
        return try AudioFile.samples(of: URL(filePath: file))
    }

    @Test(
        "gets the sound as a WAV file without the silence around it, and gives text, and times that make sense"
    )
    func text() async throws {
        let server = try LoopbackServer { _ in [.answer(200, [:], Data(Self.words.utf8))] }
        let folder = try TemporaryFolder("remote")
        let key = try folder.write("geheim\n", to: "key")
        let recognizer = recognizer(server, key: .file(key))
        await recognizer.bias(towards: ["Anna", "Kubernetes"])
        let finals = try await recognizer.hear(try speech())
        let final = try #require(finals.first)
        #expect(finals.count == 1 && final.text == "Hello there, Anna.")
        #expect(final.words.map(\.text) == ["Hello", "there", "Anna"])
        // The sound that was sent began 0.3 s before the first letter.
        let firstStart = try #require(final.words.first).range.lowerBound
        #expect(firstStart > 2.65 && firstStart < 2.95)
        for word in final.words {
            #expect(word.range.lowerBound >= 2)
            #expect(word.range.upperBound < 6)
        }

        let request = try #require(server.requests.first)
        #expect(request.path == "/v1/audio/transcriptions")
        #expect(request.headers["authorization"] == "Bearer geheim")
        let body = String(decoding: request.body, as: UTF8.self)
        for field in ["large", "en", "verbose_json", "Anna, Kubernetes"] {
            #expect(body.contains("\r\n\r\n\(field)\r\n"), "\(field)")
        }
        let seconds = Double(try sentSound(server).count) / 16_000
        // Eleven letters of 0.16 s, and 0.3 s on both sides.
        #expect(seconds > 2.1 && seconds < 2.7)
    }

    @Test(
        "gets all that was said also in noise, if the voice activity detector is installed",
        arguments: Recording.allCases
    )
    func noisy(recording: Recording) async throws {
        let server = try LoopbackServer { _ in [.answer(200, [:], Data(Self.words.utf8))] }
        let speech = try AudioFile.samples(of: recording.url)
        let lead = 2 * SpeechAudio.sampleRate
        let quiet = ToneModel.silence(2)
        // By loudness, half a second and more is lost of most recordings.
        let sound = zip(quiet + speech + quiet, Noise.hiss.samples(seconds: 30)).map {
            Int16(clamping: Int($0) + Int($1) / 2)
        }
        let limit = 0.1 * Double(speech.map { abs(Int($0)) }.max() ?? 0)
        let first = try #require(speech.firstIndex { abs(Double($0)) > limit }) + lead
        let last = try #require(speech.lastIndex { abs(Double($0)) > limit }) + lead
        let finals = try await recognizer(server, engines: .standard()).hear(sound)
        // The server heard the first word 0.1 s after the beginning of the sent sound.
        let start = try #require(finals.first?.words.first).range.lowerBound - 0.1
        let sent = try sentSound(server).count
        #expect(Int(start * 16_000) < first)
        #expect(Int(start * 16_000) + sent > last)
        #expect(sent < sound.count - lead, "the silence was sent as well")
    }

    @Test(
        "lines that were not said, and words without times, are no obstacle",
        arguments: [
            (#"{"text": " Hello there.\n How are you?\r\n\n"}"#, "Hello there. How are you?", 0),
            (#"{"text": "你好，\n世界。\n"}"#, "你好，世界。", 0),
            (
                #"{"text": "In 2014 .", "words": [{"word": "In", "start": 0, "end": 1}, {"word": "2014"}, "#
                    + #"{"word": ".", "start": null, "end": null}]}"#, "In 2014 .", 1
            ),
        ])
    func unusual(answer: String, text: String, words: Int) async throws {
        let server = try LoopbackServer { _ in [.answer(200, [:], Data(answer.utf8))] }
        let final = try #require(try await recognizer(server).hear(try speech()).first)
        #expect(final.text == text && final.words.count == words)
    }

    @Test("a server that knows the plain format only is asked in that way from then on")
    func plain() async throws {
        let server = try LoopbackServer { request in
            let isPlain = request.body.firstRange(of: Data("verbose_json".utf8)) == nil
            return [isPlain ? .answer(200, [:], Data("{\"text\": \"hello\"}".utf8)) : .answer(400)]
        }
        let recognizer = recognizer(server)
        for _ in 0..<2 { #expect(try await recognizer.hear(try speech()).map(\.text) == ["hello"]) }
        #expect(server.requests.count == 3)
    }

    @Test(
        "the language goes by the name that such servers know",
        arguments: [("nb-NO", "no"), ("nn-NO", "nn"), ("fil-PH", "tl"), ("de-AT", "de"), ("iw", "he")])
    func language(locale: String, code: String) async throws {
        let server = try LoopbackServer { _ in [.answer(200, [:], Data(Self.words.utf8))] }
        _ = try await recognizer(server, locale: locale).hear(try speech())
        let body = String(decoding: try #require(server.requests.first).body, as: UTF8.self)
        #expect(body.contains("name=\"language\"\r\n\r\n\(code)\r\n"))
    }

    @Test("if nobody spoke, nothing is sent")
    func silence() async throws {
        let server = try LoopbackServer { _ in [.answer(200, [:], Data("{\"text\": \"Thank you.\"}".utf8))] }
        #expect(try await recognizer(server).hear(ToneModel.silence(5)).isEmpty)
        #expect(server.requests.isEmpty)
    }

    private static let half = Data("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"text\": \"hel".utf8)
    /// The failures of a server.
    private static let failures: [(name: String, steps: [LoopbackServer.Step])] = [
        ("hangs", [.hang]), ("breaks off", [.send(half)]), ("resets", [.send(half), .reset]),
        ("no JSON", [.answer(200, [:], Data("<html>".utf8))]),
        ("other JSON", [.answer(200, [:], Data("[]".utf8))]),
        ("refuses", [.answer(401, [:], Data("no geheim".utf8))]), ("is overloaded", [.answer(503)]),
        ("has no such path", [.answer(404)]),
    ]

    @Test("after each kind of failure another engine hears the same sound", arguments: Self.failures.indices)
    func fallback(index: Int) async throws {
        let server = try LoopbackServer { _ in Self.failures[index].steps }
        let reasons = Mutex<[String]>([])
        // On a busy machine, too, the request must arrive before the limit is over.
        let recognizer = recognizer(
            server, limit: .seconds(10), fallback: Engines.recognizer(.streaming),
            onFallback: { error in reasons.withLock { $0.append("\(error)") } })
        let finals = try await recognizer.hear(try speech())
        #expect(finals.map(\.text) == ["hello there"] && finals.map(\.fallbackEngine) == ["sherpa-onnx"])
        // The next one is tried with the server again.
        let before = server.requests.count
        #expect(try await recognizer.hear(try speech()).map(\.text) == ["hello there"])
        #expect(reasons.withLock { $0.count == 2 && $0.allSatisfy { $0.contains("127.0.0.1") } })
        #expect(server.requests.count > before)
    }

    @Test("the other engine gets the words of one's own, and what it learns about the microphone is kept")
    func fallbackLearns() async throws {
        let server = try LoopbackServer { _ in [.answer(401)] }
        let recognizer = recognizer(server, locale: "en-US", fallback: PocketSphinxRecognizer())
        await recognizer.learn([CustomWord(text: "BlockBooks", pronunciation: "B L AA K B UH K S")])
        let finals = try await recognizer.hear(try AudioFile.samples(of: Recording.demo.url))
        #expect(finals.map(\.text).joined(separator: " ").contains("BlockBooks"))
        #expect(recognizer.adaptingEngine == "pocketsphinx")
        let learned = await recognizer.adaptations
        #expect(learned["test"]?.level != nil)
        let next = self.recognizer(server, locale: "en-US", fallback: PocketSphinxRecognizer())
        await next.restore(learned)
        #expect(await next.adaptations == learned)
        let alone = self.recognizer(server)
        #expect(await alone.adaptations.isEmpty && alone.adaptingEngine == nil)
    }

    @Test("of many hot words as many are sent as there is room for, the first ones")
    func prompt() async throws {
        let server = try LoopbackServer { _ in [.answer(200, [:], Data(Self.words.utf8))] }
        let recognizer = recognizer(server)
        await recognizer.bias(towards: (1...500).map { "Name\($0)" })
        _ = try await recognizer.hear(try speech())
        let body = String(decoding: try #require(server.requests.first).body, as: UTF8.self)
        #expect(body.contains("\r\n\r\nName1, Name2, ") && !body.contains("Name100"))
    }

    @Test("without another engine the error is reported, without the key", arguments: Self.failures.indices)
    func told(index: Int) async throws {
        let server = try LoopbackServer { _ in Self.failures[index].steps }
        let folder = try TemporaryFolder("remote")
        let key = try folder.write("geheim\n", to: "key")
        let recognizer = recognizer(server, key: .file(key), limit: .seconds(1))
        await #expect {
            try await recognizer.hear(try speech())
        } throws: { error in
            guard case SpeechSessionError.serverFailed = error else { return false }
            return !"\(error)".contains("geheim")
        }
    }

    @Test("a server that is not there, or a key that others can read, is reported at once")
    func unreachable() async throws {
        let server = try LoopbackServer { _ in [] }
        let folder = try TemporaryFolder("remote")
        let key = try folder.write("geheim\n", to: "key")
        chmod(key, 0o644)
        await #expect { try await recognizer(server, key: .file(key)).hear(try speech()) } throws: {
            "\($0)".contains("chmod 600")
        }
        #expect(server.requests.isEmpty)
        server.stop()
        await #expect { try await recognizer(server).hear(try speech()) } throws: {
            "\($0)".contains("cannot be reached")
        }
        let nowhere = RemoteRecognizer(RemoteConfiguration(address: ""))
        await #expect { try await nowhere.hear(try speech()) } throws: {
            "\($0)".contains("no server is named")
        }
    }

    @Test("no utterance waits for the connection of the last one, which may be dead")
    func connections() async throws {
        let body = Data(#"{"text": "hello"}"#.utf8)
        let head = Data("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n".utf8)
        // Its connections stay open, and are not read.
        let server = try LoopbackServer { _ in [.send(head + body), .hang] }
        let recognizer = recognizer(server)
        for _ in 0..<2 { #expect(try await recognizer.hear(try speech()).map(\.text) == ["hello"]) }
        #expect(server.requests.count == 2)
    }

    @Test("one that is busy for a moment is asked again")
    func retried() async throws {
        let count = Mutex(0)
        let server = try LoopbackServer { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return [number < 3 ? .answer(503) : .answer(200, [:], Data(Self.words.utf8))]
        }
        #expect(try await recognizer(server).hear(try speech()).first?.text == "Hello there, Anna.")
    }

    /// Things that are said with pauses between them.
    private static let said = ["one two", "three", "four five", "six", "seven", "eight"]

    /// A recording of them, and a session that ends a part after four seconds.
    private func longRecording(
        in folder: Folder, by recognizer: RemoteRecognizer
    ) throws -> (file: URL, session: SpeechSession) {
        let file = folder.url.appending(path: "long.wav")
        let writer = try WaveFileWriter(url: file)
        for text in Self.said { try writer.append(try ToneModel.speak(text, before: 0.4, after: 0.8)) }
        writer.finish()
        let session = SpeechSession(
            recognizer: recognizer, endpointing: Endpointing(longestSegment: .seconds(4)),
            voiceDetection: .loudness)
        return (file, session)
    }

    /// A server that numbers its answers, and fails once.
    private func numbering(failing number: Int? = nil) throws -> LoopbackServer {
        let count = Mutex(0)
        return try LoopbackServer { _ in
            let now = count.withLock { count in
                count += 1
                return count
            }
            let answer = #"{"text": "part \#(now)", "words": []}"#
            return [now == number ? .answer(500) : .answer(200, [:], Data(answer.utf8))]
        }
    }

    @Test(
        "a long recording is sent in parts, cut in pauses; their texts come in order, with the times of the recording"
    )
    func parts() async throws {
        let server = try numbering()
        let folder = try Folder()
        let (file, session) = try longRecording(in: folder, by: recognizer(server))
        let results = try await session.transcribe(audioFile: file).results
        #expect(results.count > 2 && server.requests.count == results.count)
        #expect(results.map(\.plainText) == results.indices.map { "part \($0 + 1)" })
        for (result, next) in zip(results, results.dropFirst()) {
            #expect(result.range.upperBound <= next.range.lowerBound)
        }
        // Each letter is in one of the parts, and in no other.
        func loud(_ samples: [Int16]) -> Int { samples.count { abs(Int($0)) > 1_000 } }
        var sent = 0
        for request in server.requests {
            let samples = try sound(of: request)
            #expect(samples.count < 7 * SpeechAudio.sampleRate)
            sent += loud(samples)
        }
        #expect(sent == loud(try AudioFile.samples(of: file)))
    }

    @Test("a part that fails is named, and those before it are there; another engine hears that part alone")
    func failedPart() async throws {
        let folder = try Folder()
        let server = try numbering(failing: 2)
        let (file, session) = try longRecording(in: folder, by: recognizer(server))
        let done = Mutex<[String]>([])
        await #expect {
            try await session.transcribe(
                audioFile: file, onResult: { result in done.withLock { $0.append(result.plainText) } })
        } throws: { error in
            guard case SpeechSessionError.serverFailed = error else { return false }
            return "\(error)".firstMatch(of: /0:00:0\d to 0:00:\d\d/) != nil
        }
        #expect(done.withLock { $0 } == ["part 1"])

        let other = try numbering(failing: 2)
        let helped = try longRecording(
            in: folder, by: recognizer(other, fallback: Engines.recognizer(.streaming))
        ).session
        let results = try await helped.transcribe(audioFile: file).results
        let heard = results.filter { $0.fallbackEngine != nil }.map(\.plainText).joined()
            .filter(\.isLetter)
        #expect(!heard.isEmpty && Self.said.joined().filter(\.isLetter).contains(heard), "heard: \(heard)")
        #expect(results.first?.plainText == "part 1" && results.last?.fallbackEngine == nil)
    }

    @Test("an utterance that is canceled while the server works ends at once, and asks no other engine")
    func cancelled() async throws {
        let asked = Once()
        let server = try LoopbackServer { _ in
            asked.happen()
            return [.hang]
        }
        let folder = try Folder()
        let session = SpeechSession(
            recognizer: recognizer(server, fallback: Engines.recognizer(.streaming)),
            input: AudioFileInput(url: try ToneModel.write("hello there", in: folder)),
            voiceDetection: .loudness)
        let stream = session.startTranscribing()
        await asked.wait()
        session.cancel()
        let outcome = try await Outcome(stream)
        #expect(outcome.text.isEmpty && outcome.error == nil)
    }
}
