import Foundation

/// One recognised word.
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

/// A recognised stretch of speech, which will not change any more.
public struct Recognition: Sendable, Equatable {
    public var text: String
    /// Empty where the engine has no times; see ``TimesWords``.
    public var words: [RecognizedWord]
    /// Seconds from the beginning of the recording; empty when nothing was said.
    public var range: Range<TimeInterval>
    /// What else it may have been, the likeliest first; empty unless asked for: see ``OffersAlternatives``.
    public var alternatives: [String]
    /// The engine that stood in for the recogniser; nil where none had to.
    public var standIn: String?

    public init(
        text: String, words: [RecognizedWord] = [], range: Range<TimeInterval>, alternatives: [String] = []
    ) {
        self.text = text
        self.words = words
        self.range = range
        self.alternatives = alternatives
    }

    /// The same, for a recording that began so many samples before what the engine has heard.
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

/// What is known about an utterance before it is heard.
public struct UtteranceContext: Sendable, Equatable {
    /// Where the sound comes from: what the recogniser learns about a microphone is kept under its name.
    public var source: String
    /// The level of the speech in dBFS RMS where it is known beforehand, as in a file; nil: the recogniser goes by
    /// what it has heard from the source before.
    public var level: Double?

    public init(source: String, level: Double? = nil) {
        self.source = source
        self.level = level
    }
}

/// Turns sound into words. An actor, so that a C library's state has one owner; on an executor of its own where
/// the library computes for long.
///
/// The calls come in this order: ``begin(_:)``, ``accept(_:)`` …, and ``finish()`` or ``cancel()``. This is the
/// least that every engine has; what only some have stands in protocols beside it: ``ReportsPartialResults``,
/// ``TimesWords``, ``AdaptsToSource``, ``LearnsWords``, ``FavoursWords``, ``OffersAlternatives``,
/// ``ReleasesModel``.
public protocol SpeechRecognizer: Actor {
    /// A short name for logs and states: "pocketsphinx".
    nonisolated var engine: String { get }

    /// The languages that it has models for: "en-US", "en" for any English, "*" for what it finds out by itself.
    nonisolated var locales: [String] { get }

    /// Loads the model, so that the first utterance need not wait. Does nothing when it is loaded.
    func prepare() async throws

    /// Begins an utterance, and loads the model if need be.
    func begin(_ context: UtteranceContext) async throws

    /// Takes the next piece of sound, in order, and returns what has become final by it: nothing, or the stretch
    /// of speech before a pause.
    func accept(_ chunk: AudioChunk) async throws -> [Recognition]

    /// Ends the utterance and returns what is left to be final.
    func finish() async throws -> [Recognition]

    /// Ends the utterance and throws its words away.
    func cancel() async
}

extension SpeechRecognizer {
    /// Whether it has a model for a language, or for the language of which this is a regional kind.
    public nonisolated func knows(_ locale: String) -> Bool {
        locales.contains { $0 == "*" || $0.isLanguage(of: locale) }
    }
}

extension String {
    /// Whether this is a locale, or the language of which it is a regional kind.
    func isLanguage(of locale: String) -> Bool { self == locale || locale.hasPrefix(self + "-") }
}

/// An engine that knows what it would say now.
public protocol ReportsPartialResults: SpeechRecognizer {
    /// The words since the last final stretch, which may change with the next chunk; nil when nothing was decoded
    /// since the last call.
    func partialText() async throws -> String?

    /// How many partial results in a row must agree on a word before it is shown.
    nonisolated var partialAgreement: Int { get }
}

extension ReportsPartialResults {
    public nonisolated var partialAgreement: Int { PartialStabilizer.usualAgreement }
}

/// An engine that can be told which words are likely: names, terms, what stands on the screen.
public protocol FavoursWords: SpeechRecognizer {
    /// Takes these in the place of those given before, from the next utterance on.
    ///
    /// - Throws: ``SpeechSessionError/featureMissing(engine:feature:)`` where its model cannot do so.
    func favour(_ words: [String]) async throws
}

/// An engine that can say what else it may have been.
public protocol OffersAlternatives: SpeechRecognizer {
    /// How many to offer for each stretch, from the next one on; 0, the default, costs nothing.
    func offerAlternatives(_ count: Int) async
}

/// An engine that can let go of its model, and load it again when it is needed.
public protocol ReleasesModel: SpeechRecognizer {
    /// Gives back the memory; does nothing in the middle of an utterance.
    func release() async
}

/// An engine to which words can be given that it does not know.
public protocol LearnsWords: SpeechRecognizer {
    /// Takes these in the place of those given before, from the next utterance on.
    ///
    /// - Throws: ``SpeechSessionError/unusableWord(_:pronunciation:reason:)`` for the first that cannot be used; the
    ///   others are taken.
    func learn(_ words: [CustomWord]) async throws
}

/// A word of the user's own.
public struct CustomWord: Sendable, Equatable {
    /// As it is to be written.
    public var text: String
    /// Its sounds, separated by spaces, in the engine's own alphabet: for PocketSphinx that of the CMU dictionary,
    /// "K UW B ER N EH T IY Z".
    public var pronunciation: String

    public init(text: String, pronunciation: String) {
        self.text = text
        self.pronunciation = pronunciation
    }
}

/// An engine whose ``Recognition/words`` carry times and confidence.
public protocol TimesWords: SpeechRecognizer {}

/// What an engine has learned about a source of sound.
public struct SourceAdaptation: Sendable, Equatable, Codable {
    /// The level of speech from it, dBFS RMS; nil before the first utterance.
    public var level: Double?
    /// The mean of the cepstrum, that is, the colour that microphone and room give to all sound; empty before the
    /// first utterance.
    public var cepstralMean: [Float]

    public init(level: Double? = nil, cepstralMean: [Float] = []) {
        self.level = level
        self.cepstralMean = cepstralMean
    }
}

/// An engine that hears better the longer it knows a microphone; what it has learned can be saved.
public protocol AdaptsToSource: SpeechRecognizer {
    /// The engine that learns, whose knowledge is of no use to others: one that stands in may be another one.
    nonisolated var adaptingEngine: String { get }
    var adaptations: [String: SourceAdaptation] { get async }
    func restore(_ adaptations: [String: SourceAdaptation]) async
}

extension AdaptsToSource {
    public nonisolated var adaptingEngine: String { engine }
}
