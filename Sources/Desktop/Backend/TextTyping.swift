import DictationSystem

/// Inserts text and reports its progress, which survives a kill of the process.
///
/// Its calls may block; it runs on its own thread, and the actor that delivers texts may run there too.
public protocol TextTyping: Actor {
    /// The texts of earlier processes of the same owner that were killed, and exactly how much arrived. It is kept
    /// until ``forgetUnfinished()``.
    nonisolated var unfinished: [TypingRecord] { get }
    /// The texts of earlier processes whose progress is not known yet.
    nonisolated var unread: Set<String> { get }
    /// The texts that earlier processes were pasting; it is unknown whether they arrived.
    nonisolated var unsurePastes: Set<String> { get }
    /// An element each time that ``takeLateReadings()`` may have something new.
    nonisolated var readings: AsyncStream<Void> { get }

    /// Texts that have got further since typing stopped waiting for them. They are kept until ``forgetUnfinished()``.
    func takeLateReadings() -> [TypingRecord]

    /// The ``unfinished`` texts, and the late readings, are in the store.
    func forgetUnfinished()

    /// Does what can be done before the next text comes.
    func getReady() throws

    func survey(_ text: String, options: TypingOptions, window: WindowInfo) throws -> TypingSurvey

    /// Types a text.
    ///
    /// - Parameters:
    ///   - expected: the window that must have the focus; nil takes the one that has it.
    ///   - pace: a pause after each batch.
    ///   - record: the name of the text, and how much of it was there before.
    ///   - progress: called after each batch; may block. If it throws, typing stops there, and the error is
    ///     rethrown.
    /// - Returns: how far it got.
    func type(
        _ text: String, into expected: WindowInfo?, options: TypingOptions, pace: Duration,
        record: TypingRecord?, progress: @Sendable (TypingProgress) throws -> Void
    ) throws -> TypingOutcome
}

extension TextTyping {
    public nonisolated var unsurePastes: Set<String> { [] }
}

/// Removes what was typed.
public protocol TextUndo: Sendable {
    /// Whether a text is right before the caret, as the window itself shows; nil if it does not show its
    /// text.
    func isBeforeCaret(_ text: String, in window: WindowInfo) async throws -> Bool?

    /// Removes a text that is right before the caret.
    ///
    /// - Parameters:
    ///   - record: a name for it, under which a backend with a journal notes how many characters are removed.
    ///   - removing: called with how many characters are removed, before the note of them goes; a backend without a journal calls
    ///     it before, with how many will be, at most ``RemovalLimits/batch`` more than are. May block.
    /// - Returns: how many characters were removed.
    func undo(
        _ text: String, in window: WindowInfo, record: TypingRecord?, removing: @Sendable (Int) -> Void
    ) async throws -> TypingOutcome

    /// Selects a text that is right before the caret, so that the next typed text replaces it; nil if it
    /// cannot be selected.
    func select(_ text: String, in window: WindowInfo) async throws -> TypingOutcome?
}

/// For backends that have no journal of what they remove.
public enum RemovalLimits {
    /// How many characters are announced at once. If the process is killed, the next one assumes they were removed: at most
    /// that many come twice when the user asks for the text again, and none is lost. A killed typist may have typed as
    /// many beyond the store's count.
    public static let batch = 16
}

extension TextUndo {
    public func isBeforeCaret(_ text: String, in window: WindowInfo) async throws -> Bool? { nil }

    public func select(_ text: String, in window: WindowInfo) async throws -> TypingOutcome? { nil }
}
