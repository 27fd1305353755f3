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
        let session = DisplaySession.current()
        let wanted = try context.settings.current.host.parsedHotkey()
        let abilities = SessionAbilities(
            session, hotkey: wanted, found: .current(session, hotkey: wanted))
        if let line = abilities.logLine { context.logger.warning("\(line)") }
        let (keys, hotkey): (HotkeySwitch, Hotkey?) =
            switch abilities.source {
            case .portal: (try portalKeys(wanted, context), wanted)
            case .grab, .grabOverX11Windows: try keys(wanted, need, context.logger)
            // Without any session, the attempt says what is missing.
            case .missing: try keys(session.isNone ? wanted : nil, need, context.logger)
            // What the compositor tells of never gets to XWayland.
            case .none, .bindings, .shortcut: try keys(nil, need, context.logger)
            }
        let isOptional = hotkey == nil || abilities.source == .portal
        let focus = isOptional ? try? FocusObserver() : try FocusObserver()
        let dictionary = LiveDictionary(file: DictionaryFile(beside: .standard()), logger: context.logger)
        dictionary.follow()
        let speech = SpeechService(
            input: WarmInput(
                ChosenMicrophone(settings: context.settings),
                keepOpen: { .seconds(context.settings.current.audio.keepOpen) }),
            adaptations: context.group.adaptations, settings: { context.settings.current },
            names: { dictionary.current.names }, logger: context.logger)
        let text = try TextService(settings: context.settings, dictionary: dictionary)
        let overlay = session.overlay().map {
            Overlay(
                on: $0, settings: { context.settings.current.overlay },
                heldHotkey: { context.settings.current.insert.shownHeldHotkey }, logger: context.logger)
        }
        let agent = DictationAgent(
            context: context, speech: speech, text: text, hotkey: keys, focus: focus, overlay: overlay)
        agent.tell(of: abilities)
        // The model is ready long before the first word; a failure comes back with the first dictation.
        Task { await speech.prepare() }
        return (agent, readyMessage(abilities, isGrabbed: hotkey != nil))
    }

    /// The hotkey of new settings, if this process itself is to hear it.
    nonisolated func grabbedHotkey(_ settings: Settings) throws -> Hotkey? {
        let wanted = try settings.host.parsedHotkey()
        let session = DisplaySession.current()
        guard session.isWayland else { return wanted }
        let source = HotkeySource(
            for: wanted, in: session, found: .current(session, hotkey: wanted))
        return source.isHeardByAgent ? wanted : nil
    }

    private static func readyMessage(_ abilities: SessionAbilities, isGrabbed: Bool) -> String {
        let key = abilities.hotkey.map { "\($0)" } ?? ""
        return switch abilities.source {
        case .grab where isGrabbed, .grabOverX11Windows where isGrabbed:
            "Hold \(key) and speak, or tap it to start and tap it again to stop. Escape cancels."
        case .bindings: "Hold \(key) and speak, or tap it to start and tap it again to stop."
        case .portal:
            "Hold the desktop's key for dictation and speak, or tap it to start and tap it again to stop."
        case .shortcut: "Press \(key) to start, and press it again to stop."
        case .none, .missing, .grab, .grabOverX11Windows: "Start a dictation with: dictstate start"
        }
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
