import DictationSystem

/// How far a text got.
public enum TypingOutcome: Equatable, Sendable {
    /// All of it, with its number of characters. Those that cannot be typed are counted, and left out.
    case typed(Int)
    /// This many characters from the start were certainly read, and none after them. If the application does
    /// not respond, more may have been sent, and arrive later.
    case stopped(Int, reason: StopReason)

    public enum StopReason: Equatable, Sendable, CustomStringConvertible {
        /// Another window has the focus now (nil: one that could not be read).
        case focusMoved(to: WindowInfo?)
        case noFocus
        /// The text field has lost the focus to another part of its window.
        case fieldLeft
        case windowClosed
        /// A program has the keyboard for itself: a screen locker, an open menu, a held hotkey.
        case keyboardBusy
        /// The user pressed the hotkey, which typing gives way to. Another program may have the keyboard for as long as
        /// the key is held.
        case hotkeyPressed
        /// The user pressed Escape.
        case escapePressed
        /// The application has not answered in time.
        case notResponding
        /// The text field has not confirmed the last characters.
        case unsure
        /// The keyboard has no key for a character of the text, and none that could be bound to it.
        case noKeys
        /// The text field has not accepted the text: it is full or read-only.
        case notTaken
        /// The application may not have heard yet that there is a keyboard.
        case keyboardUnknown
        /// The focused part of the window takes no text from other programs.
        case unreachable
        /// No text field is connected to the input method.
        case noInputContext
        /// The disk has no room for the note of what is written.
        case diskFull

        public var description: String {
            switch self {
            case .focusMoved(let window?): "the focus moved to \(window.windowClass) “\(window.title)”"
            case .focusMoved(nil): "the focus moved to another window"
            case .noFocus: "no window has the focus"
            case .fieldLeft: "the text field lost the focus"
            case .windowClosed: "the window was closed"
            case .keyboardBusy:
                "another program has grabbed the keyboard (a screen locker, a menu, a held key)"
            case .hotkeyPressed: "the hotkey was pressed"
            case .escapePressed: "Escape was pressed"
            case .notResponding: "the application does not read its keys"
            case .noInputContext: "no text field of the focused window is connected to IBus"
            case .diskFull: "the disk is full, so its progress could not be noted"
            case .notTaken: "the text field did not accept the text"
            case .unsure: "the text field may or may not have the last characters"
            case .keyboardUnknown: "the window was there before any keyboard, and may not hear its keys"
            case .unreachable: "the focused part of the window accepts no text from other programs"
            case .noKeys: "the keyboard has no keys for this text, and no free ones"
            }
        }
    }

    /// Characters that were certainly read.
    public var characterCount: Int {
        switch self {
        case .typed(let count), .stopped(let count, _): count
        }
    }
}
