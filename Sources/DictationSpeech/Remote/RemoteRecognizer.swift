import DictationHTTP
import DictationSystem
import Foundation

/// Has a server recognize what was said; if that fails, another recognizer, with the same sound.
///
/// Sound is sent only to the address that the user has configured, and none if nobody spoke. The sound is
/// sent when an utterance has ended, or a segment of a long one; the silence around it is cut off.
public actor RemoteRecognizer: SpeechRecognizer {
    public nonisolated let engine = "remote"
    /// The server knows.
    public nonisolated let locales = ["*", SpokenLanguage.found]
    public nonisolated let features: Set<RecognizerFeature> = [.wordTimes, .hotWords]
    public nonisolated let recognizesAtEnd = true

    private let configuration: RemoteConfiguration
    private let engines: EngineFolder?
    private nonisolated let fallback: (any SpeechRecognizer)?
    private let onFallback: @Sendable (SpeechSessionError) -> Void
    private var client: HTTPClient?
    /// The voice activity detector, once it is loaded.
    private var voices: SileroVoiceDetector?
    private var hotWords: [String] = []
    /// The fallback's: the server has no use for pronunciations.
    private var words: [CustomWord] = []
    private var utterance: Utterance?
    /// Whether the server gives times of words; nil until it was asked.
    private var givesTimes: Bool?

    private struct Utterance {
        let context: UtteranceContext
        var samples: [Int16] = []
        let detector: any VoiceActivityDetector
        var speech: [Range<Int>] = []

        mutating func take(_ new: [Int16]) {
            detector.add(new)
            samples += new
            speech += detector.takeSegments()
        }
    }

    /// Around speech, as for other engines that hear a segment as a whole.
    private static let margin = SpeechAudio.sampleRate * 3 / 10
    /// A server that does not take a connection within this time is not waited for any longer.
    private static let connecting = Duration.seconds(2)

    /// - Parameters:
    ///   - configuration: which server, and what it is asked for.
    ///   - engines: where the voice activity detector is installed, which finds speech in noise; nil, or not
    ///     installed: by loudness.
    ///   - fallback: recognizes when the server does not; loaded only then.
    ///   - onFallback: called with the reason when it does.
    public init(
        _ configuration: RemoteConfiguration, engines: EngineFolder? = nil,
        fallback: (any SpeechRecognizer)? = nil,
        onFallback: @escaping @Sendable (SpeechSessionError) -> Void = { _ in }
    ) {
        self.configuration = configuration
        self.engines = engines
        self.fallback = fallback
        self.onFallback = onFallback
    }

    /// The server gets no request before somebody has spoken.
    public func prepare() throws {
        _ = try connected()
        _ = detector()
    }

    /// The detector of the other engines that hear a segment as a whole.
    private func detector() -> any VoiceActivityDetector {
        if let voices { return voices }
        // Without the model, or if it is broken, loudness decides.
        let detector = engines.flatMap { engines in
            try? SherpaLibrary(engines.sherpaLibrary).segmentDetector(engines.voiceActivityModel)
        }
        voices = detector as? SileroVoiceDetector
        return detector ?? LoudnessVoiceDetector()
    }

    private func connected() throws -> HTTPClient {
        if let client { return client }
        let client = try HTTPClient()
        self.client = client
        return client
    }

    public func bias(towards words: [String]) { hotWords = words }

    public func begin(_ context: UtteranceContext) {
        // A new connection for each utterance. The last one may be dead without an error, after a change of
        // network or when the machine has slept, and would block until the time limit.
        client = nil
        let detector = detector()
        detector.reset()
        utterance = Utterance(context: context, detector: detector)
    }

    public func accept(_ chunk: AudioChunk) -> [Recognition] {
        // In place: a copy of the utterance would have all its sound copied with each chunk.
        utterance?.take(chunk.samples)
        return []
    }

    public func finish() async throws -> [Recognition] {
        guard let ended = utterance else { return [] }
        utterance = nil
        ended.detector.flush()
        let speech = ended.speech + ended.detector.takeSegments()
        guard let first = speech.first, let last = speech.last else { return [] }
        let range =
            max(0, first.lowerBound - Self.margin)..<min(ended.samples.count, last.upperBound + Self.margin)
        do {
            return try await ask(Array(ended.samples[range])).map { $0.later(by: range.lowerBound) }
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            let failure = SpeechSessionError.serverFailed(engine: engine, reason: "\(error)")
            // One that lacks the language would make up words of another one.
            guard let fallback, fallback.knows(configuration.locale) else { throw failure }
            onFallback(failure)
            return try await hear(ended, with: fallback)
        }
    }

    /// The sound is given in pieces of this length, as from a microphone: an engine may cut between them only.
    private static let block = SpeechAudio.sampleRate

    private func hear(_ ended: Utterance, with fallback: any SpeechRecognizer) async throws -> [Recognition] {
        await fallback.teach(words, hotWords: hotWords)
        try await fallback.begin(ended.context)
        var finals: [Recognition] = []
        for start in stride(from: 0, to: ended.samples.count, by: Self.block) {
            let piece = Array(ended.samples[start..<min(start + Self.block, ended.samples.count)])
            finals += try await fallback.accept(AudioChunk(samples: piece, position: start))
        }
        finals += try await fallback.finish()
        return finals.recognized(byFallback: fallback.engine)
    }

    public func learn(_ words: [CustomWord]) { self.words = words }

    // MARK: - The fallback's adaptations

    public nonisolated var adaptingEngine: String? { fallback?.adaptingEngine }

    public var adaptations: [String: SourceAdaptation] {
        get async { await fallback?.adaptations ?? [:] }
    }

    public func restore(_ adaptations: [String: SourceAdaptation]) async {
        await fallback?.restore(adaptations)
    }

    public func cancel() async {
        utterance = nil
        await fallback?.cancel()
    }

    public func release() async {
        client = nil
        voices = nil
        await fallback?.release()
    }

    // MARK: - The server

    private func ask(_ samples: [Int16]) async throws -> [Recognition] {
        let deadline = ContinuousClock.now + configuration.timeLimit
        let wantsTimes = givesTimes ?? true
        do {
            let heard = try await ask(samples, wantsTimes: wantsTimes, until: deadline)
            givesTimes = wantsTimes
            return heard
        } catch let error as HTTPError {
            // Some servers know the plain format only, and refuse the other one.
            guard wantsTimes, givesTimes == nil, case .refused(_, let status, _) = error,
                [400, 415, 422, 501].contains(status)
            else { throw error }
            let heard = try await ask(samples, wantsTimes: false, until: deadline)
            givesTimes = false
            return heard
        }
    }

    private struct Answer: Decodable {
        struct Word: Decodable {
            let word: String
            /// Some servers do not report it for every word.
            let start: Double?
            let end: Double?
        }
        let text: String
        let words: [Word]?
    }

    private func ask(
        _ samples: [Int16], wantsTimes: Bool, until deadline: ContinuousClock.Instant
    ) async throws -> [Recognition] {
        var fields: [HTTPRequest.Field] = [
            .init("model", configuration.model),
            .init("response_format", wantsTimes ? "verbose_json" : "json"),
            .init("temperature", "0"),
        ]
        // Without one the server finds it out.
        if configuration.locale != SpokenLanguage.found {
            fields.append(.init("language", SpokenLanguage.whisperCode(configuration.locale)))
        }
        if wantsTimes { fields.append(.init("timestamp_granularities[]", "word")) }
        // The prompt is what such models take for a text before this one: words in it are likely to come again.
        if !hotWords.isEmpty { fields.append(.init("prompt", prompt)) }
        fields.append(
            .init("file", file: "dictation.wav", type: "audio/wav", Self.waveFile(samples)))
        var request = HTTPRequest(
            configuration.endpoint, body: .form(fields), key: try configuration.key.read())
        (request.limits.whole, request.limits.deadline) = (configuration.timeLimit, deadline)
        request.limits.connecting = Self.connecting
        // Recognizing the same sound twice does no harm.
        let answer = try await connected().send(request, retrying: .askingServer).decoded(as: Answer.self)
        return Self.recognition(answer, length: samples.count)
    }

    /// As many of the hot words as there is room for; Whisper's is 224 tokens, and a name takes several.
    private var prompt: String {
        var prompt = ""
        for word in hotWords {
            let longer = prompt.isEmpty ? word : "\(prompt), \(word)"
            if longer.count > Self.longestPrompt { break }
            prompt = longer
        }
        return prompt
    }
    private static let longestPrompt = 400

    private static func waveFile(_ samples: [Int16]) -> Data {
        let data = samples.map(\.littleEndian).withUnsafeBytes { Data($0) }
        return Data(WaveFileHeader(sampleRate: SpeechAudio.sampleRate, dataBytes: data.count).bytes) + data
    }

    /// whisper.cpp's server ends each segment of speech with a newline, which was not dictated.
    private static func oneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
            .reduce(into: "") { whole, line in
                let needsSpace = ![whole.last, line.first].contains { $0?.isWrittenWithoutSpaces ?? true }
                whole += (needsSpace ? " " : "") + line
            }
    }

    private static func recognition(_ answer: Answer, length: Int) -> [Recognition] {
        let text = oneLine(answer.text)
        guard !text.isEmpty else { return [] }
        let seconds = Double(length) / Double(SpeechAudio.sampleRate)
        // Servers are not trusted: a time must be within the sound, and no range may end before it begins.
        let words = (answer.words ?? []).compactMap { word -> RecognizedWord? in
            guard let begin = word.start, let end = word.end, begin.isFinite, end.isFinite else { return nil }
            let start = min(max(0, begin), seconds)
            return RecognizedWord(
                text: word.word.trimmingCharacters(in: .whitespacesAndNewlines),
                range: start..<max(start, min(end, seconds)), confidence: 1)
        }
        return [Recognition(text: text, words: words, range: 0..<seconds)]
    }
}
