import DictationSettings
import DictationSpeech
import Testing

@testable import DictationHost

@Suite("Advice about a recognizer that cannot be used")
struct SpeechAdviceTests {
    @Test(
        "a remedy by our commands and settings is added; the error's own words are not changed",
        arguments: [
            (.libraryMissing(engine: "e", path: "/p"), "host-agent install-engines"),
            (.libraryUnfit(engine: "e", path: "/p", reason: "old"), "host-agent install-engines"),
            (.modelNotFound(engine: "e", path: "/p"), "host-agent models install"),
            (.serverFailed(engine: "remote", reason: "no"), "[remote]"),
            (.unusableWord("Ann", pronunciation: "", reason: "no"), "[speech] words"),
            (.unusableWord("Ann", pronunciation: "AE", reason: "no"), nil), (.alreadyTranscribing, nil),
        ] as [(SpeechSessionError, String?)])
    func advice(error: SpeechSessionError, expected: String?) {
        #expect(error.story.hasPrefix("\(error)") && !"\(error)".contains(expected ?? "host-agent"))
        #expect(expected.map(error.story.contains) ?? (error.story == "\(error)"))
    }
}

@Suite("The words that a recognizer is taught")
struct TeachingTests {
    /// Keeps the words that it is biased toward.
    private actor Biased: SpeechRecognizer {
        nonisolated let engine = "biasing"
        nonisolated let locales = ["*"]
        private(set) var words: [String] = []

        func bias(towards words: [String]) { self.words = words }
        func prepare() {}
        func begin(_ context: UtteranceContext) {}
        func accept(_ chunk: AudioChunk) -> [Recognition] { [] }
        func finish() -> [Recognition] { [] }
        func cancel() {}
    }

    /// Supports no words.
    private actor Deaf: SpeechRecognizer {
        nonisolated let engine = "deaf"
        nonisolated let locales = ["*"]

        func prepare() {}
        func begin(_ context: UtteranceContext) {}
        func accept(_ chunk: AudioChunk) -> [Recognition] { [] }
        func finish() -> [Recognition] { [] }
        func cancel() {}
    }

    @Test("hot words of the settings first, then the names of the dictionary, none twice")
    func names() async throws {
        let recognizer = Biased()
        try await recognizer.bias(towards: ["Kubernetes", "Anna"], names: ["Anna", "GitHub"])
        #expect(await recognizer.words == ["Kubernetes", "Anna", "GitHub"])
        try await recognizer.bias(towards: [], names: [])
        #expect(await recognizer.words.isEmpty)
    }

    @Test("a hot word that PocketSphinx cannot pronounce is reported, a name is not")
    func unspeakable() async throws {
        var settings = SpeechSettings()
        settings.hotWords = ["Gutenberg"]
        try await PocketSphinxRecognizer().teach(settings, names: ["Kubernetes"])
        settings.hotWords = ["Kubernetes"]
        await #expect(throws: SpeechSessionError.self) {
            try await PocketSphinxRecognizer().teach(settings, names: ["Kubernetes"])
        }
    }

    @Test("an engine that cannot be biased is reported only for hot words, which the user has set")
    func unable() async throws {
        var settings = SpeechSettings()
        try await Deaf().teach(settings, names: ["Anna"])
        settings.hotWords = ["Kubernetes"]
        await #expect(throws: SpeechSessionError.self) {
            try await Deaf().teach(settings, names: ["Anna"])
        }
    }
}
