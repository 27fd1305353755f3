import CleanupChoices

/// The clean-up of a recognized text.
public struct CleanSettings: SettingsSection {
    public static let name = "clean"
    public static let about = "How texts are cleaned. docs/clean-up.md explains each rule."
    public static let keys = [
        SettingKey(
            \Self.isOn, "on", help: "Clean texts; false types them as recognized."),
        SettingKey(
            \Self.off, "off",
            help: "Rules to turn off, by name, such as [\"finalMark\", \"measures\"]."),
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
