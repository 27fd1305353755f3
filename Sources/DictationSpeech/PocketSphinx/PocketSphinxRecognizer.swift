import DictationSystem
import Foundation

/// The recognizer that Debian brings: needs no download, a quarter of a core and some 120 MB.
///
/// It is a fall-back that works everywhere: every fourth word or so is wrong. It decodes while the sound arrives,
/// so that the words are there about 0.1 s after the last one was spoken.
public actor PocketSphinxRecognizer: SpeechRecognizer {
    public nonisolated let engine = "pocketsphinx"
    public nonisolated var locales: [String] { [model.locale] }
    public nonisolated let features = Set(RecognizerFeature.allCases)
    public nonisolated var adaptingEngine: String? { engine }

    private nonisolated let model: PocketSphinxModel
    private let executor = ThreadExecutor(name: "pocketsphinx")
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private var decoder: PocketSphinxDecoder?
    private var utterance: Utterance?
    private var words = OwnWords()
    /// The words of the decoder; the library can neither unlearn a word nor learn one during speech.
    private var decodersWords = OwnWords()
    /// The first word that could not be used.
    private var unusable: SpeechSessionError?
    private var alternativeCount = 0
    /// The mean that the model was trained with, for sources that were never heard.
    private var initialMean: [Float] = []
    public private(set) var adaptations: [String: SourceAdaptation] = [:]

    /// The samples decoded at once: 50 ms, as measured. Less costs more, more delays the partial results.
    private static let block = SpeechAudio.sampleRate / 20
    /// An utterance with less speech than this says nothing about the microphone's level.
    private static let leastSpeech = 0.5

    /// Seconds of speech after which its level is known to about 2 dB.
    private static let enoughForLevel = 1.5
    /// At most this much sound is decoded again: a user who releases the key at that moment would wait for
    /// it. It holds the second before the first voice, and a speaker who pauses. A limit on the decoding time
    /// would do harm: at a wrong level decoding takes several times as long, and would stay slow.
    private static let longestAnew = SpeechAudio.sampleRate * 4
    /// A speaker's own voice varies within this many dB.
    private static let usualVariation = 4.0

    /// A segment with this much speech ends at the next pause of words, which is shorter than the one
    /// that the library waits for: the search after the last word grows with the square of a segment, 0.05 s
    /// of processor time after 20 s of speech without a pause, 0.5 s after a minute.
    private static let longSegment = SpeechAudio.sampleRate * 15
    /// Between words, not the closure of a "p" or a "t" within one; seconds.
    private static let wordPause = 0.15

    private struct OwnWords: Equatable {
        var learned: [CustomWord] = []
        var biased: [String] = []
    }

    private struct Utterance {
        let context: UtteranceContext
        var gain: Double
        /// The sound so far, for as long as the gain may turn out to be wrong.
        var opening: [Int16]?
        var heard = SpeechLevel()
        var pending: [Int16] = []
        var wasInSpeech = false
        /// Samples of speech since the last segment ended.
        var spoken = 0
        /// Whether something was decoded since the partial result was last asked for.
        var isFresh = false
    }

    public init(model: PocketSphinxModel = .debianEnglish) { self.model = model }

    public func prepare() throws { _ = try loaded() }

    private func loaded() throws -> PocketSphinxDecoder {
        if let decoder, utterance != nil || decodersWords == words { return decoder }
        let decoder = try PocketSphinxDecoder(model: model)
        unusable = decoder.add(words.learned + decoder.speakable(words.biased))
        decodersWords = words
        initialMean = decoder.cepstralMean
        self.decoder = decoder
        return decoder
    }

    public func learn(_ words: [CustomWord]) throws {
        guard words != self.words.learned else { return }
        self.words.learned = words
        // Unusable words are reported now; while somebody speaks, nothing can be learned.
        guard utterance == nil else { return }
        _ = try loaded()
        if let unusable { throw unusable }
    }

    /// Only words whose pronunciation the dictionary has; others need one.
    ///
    /// - Throws: ``SpeechSessionError/unusableWord(_:pronunciation:reason:)`` for the first of the others.
    public func bias(towards words: [String]) throws {
        guard words != self.words.biased else { return }
        self.words.biased = words
        let decoder = try loaded()
        guard let unknown = words.first(where: { decoder.speakable([$0]).isEmpty }) else { return }
        throw SpeechSessionError.unusableWord(
            unknown, pronunciation: "",
            reason: "PocketSphinx does not know its pronunciation")
    }

    public func begin(_ context: UtteranceContext) throws {
        let decoder = try loaded()
        cancel()
        let known = adaptations[context.source]
        decoder.cepstralMean = known?.cepstralMean ?? initialMean
        try decoder.startStream()
        try decoder.startUtterance()
        let gain = LevelNormalization.gain(forLevel: context.level ?? known?.level)
        utterance = Utterance(context: context, gain: gain, opening: context.level == nil ? [] : nil)
    }

    /// If the speech turns out to be louder or quieter than was expected, it is decoded from the beginning
    /// with the right gain: another speaker, another distance, or a microphone that was never heard. That
    /// takes the processor half a second, while the user continues to speak.
    private func beginAnewIfMisjudged(_ current: inout Utterance, _ decoder: PocketSphinxDecoder) throws {
        let opening = current.opening ?? []
        current.opening = nil
        let right = LevelNormalization.gain(forLevel: current.heard.decibels)
        guard opening.count <= Self.longestAnew,
            abs(20 * log10(right / current.gain)) > Self.usualVariation
        else { return }
        try decoder.endUtterance()
        decoder.cepstralMean = adaptations[current.context.source]?.cepstralMean ?? initialMean
        try decoder.startStream()
        try decoder.startUtterance()
        current.gain = right
        current.pending = LevelNormalization.apply(right, to: opening)
        current.wasInSpeech = false
        current.spoken = 0
    }

    public func accept(_ chunk: AudioChunk) throws -> [Recognition] {
        guard let decoder, var current = utterance else { return [] }
        current.heard.add(chunk.samples)
        current.pending += LevelNormalization.apply(current.gain, to: chunk.samples)
        current.opening? += chunk.samples
        if current.opening != nil, current.heard.activeSeconds >= Self.enoughForLevel {
            try beginAnewIfMisjudged(&current, decoder)
        }
        var finals: [Recognition] = []
        var start = 0
        while current.pending.count - start >= Self.block {
            try decoder.process(current.pending[start..<start + Self.block])
            start += Self.block
            current.isFresh = true
            let isInSpeech = decoder.hearsSpeech
            if isInSpeech { current.spoken += Self.block }
            if current.wasInSpeech && !isInSpeech
                || current.spoken >= Self.longSegment && decoder.pause >= Self.wordPause
            {
                finals += try endSegment(decoder)
                try decoder.startUtterance()
                // A final result cannot be withdrawn.
                current.opening = nil
                current.spoken = 0
            }
            current.wasInSpeech = decoder.hearsSpeech
        }
        current.pending.removeFirst(start)
        utterance = current
        return finals
    }

    public func partialText() -> String? {
        guard utterance?.isFresh == true else { return nil }
        utterance?.isFresh = false
        return decoder?.hypothesis
    }

    public func finish() throws -> [Recognition] {
        guard let decoder, let current = utterance else { return [] }
        utterance = nil
        if !current.pending.isEmpty { try decoder.process(current.pending[...]) }
        let finals = try endSegment(decoder)
        learn(from: current, decoder)
        return finals
    }

    public func cancel() {
        guard utterance != nil else { return }
        utterance = nil
        // Its words are thrown away: whether the library could end it in order does not matter.
        try? decoder?.endUtterance()
    }

    public func offerAlternatives(_ count: Int) { alternativeCount = max(0, count) }

    public func release() {
        if utterance == nil { decoder = nil }
    }

    public func restore(_ adaptations: [String: SourceAdaptation]) {
        self.adaptations.merge(adaptations) { _, restored in restored }
    }

    /// Ends the library's utterance and reads its words.
    private func endSegment(_ decoder: PocketSphinxDecoder) throws -> [Recognition] {
        let before = (text: decoder.hypothesis, words: decoder.words)
        try decoder.endUtterance()
        let (text, words) = decoder.hasPath ? (decoder.hypothesis, decoder.words) : before
        guard !text.isEmpty, let first = words.first, let last = words.last else { return [] }
        let range = first.range.lowerBound..<max(first.range.lowerBound, last.range.upperBound)
        return [
            Recognition(
                text: text, words: words, range: range, alternatives: decoder.alternatives(alternativeCount))
        ]
    }

    private func learn(from utterance: Utterance, _ decoder: PocketSphinxDecoder) {
        // A known level means a file, which is heard once: nothing is learned for the next one.
        guard utterance.context.level == nil else { return }
        let seconds = utterance.heard.activeSeconds
        guard seconds >= Self.leastSpeech, let heard = utterance.heard.decibels else { return }
        var adaptation = adaptations[utterance.context.source] ?? SourceAdaptation()
        adaptation.level = LevelNormalization.expected(
            known: adaptation.level, heard: heard, seconds: seconds)
        adaptation.cepstralMean = decoder.cepstralMean
        adaptations[utterance.context.source] = adaptation
    }
}
