import Foundation

/// The times by which pasting into native windows decides.
enum PasteLimits {
    /// The wait before the paste key, in which a program that follows the clipboard asks for its content, and
    /// is known by that. A slower one may be mistaken for the window.
    static let following: Duration = .milliseconds(10)

    /// How long after the key the window may take to ask for the text. No event says whether it has read the
    /// key.
    static let asking: Duration = .seconds(2)

    /// How long after it has asked for anything it may take to read the text.
    static let reading: Duration = .seconds(5)

    /// In seconds: how long after a process was killed that had asked for a copy its successor takes the copied text away. A
    /// service is started again within a second; later, the user may have copied the same text.
    static let leftCopy: TimeInterval = 10
}
