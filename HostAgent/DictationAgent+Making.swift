import Desktop
import DesktopPortal
import DesktopWayland
import DesktopX11
import DictationService
import DictationSettings
import DictationShared
import DictationSpeech
import DictationText
import DictationViews
import Foundation
import Glibc
import Logging

/// What a dictation without its hotkey is: an agent that was just started can say so and end; one that works already
/// cannot.
package enum HotkeyNeed: Sendable {
    case required
    /// Without it dictations are started by commands.
    case wished
}

extension DictationAgent {
    /// Makes the agent of the settings: when this returns, the hotkey is grabbed. The process has the host's role.
    ///
    /// - Returns: the agent, and what its user wants to know next.
    /// - Throws: ``DesktopError`` where there is no display, or the hotkey is not to be had.
    package static func make(
        _ context: AgentContext, hotkey need: HotkeyNeed = .required
    ) throws -> (agent: DictationAgent, message: String) {
        // A limit on the size of files (ulimit -f) is a full disk, not a reason to die.
        signal(SIGXFSZ, SIG_IGN)
        let display = DisplaySession.current()
        let wanted = try context.settings.current.host.parsedHotkey()
        let hasPortal = wanted != nil && display.isWayland && PortalHotkeys.areOffered()
        if !hasPortal, let line = display.logLine { context.logger.warning("\(line)") }
        // Where no key can be grabbed at all, dictations are started by the compositor's own keys.
        let isKeyless = display.isWayland && !display.hasX11 && !hasPortal
        let (keys, hotkey) =
            hasPortal
            ? (try portalKeys(wanted, context), wanted)
            : try keys(isKeyless ? nil : wanted, need, context.logger)
        let focus = hotkey == nil || hasPortal ? try? FocusObserver() : try FocusObserver()
        let dictionary = LiveDictionary(file: DictionaryFile(beside: .standard()), logger: context.logger)
        dictionary.follow()
        let speech = SpeechService(
            input: WarmInput(
                ChosenMicrophone(settings: context.settings),
                keepOpen: { .seconds(context.settings.current.audio.keepOpen) }),
            adaptations: context.group.adaptations, settings: { context.settings.current },
            names: { dictionary.current.names }, logger: context.logger)
        let text = try TextService(settings: context.settings, dictionary: dictionary)
        let hasDisplay = ProcessInfo.processInfo.environment["DISPLAY"]?.isEmpty == false
        let overlay =
            hasDisplay
            ? Overlay(
                on: X11Overlay(), settings: { context.settings.current.overlay },
                heldHotkey: { context.settings.current.insert.shownHeldHotkey }, logger: context.logger)
            : nil
        let agent = DictationAgent(
            context: context, speech: speech, text: text, hotkey: keys, focus: focus, overlay: overlay)
        agent.tell(of: display)
        // The model is ready long before the first word; a failure comes back with the first dictation.
        Task { await speech.prepare() }
        if hasPortal {
            return (
                agent,
                "Hold the desktop's key for dictation and speak, or tap it to start and tap it again to stop."
            )
        }
        let message =
            hotkey.map {
                "Hold \($0) and speak, or tap it to start and tap it again to stop. Escape cancels."
            } ?? "Start a dictation with: dictstate start"
        return (agent, message)
    }

    /// Keys that the desktop listens to. Where it refuses them, dictations are started by commands.
    private static func portalKeys(_ hotkey: Hotkey?, _ context: AgentContext) throws -> HotkeySwitch {
        let settings = context.settings
        let hotkeys = PortalHotkeys(
            heldHotkey: { (try? settings.current.insert.parsedHeldHotkey()) ?? nil }, logger: context.logger)
        do {
            return try HotkeySwitch(hotkey, on: hotkeys, logger: context.logger)
        } catch let error as PortalError {
            context.logger.error("\(error). There is no hotkey: start dictations with dictstate toggle.")
            return try HotkeySwitch(nil, on: hotkeys, logger: context.logger)
        }
    }

    private static func keys(
        _ hotkey: Hotkey?, _ need: HotkeyNeed, _ logger: Logger
    ) throws -> (HotkeySwitch, Hotkey?) {
        let hotkeys = X11Hotkeys(logger: logger)
        do {
            return (try HotkeySwitch(hotkey, on: hotkeys, logger: logger), hotkey)
        } catch let error as DesktopError where need == .wished {
            logger.error("\(error). No hotkey is grabbed.")
            return (try HotkeySwitch(nil, on: hotkeys, logger: logger), nil)
        }
    }
}
