import DictationText

/// What is done with a text once it is recognised.
public struct CleanSettings: SettingsSection {
    public static let name = "clean"
    public static let about = "What the clean-up does with a text. docs/clean-up.md says what each rule does."
    public static let keys = [
        SettingKey(
            \Self.isOn, "on", help: "Whether texts are cleaned at all; false types what was recognised."),
        SettingKey(
            \Self.off, "off",
            help: "Rules that do not act, by their names, such as [\"finalMark\", \"measures\"]."),
    ]

    public var isOn = true
    public var off: [CleaningRule] = []

    public init() {}

    /// The rules that act.
    public var rules: Set<CleaningRule> {
        isOn ? Set(CleaningRule.allCases).subtracting(off) : []
    }
}

extension CleaningRule: SettingValue {}
