import DictationSystem

/// Inserts text through the input method that applications are connected to: no keys, and any characters.
public protocol CommitTyping: Sendable {
    /// Inserts a text in pieces, and stops between two of them if the focus moves.
    ///
    /// - Parameters:
    ///   - window: must have the focus.
    ///   - confirmation: whether the text field must show what it gets.
    ///   - progress: called after each piece; may block. If it throws, nothing more is inserted, and the
    ///     error is rethrown.
    nonisolated(nonsending) func commit(
        _ text: String, into window: WindowInfo, options: TypingOptions,
        confirmation: CommitConfirmation, progress: (TypingProgress) throws -> Void
    ) async throws -> CommitOutcome
}

/// What a text field must confirm when it gets a text from an input method.
public enum CommitConfirmation: Equatable, Sendable {
    /// It shows each piece of the text, or gets no more.
    case needed
    /// It may show nothing. The focused part of its window is known to take text.
    case notNeeded
}

/// Shows words that may still change in the text field that they will be inserted into, as its preedit: they
/// are not part of its text, and disappear when the field loses the focus.
public protocol PreeditShowing: Sendable {
    /// Shows words in the text field that has the focus, in place of those that it shows. If it shows no
    /// preedit, nothing happens.
    func show(_ words: String) async

    /// Stops showing words.
    func hide() async
}

/// The outcome of a text that was given to an input method.
public enum CommitOutcome: Equatable, Sendable {
    case ended(TypingOutcome)
    /// Nothing was done, and another method is safe.
    case notPossible(CommitObstacle)
    /// More than the reported progress may have arrived.
    case unsure
}

/// Why no text can be given to an input method.
public enum CommitObstacle: Equatable, Sendable, CustomStringConvertible {
    case notRunning
    /// It says why.
    case refused(String)
    /// The text needs Shift+Return, and no key is pressed.
    case needsKeys
    /// The application does not confirm what it gets.
    case unconfirmed

    /// As the reason in a sentence.
    public var description: String {
        switch self {
        case .notRunning: "no IBus daemon answers"
        case .refused(let reason): "IBus refused: \(reason)"
        case .needsKeys: "its newlines are keys there"
        case .unconfirmed: "the application does not confirm what it gets from IBus"
        }
    }
}
