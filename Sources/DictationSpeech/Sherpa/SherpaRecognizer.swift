import DictationSystem
import Foundation

/// The recognizer for good models: sherpa-onnx, which is loaded at run time if it is installed.
///
/// Streaming models decode while somebody speaks; the others hear each segment of speech as soon as a pause
/// has ended it. A model is first tried in a separate process, because the library ends the process on some
/// that are broken.
public actor SherpaRecognizer: SpeechRecognizer {
    static let name = "sherpa-onnx"
    public nonisolated let engine = SherpaRecognizer.name
    /// The model's own languages; any if there is no model, so that the missing model is reported, not the
    /// language.
    public nonisolated var locales: [String] {
        (try? SherpaModel(folder: configuration.model))?.description.locales ?? ["*", SpokenLanguage.found]
    }
    /// The model's features; words with times if it cannot be read.
    public nonisolated var features: Set<RecognizerFeature> {
        (try? SherpaModel(folder: configuration.model))?.description.family.features
            ?? [.partialResults, .wordTimes]
    }
    /// Such a model seldom changes its earlier words.
    public nonisolated let partialAgreement = 1

    private let executor = ThreadExecutor(name: "sherpa-onnx")
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private nonisolated let configuration: SherpaConfiguration
    private let trial: ModelTrial?
    private var decoder: (any SherpaDecoder)?
    private var hotWords: [String] = []
    private var isRunning = false

    /// - Parameters:
    ///   - configuration: the model, and how it is used.
    ///   - trial: how to try the model; nil only in a process that may end.
    public init(_ configuration: SherpaConfiguration, trial: ModelTrial?) {
        self.configuration = configuration
        self.trial = trial
    }

    public func prepare() async throws { _ = try await loaded() }

    /// - Parameter likelyWords: those of one utterance.
    private func loaded(for likelyWords: [String] = []) async throws -> any SherpaDecoder {
        let mayHaveHotWords = configuration.expectsHotWords || !hotWords.isEmpty || !likelyWords.isEmpty
        func isFit(_ decoder: any SherpaDecoder) -> Bool {
            isRunning || !mayHaveHotWords || decoder.servesHotWords
        }
        if let decoder, isFit(decoder) { return decoder }
        let path = configuration.library.path(percentEncoded: false)
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw SpeechSessionError.libraryMissing(engine: Self.name, path: path)
        }
        let model = try SherpaModel(folder: configuration.model)
        guard !model.description.family.setsMarks else {
            throw SherpaModel.unusable(model.folder, "it adds punctuation, but recognizes no speech")
        }
        // Words that are spoken during that time are queued.
        try await trial?.run(configuration, of: model)
        if let decoder, isFit(decoder) { return decoder }
        let library = try SherpaLibrary(configuration.library)
        let decoder: any SherpaDecoder =
            model.description.family.isStreaming
            ? try SherpaStreamingDecoder(library, model, configuration, mayHaveHotWords: mayHaveHotWords)
            : try SherpaOfflineDecoder(library, model, configuration, mayHaveHotWords: mayHaveHotWords)
        try warmUp(decoder)
        self.decoder = decoder
        return decoder
    }

    /// The first decoding of all is slow, and shows whether the model can decode at all.
    private func warmUp(_ decoder: any SherpaDecoder) throws {
        try decoder.begin(hotWords: [], live: .off)
        _ = try decoder.accept([Int16](repeating: 0, count: SpeechAudio.sampleRate / 2))
        _ = try decoder.finish()
    }

    public func bias(towards words: [String]) throws {
        guard words != hotWords else { return }
        let family = words.isEmpty ? nil : try SherpaModel(folder: configuration.model).description.family
        if let family, !family.takesHotWords {
            throw SpeechSessionError.featureMissing(
                engine: engine, feature: "be biased towards words with a model of the kind \(family.rawValue)"
            )
        }
        hotWords = words
    }

    public func begin(_ context: UtteranceContext) async throws {
        let decoder = try await loaded(for: context.likelyWords)
        try decoder.begin(
            hotWords: hotWords + context.likelyWords.filter { !hotWords.contains($0) },
            live: context.live)
        isRunning = true
    }

    public func accept(_ chunk: AudioChunk) throws -> [Recognition] {
        guard isRunning, let decoder else { return [] }
        return try decoder.accept(chunk.samples)
    }

    public func partialText() -> String? { isRunning ? decoder?.partialText() : nil }

    public func finish() throws -> [Recognition] {
        guard isRunning, let decoder else { return [] }
        isRunning = false
        return try decoder.finish()
    }

    public func cancel() {
        isRunning = false
        decoder?.cancel()
    }

    public func release() {
        guard !isRunning else { return }
        decoder = nil
    }

    static func unusable(_ model: SherpaModel) -> SpeechSessionError {
        .modelUnusable(
            engine: name, model: model.folder.path(percentEncoded: false),
            reason: "the library does not take its files")
    }
}
