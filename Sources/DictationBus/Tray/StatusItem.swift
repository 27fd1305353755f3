/// This program's item in a desktop's tray.
public struct StatusItem: Equatable, Sendable {
    /// The name of an icon in the desktop's theme.
    public var icon: String
    /// Whether the user is asked for something. A tray may show that, and may hide the item otherwise.
    public var needsAttention: Bool
    /// One line, shown when the pointer is over the item.
    public var title: String
    /// More lines of plain text; may be empty.
    public var details: String
    /// The name of the action that a click carries out; nil for none.
    public var action: String?
    public var menu: [Entry]

    /// An entry of the menu.
    public indirect enum Entry: Equatable, Sendable {
        /// - action: its name, which is reported when the user chooses it; no other entry has it.
        case action(String, label: String)
        case submenu(label: String, [Entry])
        case separator
    }

    public init(
        icon: String, needsAttention: Bool = false, title: String, details: String = "", action: String?,
        menu: [Entry]
    ) {
        self.icon = icon
        self.needsAttention = needsAttention
        self.title = title
        self.details = details
        self.action = action
        self.menu = menu
    }
}
