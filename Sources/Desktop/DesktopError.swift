/// Errors between an agent and the display.
public enum DesktopError: Error, Equatable, Sendable, CustomStringConvertible {
    /// No X server answers under this name (nil: `DISPLAY` is not set).
    case noDisplay(name: String?)
    /// There is a Wayland compositor that supports no typing, and no X server.
    case waylandAlone
    /// The same, if the compositor did not answer when it was asked for its protocols.
    case compositorSilent
    /// The X server or the compositor went away, or ended the connection.
    case displayLost(name: String)
    /// The X server lacks the extension, or has too old a version.
    case missingExtension(String)
    /// Another program has grabbed the key.
    case hotkeyTaken(Hotkey)
    /// No key of the current keyboard layout gives the hotkey.
    case hotkeyNotOnKeyboard(Hotkey)
    /// The server refused to describe its keyboard.
    case unreadableKeyboard

    public var description: String {
        switch self {
        case .waylandAlone:
            "this is a Wayland session without XWayland, and the compositor lacks the protocols for its own windows: no window can be typed into"
        case .compositorSilent:
            "the Wayland compositor does not answer, and there is no XWayland: no window can be typed into; start the agent again when the compositor answers"
        case .noDisplay(nil):
            "DISPLAY is not set, and WAYLAND_DISPLAY leads to no compositor, so there is no desktop to work with; start the agent in the graphical session"
        case .noDisplay(let name?):
            "cannot open the X11 display \(name); check DISPLAY and XAUTHORITY, and that the X server runs"
        case .displayLost(let name):
            "the display \(name) went away; nothing more is typed, start the agent again in the new session"
        case .missingExtension(let name):
            "the X server lacks the extension \(name), which hotkeys and typing need"
        case .hotkeyTaken(let hotkey):
            "the hotkey \(hotkey) is taken by another program; choose another one in the settings, or free it there"
        case .hotkeyNotOnKeyboard(let hotkey):
            "no key of the current keyboard layout gives \(hotkey); choose another hotkey in the settings"
        case .unreadableKeyboard:
            "the X server does not give its keyboard map; nothing was typed"
        }
    }
}
