import DictationSystem
import Foundation

// Code that begins an utterance need not know its module: settings use it as well.
@_exported import enum DictationSystem.LiveInsertion

/// One recognized word.
public struct RecognizedWord: Sendable, Equatable {
    public var text: String
    /// Seconds from the beginning of the recording.
    public var range: Range<TimeInterval>
    /// 0…1.
    public var confidence: Double

    public init(text: String, range: Range<TimeInterval>, confidence: Double) {
        self.text = text
        self.range = range
        self.confidence = confidence
    }
}

/// A recognized segment of speech, which will not change any more.
public struct Recognition: Sendable, Equatable {
    public var text: String
    /// Empty if the engine has no times; see ``RecognizerFeature/wordTimes``.
    public var words: [RecognizedWord]
    /// Seconds from the beginning of the recording; empty when nothing was said.
    public var range: Range<TimeInterval>
    /// Other readings, the likeliest first; empty unless ``SpeechRecognizer/offerAlternatives(_:)`` asked for some.
    public var alternatives: [String]
    /// The engine that recognized in place of the recognizer itself; nil if none had to.
    public var fallbackEngine: String?

    public init(
        text: String, words: [RecognizedWord] = [], range: Range<TimeInterval>, alternatives: [String] = []
    ) {
        self.text = text
        self.words = words
        self.range = range
        self.alternatives = alternatives
    }

    /// The same, for a recording that began `samples` before the engine's sound.
    func later(by samples: Int) -> Recognition {
        guard samples > 0 else { return self }
        let offset = Double(samples) / Double(SpeechAudio.sampleRate)
        var later = self
        later.range = range.lowerBound + offset..<range.upperBound + offset
        later.words = words.map { word in
            var word = word
            word.range = word.range.lowerBound + offset..<word.range.upperBound + offset
            return word
        }
        return later
    }
}

/// The facts about an utterance before it is heard.
public struct UtteranceContext: Sendable, Equatable {
    /// The name of the microphone. The recognizer keeps its adaptation to a microphone under this name.
    public var source: String
    /// The level of the speech in dBFS RMS if it is known in advance, as in a file. If nil, the recognizer
    /// uses the level that it has heard from the source before.
    public var level: Double?
    /// Names and terms that are likely in this utterance alone, besides those of ``SpeechRecognizer/bias(towards:)``. An engine
    /// that cannot take some for one utterance passes over them, and none sends them to another machine.
    public var likelyWords: [String]
    /// How much is typed while it is spoken. Final words are then needed at once; and partial results are worth
    /// more processor time if each word is typed.
    public var live: LiveInsertion

    public init(
        source: String, level: Double? = nil, likelyWords: [String] = [], live: LiveInsertion = .off
    ) {
        self.source = source
        self.level = level
        self.likelyWords = likelyWords
        self.live = live
    }
}

/// The features of an engine, or its model, besides recognizing.
public enum RecognizerFeature: String, Sendable, CaseIterable, Codable {
    /// ``SpeechRecognizer/partialText()``.
    case partialResults
    /// ``Recognition/words`` carry times and confidence.
    case wordTimes
    /// ``SpeechRecognizer/learn(_:)``.
    case pronunciations
    /// ``SpeechRecognizer/bias(towards:)``.
    case hotWords
    /// ``SpeechRecognizer/offerAlternatives(_:)``.
    case alternatives
}

/// Turns sound into words. An actor, so that a C library's state has one owner; on its own executor if
/// the library computes for long.
///
/// The calls come in this order: ``begin(_:)``, ``accept(_:)`` …, and ``finish()`` or ``cancel()``. An engine implements
/// these, and of the rest what it can do; ``features`` says what that is.
public protocol SpeechRecognizer: Actor {
    /// A short name for logs and states: "pocketsphinx".
    nonisolated var engine: String { get }

    /// The languages that it has models for: "en-US", "en" for any English, "*" for any; ``SpokenLanguage/found`` if it finds
    /// out which one is spoken.
    nonisolated var locales: [String] { get }

    /// Its features; none if it does not say.
    nonisolated var features: Set<RecognizerFeature> { get }

    /// Whether it recognizes nothing before an utterance ends. A long recording is given to such a one in parts.
    nonisolated var recognizesAtEnd: Bool { get }

    /// Loads the model, so that the first utterance need not wait. Does nothing when it is loaded.
    func prepare() async throws

    /// Begins an utterance, and loads the model if need be.
    func begin(_ context: UtteranceContext) async throws

