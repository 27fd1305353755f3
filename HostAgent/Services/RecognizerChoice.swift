import DictationSettings
import DictationSpeech

/// Everything that decides which recognizer is made: two equal choices make the same one.
struct RecognizerChoice: Equatable, Sendable {
    /// The settings without those that a recognizer in use takes as they change.
    private let speech: SpeechSettings
    /// Those of the server; the defaults if there is none.
    private let remote: RemoteSettings
    /// The detector of the speech that a server or a model gets; the default if there is neither.
    private let voiceDetection: VoiceDetection
    /// Whether dictations may come with their own words: a model is loaded otherwise for them.
    private let mayLookAtScreen: Bool
    /// The model of sherpa-onnx; nil if another engine recognizes.
    let model: String?
    /// The files of the engine and the models, as they are.
    private let files: [String]

    var locale: String { speech.locale }
    /// "en" of "en-US".
    var language: String { locale.prefix { $0 != "-" && $0 != "_" }.lowercased() }

    init(_ settings: Settings) {
        var speech = settings.speech
        let defaults = SpeechSettings()
        (speech.hotWords, speech.words, speech.keepLoaded, speech.context) = (
            defaults.hotWords, defaults.words, defaults.keepLoaded, defaults.context
        )
        mayLookAtScreen = settings.mayLookAtScreen
        self.speech = speech
        let isRemote = speech.engine == .remote
        remote = isRemote ? settings.remote : RemoteSettings()
        model = isRemote ? settings.fallbackModel : settings.sherpaModel
        voiceDetection = isRemote || model != nil ? settings.audio.voiceDetection : .automatic
        files = [model, speech.punctuation.isEmpty ? nil : speech.punctuation].compactMap { $0 }
            .map { SherpaConfiguration(model: $0).fingerprint }
    }
}
