/// Shares the keyboard with the user while text is typed.
public protocol KeyboardSharing: Sendable {
    /// Typing stops behind the batch in which the user presses this key.
    ///
    /// - Parameter name: as the settings name it; nothing is given way to where it names no key.
    func giveWay(toHotkeyNamed name: String) async

    /// Whether a program has the keyboard for itself: a screen locker, an open menu, a held hotkey.
    func isTaken() async throws -> Bool

    /// Whether the user pressed keys while the last text was typed, which have come behind it. The hotkey does not count.
    func hasUserTypedMeanwhile() async -> Bool

    /// Returns when no program has the keyboard for itself, the time is over, or the task is cancelled.
    func waitUntilFree(within limit: Duration) async throws
}

/// Takes a key for this program alone.
public protocol HotkeyGrabbing: Sendable {
    /// When this returns, the key works, unless the desktop asks the user first.
    func grab(_ hotkey: Hotkey) throws -> any GrabbedHotkey
}

/// A hotkey that works until ``stop()``.
public protocol GrabbedHotkey: Sendable {
    var hotkey: Hotkey { get }
    /// For one reader.
    var events: AsyncStream<HotkeyEvent> { get }
    /// Grabs Escape as well, or gives it back.
    func setCancelKeyGrabbed(_ isGrabbed: Bool)
    func stop()
}
