/// The overlay on the screen.
public struct OverlaySettings: SettingsSection {
    public static let name = "overlay"
    public static let about = """
        The small window that shows a dictation. It takes no focus, lets clicks through, and appears on the monitor of \
        the focused window. It follows that window to another monitor.
        """
    public static let keys = [
        SettingKey(\Self.isShown, "show", help: "Show it; false shows nothing."),
        SettingKey(
            \Self.showsText, "text",
            help: "Show the words while you speak; false hides them from people who can see your screen."
        ),
        SettingKey(\Self.theme, "theme", help: "Its colors; \"contrast\" is black, white and yellow."),
        SettingKey(\Self.position, "position", help: "Its position on the monitor."),
        SettingKey(
            \Self.size, "size",
            help: """
                Its size. The desktop's own scale (Xft.dpi; in a Wayland session, the output's) always applies as well.
                """),
        SettingKey(
            \Self.isMotionReduced, "reduced-motion",
            help: "Nothing pulses or scrolls: one bar shows the level, and moves four times a second."),
    ]

    public var isShown = true
    public var showsText = true
    public var theme = OverlayTheme.dark
    public var position = OverlayPosition.bottom
    public var size = OverlaySize.medium
    public var isMotionReduced = false

    public init() {}
}

/// The overlay's colors.
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
