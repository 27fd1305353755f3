import DictationSystem

/// Inserts text by the clipboard, or leaves it there.
public protocol ClipboardAccess: Sendable {
    /// Pastes a text, and puts back what was on the clipboard.
    ///
    /// - Parameters:
    ///   - isTerminal: the key may stand for the primary selection there.
    ///   - record: the name of the text, and how much of it was there before.
    ///   - added: the Unicode scalars of it that are pasted.
    ///   - taken: called as soon as the application has the text; what it throws is thrown on.
    func paste(
        _ text: String, into window: WindowInfo, keys: PasteKeys, isTerminal: Bool, record: TypingRecord,
        adding added: Int, taken: @escaping @Sendable () throws -> Void
    ) async throws -> PasteOutcome

    /// Leaves a text on the clipboard, for as long as this process lives.
    func copy(_ text: String) async throws

    /// As ``copy(_:)``, for windows too that this program cannot see.
    ///
    /// - Returns: why the user does not have it, for a person; nil where it worked.
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
    /// Nobody knows how far it got.
    case failed
}
