import DictationSettings
import DictationShared
import DictationSpeech

extension Settings {
    /// The settings as a recognition with these options has them.
    package func applying(_ options: Intent.RecognitionOptions) -> Settings {
        var settings = self
        if let engine = options.engine.flatMap(SpeechEngine.init(rawValue:)) {
            settings.speech.engine = engine
        }
        if let locale = options.language { settings.speech.locale = locale }
        if let model = options.model {
            settings.speech.model = model
            // Only sherpa-onnx has models to choose from. A user who names one does not want another engine.
            if options.engine == nil { settings.speech.engine = .sherpaOnnx }
        } else if let locale = options.language, !speech.model.isEmpty,
            SpeechSession.installedModel(speech.model, knows: locale) == false
        {
            let other = SpeechSession.installedModel(for: locale)
            settings.speech.model = settings.speech.engine == .auto ? "" : other ?? speech.model
        }
        return settings
    }
}
