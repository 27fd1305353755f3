import DictationSettings
import Foundation

enum SetupLanguage {
    static func look() async -> SetupFlow.Look {
        let current = SetupSteps.settings.speech.locale
        let isChosen = (try? SettingsFile.standard().load().origin(of: "speech.locale")) != .standard
        let known = await SetupModel.languages()
        let system = systemLocale.flatMap { locale in
            known.contains(code(of: locale)) ? locale : nil
        }
        let first = isChosen ? [current, system] : [system, current]
        let others = known.subtracting(first.compactMap { $0.map(code(of:)) }).map(locale(of:)).sorted()
        var seen: Set<String> = []
        let all = (first.compactMap { $0 } + others).filter { seen.insert($0).inserted }
        let choices = all.map { SetupFlow.Choice(value: $0, label: "\($0)  (\(name(of: $0)))") }
        return .question(SetupFlow.Question(text: "", choices: choices))
    }

    static func take(_ locale: String) -> SetupFlow.Outcome {
        if let problem = SetupSteps.set("speech.locale", to: locale, from: SetupSteps.settings.speech.locale)
        {
            return problem
        }
        return SetupFlow.Outcome(kind: .set, text: "\(locale) (\(name(of: locale)))")
    }

    static func code(of locale: String) -> String { String(locale.prefix { $0 != "-" }) }

    static func name(of locale: String) -> String {
        Locale(identifier: "en").localizedString(forIdentifier: locale.replacing("-", with: "_")) ?? locale
    }

    /// With the region of most of its speakers.
    private static func locale(of code: String) -> String {
        let parts = Locale.Language(identifier: code).maximalIdentifier.split(separator: "-")
        guard !code.contains("-"), let region = parts.last, parts.count > 1 else { return code }
        return "\(code)-\(region)"
    }

    /// That of the session, by the rules of locale(7); nil for "C" and its like.
    private static var systemLocale: String? {
        let environment = ProcessInfo.processInfo.environment
        let set = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty }
        guard let name = set?.prefix(while: { $0 != "." && $0 != "@" }), name.contains("_") else {
            return nil
        }
        return String(name).replacing("_", with: "-")
    }
}
