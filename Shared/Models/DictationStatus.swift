import DictationSystem

/// How far a dictation has come. The raw values are what the store and `--json` hold.
public enum DictationStatus: String, Sendable, CaseIterable {
    /// No dictation at all; never stored in a row.
    case idle
    /// The microphone is being opened.
    case starting
    case recording
    /// The last words are being recognized and the text is cleaned.
    case processing
    /// The text is there; ``Delivery`` says what became of it.
    case ready
    case error
    case cancelled
}

/// The delivery of a text that is ready.
public enum Delivery: Equatable, Sendable {
    /// Waits for an inserter.
    case pending
    /// An inserter types it at this moment.
    case claimed(by: Claimant)
    case inserted
    /// Not typed, or not to its end; the rest is typed only at the user's request.
    case held(HoldReason)
    case discarded

    /// Nil if it is not held.
    public var heldReason: HoldReason? { if case .held(let reason) = self { reason } else { nil } }

    /// The word that the store and `--json` use.
    public var name: String {
        switch self {
        case .pending: "pending"
        case .claimed: "claimed"
        case .inserted: "inserted"
        case .held: "held"
        case .discarded: "discarded"
        }
    }
}

/// Why a text waits for the user's word. The raw values are what the store and `--json` hold.
public enum HoldReason: String, Sendable, CaseIterable {
    case focusMoved = "focus-moved"
    case noFocus = "no-focus"
    /// The session is one of Wayland, and the window with the focus cannot be typed into, or it is unknown
    /// whether it is where the dictation began.
    case nativeWindow = "native-window"
    case windowClosed = "window-closed"
    /// A program had the keyboard for itself: a screen locker, a menu.
    case keyboardBusy = "keyboard-busy"
    /// The application did not read its keys in time; it may do so later.
    case notResponding = "not-responding"
    /// The keyboard has no key for a character of the text, and no free one.
    case noKeys = "no-keys"
    /// No text field of the focused window is connected to the input method.
    case noInputContext = "no-input-context"
    /// The text field is full, or lets nothing be written.
    case notTaken = "not-taken"
    /// The disk has no room for the note of what is written into a file.
    case diskFull = "disk-full"
    /// The user pressed Escape while it was typed.
    case escapePressed = "escape-pressed"
    /// The settings say so.
    case bySetting = "by-setting"
    /// It was put on the clipboard and the paste key pressed, or given to the input method, and it is unknown
    /// what the application did with it.
    case pasteUnsure = "paste-unsure"
    /// The screen was locked.
    case userAway = "user-away"
    /// Another session came to the foreground.
    case otherSession = "other-session"
    /// The machine went to sleep.
    case machineSlept = "machine-slept"
    /// The command that had it typed was interrupted (`dictstate insert`).
    case interrupted
    /// A command has requested the text.
    case askedFor = "asked-for"
    /// The user has undone it.
    case undone = "taken-back"
    /// It is a command that edits, such as "change X to Y", which was refused, and may have been meant as a text.
    case notEdited = "not-edited"
    /// It should replace a selected text that was not selected any more, or could not be replaced.
    case notReplaced = "not-replaced"
    /// It was selected, and replacing or restoring it was interrupted: it may be missing from its window.
    case formerText = "former-text"
    case typingFailed = "typing-failed"
    /// The inserter died while it typed.
    case inserterDied = "inserter-died"
    /// Recognized later, from the audio on disk: after a crash, or when the recognizer was there again.
    case recovered
    /// Recognized again because the user asked for it.
    case recognizedAgain = "recognized-again"
    /// It was not typed for so long that the user may be doing something else by now.
    case stale

