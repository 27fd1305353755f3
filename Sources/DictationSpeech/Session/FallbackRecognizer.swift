import DictationSystem
import Synchronization

/// Recognizes with one engine, and switches to another one when the first turns out to be unusable: not
/// installed, or with a model that is broken. Speech of that time is recognized by the other one.
public actor FallbackRecognizer: SpeechRecognizer {
    public nonisolated let engine: String
    public nonisolated let locales: [String]

    private nonisolated let preferred: any SpeechRecognizer
    private nonisolated let fallback: any SpeechRecognizer
    private let locale: String
    private let onFallback: @Sendable (SpeechSessionError) -> Void
    private nonisolated let reason = Mutex<SpeechSessionError?>(nil)
    private var words: [CustomWord] = []
    private var hotWords: [String] = []

    /// - Parameters:
    ///   - preferred: recognizes as long as it can.
    ///   - locale: the language that is spoken.
    ///   - fallback: loaded only when it is needed, and not at all if it lacks the language.
    ///   - onFallback: called once, with the reason.
    public init(
        _ preferred: any SpeechRecognizer, fallback: any SpeechRecognizer, locale: String,
        onFallback: @escaping @Sendable (SpeechSessionError) -> Void = { _ in }
    ) {
        (engine, locales) = (preferred.engine, preferred.locales)
        self.preferred = preferred
        self.fallback = fallback
        self.locale = locale
        self.onFallback = onFallback
    }

    public nonisolated var fallbackReason: SpeechSessionError? { reason.withLock { $0 } }
    private nonisolated var active: any SpeechRecognizer { fallbackReason == nil ? preferred : fallback }

    /// The features of the current engine.
    public nonisolated var features: Set<RecognizerFeature> { active.features }
    public nonisolated var partialAgreement: Int { active.partialAgreement }

    public func prepare() async throws {
        guard fallbackReason == nil else { return try await fallback.prepare() }
        do {
            try await preferred.prepare()
        } catch let error as SpeechSessionError {
            // One that lacks the language would make up words of another one.
            guard fallback.knows(locale) else { throw error }
            try await replace(because: error)
        }
    }

    private func replace(because error: SpeechSessionError) async throws {
        let isFirst = reason.withLock { reason in
            defer { reason = reason ?? error }
            return reason == nil
        }
        if isFirst {
            onFallback(error)
            await fallback.teach(words, hotWords: hotWords)
        }
        try await fallback.prepare()
    }

    public func begin(_ context: UtteranceContext) async throws {
        try await prepare()
        try await active.begin(context)
    }

    public func accept(_ chunk: AudioChunk) async throws -> [Recognition] {
        marked(try await active.accept(chunk))
    }

    public func finish() async throws -> [Recognition] { marked(try await active.finish()) }

    private func marked(_ finals: [Recognition]) -> [Recognition] {
        fallbackReason == nil ? finals : finals.recognized(byFallback: fallback.engine)
    }

    public func cancel() async { await active.cancel() }
    public func release() async { await active.release() }
    public func partialText() async throws -> String? { try await active.partialText() }
    public func offerAlternatives(_ count: Int) async throws { try await active.offerAlternatives(count) }

    public func bias(towards words: [String]) async throws {
        hotWords = words
        // There were none before.
        if words.isEmpty, !active.features.contains(.hotWords) { return }
        try await active.bias(towards: words)
    }

    /// Kept for the other one if the one in use needs no pronunciations.
    public func learn(_ words: [CustomWord]) async throws {
        self.words = words
        if active.features.contains(.pronunciations) { try await active.learn(words) }
    }

    // MARK: - Adaptations

    /// Of the two, the one that learns: the other one of a pair needs nothing.
    private nonisolated var adapting: any SpeechRecognizer {
        preferred.adaptingEngine == nil ? fallback : preferred
    }

    public nonisolated var adaptingEngine: String? { adapting.adaptingEngine }
    public var adaptations: [String: SourceAdaptation] { get async { await adapting.adaptations } }

    public func restore(_ adaptations: [String: SourceAdaptation]) async {
        await adapting.restore(adaptations)
    }
}
