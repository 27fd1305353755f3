import Desktop
import DesktopPortal
import DesktopWayland
import DesktopX11
import DictationOptions
import DictationService
import DictationSettings
import DictationShared
import Logging

/// How much an agent depends on its hotkey: one that was just started can say so and end; one that works already
/// cannot.
package enum HotkeyNeed: Sendable {
    case required
    /// Without it dictations are started by commands.
    case wished
}

/// The key for dictation in this session: which program listens to it, and how the user sets it up.
struct SessionKey {
    let abilities: SessionAbilities
    let hotkey: HotkeySwitch
    /// Whether this process itself listens to the key.
    private let isGrabbed: Bool

    /// Grabs the key of the settings.
    ///
    /// - Throws: ``DesktopError`` if there is no display, or another program has the hotkey.
    init(_ session: DisplaySession, _ context: AgentContext, _ need: HotkeyNeed) throws {
        let wanted = try context.settings.current.dictationHotkeys()
        abilities = SessionAbilities(
            session, hotkey: wanted.first, found: .current(session, hotkeys: wanted))
        if let line = abilities.logLine { context.logger.warning("\(line)") }
        switch abilities.source {
        case .portal:
            hotkey = try Self.portalKey(wanted, context)
            isGrabbed = false
        case .grab, .grabOverX11Windows:
            (hotkey, isGrabbed) = try Self.key(wanted, need, context.logger)
        // Without a session, the attempt reports what is missing.
        case .missing:
            (hotkey, isGrabbed) = try Self.key(session.isNone ? wanted : [], need, context.logger)
        // XWayland never gets keys that the compositor reports.
        case .none, .bindings, .shortcut:
            (hotkey, isGrabbed) = try Self.key([], need, context.logger)
        }
    }

    /// Reads the focused window.
    ///
    /// - Returns: nil if there is no X server, and the key does not need one.
    /// - Throws: ``DesktopError``.
    func focus() throws -> (any FocusReading)? {
        isGrabbed ? try FocusObserver() : try? FocusObserver()
    }

    /// The hotkeys of new settings, if this process itself listens to them.
    ///
    /// - Parameter source: where it has got them from until now.
    static func grabbed(by settings: Settings, after source: HotkeySource) throws -> [Hotkey] {
        let wanted = try settings.dictationHotkeys()
        let session = DisplaySession.current()
        guard session.isWayland else { return wanted }
        let new = HotkeySource(
            for: wanted.first, in: session,
            found: .current(session, hotkeys: wanted, isPortalKnown: source == .portal))
        return new.isHeardByAgent ? wanted : []
    }

    /// The next step, for the user.
    var readyMessage: String {
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

    /// Keys that the desktop listens to. If it refuses them, dictations are started by commands.
    private static func portalKey(_ wanted: [Hotkey], _ context: AgentContext) throws -> HotkeySwitch {
        let settings = context.settings
        let hotkeys = PortalHotkeys(
            heldHotkey: { (try? settings.current.parsedHeldHotkey()) ?? nil },
            description: { settings.current.options(of: $0)?.description(of: $0) }, logger: context.logger)
        do {
            return try HotkeySwitch(wanted, on: hotkeys, logger: context.logger)
        } catch let error as PortalError {
            context.logger.error("\(error). There is no hotkey: start dictations with dictstate toggle.")
            return try HotkeySwitch([], on: hotkeys, logger: context.logger)
        }
    }

    private static func key(
        _ wanted: [Hotkey], _ need: HotkeyNeed, _ logger: Logger
    ) throws -> (HotkeySwitch, isGrabbed: Bool) {
        let hotkeys = X11Hotkeys(logger: logger)
        do {
            let hotkey = try HotkeySwitch(wanted, on: hotkeys, logger: logger)
            return (hotkey, wanted.first.map(hotkey.isOnKeyboard) ?? false)
        } catch let error as DesktopError where need == .wished {
            logger.error("\(error). No hotkey is grabbed.")
            return (try HotkeySwitch([], on: hotkeys, logger: logger), false)
        }
    }
}

extension StartOptions {
    /// Describes the action of a key with these options, for a desktop's list of shortcuts.
    fileprivate func description(of hotkey: Hotkey) -> String {
        switch transform {
        case nil: "Dictate (\(summary.isEmpty ? "\(hotkey)" : summary))"
        case .spoken?: "Change the selected text: hold the key and say how"
        case .fixed(let words)?: "Change the selected text: \(words)"
        }
    }
}
