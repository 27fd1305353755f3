import Foundation

/// The times by which pasting into native windows decides.
enum PasteLimits {
    /// Before the paste key: so long a program that follows the clipboard may take to ask for what is there, and is known by
    /// that. One that is slower may be taken for the window.
    static let following: Duration = .milliseconds(10)

    /// How long after the key the window may take to ask for the text. Nothing tells whether it has read the key.
    static let asking: Duration = .seconds(2)

    /// How long after it has asked for anything it may take to read the text.
    static let reading: Duration = .seconds(5)

    /// A window that has the text may ask for more, and must not find the former content then: that is put back when
    /// nothing was asked for this time. A page of Chromium on a machine with ten times more work than processors was seen to
    /// look again after more than 0.1 s; by how slow it was before, it is known how slow it may be.
    ///
    /// - Parameter waited: from the key until it had read the text.
    static func lingering(after waited: Duration) -> Duration {
        max(.milliseconds(100), min(waited * 10, .seconds(2)))
    }

    /// A window that was suspended may ask when the former content is back. It must not get that in place of the text, so
    /// nobody gets it for this time.
    static let latePaste: Duration = .seconds(10)

    /// In seconds: how long after a process was killed that had asked for a copy its successor takes the copied text away. A
    /// service is started again within a second; later, the user may have copied the same text.
    static let leftCopy: TimeInterval = 10
}
