/// The abilities of dictation in a session, in words: for the log, a notification, `dictstate doctor` and the setup.
public struct SessionAbilities: Equatable, Sendable {
    /// One thing that works, or works in part.
    public struct Ability: Equatable, Sendable {
        /// A clause, without a capital and a full stop.
        public let statement: String
        /// How to get the missing ability; nil if none is missing.
        public let advice: String?

        init(_ statement: String, advice: String? = nil) {
            self.statement = statement
            self.advice = advice
        }
    }

    public let session: DisplaySession
    public let hotkey: Hotkey?
    public let source: HotkeySource
    private let unbound: [Hotkey]

    /// - Parameter hotkey: nil if the settings want none.
    public init(_ session: DisplaySession, hotkey: Hotkey?, found: HotkeySource.Found) {
        self.session = session
        self.hotkey = hotkey
        unbound = found.unbound
        source = HotkeySource(for: hotkey, in: session, found: found)
    }

    /// Which windows get text.
    public var windows: Ability { Self.windows(of: session) }

    public static func windows(of session: DisplaySession) -> Ability {
        switch (session.nativeWindows, session.hasX11) {
        case (nil, true): Ability("every window is typed into")
        case (nil, false): Ability("there is no desktop", advice: "Start the agents in a graphical session.")
        case (.reached, true): Ability("native windows and X11 windows are typed into")
        case (.reached, false): Ability("native windows are typed into; without XWayland there are no others")
        case (.accessible, let hasX11):
            Ability(
                "text goes into text fields of \(session.accessibility == .all ? "GTK and Qt" : "GTK") that programs show to "
                    + "assistive technology, by IBus into "
                    + (session.accessibility == .all ? "terminals and browsers" : "terminals")
                    + (hasX11 ? ", and X11 windows are typed into" : ""),
                advice: session.accessibility == .all
                    ? nil
                    : "For Qt and for browsers as well: dictstate setup windows. For other windows the text is held: dictstate copy "
                        + "puts it on the clipboard.")
        case (.outOfReach, let hasX11) where session.compositor?.protocols == nil:
            Ability(
                "the compositor does not answer, so "
                    + (hasX11
                        ? "only X11 windows (XWayland) can be dictated into" : "no window can be typed into"),
                advice: "When it answers again: systemctl --user restart host-agent insert-agent")
        case (.outOfReach, true):
            Ability(
                "only X11 windows (XWayland) can be dictated into",
                advice: "For other windows the text is held: dictstate copy puts it on the clipboard, and "
                    + "dictstate stop --copy does so at once.")
        case (.outOfReach, false):
            Ability(
                "no window can be typed into: there is no XWayland, and the compositor lacks the protocols for its own "
                    + "windows",
                advice:
                    "Turn XWayland on in the compositor; or bind dictstate start to a key, and to another one: "
                    + "sh -c 'dictstate stop --print | wl-copy'")
        }
    }

    /// Where the hotkey and the further ones work.
    public var keys: Ability {
        switch source {
        case .bindings, .shortcut:
            guard !unbound.isEmpty else { return key }
            let names = unbound.map { "\($0)" }.joined(separator: " and ")
            return Ability("\(key.statement); no binding for \(names) was found", advice: keyAdvice)
        case .none, .grab, .portal, .grabOverX11Windows, .missing: return key
        }
    }

    private var key: Ability {
        let key = hotkey.map { "\($0)" } ?? "the hotkey"
        return switch source {
        case .none: Ability("the settings have no hotkey")
        case .grab: Ability("\(key) is heard everywhere")
        case .bindings(let compositor): Ability("\(compositor.name) has \(key), and is heard everywhere")
        case .portal: Ability("\(key) is heard everywhere, by the GlobalShortcuts portal")
        case .shortcut:
            Ability(
                "GNOME has \(key) as a custom shortcut: it starts a dictation, and stops it when pressed again"
            )
        case .grabOverX11Windows:
            Ability("\(key) is heard only while an X11 window (XWayland) has the focus", advice: keyAdvice)
        case .missing:
            Ability("\(key) is not heard: no key binding of the compositor reports it", advice: keyAdvice)
        }
    }

    private var keyAdvice: String {
        guard session.isWayland else { return "Start the agents in a graphical session." }
        switch session.compositor?.name {
        case .sway, .hyprland, .river, .gnome, .labwc, .kde: return "Run: dictstate setup bindings"
        case .other, nil:
            return
                "Bind dictstate press and dictstate release to the press and the release of a key of the compositor, or "
                + "dictstate toggle to the press alone."
        }
    }

    /// All that is restricted; empty if everything works.
    public var restrictions: [Ability] { [windows, keys].filter { $0.advice != nil } }

    /// The restrictions, as a line of a log; nil if nothing is restricted, or there is no Wayland.
    public var logLine: String? { Self.line(restrictions, in: session) }

    /// The same, of the windows alone.
    public static func windowsLogLine(of session: DisplaySession) -> String? {
        line([windows(of: session)].filter { $0.advice != nil }, in: session)
    }

    private static func line(_ restrictions: [Ability], in session: DisplaySession) -> String? {
        guard session.isWayland, !restrictions.isEmpty else { return nil }
        let statements = restrictions.map(\.statement).joined(separator: ", and ")
        let advice = restrictions.compactMap(\.advice).joined(separator: " ")
        return "this is a Wayland session: \(statements). \(advice)"
    }

    /// The session itself: its display server or compositor, and the protocols that dictation can use.
    public var summary: String {
        guard let compositor = session.compositor else { return session.hasX11 ? "X11" : "none" }
        let name = compositor.name.map { "Wayland (\($0.name))" } ?? "Wayland"
        let purposes = compositor.protocols?.sorted().map(\.purpose).removingRepetitions()
        let offers =
            switch purposes {
            case nil: "it does not answer"
            case []?: "none of the protocols that dictation can use"
            case let purposes?: "protocols for " + purposes.joined(separator: ", ")
            }
        return "\(name), \(session.hasX11 ? "with" : "without") XWayland; \(offers)"
    }
}

extension [String] {
    fileprivate func removingRepetitions() -> [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
