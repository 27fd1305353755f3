/// Spoken commands that edit.
public struct EditSettings: SettingsSection {
    public static let name = "edit"
    public static let about = """
        Spoken commands, such as "scratch that": they edit what was inserted last. docs/daily-use.md lists them.
        """
    public static let keys = [
        SettingKey(
            \Self.isOn, "on",
            help: """
                Carry out a command that is said alone; false types it as text. "Literal" before a command makes a text \
                of it.
                """),
        SettingKey(
            \Self.leadWord, "lead-word",
            help: """
                The words to say before each command, such as "computer"; "" takes a command without one.
                """),
    ]

    public var isOn = true
    /// One word or several.
    public var leadWord = ""

    public init() {}
}
