import DictationSystem

/// Inserts text by the clipboard, or leaves it there.
public protocol ClipboardAccess: Sendable {
    /// Pastes a text, and restores the clipboard.
    ///
    /// - Parameters:
    ///   - isTerminal: in a terminal the key may paste the primary selection.
    ///   - record: the name of the text, and how much of it was there before.
    ///   - added: the Unicode scalars of it that are pasted.
    ///   - taken: called as soon as the application has the text; its errors are rethrown.
    func paste(
        _ text: String, into window: WindowInfo, keys: PasteKeys, isTerminal: Bool, record: TypingRecord,
        adding added: Int, taken: @escaping @Sendable () throws -> Void
    ) async throws -> PasteOutcome

    /// Leaves a text on the clipboard, for as long as this process lives.
    func copy(_ text: String) async throws

    /// As ``copy(_:)``, for windows too that this program cannot see.
    ///
    /// - Returns: the reason why it did not work, for a person; nil if it did.
    func copyForAll(_ text: String) async throws -> String?
}

/// Types by another program.
public protocol CommandTyping: Sendable {
    func type(_ text: String) async throws -> CommandOutcome
}

/// The outcome of a text that another program was given to type.
public enum CommandOutcome: Equatable, Sendable {
    case done
    case notInstalled
    /// It is unknown how far it got.
    case failed
}
