/// The times by which pasting decides on every desktop.
public enum PasteTimes {
    /// How long the former content of the clipboard stays away from a window that has taken a text.
    ///
    /// A window that has the text may ask for more (Chromium asks four times for the list of formats), and must not find the
    /// former content then. That is put back when nothing was asked for this time. A page of Chromium on a machine with ten
    /// times more work than processors was seen to look again after more than 0.1 s; by how slow it was before, it is known
    /// how slow it may be.
    ///
    /// - Parameter waited: from the key until the window had the text.
    /// - Returns: ten times as long, but 0.1 s at least and 2 s at most.
    public static func lingering(after waited: Duration) -> Duration {
        max(.milliseconds(100), min(waited * 10, .seconds(2)))
    }

    /// A window that was suspended may ask when the former content is back. It must not get that instead of the text, so it
    /// gets nothing for this time: 10 s.
    public static let late: Duration = .seconds(10)
}
