import DictationSystem

/// Looks at the selected text of a window, and presses no key for it.
public protocol SelectionReading: Sendable {
    /// The text that a window shows as the primary selection. It may be out of date: some programs leave it there when
    /// nothing is selected any more.
    func selectedText(in window: WindowInfo) async throws -> SelectedText
}

/// The result of a look at a window's selection.
public enum SelectedText: Equatable, Sendable {
    case text(String)
    /// Nothing is selected, or the program does not say so.
    case nothing
    /// Another program has the selection.
    case elsewhere
    /// It is no text, or more than is read, or the program did not answer.
    case unreadable

    /// More is not read: 1 MiB.
    public static let sizeLimit = 1 << 20
}

/// Copies the selected text of the focused window as its user would, to be sure of it right before it is replaced.
public protocol SelectionCopying: Sendable {
    /// Presses the key that copies, and puts back all that was on the clipboard.
    func copySelection(in window: WindowInfo) async throws -> CopyOutcome
}

/// The outcome of a copy.
public enum CopyOutcome: Equatable, Sendable {
    case copied(String)
    /// The window has copied nothing: nothing is selected, or it has another key for that.
    case nothing
    /// What it has copied is no text, or could not be read.
    case unreadable
    /// No key was pressed.
    case stopped(TypingOutcome.StopReason)
    /// No key was pressed, for this reason: as the end of a sentence.
    case notPossible(String)
}
