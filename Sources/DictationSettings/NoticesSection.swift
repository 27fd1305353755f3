/// What the desktop's notification service is told.
public struct NoticesSettings: SettingsSection {
    public static let name = "notices"
    public static let about = """
        Notices of the desktop's own notification service: for texts that are held, and for what went wrong.
        """
    public static let keys = [
        SettingKey(\Self.isShown, "show", help: "Show them; false shows none."),
        SettingKey(
            \Self.showsText, "text",
            help: "Show the beginning of a text that is held. Private dictations never show it."),
        SettingKey(
            \Self.offersRecognizer, "offers",
            help: """
                Offer a better recognizer where only PocketSphinx recognizes: at most once a day, and after “Not now” \
                not for 30 days.
                """),
    ]

    public var isShown = true
    public var showsText = true
    public var offersRecognizer = true

    public init() {}
}
