/// Shares the keyboard with the user while text is typed.
public protocol KeyboardSharing: Sendable {
    /// Typing stops after the batch in which the user presses one of these keys.
    ///
    /// - Parameter names: as the settings name them; a name that is no key has no effect.
    func giveWay(toHotkeysNamed names: [String]) async

    /// Whether a program has the keyboard for itself: a screen locker, an open menu, a held hotkey.
    func isTaken() async throws -> Bool

    /// Whether the user pressed keys while the last text was typed, or since then. The hotkey does not
    /// count. Call it once for each text: later keys may go unnoticed.
    func hasUserTypedMeanwhile() async -> Bool

    /// Returns when no program has the keyboard for itself, the time is over, or the task is canceled.
    func waitUntilFree(within limit: Duration) async throws
}

/// Takes keys for this program alone.
public protocol HotkeyGrabbing: Sendable {
    /// When this returns, the keys work, unless the desktop asks the user first, or
    /// ``GrabbedHotkeys/missing`` has them. If another program has one of them, none is taken.
    func grab(_ hotkeys: [Hotkey]) throws -> any GrabbedHotkeys
}

/// Hotkeys that work until ``stop()``.
public protocol GrabbedHotkeys: Sendable {
    var hotkeys: [Hotkey] { get }
    /// Those that no key of the layout has yet. They work as soon as one has them.
    var missing: [Hotkey] { get }
    /// For one reader.
    var events: AsyncStream<HotkeyEvent> { get }
    /// Grabs Escape as well, or releases it.
    func setCancelKeyGrabbed(_ isGrabbed: Bool)
    /// Lets programs type while the key is held, if that is possible without losing its release or turning
    /// the letters into shortcuts. Then ``HotkeyEvent/keyboardShared`` comes; otherwise nothing changes. It
    /// lasts until the key is released.
    func shareKeyboard()
    func stop()
}
