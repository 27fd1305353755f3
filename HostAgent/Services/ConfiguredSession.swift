import DictationService
import DictationSettings
import DictationShared
import DictationSpeech
import Foundation

/// No recognizer of the settings knows the language; says what to do about it.
struct UnknownLanguage: Error, CustomStringConvertible {
    let description: String
}

extension SpeechSession {
    /// A session for recordings, as configured in the settings file: engine, language and words of the user's
    /// own. A word that cannot be used was reported at the start of host-agent, and is left out.
    ///
    /// - Parameter change: the options of the command line, which take precedence.
    package static func configured(
        change: (inout Settings) -> Void = { _ in }
    ) async throws -> SpeechSession {
        var settings = settingsOfRecordings
        change(&settings)
        let recognizer = settings.recognizer(onFallback: Complaint.say)
        let session = SpeechSession(
            recognizer: recognizer, locale: settings.speech.locale,
            voiceDetection: settings.audio.voiceDetection, punctuator: settings.punctuator,
            onPunctuationFailure: Complaint.say)
        // First: a recognizer that has its words loads its model once.
        try? await recognizer.teach(settings.speech, names: dictionaryNames)
        do { try await session.prepare() } catch let error as SpeechSessionError {
            let failure = await RecognizerAdvice.explain(
                DictationFailure(speech: error, audio: nil), settings)
            throw failure.knownCode == .unsupportedLocale
                ? UnknownLanguage(description: failure.message) : error
        }
        return session
    }

    private static var settingsOfRecordings: Settings {
        var settings = SettingsFile.standard().loadWhatCanBeRead()?.values ?? Settings()
        // No screen belongs to a recording.
        settings.speech.context = .off
        settings.profiles = []
        return settings
    }

    private static var dictionaryNames: [String] {
        (try? DictionaryFile(beside: .standard()).load().values.words.names) ?? []
    }

    /// Identifies the recognizer and its settings: it changes after another engine, model, language or word
    /// was chosen, or another version installed. It reveals nothing about them.
    package static var configuredFingerprint: String {
        let settings = settingsOfRecordings
        let parts = [
            Version.current, String(reflecting: RecognizerChoice(settings)), "\(settings.speech.hotWords)",
            "\(settings.speech.words)", "\(dictionaryNames)",
        ]
        return ContentHash.of(text: parts.joined(separator: "\n")) ?? ""
    }
}

extension Settings {
    /// The selected engine. A missing part is reported when the engine is used.
    ///
    /// - Parameter onFallback: called with the reason when another engine recognizes instead.
    package func recognizer(
        onFallback: @escaping @Sendable (SpeechSessionError) -> Void
    ) -> any SpeechRecognizer {
        switch speech.engine {
        case .auto: automaticRecognizer(onFallback)
        case .pocketsphinx: PocketSphinxRecognizer()
        case .sherpaOnnx: sherpaRecognizer
        case .remote:
            RemoteRecognizer(
                remoteConfiguration, engines: audio.voiceDetection == .automatic ? .standard() : nil,
                fallback: fallbackRecognizer(onFallback), onFallback: onFallback)
        }
    }

    /// sherpa-onnx with the named or installed model, and PocketSphinx if it cannot be used; PocketSphinx
    /// alone if there is none.
    private func automaticRecognizer(
        _ onFallback: @escaping @Sendable (SpeechSessionError) -> Void
    ) -> any SpeechRecognizer {
        guard let model = automaticModel else { return PocketSphinxRecognizer() }
        return FallbackRecognizer(
            SherpaRecognizer(sherpaConfiguration(model), trial: .byThisProgram),
            fallback: PocketSphinxRecognizer(), locale: speech.locale, onFallback: onFallback)
    }

    private var automaticModel: String? {
        speech.model.isEmpty ? SpeechSession.installedModel(for: speech.locale) : speech.model
    }

