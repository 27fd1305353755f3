/// What happened to a hotkey.
public enum HotkeyEvent: Equatable, Sendable {
    /// The key went down; `focus` is the window that had the keyboard at that moment. Auto-repeat is left out.
    case pressed(at: ContinuousClock.Instant, focus: WindowInfo?)
    case released(at: ContinuousClock.Instant)
    /// Escape went down while it was grabbed.
    case cancelPressed(at: ContinuousClock.Instant)
    /// The display went away; the stream ends after this.
    case displayLost
}
