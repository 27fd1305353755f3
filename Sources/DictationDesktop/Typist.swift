import DictationSystem

/// Types text into the window that has the focus, exactly, whatever the keyboard layout.
///
/// ```swift
/// let typist = try Typist()
/// let window = try await typist.focusedWindow()
/// let outcome = try await typist.type("Grüße, 世界!", into: window)
/// ```
///
/// While it types, the user's own keys are held back, and come after the text. When it returns, the keyboard map,
/// the locks and the held keys are what they were. If the process is killed in the middle, the server frees what was
/// grabbed, and the next typist on that display puts back the keyboard map from a journal that is kept in the server.
public actor Typist {
    /// How long an application may take to read its keys: a busy browser needs a second at times.
    public static let answerLimit: Duration = .seconds(5)

    private let executor = ThreadExecutor(name: "typist")
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let display: TypingDisplay

    /// - Parameter display: such as ":0"; nil takes `DISPLAY`.
    /// - Throws: ``DesktopError``
    public init(display: String? = nil) throws {
        self.display = try TypingDisplay(name: display)
    }

    /// The application window that has the keyboard focus; nil when none has.
    ///
    /// - Throws: ``DesktopError/displayLost(name:)``
    public func focusedWindow() throws -> WindowInfo? { try display.focusedWindow() }

    /// Types `text`, and stops where the focus moves.
    ///
    /// - Parameters:
    ///   - expected: the window that must have the focus at the start; nil takes whichever has it.
    ///   - progress: called after each batch (16 keys) with the number of characters that are surely typed, before
    ///     the next batch begins; may block. If it throws, typing stops there, everything is put back, and the error
    ///     is thrown on.
    /// - Returns: how far it got. A character that no key can enter (a control character) counts as typed.
    /// - Throws: ``DesktopError``, or what `progress` has thrown.
    public func type(
        _ text: String, into expected: WindowInfo? = nil, options: TypingOptions = TypingOptions(),
        progress: @Sendable (Int) throws -> Void = { _ in }
    ) throws -> TypingOutcome {
        try display.type(text, into: expected, options: options, progress: progress)
    }
}
