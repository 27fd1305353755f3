import Synchronization

/// The parts that recognize an utterance of a ``SpeechSession``: a recognizer, the spoken language, and a
/// punctuator if the recognizer gives bare words.
///
/// ```swift
/// let next = SpeechPipeline(recognizer: SherpaRecognizer(configuration, trial: trial), locale: "en-US")
/// try await next.prepare()        // next to the one in use
/// session.use(next)               // from the next utterance on
/// ```
public struct SpeechPipeline: Sendable {
    public let recognizer: any SpeechRecognizer
    /// The language that is spoken, such as "en-US".
    public let locale: String
    let marks: Marks

    /// - Parameters:
    ///   - recognizer: turns sound into words.
    ///   - locale: the language that is spoken.
    ///   - punctuator: sets punctuation in final results of a recognizer that gives bare words.
    ///   - onPunctuationFailure: called when it cannot; the words are given without punctuation.
    public init(
        recognizer: any SpeechRecognizer, locale: String = "en-US", punctuator: (any Punctuator)? = nil,
        onPunctuationFailure: @escaping @Sendable (any Error) -> Void = { _ in }
    ) {
        self.recognizer = recognizer
        self.locale = locale
        marks = Marks(punctuator: punctuator, onFailure: onPunctuationFailure)
    }

    /// Loads the models, so that the first utterance need not wait. Does nothing when they are loaded.
    ///
    /// - Throws: ``SpeechSessionError``: the language is unknown to the recognizer, or the recognizer cannot be used.
    public func prepare() async throws {
        try checkLocale()
        await marks.prepare()
        try await recognizer.prepare()
    }

    /// - Throws: ``SpeechSessionError/unsupportedLocale(_:engine:supported:)``.
    func checkLocale() throws {
        guard !recognizer.knows(locale) else { return }
        throw SpeechSessionError.unsupportedLocale(
            locale, engine: recognizer.engine, supported: recognizer.locales)
    }
}

extension SpeechSession {
    /// Takes another pipeline in the place of the one in use. An utterance that has begun keeps the one it began with,
    /// which is released when the last such utterance has ended, unless the caller keeps it.
    public func use(_ pipeline: SpeechPipeline) {
        state.withLock { state in
            // It would keep the old models in memory until its time is over.
            state.release?.cancel()
            state.release = nil
            state.pipeline = pipeline
        }
        scheduleRelease()
    }
}
