import Desktop

/// Decides which way a text goes into a native window.
struct NativeChoice: Equatable, Sendable {
    /// The text field that has the focus, as the compositor reports it.
    enum Field: Equatable, Sendable, CaseIterable {
        /// It takes text, and shows the text around its caret.
        case showsText
        /// It accepts text, and shows none: the result is unknown. foot drops text that it gets while it
        /// draws (45 of 600 texts, foot 1.13), and Chromium always shows an empty field.
        case showsNothing
        /// The application has no text field with the focus, or does not know input methods.
        case missing
        /// Another input method has the seat.
        case notOurs
    }

    enum Way: Equatable, Sendable {
        /// Given to the text field by the input method.
        case commit
        /// Keys of the virtual keyboard.
        case keys
        case hold(TypingOutcome.StopReason)
    }

    let field: Field
    /// Some characters are keys there: Return, Tab, Escape. Keys and text go different ways, and could overtake each other.
    let needsKeys: Bool
    /// Some characters are lost there if they come as keys.
    let losesKeys: Bool

    init(_ text: String, options: TypingOptions, windowClass: String, field: Field) {
        self.field = field
        needsKeys = Self.needsKeys(text, options: options)
        losesKeys = Self.lostCharacters(of: text, windowClass: windowClass) > 0
    }

    var way: Way {
        if field == .showsText, !needsKeys { return .commit }
        return losesKeys ? .hold(.noKeys) : .keys
    }

    /// Whether keys alone can be right for a text, so that the text field need not be queried.
    static func needsKeys(_ text: String, options: TypingOptions) -> Bool {
        text.contains { character in
            if character == "\t" { return options.tab == .key }
            if character == "\u{1b}" { return options.pressesEscape }
            return character.isNewline && character != "\u{85}" && options.newline != .space
        }
    }

    /// Characters that the application ignores if they come as keys. Chromium and programs based on it
    /// accept none beyond Unicode's first plane, such as most emoji.
    static func lostCharacters(of text: String, windowClass: String) -> Int {
        let name = windowClass.lowercased()
        // A Flatpak has a reverse domain name, such as com.visualstudio.code.
        let names = [name[...]] + name.split(separator: ".").suffix(1)
        guard chromiumClasses.contains(where: { known in names.contains { $0.hasPrefix(known) } }) else {
            return 0
        }
        return text.count { $0.unicodeScalars.contains { $0.value > 0xFFFF } }
    }

    private static let chromiumClasses = [
        "brave", "chrom", "code", "codium", "cursor", "discord", "edge", "electron", "element",
        "google-chrome", "logseq", "microsoft-edge", "obsidian", "opera", "signal", "slack",
        "teams-for-linux",
        "thorium", "vesktop", "vivaldi", "vscodium", "windsurf",
    ]
}
