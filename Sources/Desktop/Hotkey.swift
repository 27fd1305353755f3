/// A key, with modifiers or without, such as "F9" or "ctrl+alt+d".
///
/// ```swift
/// let hotkey = try Hotkey(parsing: "Control+Shift+F12", key: key)
/// print(hotkey)   // ctrl+shift+F12
/// ```
public struct Hotkey: Hashable, Sendable, CustomStringConvertible {
    public struct Modifiers: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let control = Modifiers(rawValue: 1 << 0)
        public static let alt = Modifiers(rawValue: 1 << 1)
        public static let shift = Modifiers(rawValue: 1 << 2)
        public static let `super` = Modifiers(rawValue: 1 << 3)
    }

    public let modifiers: Modifiers
    /// The X11 name of the key, such as "F9", "space", "XF86AudioRecord"; Wayland has the same names.
    public let keyName: String
    /// The number of that name.
    public let keysym: UInt32

    /// Finds the key with this name, and says how the display system calls it.
    public typealias KeyNamed = (String) -> (name: String, keysym: UInt32)?

    /// Why a text is not a hotkey.
    public enum ParseError: Error, Equatable, Sendable, CustomStringConvertible {
        case empty
        case unknownKey(String)
        case unknownModifier(String)
        case onlyModifiers(String)
        case repeatedModifier(String)

        private static let example = "write for example F9, ctrl+alt+d or super+space"

        public var description: String {
            switch self {
            case .empty: "the hotkey is empty; \(Self.example)"
            case .unknownKey(let name): "“\(name)” is not the X11 name of a key; \(Self.example)"
            case .unknownModifier(let name):
                "“\(name)” is not a modifier (shift, ctrl, alt, super are); \(Self.example)"
            case .onlyModifiers(let text): "“\(text)” has modifiers but no key; \(Self.example)"
            case .repeatedModifier(let name): "the modifier “\(name)” occurs twice; \(Self.example)"
            }
        }
    }

    /// Reads a hotkey: modifiers in any order and the key last, joined by "+"; case and spaces do not matter.
    ///
    /// - Parameter key: looks up the name of a key in the display system; nil if there is no such key.
    /// - Throws: ``ParseError``
    public init(parsing text: String, key: KeyNamed) throws(ParseError) {
        let parts = text.split(separator: "+", omittingEmptySubsequences: false)
            .map { String($0.trimmed()) }
        guard let last = parts.last, parts != [""] else { throw .empty }
        var modifiers: Modifiers = []
        for part in parts.dropLast() {
            guard let modifier = Self.modifierNames[part.lowercased()] else { throw .unknownModifier(part) }
            guard modifiers.insert(modifier).inserted else { throw .repeatedModifier(part) }
        }
        if last.isEmpty || Self.modifierNames[last.lowercased()] != nil {
            throw .onlyModifiers(text)
        }
        guard let key = key(last) else { throw .unknownKey(last) }
        self.modifiers = modifiers
        (keyName, keysym) = key
    }

    /// Whether people write with it, or move the cursor: while it is grabbed, no window gets it.
    public var isForWriting: Bool {
        modifiers.subtracting(.shift).isEmpty && Self.writingKeys.contains { $0.contains(keysym) }
    }

    public var description: String {
        Self.canonicalOrder.filter { modifiers.contains($0.0) }.map { $0.1 + "+" }.joined() + keyName
    }

    /// By the numbers in X11/keysymdef.h: characters, dead keys, BackSpace to Return, Escape, Home to Begin, the number pad
    /// without its function keys, Delete, and characters by their Unicode.
    private static let writingKeys: [ClosedRange<UInt32>] = [
        0x20...0xfcff, 0xfe50...0xfe93, 0xff08...0xff0d, 0xff1b...0xff1b, 0xff50...0xff58, 0xff80...0xff90,
        0xff95...0xffbd, 0xffff...0xffff, 0x100_0000...0x110_ffff,
    ]

    // MARK: Names

    private static let canonicalOrder: [(Modifiers, String)] = [
        (.control, "ctrl"), (.alt, "alt"), (.shift, "shift"), (.super, "super"),
    ]

    private static let modifierNames: [String: Modifiers] = [
        "shift": .shift, "ctrl": .control, "control": .control, "alt": .alt, "mod1": .alt, "meta": .alt,
        "super": .super, "win": .super, "mod4": .super,
    ]
}

extension Substring {
    fileprivate func trimmed() -> Substring {
        var result = drop(while: \.isWhitespace)
        while result.last?.isWhitespace == true { result.removeLast() }
        return result
    }
}
