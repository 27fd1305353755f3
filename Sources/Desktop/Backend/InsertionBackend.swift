/// The place that texts go to, as insert-agent needs it: a display system, or a file.
///
/// An agent knows only this. A capability that a place does not have is nil, and the agent does without it.
public struct InsertionBackend: Sendable {
    /// Where texts go, as a sentence for the log.
    public let summary: String
    public let typing: any TextTyping
    public let windows: any WindowFocus
    public let session: any SessionPresence
    public let undo: (any TextUndo)?
    public let keyboard: (any KeyboardSharing)?
    public var clipboard: (any ClipboardAccess)?
    public var selection: (any SelectionCopying)?
    public let command: (any CommandTyping)?
    public var commit: (any CommitTyping)?
    public var preedit: (any PreeditShowing)?
    public let hotkeys: (any HotkeyGrabbing)?

    public init(
        summary: String, typing: any TextTyping, windows: any WindowFocus, session: any SessionPresence,
        undo: (any TextUndo)? = nil, keyboard: (any KeyboardSharing)? = nil,
        clipboard: (any ClipboardAccess)? = nil, selection: (any SelectionCopying)? = nil,
        command: (any CommandTyping)? = nil, commit: (any CommitTyping)? = nil,
        hotkeys: (any HotkeyGrabbing)? = nil
    ) {
        self.summary = summary
        self.typing = typing
        self.windows = windows
        self.session = session
        self.undo = undo
        self.keyboard = keyboard
        self.clipboard = clipboard
        self.selection = selection
        self.command = command
        self.commit = commit
        self.hotkeys = hotkeys
    }
}