    /// The model if sherpa-onnx recognizes. If none is named, and no installed one knows the language, it is
    /// one that says so; nil if none is installed.
    private var wantedModel: String? { automaticModel ?? SpeechSession.installedModels().first }

    /// The model of sherpa-onnx that recognizes; nil with other engines.
    package var sherpaModel: String? {
        switch speech.engine {
        case .auto: automaticModel
        case .sherpaOnnx: wantedModel
        case .pocketsphinx, .remote: nil
        }
    }

    /// The model of sherpa-onnx that recognizes if the server does not; nil with other engines.
    var fallbackModel: String? {
        switch remote.fallback {
        case .auto: automaticModel
        case .sherpaOnnx: wantedModel
        case .pocketsphinx, .none: nil
        }
    }

    /// The engine that recognizes if the server does not; nil for none.
    package var fallbackEngine: String? {
        switch remote.fallback {
        case .auto: automaticModel == nil ? "pocketsphinx" : "sherpa-onnx"
        case .sherpaOnnx: "sherpa-onnx"
        case .pocketsphinx: "pocketsphinx"
        case .none: nil
        }
    }

    private var sherpaRecognizer: any SpeechRecognizer {
        SherpaRecognizer(sherpaConfiguration(wantedModel ?? ""), trial: .byThisProgram)
    }

    /// The punctuator; nil if none is needed.
    var punctuator: (any Punctuator)? {
        speech.punctuation.isEmpty
            ? nil : SherpaPunctuator(sherpaConfiguration(speech.punctuation), trial: .byThisProgram)
    }

    private func sherpaConfiguration(_ model: String) -> SherpaConfiguration {
        var configuration = SherpaConfiguration(model: model, locale: speech.locale)
        configuration.threads = speech.threads
        configuration.provider = speech.provider
        configuration.expectsHotWords = mayLookAtScreen
        // It would not decode sound without a voice.
        if audio.voiceDetection == .loudness { configuration.voiceActivityModel = nil }
        return configuration
    }

    private func fallbackRecognizer(
        _ onFallback: @escaping @Sendable (SpeechSessionError) -> Void
    ) -> (any SpeechRecognizer)? {
        switch remote.fallback {
        case .auto: automaticRecognizer(onFallback)
        case .pocketsphinx: PocketSphinxRecognizer()
        case .sherpaOnnx: sherpaRecognizer
        case .none: nil
        }
    }

    private var remoteConfiguration: RemoteConfiguration {
        let key: RemoteConfiguration.KeySource =
            if !remote.keyFile.isEmpty {
                .file(remote.keyFile)
            } else if !remote.keyVariable.isEmpty {
                .environment(remote.keyVariable)
            } else {
                .none
            }
        return RemoteConfiguration(
            address: remote.address, model: remote.model, key: key, locale: speech.locale,
            timeLimit: .seconds(remote.timeLimit))
    }
}

extension SpeechRecognizer {
    /// Gives it the user's own words, hot words and names, as far as it supports them.
    ///
    /// - Parameter names: of the user's dictionary: they are always written right, so no message is needed
    ///   if they cannot be hot words as well.
    /// - Throws: for what it cannot use; the rest is in use.
    func teach(_ settings: SpeechSettings, names: [String]) async throws {
        var failure: (any Error)?
        do {
            try await learn(settings.words)
        } catch SpeechSessionError.featureMissing {
            // Most engines need no pronunciations.
        } catch { failure = error }
        try await bias(towards: settings.hotWords, names: names)
        if let failure { throw failure }
    }

    /// - Throws: if it cannot use the hot words.
    func bias(towards hotWords: [String], names: [String]) async throws {
        do {
            // The settings come first: there may be no room for all.
            try await bias(towards: hotWords + names.filter { !hotWords.contains($0) })
        } catch SpeechSessionError.unusableWord(let word, _, _) where !hotWords.contains(word) {
            return
        } catch {
            if !hotWords.isEmpty { throw error }
        }
    }
}
