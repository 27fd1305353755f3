import DictationSettings
import DictationSpeech

extension SpeechSession {
    /// A session for recordings, as the settings file has it: language and words of the user's own. A word that cannot
    /// be used was told when host-agent began to run, and is left out.
    static func configured() async throws -> SpeechSession {
        let settings = SettingsFile.standard().loadWhatCanBeRead()?.values.speech ?? SpeechSettings()
        let recognizer = PocketSphinxRecognizer()
        let session = SpeechSession(recognizer: recognizer, locale: settings.locale)
        try await session.prepare()
        try? await recognizer.learn(settings.words.map(CustomWord.init))
        return session
    }
}

extension CustomWord {
    init(_ word: PronouncedWord) { self.init(text: word.text, pronunciation: word.pronunciation) }
}
