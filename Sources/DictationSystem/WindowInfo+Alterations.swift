/// The changes that an application makes to typed keys. A text that it changed would be another one, and as many BackSpaces as
/// characters were typed would remove too few, or some of the text before.
public enum Alteration: Equatable, Sendable {
    case none
    /// It indents a new line as the one before, and may remove more than a blank of it by BackSpace.
    case lines
    /// It corrects words, quotes and dashes as they are typed.
    case words

    public func changes(_ text: String) -> Bool {
        switch self {
        case .none: false
        case .lines: text.contains(where: \.isNewline)
        case .words: !text.isEmpty
        }
    }

    /// Whether a BackSpace after the leading blanks of a line may remove more than one of them, as in
    /// Kate.
    public func indents(_ text: String) -> Bool {
        self == .lines
            && text.split(whereSeparator: \.isNewline).contains {
                $0.prefix(2).allSatisfy(\.isWhitespace) && $0.count > 1
            }
    }
}

extension WindowInfo {
    /// Applications that paste by Shift+Insert everywhere, each of them tested. xterm binds it in its own
    /// translations, independent of the layout; Chromium needs some 0.6 ms for each key.
    private static let triedClasses: [String: Alteration] = [
        "xterm": .none, "uxterm": .none, "foot": .none, "footclient": .none,
        "chromium": .none, "chromium-browser": .none, "google-chrome": .none,
        "featherpad": .lines, "geany": .lines, "gedit": .lines, "kate": .lines, "mousepad": .lines,
        "pluma": .lines,
        "libreoffice-writer": .words,
    ]

    /// The changes that its application is known to make to typed keys; nil if it was not tested. A native
    /// Wayland window usually has a reverse domain name, such as org.kde.kate, and a web application that
    /// Chromium installed its own: chrome-….
    public var knownAlteration: Alteration? {
        let name = windowClass.lowercased()
        if let known = Self.triedClasses[name] { return known }
        if name.hasPrefix("chrome-") { return Alteration.none }
        return name.split(separator: ".").last.flatMap { Self.triedClasses[String($0)] }
    }

    /// Whether its application is known to remove one character for each BackSpace.
    public var takesBackSpaceForOneCharacter: Bool {
        isTerminal || (knownAlteration.map { $0 != .words } ?? false)
    }
}