    /// Takes the next piece of sound, in order, and returns what has become final: nothing, or the segment
    /// of speech before a pause.
    func accept(_ chunk: AudioChunk) async throws -> [Recognition]

    /// Ends the utterance and returns the final words that are left.
    func finish() async throws -> [Recognition]

    /// Ends the utterance and throws its words away.
    func cancel() async

    /// Releases the model's memory, until it is needed again; does nothing in the middle of an utterance.
    func release() async

    /// The words since the last final segment, which may change with the next chunk; nil if nothing was decoded
    /// since the last call.
    func partialText() async throws -> String?

    /// How many partial results in a row must agree on a word before it is shown.
    nonisolated var partialAgreement: Int { get }

    /// Names, terms and what is on the screen: words to bias recognition toward. They replace those given before, from
    /// the next utterance on.
    ///
    /// - Throws: ``SpeechSessionError/featureMissing(engine:feature:)`` if the engine or its model does not
    ///   support this.
    func bias(towards words: [String]) async throws

    /// Words that the engine does not know. They replace those given before, from the next utterance on.
    ///
    /// - Throws: ``SpeechSessionError/featureMissing(engine:feature:)``;
    ///   ``SpeechSessionError/unusableWord(_:pronunciation:reason:)`` for the first that cannot be used; the others are
    ///   used.
    func learn(_ words: [CustomWord]) async throws

    /// How many alternatives to offer for each segment, from the next one on; 0, the default, costs nothing.
    ///
    /// - Throws: ``SpeechSessionError/featureMissing(engine:feature:)``.
    func offerAlternatives(_ count: Int) async throws

    /// The engine that hears better the longer it knows a microphone; nil if none does. Its adaptation is of no use
    /// to another.
    nonisolated var adaptingEngine: String? { get }

    /// The adaptations, by the sources' names.
    var adaptations: [String: SourceAdaptation] { get async }

    /// Restores what was learned before.
    func restore(_ adaptations: [String: SourceAdaptation]) async

    /// Why another engine recognizes in the place of this one; nil as long as none does.
    nonisolated var fallbackReason: SpeechSessionError? { get }
}

extension SpeechRecognizer {
    public nonisolated var features: Set<RecognizerFeature> { [] }
    public nonisolated var recognizesAtEnd: Bool { false }
    public func release() {}
    public func partialText() throws -> String? { nil }
    public nonisolated var partialAgreement: Int { PartialStabilizer.usualAgreement }
    public func bias(towards words: [String]) throws {
        throw SpeechSessionError.featureMissing(engine: engine, feature: "be biased towards words")
    }
    public func learn(_ words: [CustomWord]) throws {
        throw SpeechSessionError.featureMissing(engine: engine, feature: "learn pronunciations")
    }
    public func offerAlternatives(_ count: Int) throws {
        throw SpeechSessionError.featureMissing(engine: engine, feature: "offer alternatives")
    }
    public nonisolated var adaptingEngine: String? { nil }
    public var adaptations: [String: SourceAdaptation] { [:] }
    public func restore(_ adaptations: [String: SourceAdaptation]) {}
    public nonisolated var fallbackReason: SpeechSessionError? { nil }

    /// Whether it has a model for a language, or for the language without its region.
    public nonisolated func knows(_ locale: String) -> Bool {
        locales.contains { $0 == "*" && locale != SpokenLanguage.found || $0.isLanguage(of: locale) }
    }

    /// Gives it the user's words. It leaves out those that it cannot use: the dictation matters more.
    func teach(_ words: [CustomWord], hotWords: [String]) async {
        try? await learn(words)
        try? await bias(towards: hotWords)
    }
}

extension [Recognition] {
    /// The same, marked as recognized by this engine, unless they name a fallback already.
    func recognized(byFallback engine: String) -> [Recognition] {
        map { recognition in
            var recognition = recognition
            recognition.fallbackEngine = recognition.fallbackEngine ?? engine
            return recognition
        }
    }
}

extension String {
    /// Whether this is a locale, or its language without the region.
    func isLanguage(of locale: String) -> Bool { self == locale || locale.hasPrefix(self + "-") }
}

/// The adaptation of an engine to a source of sound.
public struct SourceAdaptation: Sendable, Equatable, Codable {
    /// The level of speech from it, dBFS RMS; nil before the first utterance.
    public var level: Double?
    /// The mean of the cepstrum, that is, the color that microphone and room give to all sound; empty before the
    /// first utterance.
    public var cepstralMean: [Float]

    public init(level: Double? = nil, cepstralMean: [Float] = []) {
        self.level = level
        self.cepstralMean = cepstralMean
    }
}
