import DictationSettings
import DictationSpeech

extension SpeechSession {
    /// A session for recordings, as the settings file has it: engine, language and words of the user's own. A word that
    /// cannot be used was told when host-agent began to run, and is left out.
    static func configured() async throws -> SpeechSession {
        let settings = (SettingsFile.standard().loadWhatCanBeRead()?.values ?? Settings()).speech
        let recognizer = settings.recognizer()
        let session = SpeechSession(recognizer: recognizer, locale: settings.locale)
        try await session.prepare()
        try? await recognizer.teach(settings)
        return session
    }
}

extension SpeechSettings {
    /// The engine that is chosen. What is missing is told when it is asked for something.
    func recognizer() -> any SpeechRecognizer {
        switch engine {
        case .pocketsphinx: return PocketSphinxRecognizer()
        case .sherpaOnnx:
            var configuration = SherpaConfiguration(model: model, locale: locale)
            configuration.threads = threads
            configuration.provider = provider
            return SherpaRecognizer(configuration, trial: ModelTrial(arguments: [TryModelCommand.name]))
        }
    }
}

extension SpeechRecognizer {
    /// Gives it the user's own words and hot words, as far as it takes such.
    ///
    /// - Throws: for what it cannot use; the rest is in use.
    func teach(_ settings: SpeechSettings) async throws {
        var failure: (any Error)?
        do {
            try await (self as? any LearnsWords)?.learn(settings.words.map(CustomWord.init))
        } catch { failure = error }
        try await (self as? any FavoursWords)?.favour(settings.hotWords)
        if let failure { throw failure }
    }
}

extension CustomWord {
    init(_ word: PronouncedWord) { self.init(text: word.text, pronunciation: word.pronunciation) }
}
