import Desktop
import DictationSystem

/// Types text into the window that has the focus, exactly, with any keyboard layout.
///
/// ```swift
/// let typist = try Typist()
/// let window = try await typist.focusedWindow()
/// let outcome = try await typist.type("Grüße, 世界!", into: window)
/// ```
///
/// While it types, the user's own keys are held back, and come after the text. When it returns, the keyboard
/// map, the locks and the held keys are what they were. If the process is killed in the middle, the server
/// frees what was grabbed, and the next typist on that display restores the keyboard map from a journal that
/// is kept in the server, and knows from it how many characters were typed.
public actor Typist: TextTyping, TextUndo, KeyboardSharing, SelectionCopying {
    private let executor = ThreadExecutor(name: "typist")
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let display: TypingDisplay
    /// From the first paste on.
    private var clipboard: ClipboardServer?

    /// The texts of earlier typists of the same owner that were killed, and how much of each arrived. The count is
    /// exact, because the X server itself counted the keys.
    /// It stays in the X server, for the next typist, until ``forgetUnfinished()``.
    public nonisolated let unfinished: [TypingRecord]
    /// The names of texts that earlier typists were typing into windows that have not read their keys yet. How far they
    /// got is reported by ``takeLateReadings()``, if these windows ever read them.
    public nonisolated let unread: Set<String>
    /// The names of texts that earlier typists were pasting when they were killed, into applications that ask for a text
    /// several times and drop it if one of these questions is not answered.
    public nonisolated let unsurePastes: Set<String>
    /// An element each time that a window has read keys that it had not read when the typist stopped waiting for it:
    /// then ``getReady()`` restores the keyboard map, and ``takeLateReadings()`` reports the text.
    public nonisolated let readings: AsyncStream<Void>
    /// The display's name.
    nonisolated let displayName: String

    /// First undoes the changes that a killed typist has left.
    ///
    /// - Parameters:
    ///   - display: such as ":0"; nil takes `DISPLAY`.
    ///   - owner: typists of one owner follow each other, and never work at the same time.
    ///   - isXWayland: whether the server gives the user's keyboard and the XTEST keyboard different maps.
    /// - Throws: ``DesktopError``
    public init(display: String? = nil, owner: String = "", isXWayland: Bool = false) throws {
        try self.init(
            display: display, owner: owner, isXWayland: isXWayland, answerLimit: TypingLimits.answer)
    }

    /// - Parameter answerLimit: how long an application may take to read its keys.
    init(
        display: String? = nil, owner: String = "", isXWayland: Bool = false, answerLimit: Duration
    ) throws {
        let (readings, continuation) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.readings = readings
        let display = try TypingDisplay(
            name: display, owner: owner, isXWayland: isXWayland, answerLimit: answerLimit,
            whenRead: { continuation.yield() })
        unfinished = display.unfinished
        unread = display.unreadTexts
        unsurePastes = display.unsurePastes
        displayName = display.name
        if let windows = display.abandonedPastes {
            clipboard = try ClipboardServer(display: display.name, puttingBackBesides: windows)
        }
        self.display = display
    }

    /// Call it when ``unfinished`` has been stored.
    public func forgetUnfinished() { display.forgetUnfinished() }

    /// The texts whose last keys were read since the typist stopped waiting, each with how far it has come by that. They
    /// stay in the X server until ``forgetUnfinished()``.
    public func takeLateReadings() -> [TypingRecord] {
        display.takeLateReadings()
    }

    /// The application window that has the keyboard focus; nil when none has.
    ///
    /// - Throws: ``DesktopError/displayLost(name:)``
    public func focusedWindow() throws -> WindowInfo? { try display.focusedWindow() }

    /// Types `text`, and stops if the focus moves.
    ///
    /// - Parameters:
    ///   - expected: the window that must have the focus at the start; nil takes the one that has it.
    ///   - record: the name of the text, and how much of it was typed before this call. If the process is killed, the
    ///     next typist of its owner has it among ``unfinished``, with what was typed here added.
    ///   - pace: a pause after each batch, for applications that lose keys which come too fast.
    ///   - progress: called after each batch (32 keys), before the next one begins, and at the end if more was read then;
    ///     may block. If it throws, typing stops there, everything is restored, and the error is rethrown.
    /// - Returns: how far it got, by what the application has read. A control character that no key can enter counts
    ///   as typed.
    /// - Throws: ``DesktopError``, or what `progress` has thrown.
    public func type(
        _ text: String, into expected: WindowInfo? = nil, options: TypingOptions = TypingOptions(),
        pace: Duration = .zero, record: TypingRecord? = nil,
        progress: @Sendable (TypingProgress) throws -> Void = { _ in }
    ) throws -> TypingOutcome {
        try display.type(
            .text(text, options), into: expected, pace: pace, record: record, progress: progress)
    }

    /// Presses BackSpace once for each character of a text, as carefully as
    /// ``type(_:into:options:pace:record:progress:)`` types.
    ///
    /// - Parameters:
    ///   - record: if the process is killed, the next typist of its owner has it among ``unfinished``, with how many were
    ///     pressed.
    ///   - removing: called with how many were certainly pressed, whenever more are.
    /// - Returns: how many were certainly pressed.
    public func undo(
        _ text: String, in expected: WindowInfo, record: TypingRecord? = nil,
        removing: @Sendable (Int) -> Void = { _ in }
    ) throws -> TypingOutcome {
        try display.type(
            .presses(.backspace, text.count), into: expected, pace: .zero, record: record,
            progress: { if $0.read > 0 { removing($0.read) } })
    }

    /// Presses Shift and Left once for each character of a text.
    public func select(_ text: String, in expected: WindowInfo) throws -> TypingOutcome? {
        try display.type(
            .presses(.selectLeft, text.count), into: expected, pace: .zero, record: nil,
            progress: { _ in })
    }

    /// Whether the user pressed keys while the last text was typed, or since then. The hotkey does not
    /// count. Once this or ``getReady()`` was called, later keys are not noticed.
    public func hasUserTypedMeanwhile() -> Bool { display.hasUserTypedMeanwhile() }

    /// Inserts a text by the clipboard, and restores all formats of the clipboard when the application has
    /// fetched the text.
    ///
    /// - Parameters:
    ///   - isTerminal: there the key may paste the primary selection.
    ///   - record: the name of the text, and how much of it was there before. If the process is killed when the application
    ///     has what is pasted, the next typist of its owner has it among ``unfinished``, with that added.
    ///   - added: the Unicode scalars of it that are pasted.
    ///   - taken: called as soon as the application certainly has the text, while the server still knows it
    ///     as well: write it down there. Its error is rethrown when everything is put back.
    public func paste(
        _ text: String, into expected: WindowInfo, keys: PasteKeys, isTerminal: Bool,
        record: TypingRecord? = nil, adding added: Int = 0, taken: @Sendable () throws -> Void = {}
    ) throws -> PasteOutcome {
        try display.paste(
            text, into: expected, keys: keys, isTerminal: isTerminal, clipboard: clipboardServer(),
            record: record, adding: added, taken: taken)
    }

    /// Copies the selected text of the focused window, and restores the clipboard.
    public func copySelection(in window: WindowInfo) throws -> CopyOutcome {
        try display.copySelection(in: window, clipboard: clipboardServer())
    }

    /// Leaves a text on the clipboard, for as long as this process lives.
    public func copy(_ text: String) throws { try display.copy(text, to: clipboardServer()) }

    private func clipboardServer() throws -> ClipboardServer {
        if let clipboard { return clipboard }
        let server = try ClipboardServer(display: display.name)
        clipboard = server
        return server
    }

    /// The effort of typing a text.
    public func survey(
        _ text: String, options: TypingOptions, window: WindowInfo
    ) throws -> TypingSurvey {
        try display.survey(text, options: options, window: window)
    }

    /// Gives a window the focus, as a taskbar does.
    ///
    /// - Returns: whether it has it; false too if there is no such window.
    public func activate(_ window: WindowInfo, within limit: Duration = .seconds(2)) throws -> Bool {
        try display.activate(window, within: limit)
    }

    /// Whether a program has the keyboard for itself: a screen locker, an open menu, a held hotkey.
    public func isTaken() throws -> Bool { try display.isKeyboardTaken() }

    public func waitUntilFree(within limit: Duration) async throws {
        _ = try await DesktopWait(forKeyboardWithin: limit, display: displayName).value()
    }

    /// Typing stops after the batch in which the user presses this key. So the key is handled at once, and
    /// not after a long text.
    public func giveWay(to hotkeys: [Hotkey]) { display.hotkeys = hotkeys }

    public func giveWay(toHotkeysNamed names: [String]) {
        giveWay(to: names.compactMap { try? Hotkey(parsing: $0) })
    }

    /// Restores the keys that were kept for windows that have read their keys since, and reads the keyboard
    /// map again if it has changed, so that the next text need not wait for it.
    public func getReady() throws { try display.getReady() }
}
