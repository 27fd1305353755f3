import CleanupChoices
import Desktop
import DictationSystem

// Code that reads this setting need not know where it is declared.
@_exported import enum DictationSystem.LiveInsertion

/// When insert-agent types, where, and how.
public struct InsertSettings: SettingsSection {
    public static let name = "insert"
    public static let about = "insert-agent: when it types, where, and how."
    public static let keys = [
        SettingKey(
            \Self.patience, "patience", in: 1...86_400,
            help: """
                How many seconds a text may wait to be typed. After that it is held, because the focus may be anywhere \
                by then.
                """),
        SettingKey(
            \Self.policy, "policy",
            help: """
                Where a text goes: "focused" types into the window that is focused when the text is ready, "origin" \
                only into the window where the recording started, "hold" types only on request. dictstate insert \
                always types into the focused window.
                """),
        SettingKey(
            \Self.originAway, "origin-away",
            help: """
                With policy = "origin", if another window is focused: "wait" until the right one is focused again (up \
                to patience), or "activate" it.
                """),
        SettingKey(
            \Self.method, "method",
            help: """
                How a text is inserted: "type" presses keys; "paste" uses the clipboard and restores it; "ibus" \
                gives the text to IBus, the input method; "copy" leaves the text on the clipboard, for you to paste; \
                "xdotool" runs that program if it is installed; "none" holds the text. If a method does not work, the next safe one is used, and the state says so.
                """),
        SettingKey(
            \Self.live, "live",
            help: """
                Whether text is typed while you speak: "off" types all of it at the end, "segments" what you \
                said before each pause, "words" each word as soon as it is certain. Typed words are never \
                removed, except with live-revise. While you hold a hotkey with a modifier, or any hotkey on \
                Wayland, the words wait until you release it. To avoid this, tap the key, or use dictstate \
                start.
                """),
        SettingKey(
            \Self.liveRevise, "live-revise",
            help: """
                Whether words that were typed while you speak (live) may be corrected with BackSpaces when \
                the recognizer changes its result: at most 60 characters back, in the same line, and only \
                while nothing else was typed or clicked in that window. Words are then typed sooner. It \
                works with the method "type", in X11 windows where each BackSpace is known to remove one \
                character (terminals, Chromium, common editors). A profile turns it on for other windows.
                """),
        SettingKey(
            \Self.pasteFrom, "paste-from", in: 0...1_000_000,
            help: """
                Paste texts of at least this many characters instead of typing them, if the application is known to \
                accept that (xterm, Chromium, Google Chrome, common editors, or a profile with a paste-key); 0 for \
                never.
                """),
        SettingKey(
            \Self.spacingSeconds, "spacing", in: 0...3_600,
            help: """
                A text that follows another in the same window within this many seconds gets a space before it, unless \
                the other ended in one, one of them is written without spaces (such as Chinese or Thai), or something was \
                typed or clicked there in between; 0 for never.
                """),
        SettingKey(
            \Self.heldHotkey, "held-hotkey",
            help: """
                The key that types the newest held text into the focused window, written like host.hotkey. "none" \
                grabs no key: use the button of the notification, or dictstate insert. Unless it is set, a [[hotkey]] \
                with the same key takes precedence.
                """,
            expectation: "the name of a key, or \"none\"", allowed: { !$0.isEmpty }),
    ]

    /// Seconds. Two minutes let an agent that was restarted, or started a little late, still do its work.
    public var patience = 120
    public var policy = InsertPolicy.focused
    public var originAway = AbsentOrigin.wait
    public var method = InsertMethod.type
    /// Words that are typed early are sometimes different from those of the whole text.
    public var live = LiveInsertion.off
    public var liveRevise = false
    /// Typing 200 characters into a browser takes an eighth of a second, and pasting a hundredth.
    public var pasteFrom = 200
    /// A pause for thought between two sentences.
    public var spacingSeconds = 60
    /// Next to the usual hotkey, and unused by common desktops and programs.
    public var heldHotkey = "shift+F9"

    public init() {}
}

extension InsertSettings {
    /// Whether what was typed into a window while the user spoke may be mended there by BackSpaces. Native Wayland windows keep no
    /// record of BackSpaces whose typist was killed.
    public func revisesLiveText(in window: WindowInfo, _ profile: ProfileSettings?) -> Bool {
        guard !window.isNative, (profile?.method.value ?? method) == .type else { return false }
        return profile?.liveRevise.value ?? (liveRevise && window.takesBackSpaceForOneCharacter)
    }
}

/// Which window a text goes to.
public enum InsertPolicy: String, SettingValue, CaseIterable {
    case focused, origin, hold
}

/// How to proceed when the window where recording began is no longer focused.
public enum AbsentOrigin: String, SettingValue, CaseIterable {
    case wait, activate
}

/// How a text gets into a window.
public enum InsertMethod: String, SettingValue, CaseIterable {
    case type, paste, ibus, copy, xdotool, none
}

