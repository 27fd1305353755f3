import DictationHost
import DictationSettings
import DictationSpeech
import Foundation

enum SetupModel {
    private static let again = "dictstate setup model"
    /// The value for the recognizer that needs no model.
    private static let fallback = "pocketsphinx"

    /// The languages that some model knows, as "en" or "pt-BR".
    static func languages() async -> Set<String> {
        let known = await offers().filter { !$0.setsPunctuation }.flatMap(\.languages)
        return Set(known.filter { $0 != "*" }.map(SetupLanguage.code(of:))).union(["en"])
    }

    static func look() async -> SetupFlow.Look {
        let settings = SetupSteps.settings
        if settings.speech.engine == .remote {
            let text = "the server in the settings recognizes speech (speech.engine)"
            return .outcome(SetupFlow.Outcome(kind: .set, text: text))
        }
        let locale = settings.speech.locale
        let isEnglish = SetupLanguage.code(of: locale) == "en"
        let known = await table(for: locale)
        var choices =
            known.map { known in
                zip(known.names, known.table.lines).map { SetupFlow.Choice(value: $0, label: $1) }
            } ?? []
        if isEnglish {
            choices.append(
                SetupFlow.Choice(
                    value: fallback, label: "none  (PocketSphinx, which gets every fourth word wrong)"))
        }
        if let chosen = await chosen(settings, isEnglish: isEnglish) {
            // The first one is the default: Enter keeps a model that was chosen.
            let choice = choices.first { $0.value == chosen }
            choices.removeAll { $0.value == chosen }
            choices.insert(
                choice ?? SetupFlow.Choice(value: chosen, label: "\(chosen)  (in the settings)"), at: 0)
        }
        guard !choices.isEmpty else {
            return .outcome(
                SetupFlow.Outcome(
                    kind: .missing, text: "there is no known model for \(SetupLanguage.name(of: locale))",
                    command: "host-agent models list"))
        }
        return .question(SetupFlow.Question(text: known?.table.header ?? "", choices: choices))
    }

    static func take(_ name: String, _ context: SetupWalk.Context) async -> SetupFlow.Outcome {
        let settings = SetupSteps.settings
        let locale = settings.speech.locale
        if name == fallback {
            let engine =
                settings.speech.engine == .auto && SpeechSession.installedModel(for: locale) == nil
                ? settings.speech.engine.rawValue : fallback
            let problem = SetupSteps.set("speech.engine", to: engine, from: settings.speech.engine.rawValue)
            return problem ?? SetupFlow.Outcome(kind: .set, text: "PocketSphinx")
        }
        let isEnglish = SetupLanguage.code(of: locale) == "en"
        if name == (await chosen(settings, isEnglish: isEnglish)) {
            return SetupFlow.Outcome(kind: .set, text: "\(name), as in the settings")
        }
        do {
            try await install(name, context)
        } catch is CancellationError {
            return SetupFlow.Outcome(kind: .skipped, text: "not installed", command: again)
        } catch {
            return SetupFlow.Outcome(
                kind: .missing, text: "\(name) is not installed: \(error.story)",
                command: "host-agent models install \(name)")
        }
        // If it is selected automatically, a better one that comes later is too.
        let isTaken = settings.speech.model.isEmpty && SpeechSession.installedModel(for: locale) == name
        let wanted = isTaken ? "" : name
        let problems = [
            SetupSteps.set("speech.model", to: wanted, from: settings.speech.model),
            settings.speech.engine == .pocketsphinx
                ? SetupSteps.set("speech.engine", to: SpeechEngine.auto.rawValue, from: fallback) : nil,
        ]
        return problems.compactMap { $0 }.first ?? SetupFlow.Outcome(kind: .set, text: "\(name) is installed")
    }

    /// The recognizer that the settings name, if it is there and knows the language.
    private static func chosen(_ settings: Settings, isEnglish: Bool) async -> String? {
        let (model, locale) = (settings.speech.model, settings.speech.locale)
        if settings.speech.engine == .pocketsphinx { return isEnglish ? fallback : nil }
        guard model.hasPrefix("/") else {
            let offer = await offers().first { $0.name == model }
            return offer.map { $0.isInstalled && $0.knows(locale) } == true ? model : nil
        }
        guard let languages = try? SherpaModel(folder: URL(filePath: model)).description.languages else {
            return nil
        }
        let code = SetupLanguage.code(of: locale)
        return languages.contains { $0 == "*" || SetupLanguage.code(of: $0) == code } ? model : nil
    }
}
