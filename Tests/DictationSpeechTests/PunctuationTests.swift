import Foundation
import Synchronization
import TestSupport
import Testing

@testable import DictationSpeech

@Suite("Setting marks", .serialized, .timeLimit(.minutes(3)))
struct PunctuationTests {
    private static func folder(_ name: String) -> URL {
        URL(filePath: repositoryFile("Tests/ToneModels/\(name)"), directoryHint: .isDirectory)
    }

    private func punctuator(_ name: String, remembering folder: Folder) -> SherpaPunctuator {
        SherpaPunctuator(
            Engines.configuration(Self.folder(name)), trial: Engines.trial(remembering: folder))
    }

    @Test(
        "the library's models add punctuation, in English as in English, and capitals where they know them",
        arguments: [
            ("punctuation", "hello, anna how are you? i am fine. said nasa."),
            ("punctuation-with-case", "Hello, Anna how are you? i am fine. said NASA"),
        ])
    func marks(model: String, marked: String) async throws {
        let folder = try Folder()
        // The trial writes its results there when the model is loaded.
        defer { withExtendedLifetime(folder) {} }
        let punctuator = punctuator(model, remembering: folder)
        for _ in 0..<2 {
            #expect(try await punctuator.punctuated("hello anna how are you i am fine said nasa") == marked)
            await punctuator.release()
        }
        // Longer than such models accept at once.
        let long = Array(repeating: "how are you i said", count: 60).joined(separator: " ")
        #expect(try await punctuator.punctuated(long).contains("how are you? i said how are you? i said"))
    }

    @Test("a session sets them in what a recognizer gave as bare words, which keep their times")
    func session() async throws {
        let folder = try Folder()
        // The trial writes its results there when the model is loaded.
        defer { withExtendedLifetime(folder) {} }
        let file = try ToneModel.write("hello how are you", in: folder)
        let session = SpeechSession(
            recognizer: Engines.recognizer(.streaming), input: AudioFileInput(url: file),
            voiceDetection: .loudness,
            punctuator: punctuator("punctuation-with-case", remembering: folder))
        session.keepLoaded = .seconds(600)
        try await session.prepare()
        let outcome = try await Outcome(session.startTranscribing())
        #expect(outcome.text == "Hello, how are you?")
        let text = try #require(outcome.results.first).text
        let timed = text.runs.filter { $0.audioTimeRange != nil }.map { String(text[$0.range].characters) }
        #expect(timed == ["Hello,", "how", "are", "you?"])
        #expect(try await session.transcribe(audioFile: file).plainText == "Hello, how are you?")
    }

    @Test("a model that is broken, of another kind, or missing is reported, and the words come without marks")
    func broken() async throws {
        let folder = try Folder()
        let half = folder.url.appending(path: "half", directoryHint: .isDirectory)
        try FileManager.default.copyItem(at: Self.folder("punctuation"), to: half)
        let model = half.appending(path: "model.onnx")
        let whole = try Data(contentsOf: model)
        try whole.prefix(whole.count / 2).write(to: model)
        let file = try ToneModel.write("hello you", in: folder)
        for wrong in [half, ToneModel.streaming.folder, folder.url.appending(path: "none")] {
            let failures = Mutex<[SpeechSessionError]>([])
            let session = SpeechSession(
                recognizer: Engines.recognizer(.streaming), input: AudioFileInput(url: file),
                voiceDetection: .loudness,
                punctuator: SherpaPunctuator(
                    Engines.configuration(wrong), trial: Engines.trial(remembering: folder)),
                onPunctuationFailure: { error in
                    if let error = error as? SpeechSessionError { failures.withLock { $0.append(error) } }
                })
            #expect(try await Outcome(session.startTranscribing()).text == "hello you")
            #expect(failures.withLock { $0.count } == 1)
        }
        let recognizer = SherpaRecognizer(Engines.configuration(Self.folder("punctuation")), trial: nil)
        await #expect { try await recognizer.prepare() } throws: { "\($0)".contains("adds punctuation") }
    }

    @Test(
        "marks and capitals of the recognizer's own are left alone",
        arguments: [
            ("hello how are you", true), ("Hello how are you", false), ("hello, you", false), ("你好", true),
            ("你好。", false), ("route 66", true),
        ])
    func bare(text: String, isBare: Bool) {
        #expect(Recognition(text: text, range: 0..<1).isBare == isBare)
    }

    @Test(
        "wide marks after words of English become narrow ones",
        arguments: [
            ("yes，no。", "yes, no."), ("你好，世界。", "你好，世界。"), ("iPhone，你好？", "iPhone, 你好？"),
            ("a、b！", "a, b!"), ("", ""),
        ])
    func narrowed(wide: String, narrow: String) { #expect(WideMarks.narrowed(wide) == narrow) }

    @Test("times stay with words only if they are the same ones")
    func times() {
        let words = [
            RecognizedWord(text: "a", range: 0..<1, confidence: 1),
            RecognizedWord(text: "b", range: 1..<2, confidence: 1),
        ]
        let recognition = Recognition(text: "a b", words: words, range: 0..<2)
        #expect(recognition.marked(as: "A, b.").words.map(\.text) == ["A,", "b."])
        #expect(recognition.marked(as: "Ab.").words == words)
    }
}