    /// For a person: what happened.
    public var explanation: String {
        switch self {
        case .focusMoved: "the focus moved to another window"
        case .noFocus: "no window had the focus"
        case .nativeWindow:
            "in this Wayland session the window cannot be typed into, or may not be the window of the dictation"
        case .windowClosed: "the window was closed"
        case .keyboardBusy: "another program had grabbed the keyboard (a screen locker or a menu)"
        case .notResponding: "the application did not respond, and more of the text may still arrive"
        case .noKeys: "the keyboard has no keys for this text"
        case .noInputContext: "no text field of the focused window was connected to IBus"
        case .notTaken: "the text field did not accept the text"
        case .diskFull: "the disk is full; free some space"
        case .escapePressed: "Escape was pressed"
        case .bySetting: "the settings say to hold it"
        case .pasteUnsure: "the application may or may not have taken it: look before you insert it again"
        case .userAway: "the screen was locked"
        case .otherSession: "another session came to the foreground"
        case .machineSlept: "the machine went to sleep"
        case .interrupted: "dictstate insert was interrupted"
        case .askedFor: "a command asked for it"
        case .undone: "it was undone"
        case .notEdited: "it was recognized as an edit command, which was refused"
        case .notReplaced: "the selected text could not be replaced by it"
        case .formerText: "it was selected, and replacing it was interrupted"
        case .typingFailed: "typing failed"
        case .inserterDied: "insert-agent ended while it was typing"
        case .recovered: "it was recognized later, from its recording"
        case .recognizedAgain: "it was recognized again, as you asked"
        case .stale: "it waited too long to be typed"
        }
    }
}

/// Names a process forever: a pid is used again, but not with the same start time in the same boot.
public struct Claimant: Equatable, Sendable, CustomStringConvertible {
    /// `boot-id/pid/start-time`, the last in clock ticks since boot, as in /proc.
    public let description: String

    public init(_ description: String) { self.description = description }

    /// The process that asks.
    public static let current = Claimant(ProcessIdentity.current.description)
}

/// A failure as the user sees it: what happened, what was kept, what to do next.
public struct DictationFailure: Equatable, Sendable {
    /// The short word that the store and `--json` hold, such as `no-speech`; a newer version may have written one that
    /// this one does not know.
    public let code: String
    public let message: String
    /// The part that is kept ("the first 3 s as audio"); nil when there was nothing to keep.
    public let kept: String?

    public init(code: FailureCode, message: String, kept: String? = nil) {
        self.init(stored: code.rawValue, message: message, kept: kept)
    }

    /// As stored.
    package init(stored code: String, message: String, kept: String? = nil) {
        self.code = code
        self.message = message
        self.kept = kept
    }

    /// Nil if a newer version wrote ``code``.
    public var knownCode: FailureCode? { FailureCode(rawValue: code) }

    public static let noSpeech = DictationFailure(code: .noSpeech, message: "No speech detected")

    /// A spoken command could not be carried out.
    public static func notEdited(_ reason: String) -> DictationFailure {
        DictationFailure(code: .notEdited, message: "Nothing was edited: \(reason)")
    }

    /// The selected text is unchanged.
    ///
    /// - Parameter kept: what else is kept; nil if nothing, so that no action is needed.
    public static func notTransformed(_ reason: String, kept: String? = nil) -> DictationFailure {
        DictationFailure(
            code: .notTransformed, message: "The selected text was not changed: \(reason)", kept: kept)
    }

    /// The user's own words (replacements, patterns, snippets) made an empty text of what was said.
    ///
    /// - Parameter words: what was said; nil for what is private, and for a log.
    public static func emptied(_ words: String?) -> DictationFailure {
        DictationFailure(
            code: .emptied,
            message: "Your dictionary left nothing to type" + (words.map { " of “\($0)”" } ?? "")
                + ". If that was not meant, change its entry in dictionary.toml.")
    }

    /// "Scratch that" reaches back to the beginning of its dictation and no further.
    public static let scratched = DictationFailure(
        code: .scratched,
        message: "“Scratch that” left nothing to type. It removes words of the same dictation; "
            + "to remove earlier text: dictstate undo")
}
