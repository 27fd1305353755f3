/// Changing the selected text by voice.
public struct TransformSettings: SettingsSection {
    public static let name = "transform"
    public static let about = """
        Changing the selected text by voice: the text and what you say ("make this shorter") go to the language model of \
        [polish], and its answer replaces the selection. dictstate transform does the same.
        """
    public static let keys = [
        SettingKey(
            \Self.hotkey, "hotkey",
            help: """
                The key to hold while you say how to change the selected text, written like host.hotkey; the \
                same as a [[hotkey]] with transform = true. "none" grabs no key: use dictstate transform.
                """,
            expectation: "the name of a key, or \"none\"", allowed: { !$0.isEmpty }),
        SettingKey(
            \Self.limit, "limit",
            help: "After this many seconds the request is canceled, and the selected text stays as it is.",
            expectation: "seconds, 1 to 300", allowed: { (1...300).contains($0) }),
        SettingKey(
            \Self.longest, "longest", in: 100...100_000,
            help: """
                The longest text that is sent and the longest answer that is used, in characters. A longer one changes \
                nothing.
                """),
    ]

    public var hotkey = HostSettings.noHotkey
    /// Seconds: the user waits for it, and sees the old text.
    public var limit = 30.0
    /// Some four pages.
    public var longest = 8_000

    public init() {}
}
