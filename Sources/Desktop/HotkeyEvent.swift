import DictationSystem

public enum HotkeyEvent: Equatable, Sendable {
    /// One of the keys went down; `focus` is the window that had the keyboard at that moment. Auto-repeat is left out, and
    /// so are the others while one is down.
    case pressed(Hotkey, at: ContinuousClock.Instant, focus: WindowInfo?)
    case released(at: ContinuousClock.Instant)
    /// The key is still held, and programs can type from now on.
    case keyboardShared
    /// Escape went down while it was grabbed, or the desktop's key for it.
    case cancelPressed(at: ContinuousClock.Instant)
    /// The key for held texts was pressed and released, if the desktop listens to it.
    case insertReleased(at: ContinuousClock.Instant)
    /// The desktop listens, but no key is chosen for dictation.
    case noKey
    /// The key does not work any more, or never did, for this reason; everything else continues.
    case unavailable(String)
    /// The display went away; the stream ends after this.
    case displayLost
}
