import DictationSystem

/// Knows which window has the keyboard focus.
public protocol FocusReading: Sendable {
    /// The window that has the focus; nil when none has.
    func focusedWindow() async throws -> WindowInfo?
}

/// Also reports changes of the focus, moves it, and watches windows.
public protocol WindowFocus: FocusReading {
    /// Whether every window can be seen. If not, and no window seems to be focused, one that cannot be seen
    /// may be.
    var seesEveryWindow: Bool { get }

    /// Gives a window the focus.
    ///
    /// - Returns: whether it has it; false too if there is no such window.
    func activate(_ window: WindowInfo) async throws -> Bool

    /// Returns when a window has the focus or is gone, the time is over, or the task is canceled.
    ///
    /// - Returns: whether the window has the focus.
    func waitForFocus(of window: WindowInfo, within limit: Duration) async throws -> Bool

    /// Watches the keys and clicks in a window from now on; nil if they cannot be watched.
    func watchTouches(of window: WindowInfo) -> (any TouchWatching)?
}

/// Tells whether the user has touched a window since the watch began.
public protocol TouchWatching: Sendable {
    /// Whether it sees the user's own keys there. Otherwise it knows only changes of the focus.
    var seesKeys: Bool { get }

    func isTouched() -> Bool
}
