/// The result of a paste.
public enum PasteOutcome: Equatable, Sendable {
    /// The application has fetched the text.
    case pasted
    /// Nothing was done, and the reason holds for typing as well.
    case stopped(TypingOutcome.StopReason)
    /// The application has read the paste key and not asked for the text: another method is safe.
    case notTaken
    /// Nothing was done, and another method is safe.
    case notPossible(PasteObstacle)
    /// It may still wait for an earlier paste, whose owner was killed: nothing was done, and another method is safe.
    case stillWaiting
    /// Something has fetched the text, but maybe not the application; or there was no further answer.
    case unsure
}

/// Why a text cannot be pasted.
public enum PasteObstacle: Equatable, Sendable, CustomStringConvertible {
    /// The keyboard's layout has no such key.
    case noPasteKey
    /// It does not fit into one request to the server, some 256 kB.
    case tooLong
    /// The clipboard's content cannot be read, so it could not be restored.
    case unreadable
    /// Another program keeps it for itself.
    case refused
    /// Nothing can be pasted into windows of this kind.
    case notOffered

    /// As the reason in a sentence.
    public var description: String {
        switch self {
        case .noPasteKey: "the keyboard has no such paste key"
        case .tooLong: "the text is longer than 256 kB"
        case .unreadable: "the content of the clipboard could not be saved"
        case .refused: "another program keeps the clipboard"
        case .notOffered: "this kind of window cannot be pasted into"
        }
    }
}

/// A key with modifiers that pastes.
public enum PasteKeys: String, Sendable, CaseIterable {
    case shiftInsert = "shift+insert"
    case controlV = "ctrl+v"
    case controlShiftV = "ctrl+shift+v"
}
