import CSherpaOnnx
import Foundation

/// How to use sherpa-onnx; everything that a separate process needs to try it.
public struct SherpaConfiguration: Sendable, Equatable, Codable {
    /// The C library.
    public var library: URL
    /// The model's folder.
    public var model: URL
    /// The model that finds speech for offline models; nil, or not there: by loudness.
    public var voiceActivityModel: URL?
    /// The language that is spoken, for models that need to know it.
    public var locale: String
    /// Threads for one utterance; 0: half of the processors, at most four, because more are not faster with
    /// models of this size.
    public var threads: Int
    /// The device that computes: "cpu", or "cuda" with a library that was built for it.
    public var provider: String
    /// How much hot words count: 0 not at all, 1.5 as the library's authors recommend; more makes them up.
    public var hotWordsScore: Double
    /// Whether utterances may come with hot words of their own: then the model is loaded for the slower search that takes
    /// them, and not again when they come.
    public var expectsHotWords: Bool

    public init(
        library: URL, model: URL, voiceActivityModel: URL? = nil, locale: String = "en-US", threads: Int = 0,
        provider: String = "cpu", hotWordsScore: Double = 1.5, expectsHotWords: Bool = false
    ) {
        self.library = library
        self.model = model
        self.voiceActivityModel = voiceActivityModel
        self.locale = locale
        self.threads = threads
        self.provider = provider
        self.hotWordsScore = hotWordsScore
        self.expectsHotWords = expectsHotWords
    }

    /// The configuration for the installed engine and models.
    public init(folder: EngineFolder = .standard(), model: String, locale: String = "en-US") {
        self.init(
            library: folder.sherpaLibrary, model: folder.model(model),
            voiceActivityModel: folder.voiceActivityModel, locale: locale)
    }

    var threadCount: Int32 {
        Int32(clamping: threads > 0 ? threads : min(4, max(1, ProcessInfo.processInfo.processorCount / 2)))
    }

    /// "en" of "en-US"; ``SpokenLanguage/found`` for what the model finds out.
    private var language: String { locale.split(separator: "-").first.map(String.init) ?? locale }

    /// A segment is final after this much silence. Long enough for a breath in a sentence, short enough
    /// that no segment grows long.
    private static let finalSilence: Float = 1.0
    /// The same if nothing was recognized.
    private static let idleSilence: Float = 2.4
    /// A segment that long is final without a pause; the session cuts sooner, in a gap.
    private static let longestSegment: Float = 300

    /// - Parameters:
    ///   - text: keeps the strings.
    ///   - isBiased: whether to use the slower search, which can be biased toward words.
    func streaming(
        _ model: SherpaModel, isBiased: Bool, _ text: CStrings
    ) -> SherpaOnnxOnlineRecognizerConfig {
        var config = SherpaOnnxOnlineRecognizerConfig()
        config.feat_config = features(model)
        let file = { (role: String) in model.path(of: role).flatMap { text($0) } }
        switch model.description.family {
        case .streamingParaformer:
            config.model_config.paraformer = .init(encoder: file("encoder"), decoder: file("decoder"))
        case .streamingZipformerCTC: config.model_config.zipformer2_ctc.model = file("model")
        case .streamingNemoCTC: config.model_config.nemo_ctc.model = file("model")
        case .streamingTOneCTC: config.model_config.t_one_ctc.model = file("model")
        default:
            config.model_config.transducer = .init(
                encoder: file("encoder"), decoder: file("decoder"), joiner: file("joiner"))
        }
        config.model_config.tokens = file("tokens")
        config.model_config.num_threads = threadCount
        config.model_config.provider = text(provider)
        config.model_config.modeling_unit = model.description.modelingUnit.flatMap { text($0) }
        config.model_config.bpe_vocab = file("bpe-vocabulary")
        config.decoding_method = text(Self.method(isBiased))
        config.max_active_paths = Self.activePaths
        config.hotwords_score = Float(hotWordsScore)
        config.enable_endpoint = 1
        config.rule1_min_trailing_silence = Self.idleSilence
        config.rule2_min_trailing_silence = Self.finalSilence
        config.rule3_min_utterance_length = Self.longestSegment
        return config
    }

    /// As many hypotheses as the library's own default.
    private static let activePaths: Int32 = 4

    private static func method(_ isBiased: Bool) -> String {
        isBiased ? "modified_beam_search" : "greedy_search"
    }

