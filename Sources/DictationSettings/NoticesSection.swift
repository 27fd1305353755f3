/// Notifications of the desktop.
public struct NoticesSettings: SettingsSection {
    public static let name = "notices"
    public static let about = """
        Desktop notifications for held texts and for errors, and in place of the overlay if it cannot be \
        shown.
        """
    public static let keys = [
        SettingKey(\Self.isShown, "show", help: "Show them; false shows none."),
        SettingKey(
            \Self.showsText, "text",
            help: "Show the beginning of a held text. Private dictations never show it."),
        SettingKey(
            \Self.progress, "progress",
            help: """
                Say also that a recording has begun, and that its text is being written, in one notification \
                for each dictation. "auto" does so if the overlay cannot be shown, as on GNOME without \
                XWayland.
                """),
        SettingKey(
            \Self.offersRecognizer, "offers",
            help: """
                Offer a better recognizer if only PocketSphinx is available: at most once a day, and not for 30 days \
                after “Not now”.
                """),
        SettingKey(
            \Self.showsTray, "tray",
            help: """
                Show an item in the desktop's tray, if there is one. It shows the state of dictation, and \
                has a menu with the last text and the held texts.
                """),
    ]

    public var isShown = true
    public var showsText = true
    public var progress = ProgressNotices.auto
    public var offersRecognizer = true
    public var showsTray = true

    public init() {}
}

/// When notifications say what the overlay would.
public enum ProgressNotices: String, SettingValue, CaseIterable {
    case auto, always, never
}