extension LiveInsertion: SettingValue {}

extension NewlineKey: SettingValue {}

extension PasteKeys: SettingValue {}

/// A setting of a profile, which may be unset: then the general setting applies.
public enum ProfileValue<Value: SettingValue>: SettingValue {
    case usual
    case set(Value)

    public static var expectation: String { Value.expectation + ", or \"usual\"" }

    public init?(toml: TOMLValue) {
        if toml == .string("usual") {
            self = .usual
        } else if let value = Value(toml: toml) {
            self = .set(value)
        } else {
            return nil
        }
    }

    public var toml: String {
        switch self {
        case .usual: "usual".toml
        case .set(let value): value.toml
        }
    }

    public var value: Value? {
        if case .set(let value) = self { value } else { nil }
    }
}

/// Differences in certain windows.
public struct ProfileSettings: SettingsSection {
    public static let name = "profile"
    public static let about = """
        Settings for certain windows. The first profile that matches a window is used. Without a profile, terminals \
        are recognized by their class: there a newline becomes a space, so that dictated text runs no command.
        """
    public static let keys = [
        SettingKey(
            \Self.name, "name",
            help: """
                A name by which a [[hotkey]], or dictstate start --profile, chooses it. A profile with a \
                name, but without class and title, is used only in this way.
                """),
        SettingKey(
            \Self.windowClass, "class",
            help: """
                The window class, as xprop WM_CLASS shows it; * matches anything, ? one character. Case is ignored; "" \
                matches any class.
                """),
        SettingKey(\Self.title, "title", help: "The window title, in the same way."),
        SettingKey(\Self.method, "method", help: "As in [insert]."),
        SettingKey(\Self.live, "live", help: "As in [insert], for dictations that start in this window."),
        SettingKey(
            \Self.liveRevise, "live-revise",
            help: """
                As in [insert]. Use true only if this application removes exactly one character for each \
                BackSpace.
                """),
        SettingKey(
            \Self.pasteKey, "paste-key",
            help: """
                The key that pastes there. With it, long texts are pasted (paste-from). Usually it is shift+insert.
                """),
        SettingKey(
            \Self.newline, "newline",
            help: "The key for a newline: chat programs send on Return, and start a new line on shift-return."
        ),
        SettingKey(
            \Self.pace, "pace", in: 0...1_000,
            help: """
                Milliseconds to wait after each 32 keys, for programs that lose keys that arrive too fast.
                """),
        SettingKey(
            \Self.trailingSpace, "trailing-space",
            help: "Type a space after each text that does not end in one."),
        SettingKey(
            \Self.finalStop, "final-stop",
            help: "Keep the period at the end; false removes a single one, as for search boxes."),
        SettingKey(
            \Self.verbatim, "verbatim", help: "Type the text as recognized, without the clean-up."),
        SettingKey(\Self.style, "style", help: "As in [polish], for dictations that start in this window."),
        SettingKey(
            \Self.context, "context",
            help: """
                As in [speech], for dictations that start in this window: "off" reads nothing on the screen.
                """),
        SettingKey(
            \Self.pressEnter, "press-enter",
            help: """
                Whether "press enter", said at the end, presses Return, regardless of newline. In a terminal, a \
                newline is then Return as well, unless newline is set.
                """),
    ]

    public var name = ""
    public var windowClass = ""
    public var title = ""
    public var method = ProfileValue<InsertMethod>.usual
    public var live = ProfileValue<LiveInsertion>.usual
    public var liveRevise = ProfileValue<Bool>.usual
    public var pasteKey = ProfileValue<PasteKeys>.usual
    public var newline = ProfileValue<NewlineKey>.usual
    /// Milliseconds.
    public var pace = 0
    public var trailingSpace = false
    public var finalStop = true
    public var verbatim = false
    public var style = ProfileValue<StyleName>.usual
    public var context = ProfileValue<SpeechContext>.usual
    public var pressEnter = false

    public init() {}

    /// The profile of that name; else the first one whose patterns fit a window.
    ///
    /// - Parameter name: of the profile that a dictation asks for.
    public static func first(
        in profiles: [ProfileSettings], named name: String? = nil, windowClass: String, title: String
    ) -> ProfileSettings? {
        profiles.first { name != nil && $0.name == name }
            ?? profiles.first {
                !$0.isForItsNameAlone && WindowPattern($0.windowClass).matches(windowClass)
                    && WindowPattern($0.title).matches(title)
            }
    }

    /// Whether nothing of a window goes to a language model.
    public static func keepFromModel(
        in profiles: [ProfileSettings], windowClass: String, title: String
    ) -> Bool {
        first(in: profiles, windowClass: windowClass, title: title)?.style.value == StyleName(.verbatim)
    }

    private var isForItsNameAlone: Bool { !name.isEmpty && windowClass.isEmpty && title.isEmpty }
}
