/// What is seen of a dictation on the screen.
public struct OverlaySettings: SettingsSection {
    public static let name = "overlay"
    public static let about = """
        What is seen of a dictation: a small window that takes no focus and lets clicks through, on the monitor of the \
        focused window. It goes along where that is moved to another one.
        """
    public static let keys = [
        SettingKey(\Self.isShown, "show", help: "Show it; false shows nothing."),
        SettingKey(
            \Self.showsText, "text",
            help: "Show the words while they are spoken; false for those who are looked at over the shoulder."
        ),
        SettingKey(\Self.theme, "theme", help: "Its colours; \"contrast\" is black, white and yellow."),
        SettingKey(\Self.position, "position", help: "Where on the monitor it is."),
        SettingKey(
            \Self.size, "size",
            help: "How large it is, besides the desktop's own scale (Xft.dpi), which is always heeded."),
        SettingKey(
            \Self.isMotionReduced, "reduced-motion",
            help: "Nothing pulses or scrolls: one bar shows the level, and it moves four times a second."),
    ]

    public var isShown = true
    public var showsText = true
    public var theme = OverlayTheme.dark
    public var position = OverlayPosition.bottom
    public var size = OverlaySize.medium
    public var isMotionReduced = false

    public init() {}
}

/// The overlay's colours.
public enum OverlayTheme: String, SettingValue, CaseIterable {
    case dark, light, contrast
}

/// Where on the monitor the overlay is.
public enum OverlayPosition: String, SettingValue, CaseIterable {
    case top, bottom, center
    case topLeft = "top-left"
    case topRight = "top-right"
    case bottomLeft = "bottom-left"
    case bottomRight = "bottom-right"
}

/// How large the overlay is.
public enum OverlaySize: String, SettingValue, CaseIterable {
    case small, medium, large
}
