import DictationService
import DictationSettings
import Foundation

enum SetupSteps {
    static func look(_ context: SetupWalk.Context) async -> SetupFlow.Look {
        switch context.step {
        case .microphone: await SetupMicrophone.look()
        case .hotkey: SetupHotkey.look()
        case .bindings: await SetupBindings.look(context)
        case .windows: SetupWindows.look(context)
        case .language: await SetupLanguage.look()
        case .model: await SetupModel.look()
        case .agents: await SetupAgents.look()
        case .test: SetupTest.look(context)
        }
    }

    /// While a choice is under the cursor; until canceled.
    static func point(_ context: SetupWalk.Context, _ value: String) async {
        switch context.step {
        case .microphone: await SetupMicrophone.listen(to: value, context)
        case .hotkey: await SetupHotkey.waitForPress(context)
        case .bindings, .windows, .language, .model, .agents, .test: break
        }
    }

    static func work(_ context: SetupWalk.Context, _ value: String) async -> SetupFlow.Outcome {
        switch context.step {
        case .microphone: await SetupMicrophone.take(value)
        case .hotkey: SetupHotkey.take(value)
        case .bindings: await SetupBindings.take(value)
        case .windows: SetupWindows.take(value)
        case .language: SetupLanguage.take(value)
        case .model: await SetupModel.take(value, context)
        case .agents: await SetupAgents.take(value, context)
        case .test: await SetupTest.dictate(context)
        }
    }

    /// The settings in effect.
    static var settings: Settings { SettingsFile.standard().loadWhatCanBeRead()?.values ?? Settings() }

    /// Writes a setting if it differs from the one in effect.
    ///
    /// - Returns: the reason why it could not be written, as an outcome; nil if it was.
    static func set(_ name: String, to value: String, from current: String) -> SetupFlow.Outcome? {
        if value == current { return nil }
        do {
            let file = SettingsFile.standard()
            try file.set(name, to: value)
            if case .environment(let variable) = try file.load().origin(of: name) {
                return SetupFlow.Outcome(
                    kind: .missing, text: "\(name) is set, but \(variable) of the environment has priority",
                    command: "unset \(variable)")
            }
            return nil
        } catch {
            return SetupFlow.Outcome(kind: .missing, text: "\(error)", command: "dictstate settings edit")
        }
    }
}
