/// The key for a newline.
public enum NewlineKey: String, Equatable, Sendable, CaseIterable {
    case `return`
    /// In chat programs Return sends the message: this makes a new line there.
    case shiftReturn = "shift-return"
    case space
}

/// How a text is typed.
public struct TypingOptions: Equatable, Sendable {
    /// The key for a tab.
    public enum Tab: String, Equatable, Sendable, CaseIterable {
        case space
        /// The Tab key, which moves the focus in most forms.
        case key
    }

    /// The text as it would be typed, without control characters, for a method that presses no keys. Nil if it needs keys
    /// that are not text (Shift and Return).
    public func plain(_ text: String) -> String? {
        var plain = ""
        for character in text {
            if character.isNewline, character.unicodeScalars.first != "\u{85}" {
                switch newline {
                case .return: plain.append("\n")
                case .space: plain.append(" ")
                case .shiftReturn: return nil
                }
            } else if character == "\t" {
                plain.append(tab == .key ? "\t" : " ")
            } else if !character.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
            {
                plain.append(character)
            }
        }
        return plain
    }

    public var newline: NewlineKey
    public var tab: Tab
    /// Whether the control character Escape is the key; otherwise it is left out.
    public var pressesEscape: Bool

    public init(newline: NewlineKey = .return, tab: Tab = .space, pressesEscape: Bool = false) {
        self.newline = newline
        self.tab = tab
        self.pressesEscape = pressesEscape
    }
}