    private func features(_ model: SherpaModel) -> SherpaOnnxFeatureConfig {
        SherpaOnnxFeatureConfig(
            sample_rate: Int32(SpeechAudio.sampleRate),
            feature_dim: Int32(clamping: model.description.featureBins ?? 80))
    }

    func offline(
        _ model: SherpaModel, isBiased: Bool, _ text: CStrings
    ) -> SherpaOnnxOfflineRecognizerConfig {
        var config = SherpaOnnxOfflineRecognizerConfig()
        config.feat_config = features(model)
        let file = { (role: String) in model.path(of: role).flatMap { text($0) } }
        place(model, in: &config.model_config, file, text)
        config.model_config.tokens = file("tokens")
        config.model_config.num_threads = threadCount
        config.model_config.provider = text(provider)
        config.model_config.modeling_unit = model.description.modelingUnit.flatMap { text($0) }
        config.model_config.bpe_vocab = file("bpe-vocabulary")
        config.decoding_method = text(Self.method(isBiased))
        config.max_active_paths = Self.activePaths
        config.hotwords_score = Float(hotWordsScore)
        return config
    }

    /// Puts a model's files where its family expects them.
    private func place(
        _ model: SherpaModel, in config: inout SherpaOnnxOfflineModelConfig,
        _ file: (String) -> UnsafePointer<CChar>?, _ text: CStrings
    ) {
        switch model.description.family {
        case .nemoTransducer:
            config.transducer = .init(
                encoder: file("encoder"), decoder: file("decoder"), joiner: file("joiner"))
            config.model_type = text("nemo_transducer")
        case .paraformer: config.paraformer.model = file("model")
        case .nemoCTC: config.nemo_ctc.model = file("model")
        case .whisper:
            config.whisper.encoder = file("encoder")
            config.whisper.decoder = file("decoder")
            config.whisper.language = text(
                model.isMultilingual && language != SpokenLanguage.found
                    ? SpokenLanguage.whisperCode(locale) : "")
            config.whisper.task = text("transcribe")
        case .moonshine:
            config.moonshine.preprocessor = file("preprocessor")
            config.moonshine.encoder = file("encoder")
            config.moonshine.uncached_decoder = file("uncached-decoder")
            config.moonshine.cached_decoder = file("cached-decoder")
        case .moonshineMerged:
            config.moonshine.encoder = file("encoder")
            config.moonshine.merged_decoder = file("merged-decoder")
        case .senseVoice:
            config.sense_voice = .init(model: file("model"), language: text(language), use_itn: 1)
        case .zipformerCTC: config.zipformer_ctc.model = file("model")
        case .wenetCTC: config.wenet_ctc.model = file("model")
        case .dolphinCTC: config.dolphin.model = file("model")
        case .teleSpeechCTC: config.telespeech_ctc = file("model")
        case .fireRed: config.fire_red_asr = .init(encoder: file("encoder"), decoder: file("decoder"))
        case .fireRedCTC: config.fire_red_asr_ctc.model = file("model")
        case .canary:
            config.canary = .init(
                encoder: file("encoder"), decoder: file("decoder"), src_lang: text(language),
                tgt_lang: text(language), use_pnc: 1)
        case .cohere:
            config.cohere_transcribe = .init(
                encoder: file("encoder"), decoder: file("decoder"), language: text(language), use_punct: 1,
                use_itn: 1)
        case .omnilingualCTC: config.omnilingual.model = file("model")
        case .medicalCTC: config.medasr.model = file("model")
        case .qwen3:
            config.qwen3_asr.conv_frontend = file("conv-frontend")
            config.qwen3_asr.encoder = file("encoder")
            config.qwen3_asr.decoder = file("decoder")
            config.qwen3_asr.tokenizer = file("tokenizer")
        case .funASRNano:
            config.funasr_nano.encoder_adaptor = file("encoder-adaptor")
            config.funasr_nano.llm = file("llm")
            config.funasr_nano.embedding = file("embedding")
            config.funasr_nano.tokenizer = file("tokenizer")
            config.funasr_nano.language = text(language)
        default:
            config.transducer = .init(
                encoder: file("encoder"), decoder: file("decoder"), joiner: file("joiner"))
        }
    }
}

extension SherpaModel {
    fileprivate var isMultilingual: Bool { description.languages != ["en"] }
}
