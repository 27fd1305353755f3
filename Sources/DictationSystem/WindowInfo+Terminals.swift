extension WindowInfo {
    /// Terminals whose class does not say so. (Those that do: gnome-terminal, xterm, kitty, and so on.)
    private static let terminalClasses: Set<String> = [
        "alacritty", "black-box", "com.mitchellh.ghostty", "contour", "cool-retro-term", "eterm", "foot",
        "ghostty",
        "guake", "kgx", "kitty", "konsole", "ptyxis", "rio", "rxvt", "sakura", "st", "st-256color", "tabby",
        "terminator",
        "terminology", "tilda", "tilix", "urxvt", "warp", "yakuake",
    ]

    /// Whether it is known as a terminal, by its class.
    public var isTerminal: Bool {
        let name = windowClass.lowercased()
        return name.contains("term") || name.contains("rxvt") || Self.terminalClasses.contains(name)
            // Reverse domain names, such as org.gnome.Ptyxis.
            || Self.terminalClasses.contains { name.hasSuffix("." + $0) }
    }
}
