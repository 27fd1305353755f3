import DictationSystem
import Synchronization

extension SpeechSession {
    /// Words that are likely now, such as names on the screen: recognition is biased toward them.
    /// They replace those that were given before, from the next utterance on.
    ///
    /// - Throws: ``SpeechSessionError/featureMissing(engine:feature:)`` if the engine or its model does not
    ///   support this.
    public func setContextualStrings(_ strings: [String]) async throws {
        try await pipeline.recognizer.bias(towards: strings)
    }

    /// Words that the engine does not know, with their pronunciation. They replace those that were given before, from
    /// the next utterance on.
    ///
    /// - Throws: ``SpeechSessionError/featureMissing(engine:feature:)``,
    ///   ``SpeechSessionError/unusableWord(_:pronunciation:reason:)`` for the first that cannot be used.
    public func setCustomVocabulary(_ words: [CustomWord]) async throws {
        try await pipeline.recognizer.learn(words)
    }

    /// How many alternatives a final result carries (``TranscriptionResult/alternatives``), from the next one on.
    ///
    /// - Throws: ``SpeechSessionError/featureMissing(engine:feature:)``.
    public func setAlternativeCount(_ count: Int) async throws {
        try await pipeline.recognizer.offerAlternatives(count)
    }
}
