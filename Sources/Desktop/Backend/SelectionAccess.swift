import DictationSystem

/// Reads the selected text of a window without pressing a key.
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
    /// It is not text, or too long, or the program did not answer.
    case unreadable

    /// More is not read: 1 MiB.
    public static let sizeLimit = 1 << 20
}

/// Copies the selected text of the focused window as its user would, to be sure of it right before it is replaced.
public protocol SelectionCopying: Sendable {
    /// Presses the key that copies, and restores the clipboard.
    func copySelection(in window: WindowInfo) async throws -> CopyOutcome
}

/// The outcome of a copy.
public enum CopyOutcome: Equatable, Sendable {
    case copied(String)
    /// The window has copied nothing: nothing is selected, or it has another key for that.
    case nothing
    /// It has copied something that is not text, or could not be read.
    case unreadable
    /// No key was pressed.
    case stopped(TypingOutcome.StopReason)
    /// No key was pressed, for this reason: as the end of a sentence.
    case notPossible(String)
}

/// Why the selected text of a window is not read, or must not be replaced.
public enum SelectionObstacle: Error, Equatable, Sendable, CustomStringConvertible {
    case noWindow
    /// Its profile wants no language model.
    case keptFromModel(window: String)
    case terminal(window: String)
    case nothingSelected(window: String)
    case unreadable(window: String)

    /// As the end of a sentence.
    public var description: String {
        switch self {
        case .noWindow: "the focused window has no text that can be changed"
        case .keptFromModel(let window):
            "the profile of “\(window)” sends nothing to a language model (style = \"verbatim\")"
        case .terminal(let window):
            "the selection in the terminal “\(window)” cannot be replaced. Copy the text into an editor"
        case .nothingSelected(let window):
            "no text is selected in “\(window)”. Select the text first, with the mouse or with Shift and the arrow keys"
        case .unreadable(let window): "the selection in “\(window)” is not text, or cannot be read"
        }
    }
}
