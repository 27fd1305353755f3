import Desktop

/// The meaning of the desktop's signals: presses and releases, with instants of this machine's clock.
struct ShortcutPresses {
    enum Signal: Equatable {
        /// - Parameter at: the desktop's time in milliseconds, from any origin; not every desktop reports it.
        case activated(PortalShortcut, at: UInt64)
        case deactivated(PortalShortcut, at: UInt64)
        /// The session of the shortcuts is over.
        case ended
    }

    private let shortcuts: PortalShortcuts
    /// The press that has no release yet.
    private var press: Press?

    private struct Press {
        let shortcut: PortalShortcut
        let desktop: UInt64
        let instant: ContinuousClock.Instant
    }

    init(_ shortcuts: PortalShortcuts) { self.shortcuts = shortcuts }

    /// Whether there is a recording that the user may cancel.
    var isCancelWanted = false

    mutating func handle(_ signal: Signal, at now: ContinuousClock.Instant) -> HotkeyEvent? {
        switch signal {
        case .activated(.cancel, _): return isCancelWanted ? .cancelPressed(at: now) : nil
        // While the key is down, the text would be typed with its modifiers.
        case .deactivated(.insert, _): return .insertReleased(at: now)
        case .ended:
            guard press != nil else { return nil }
            press = nil
            return .released(at: now)
        case .activated(.insert, _), .deactivated(.cancel, _): return nil
        case .activated(let shortcut, let time):
            // Some desktops repeat it while the key is down.
            guard press == nil, let hotkey = shortcuts.hotkey(of: shortcut) else { return nil }
            press = Press(shortcut: shortcut, desktop: time, instant: now)
            return .pressed(hotkey, at: now, focus: nil)
        case .deactivated(let shortcut, let time):
            guard let press, press.shortcut == shortcut else { return nil }
            self.press = nil
            return .released(at: instant(of: time, after: press, now: now))
        }
    }

    /// How long the key was down, by the desktop's clock: a busy machine may bring both signals late, and together.
    private func instant(
        of time: UInt64, after press: Press, now: ContinuousClock.Instant
    ) -> ContinuousClock.Instant {
        guard time > press.desktop, press.desktop > 0 else { return now }
        let length = Duration.milliseconds(Int64(clamping: time - press.desktop))
        // The press may have come late, and the release in time; a clock that runs differently cannot be used.
        let seen = press.instant.duration(to: now)
        return length < seen + .seconds(1) ? press.instant + length : now
    }
}
