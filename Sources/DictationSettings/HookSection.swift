/// The event that runs a hook. The raw values are the words of the settings file.
public enum HookEvent: String, SettingValue, CaseIterable {
    /// A text is cleaned, and not yet inserted.
    case cleaned
    /// A text is completely inserted.
    case inserted
    /// A dictation has failed.
    case failed
}

/// A program of the user's that takes part.
public struct HookSettings: SettingsSection {
    public static let name = "hook"
    public static let about = """
        Programs that are run at certain points. They get the text on standard input. docs/hooks.md explains them.
        """
    public static let keys = [
        SettingKey(
            \Self.event, "on",
            help: """
                When it is run: "cleaned" before a text is inserted (the output replaces the text); \
                "inserted"; "failed".
                """),
        SettingKey(
            \Self.command, "command",
            help: """
                The program and its arguments: ["tr", "a-z", "A-Z"]. No shell reads them, unless the program is one.
                """,
            expectation: "a list of strings, the first of them a program",
            allowed: { $0.first != "" }),
        SettingKey(
            \Self.limit, "limit",
            help: "After this many seconds it is killed, and its output is not used.",
            expectation: "seconds, 0.1 to 60", allowed: { (0.1...60).contains($0) }),
    ]

    public var event = HookEvent.cleaned
    /// Without one it does nothing.
    public var command: [String] = []
    /// Seconds.
    public var limit = 2.0

    public init() {}
}
