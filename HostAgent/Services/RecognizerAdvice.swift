import DictationSettings
import DictationShared
import DictationSpeech

/// A recognizer that would be better, or would know the language: said by the agent at its start, by `host-agent check`, and with a
/// dictation that failed. Decided from values; ``load(_:)`` gets them.
package enum RecognizerAdvice: Equatable, Sendable {
    /// PocketSphinx recognizes, because no model is installed.
    case better(Model)
    /// The recognizer does not know the language; nil and empty if no model that can be installed does.
    case languageUnknown(locale: String, engine: SpeechEngine, install: Model?, others: [String])

    /// A model that can be installed.
    package struct Model: Equatable, Sendable {
        package let name: String
        /// Bytes to fetch, with the engine.
        package let bytes: Int
        /// Settings that would keep it from being used, with their required values.
        package var settings: [String] = []

        package var size: String { "\((bytes + 500_000) / 1_000_000) MB" }
        /// Installs it and selects it.
        package var command: String {
            (["host-agent models install \(name)"] + settings.map { "dictstate settings set \($0)" })
                .joined(separator: " && ")
        }
    }

    /// Lists the known models. No server is asked: the user has not asked for one of its models, and a
    /// dictation waits.
    ///
    /// - Returns: nil if there is nothing to say.
    package static func load(_ settings: Settings) async -> RecognizerAdvice? {
        let isKnown = settings.recognizer { _ in }.knows(settings.speech.locale)
        guard !isKnown || settings.lacksModel else { return nil }
        let source = ModelSource(catalogue: settings.models.catalogue, address: settings.models.address)
            .withoutServer
        guard let offers = try? await ModelOffers.load(from: source) else { return nil }
        return decide(settings, isKnown: isKnown, offers: offers.all, bytes: offers.bytesToFetch)
    }

    /// - Returns: a failure because of the missing language, with the remedy.
    static func explain(_ failure: DictationFailure, _ settings: Settings) async -> DictationFailure {
        guard failure.knownCode == .unsupportedLocale, let advice = await load(settings),
            case .languageUnknown = advice
        else { return failure }
        return DictationFailure(
            code: .unsupportedLocale, message: "\(advice.finding). \(advice.remedy)", kept: failure.kept)
    }

    /// - Parameters:
    ///   - isKnown: whether the recognizer of the settings knows the language.
    ///   - bytes: the size of a model's download.
    static func decide(
        _ settings: Settings, isKnown: Bool, offers: [ModelOffer],
        machine: ModelRecommendation.Machine = .current, bytes: (ModelOffer) -> Int
    ) -> RecognizerAdvice? {
        let locale = settings.speech.locale
        let choice =
            hasEngine ? ModelRecommendation.choose(locale: locale, machine: machine, offers: offers) : nil
        if isKnown {
            guard settings.lacksModel, let best = choice?.offer else { return nil }
            return .better(Model(name: best.name, bytes: bytes(best)))
        }
        let model = choice.map { choice in
            var needed: [String] = []
            if settings.speech.engine == .pocketsphinx { needed.append("speech.engine auto") }
            if !settings.speech.model.isEmpty { needed.append("speech.model \(choice.offer.name)") }
            return Model(name: choice.offer.name, bytes: bytes(choice.offer), settings: needed)
        }
        return .languageUnknown(
            locale: locale, engine: settings.speech.engine, install: model,
            others: choice?.alternatives.prefix(othersShown).map(\.name) ?? [])
    }

    /// As many as fit on a line.
    private static let othersShown = 3

    /// Whether there is a build of sherpa-onnx for this machine.
    private static var hasEngine: Bool {
        #if arch(x86_64) || arch(arm64)
            true
        #else
            false
        #endif
    }

    /// The finding, as a sentence.
    package var finding: String {
        switch self {
        case .better: "PocketSphinx recognizes, and gets about every fourth word wrong"
        case .languageUnknown(SpokenLanguage.found, _, nil, _):
            "No model that is installed or can be installed here detects the language"
        case .languageUnknown(SpokenLanguage.found, _, let model?, let others):
            "No model in use detects the language; these do: \(([model.name] + others).joined(separator: ", "))"
        case .languageUnknown(let locale, _, nil, _) where !SpokenLanguage.mayExist(locale):
            "“\(locale)” is not the code of a language"
        case .languageUnknown(let locale, _, nil, _):
            "No model that is installed or can be installed here knows “\(locale)”"
        case .languageUnknown(let locale, _, let model?, let others):
            "No model in use knows “\(locale)”; these do: \(([model.name] + others).joined(separator: ", "))"
        }
    }

    /// The remedy, as a sentence.
    package var remedy: String {
        switch self {
        case .better(let model): "Install a better recognizer (\(model.size)): \(model.command)"
        case .languageUnknown(_, _, let model?, _): "Install one (\(model.size)): \(model.command)"
        case .languageUnknown(let locale, _, nil, _) where !SpokenLanguage.mayExist(locale):
            "Write it as in de or pt-BR (ISO 639): speech.locale in the settings, a locale of a [[hotkey]], or --locale"
        case .languageUnknown(_, _, nil, _):
            "Set speech.locale to a known language, or use a server: dictstate settings set "
                + "speech.engine remote (docs/engines.md)"
        }
    }
}

extension Settings {
    /// Whether PocketSphinx recognizes because there is no model, and not because it was chosen.
    fileprivate var lacksModel: Bool { speech.engine == .auto && sherpaModel == nil }
}
