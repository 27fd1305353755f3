/// A binding that a compositor's configuration has, as far as one line of it says. Variables are not followed.
public struct ConfiguredBinding: Equatable, Sendable {
    /// The line, without the spaces around it.
    public let line: String
    private let modifiers: Set<String>
    private let key: String

    /// Those of a whole configuration.
    public static func all(in text: String, of compositor: Compositor) -> [ConfiguredBinding] {
        text.split(whereSeparator: \.isNewline).compactMap { ConfiguredBinding(String($0), of: compositor) }
    }

    /// - Returns: nil if the line binds nothing.
    public init?(_ line: String, of compositor: Compositor) {
        let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
        guard let first = words.first else { return nil }
        let combination: [String]
        switch compositor {
        case .sway where first == "bindsym":
            guard let keys = words.dropFirst().first(where: { !$0.hasPrefix("--") }) else { return nil }
            combination = keys.split(separator: "+").map(String.init)
        case .hyprland where first.hasPrefix("bind"):
            guard let equals = line.firstIndex(of: "=") else { return nil }
            let fields = line[line.index(after: equals)...].split(
                separator: ",", omittingEmptySubsequences: false)
            guard fields.count > 2 else { return nil }
            combination =
                fields[0].split { " _+\t".contains($0) }.map(String.init)
                + fields[1].split(separator: " ").map(String.init)
        case .river where first == "riverctl" && words.dropFirst().first == "map":
            let rest = words.dropFirst(2).drop { $0.hasPrefix("-") }.dropFirst()
            guard rest.count > 2, let modifiers = rest.first, let key = rest.dropFirst().first else {
                return nil
            }
            combination = modifiers.split(separator: "+").map(String.init).filter { $0 != "None" } + [key]
        default: return nil
        }
        guard let key = combination.last else { return nil }
        self.line = words.joined(separator: " ")
        self.key = key.lowercased()
        modifiers = Set(combination.dropLast().map { Self.names[$0.lowercased()] ?? $0 })
    }

    private static let names = [
        "ctrl": "ctrl", "control": "ctrl", "mod1": "alt", "alt": "alt", "shift": "shift", "mod4": "super",
        "super": "super", "logo": "super",
    ]

    /// Whether it runs dictstate.
    public var isForDictation: Bool { line.contains("dictstate ") }

    /// Whether it runs dictstate for this key, whichever it binds.
    public func names(_ hotkey: Hotkey) -> Bool {
        let words = line.split { $0.isWhitespace || "\"'".contains($0) }
        return zip(words, words.dropFirst()).contains { $0 == "--hotkey" && $1 == "\(hotkey)" }
    }

    public func binds(_ hotkey: Hotkey) -> Bool {
        let wanted: [(Hotkey.Modifiers, String)] = [
            (.control, "ctrl"), (.alt, "alt"), (.shift, "shift"), (.super, "super"),
        ]
        return key == hotkey.keyName.lowercased()
            && modifiers == Set(wanted.filter { hotkey.modifiers.contains($0.0) }.map(\.1))
    }
}
