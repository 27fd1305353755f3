/// The times by which pasting decides on every desktop.
public enum PasteTimes {
    /// How long the former content of the clipboard stays away from a window that has taken a text.
    ///
    /// A window that has the text may ask for more (Chromium asks four times for the list of formats), and
    /// must not find the former content then. That is restored when there was no request for this time. A
    /// page of Chromium on a machine with ten times more work than processors may ask again after more than
    /// 0.1 s; its earlier delay shows how slow it is.
    ///
    /// - Parameter waited: from the key until the window had the text.
    /// - Returns: ten times as long, but at least 0.1 s and at most 2 s.
    public static func lingering(after waited: Duration) -> Duration {
        max(.milliseconds(100), min(waited * 10, .seconds(2)))
    }

    /// A window that was suspended may ask when the former content is back. It must not get that instead of the text, so it
    /// gets nothing for this time: 10 s.
    public static let late: Duration = .seconds(10)
}
