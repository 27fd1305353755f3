import Glibc

/// When insert-agent types, where, and how.
public struct InsertSettings: SettingsSection {
    public static let name = "insert"
    public static let about = "insert-agent: when it types, where, and how."
    public static let keys = [
        SettingKey(
            \Self.patience, "patience", in: 1...86_400,
            help: """
                Seconds for which a text may wait to be typed unasked. One that has waited longer is held: by \
                then the focus may be anywhere.
                """),
        SettingKey(
            \Self.policy, "policy",
            help: """
                Where a text goes: "focused" types into the window that has the focus when the text is ready, \
                "origin" only into the one where recording began, "hold" types nothing unasked. What \
                dictstate insert asks for always goes to the focused window.
                """),
        SettingKey(
            \Self.originAway, "origin-away",
            help: """
                With policy = "origin", when another window has the focus: "wait" until the right one has it \
                again (as long as patience says), or "activate" it.
                """),
        SettingKey(
            \Self.method, "method",
            help: """
                How a text gets into a window: "type" presses keys, in this process; "paste" uses the clipboard \
                and puts its former content back; "copy" leaves the text on the clipboard, for you to paste; \
                "xdotool" runs that program, where it is installed; "none" holds the text. Where a method cannot \
                do it, the next safe one is taken, and the state says so.
                """),
        SettingKey(
            \Self.pasteFrom, "paste-from", in: 0...1_000_000,
            help: """
                Texts of at least so many characters are pasted rather than typed, where the application is known \
                to take that (xterm, Chromium, Google Chrome, common editors, or a profile with a paste-key); 0 for \
                never.
                """),
        SettingKey(
            \Self.spacingSeconds, "spacing", in: 0...3_600,
            help: """
                Seconds within which a text that follows another one in the same window gets a space before it, if \
                the other one ended without, and nothing was typed or clicked there in between; 0 for never.
                """),
        SettingKey(
            \Self.heldHotkey, "held-hotkey",
            help: """
                The key that types the newest held text into the focused window, written as host.hotkey is. "none" \
                grabs no key: then the button of the notification and dictstate insert type it.
                """,
            expectation: "the name of a key, or \"none\"", allowed: { !$0.isEmpty }),
    ]

    /// Seconds. Two minutes let an agent that was restarted, or started a little late, still do its work.
    public var patience = 120
    public var policy = InsertPolicy.focused
    public var originAway = AbsentOrigin.wait
    public var method = InsertMethod.type
    /// Typing 200 characters into a browser takes an eighth of a second, and pasting a hundredth.
    public var pasteFrom = 200
    /// A pause for thought between two sentences.
    public var spacingSeconds = 60
    /// Next to the usual hotkey, and taken by no common desktop or program.
    public var heldHotkey = "shift+F9"

    /// What a person presses for a held text; nil where no key is grabbed.
    public var shownHeldHotkey: String? { heldHotkey == HostSettings.noHotkey ? nil : heldHotkey }

    public init() {}
}

/// Which window a text goes to.
public enum InsertPolicy: String, SettingValue, CaseIterable {
    case focused, origin, hold
}

/// What is done when the window where recording began has not the focus.
public enum AbsentOrigin: String, SettingValue, CaseIterable {
    case wait, activate
}

/// How a text gets into a window.
public enum InsertMethod: String, SettingValue, CaseIterable {
    case type, paste, copy, xdotool, none
}

/// What a newline becomes.
public enum NewlineKey: String, SettingValue, CaseIterable {
    case `return` = "return"
    case shiftReturn = "shift-return"
    case space
}

/// The keys that paste.
public enum PasteKey: String, SettingValue, CaseIterable {
    case shiftInsert = "shift+insert"
    case ctrlV = "ctrl+v"
    case ctrlShiftV = "ctrl+shift+v"
}

/// A setting of a profile, which may be left as it is elsewhere.
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

/// What is different in certain windows.
public struct ProfileSettings: SettingsSection {
    public static let name = "profile"
    public static let about = """
        What is different in certain windows. The first profile that fits a window holds for it. Without any, \
        terminals are known by their class: there a newline is a space, as dictated text must not run a command.
        """
    public static let keys = [
        SettingKey(
            \Self.windowClass, "class",
            help: """
                The windows' class, as xprop WM_CLASS shows it; * stands for anything, ? for one character. Case \
                does not matter; "" is any class.
                """),
        SettingKey(\Self.title, "title", help: "The windows' title, in the same way."),
        SettingKey(\Self.method, "method", help: "As in [insert]."),
        SettingKey(
            \Self.pasteKey, "paste-key",
            help: "What pastes there; long texts go that way then (paste-from). Usually it is shift+insert."),
        SettingKey(
            \Self.newline, "newline",
            help: "The key for a newline: chat programs send on Return, and take shift-return for a new line."
        ),
        SettingKey(
            \Self.pace, "pace", in: 0...1_000,
            help: "Milliseconds to wait after each 32 keys, for programs that lose keys which come too fast."),
        SettingKey(
            \Self.trailingSpace, "trailing-space",
            help: "Type a space after each text that does not end in one."),
        SettingKey(
            \Self.finalStop, "final-stop",
            help: "Leave the full stop at the end; false takes a single one away, as for search boxes."),
        SettingKey(
            \Self.verbatim, "verbatim", help: "Type what was recognised, without the clean-up."),
        SettingKey(\Self.style, "style", help: "As in [polish], for dictations that begin in this window."),
        SettingKey(
            \Self.pressEnter, "press-enter",
            help: """
                Whether "press enter", said at the end, presses Return, whatever newline says; in a terminal a \
                newline is then Return as well, unless newline says otherwise.
                """),
    ]

    public var windowClass = ""
    public var title = ""
    public var method = ProfileValue<InsertMethod>.usual
    public var pasteKey = ProfileValue<PasteKey>.usual
    public var newline = ProfileValue<NewlineKey>.usual
    /// Milliseconds.
    public var pace = 0
    public var trailingSpace = false
    public var finalStop = true
    public var verbatim = false
    public var style = ProfileValue<TextStyle>.usual
    public var pressEnter = false

    public init() {}

    /// The first profile whose patterns fit a window.
    public static func first(
        in profiles: [ProfileSettings], windowClass: String, title: String
    ) -> ProfileSettings? {
        profiles.first { matches($0.windowClass, windowClass) && matches($0.title, title) }
    }

    private static func matches(_ pattern: String, _ text: String) -> Bool {
        pattern.isEmpty || fnmatch(pattern.lowercased(), text.lowercased(), 0) == 0
    }
}
