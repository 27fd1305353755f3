import Desktop
import DesktopWayland
import DesktopX11
import DictationHost
import DictationSettings
import DictationShared
import Foundation

enum SetupHotkey {
    private static let binding = "bind dictstate toggle to a key in your desktop"
    /// Few programs use them.
    private static let usual = ["F9", "ctrl+alt+d", "super+F9", "Pause"]

    static func look() -> SetupFlow.Look {
        let session = DisplaySession.current()
        guard !session.isNone else {
            return .outcome(
                SetupFlow.Outcome(
                    kind: .missing, text: "there is no desktop here, and so no hotkey", command: binding))
        }
        let current = SetupSteps.settings.host.hotkey
        var seen: Set<String> = []
        let keys = ([current] + usual).filter { $0 != HostSettings.noHotkey && seen.insert($0).inserted }
        var choices = keys.map { SetupFlow.Choice(value: $0, label: "\($0)  (\(state(of: $0).text))") }
        choices.append(
            SetupFlow.Choice(value: HostSettings.noHotkey, label: "none  (\(binding))"))
        let selected =
            current == HostSettings.noHotkey
            ? choices.count - 1 : keys.firstIndex { state(of: $0).isFree } ?? choices.count - 1
        let note = session.isWayland ? "The next step makes the compositor report it." : ""
        return .question(SetupFlow.Question(text: note, choices: choices, selected: selected))
    }

    /// Offers pressed keys, until canceled.
    static func waitForPress(_ context: SetupWalk.Context) async {
        guard let presses = try? HotkeyPresses() else { return }
        await withTaskCancellationHandler {
            for await hotkey in presses.hotkeys {
                let name = "\(hotkey)"
                context.offer(
                    SetupFlow.Choice(value: name, label: "\(name)  (pressed; \(state(of: name).text))"))
            }
        } onCancel: {
            presses.stop()
        }
    }

    static func take(_ hotkey: String) -> SetupFlow.Outcome {
        let current = SetupSteps.settings.host.hotkey
        if hotkey != HostSettings.noHotkey {
            let (isFree, text) = state(of: hotkey)
            guard isFree else {
                return SetupFlow.Outcome(
                    kind: .missing, text: "\(hotkey) is \(text)", command: "dictstate setup hotkey")
            }
        }
        if let problem = SetupSteps.set("host.hotkey", to: hotkey, from: current) { return problem }
        let isNone = hotkey == HostSettings.noHotkey
        return SetupFlow.Outcome(kind: .set, text: isNone ? "none: \(binding)" : hotkey)
    }

    /// Whether it is available, and which program has it, as far as X11 reports it.
    private static func state(of name: String) -> (isFree: Bool, text: String) {
        do {
            if !DisplaySession.current().hasX11 {
                _ = try Hotkey(parsing: name)
                return (true, "if the compositor does not use it")
            }
            try HotkeyListener(hotkeys: [Hotkey(parsing: name)]).stop()
            return (true, "free")
        } catch DesktopError.hotkeyTaken {
            let settings = SetupSteps.settings
            let group = try? AppGroup(folder: AppGroup.folder(named: settings.group.folder))
            let host = group.flatMap { try? RoleLock.holder(of: .host, in: $0) }
            if host != nil, settings.host.hotkey == name { return (true, "the running host-agent has it") }
            return (false, "taken by another program; X11 does not say which one")
        } catch DesktopError.hotkeyNotOnKeyboard {
            return (false, "not on this keyboard")
        } catch {
            return (false, "not usable: \(error)")
        }
    }
}
