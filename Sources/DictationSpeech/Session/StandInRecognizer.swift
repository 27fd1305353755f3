import Synchronization

/// Recognises with one engine, and with another one from when the first turns out not to be usable: not installed, or
/// with a model that is broken. What was being said meanwhile is recognised by the other.
public actor StandInRecognizer: SpeechRecognizer, ReportsPartialResults, TimesWords, FavoursWords,
    LearnsWords, AdaptsToSource, ReleasesModel
{
    public nonisolated let engine: String
    public nonisolated let locales: [String]
    public nonisolated var partialAgreement: Int { active.agreement }

    private nonisolated let preferred: any SpeechRecognizer
    private nonisolated let standIn: any SpeechRecognizer
    private let locale: String
    private let onStandIn: @Sendable (SpeechSessionError) -> Void
    /// Why the other one recognises; nil as long as it does not.
    private nonisolated let reason = Mutex<SpeechSessionError?>(nil)
    private var words: [CustomWord] = []
    private var favoured: [String] = []

    /// - Parameters:
    ///   - standIn: loaded only when it is needed, and not at all if it lacks the language.
    ///   - onStandIn: called once, with the reason.
    public init(
        _ preferred: any SpeechRecognizer, standIn: any SpeechRecognizer, locale: String,
        onStandIn: @escaping @Sendable (SpeechSessionError) -> Void = { _ in }
    ) {
        (engine, locales) = (preferred.engine, preferred.locales)
        self.preferred = preferred
        self.standIn = standIn
        self.locale = locale
        self.onStandIn = onStandIn
    }

    /// Why the other engine recognises; nil as long as it does not.
    public nonisolated var failure: SpeechSessionError? { reason.withLock { $0 } }

    private nonisolated var active: any SpeechRecognizer { failure == nil ? preferred : standIn }

    public func prepare() async throws {
        guard failure == nil else { return try await standIn.prepare() }
        do {
            try await preferred.prepare()
        } catch let error as SpeechSessionError {
            // One that lacks the language would make up words of another one.
            guard standIn.knows(locale) else { throw error }
            try await replace(because: error)
        }
    }

    private func replace(because error: SpeechSessionError) async throws {
        let isFirst = reason.withLock { reason in
            defer { reason = reason ?? error }
            return reason == nil
        }
        if isFirst {
            onStandIn(error)
            // What it cannot use it leaves out; the dictation matters more.
            try? await (standIn as? any LearnsWords)?.learn(words)
            try? await (standIn as? any FavoursWords)?.favour(favoured)
        }
        try await standIn.prepare()
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
        guard failure != nil else { return finals }
        return finals.map { final in
            var final = final
            final.standIn = final.standIn ?? standIn.engine
            return final
        }
    }

    public func cancel() async { await active.cancel() }

    public func partialText() async throws -> String? {
        try await (active as? any ReportsPartialResults)?.partialText()
    }

    public func favour(_ words: [String]) async throws {
        favoured = words
        if let favouring = active as? any FavoursWords {
            try await favouring.favour(words)
        } else if !words.isEmpty {
            throw SpeechSessionError.featureMissing(engine: active.engine, feature: "favour hot words")
        }
    }

    public func learn(_ words: [CustomWord]) async throws {
        self.words = words
        try await (active as? any LearnsWords)?.learn(words)
    }

    public func release() async { await (active as? any ReleasesModel)?.release() }

    // MARK: - What is learned about microphones

    /// Of the two, the one that learns: the other one of a pair needs nothing.
    private nonisolated var adapting: (any AdaptsToSource)? {
        preferred as? any AdaptsToSource ?? standIn as? any AdaptsToSource
    }

    public nonisolated var adaptingEngine: String { adapting?.adaptingEngine ?? engine }

    public var adaptations: [String: SourceAdaptation] {
        get async { await adapting?.adaptations ?? [:] }
    }

    public func restore(_ adaptations: [String: SourceAdaptation]) async {
        await adapting?.restore(adaptations)
    }
}

extension SpeechRecognizer {
    fileprivate nonisolated var agreement: Int { (self as? any ReportsPartialResults)?.partialAgreement ?? 1 }
}
