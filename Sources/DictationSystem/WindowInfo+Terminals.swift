extension WindowInfo {
    /// Terminals whose class does not say so. (Those that do: gnome-terminal, xterm, and so on.) Some have more than one: the
    /// program of GNOME Console is kgx, and windows of foot's server are footclient.
    private static let terminalClasses: Set<String> = [
        "alacritty", "black-box", "blackbox", "com.mitchellh.ghostty", "contour", "cool-retro-term", "eterm",
        "evilvte", "foot", "footclient", "ghostty", "guake", "havoc", "hyper", "kgx", "kitty",
        "kitty-quick-access", "konsole", "org.gnome.console", "org.gnome.console.devel", "ptyxis", "rio",
        "rxvt", "sakura", "st", "st-256color", "tabby", "terminator", "terminology", "tilda", "tilix", "tym",
        "urxvt", "warp", "yakuake", "zutty",
    ]

    /// Whether it is known as a terminal, by its class.
    public var isTerminal: Bool {
        let name = windowClass.lowercased()
        return name.contains("term") || name.contains("rxvt") || Self.terminalClasses.contains(name)
            // Reverse domain names, such as org.gnome.Ptyxis.
            || Self.terminalClasses.contains { name.hasSuffix("." + $0) }
    }
}
