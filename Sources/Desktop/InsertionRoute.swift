/// How a text got into its window, and what is known of its arrival.
public struct InsertionRoute: Equatable, Sendable {
    public let way: InsertionWay
    /// Whether the application has confirmed the characters that count: it has read its keys, or fetched or shown the text.
    /// Otherwise they were handed over, and it is unknown what the application did with them.
    public let isConfirmed: Bool

    public init(_ way: InsertionWay, isConfirmed: Bool) {
        self.way = way
        self.isConfirmed = isConfirmed
    }
}

/// The ways into a window.
public enum InsertionWay: String, Sendable, CaseIterable {
    /// Keys of the X server (XTEST).
    case keys
    /// Keys of a Wayland keyboard with its own map (virtual-keyboard-v1).
    case virtualKeyboard = "virtual-keyboard"
    /// Text given to the focused text field by the compositor (input-method-v2).
    case inputMethod = "input-method"
    /// Text given to the focused text field by the IBus daemon.
    case ibus
    /// Text put into the focused text field through its program's interface for assistive technology (AT-SPI).
    case accessibility
    /// The clipboard and a paste key.
    case paste
    /// The clipboard alone: the user pastes.
    case copy
    /// The program xdotool.
    case xdotool
    /// Written to a file or a terminal.
    case file

    /// For a person: by what the text was inserted.
    public var explanation: String {
        switch self {
        case .keys: "keys"
        case .virtualKeyboard: "keys of a virtual keyboard"
        case .inputMethod: "the compositor's input method"
        case .ibus: "IBus"
        case .accessibility: "the accessibility interface of the program"
        case .paste: "a paste"
        case .copy: "a copy on the clipboard"
        case .xdotool: "xdotool"
        case .file: "writing to a file"
        }
    }
}
