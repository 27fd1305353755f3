/// Where host-agent gets its hotkey from. This is the only place that decides it.
///
/// | session | found | source |
/// |---|---|---|
/// | X11 | | ``grab`` |
/// | Wayland | bindings of the user's or ours | ``bindings(_:)`` |
/// | | the GlobalShortcuts portal | ``portal`` |
/// | | a custom shortcut of GNOME | ``shortcut`` |
/// | | XWayland | ``grabOverX11Windows`` |
/// | | nothing of that | ``missing`` |
///
/// Bindings come before the portal: the user has asked for them, and a key that both report would count twice.
public enum HotkeySource: Equatable, Sendable {
    /// The settings want no hotkey.
    case none
    /// It is grabbed from the X server, and heard everywhere.
    case grab
    /// The compositor runs `dictstate press` and `dictstate release`, everywhere.
    case bindings(Compositor)
    /// The GlobalShortcuts portal reports press and release, in all windows.
    case portal
    /// GNOME runs `dictstate toggle` on a press, everywhere.
    case shortcut
    /// It is grabbed from XWayland, which hears it only while an X11 window is focused.
    case grabOverX11Windows
    /// Nothing reports it.
    case missing

    /// The result of a look at a session.
    public struct Found: Equatable, Sendable {
        /// Whether the compositor's configuration has bindings for dictation.
        public var hasBindings: Bool
        /// Whether the session has the GlobalShortcuts portal, and this program may use it. Not asked if there are bindings.
        public var hasPortal: Bool
        /// Whether GNOME has a custom shortcut for dictation.
        public var hasShortcut: Bool
        /// The further keys that those bindings, or shortcuts, lack.
        public var unbound: [Hotkey]

        public init(
            hasBindings: Bool = false, hasPortal: Bool = false, hasShortcut: Bool = false,
            unbound: [Hotkey] = []
        ) {
            self.hasBindings = hasBindings
            self.hasPortal = hasPortal
            self.hasShortcut = hasShortcut
            self.unbound = unbound
        }
    }

    /// - Parameter hotkey: nil if the settings want none.
    public init(for hotkey: Hotkey?, in session: DisplaySession, found: Found) {
        let compositor = session.compositor?.name
        self =
            switch (hotkey, session.isWayland) {
            case (nil, _): .none
            case (_, false): session.hasX11 ? .grab : .missing
            case (_, true) where found.hasBindings: .bindings(compositor ?? .other("the compositor"))
            case (_, true) where found.hasPortal: .portal
            case (_, true) where found.hasShortcut: .shortcut
            case (_, true): session.hasX11 ? .grabOverX11Windows : .missing
            }
    }

    /// Whether host-agent itself listens to it, and no command reports it.
    public var isHeardByAgent: Bool {
        switch self {
        case .grab, .grabOverX11Windows, .portal: true
        case .none, .bindings, .shortcut, .missing: false
        }
    }
}
