/// Spoken commands that edit.
public struct EditSettings: SettingsSection {
    public static let name = "edit"
    public static let about = """
        Spoken commands, such as "scratch that": they edit the last inserted text. docs/daily-use.md lists \
        them.
        """
    public static let keys = [
        SettingKey(
            \Self.isOn, "on",
            help: """
                Carry out a command that is said alone; false types it as text. Say "literal" before a \
                command to type it as text.
                """),
        SettingKey(
            \Self.leadWord, "lead-word",
            help: """
                The words to say before each command, such as "computer"; "" needs no word before a command.
                """),
    ]

    public var isOn = true
    /// One word or several.
    public var leadWord = ""

    public init() {}
}
