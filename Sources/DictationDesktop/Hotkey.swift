import CX11

/// A key, with modifiers or without, such as "F9" or "ctrl+alt+d".
///
/// ```swift
/// let hotkey = try Hotkey(parsing: "Control+Shift+F12")
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

        /// As in the state of an event.
        var mask: UInt32 {
            let masks: [(Modifiers, Int32)] = [
                (.control, ControlMask), (.alt, Mod1Mask), (.shift, ShiftMask), (.super, Mod4Mask),
            ]
            return masks.filter { contains($0.0) }.reduce(0) { $0 | UInt32($1.1) }
        }
    }

    public let modifiers: Modifiers
    /// The X11 name of the key, such as "F9", "space", "XF86AudioRecord".
    public let keyName: String
    /// The X11 number of that name.
    let keysym: UInt32

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
            case .unknownKey(let name): "\"\(name)\" is not the X11 name of a key; \(Self.example)"
            case .unknownModifier(let name):
                "\"\(name)\" is not a modifier (shift, ctrl, alt, super are); \(Self.example)"
            case .onlyModifiers(let text): "\"\(text)\" has modifiers but no key; \(Self.example)"
            case .repeatedModifier(let name): "the modifier \"\(name)\" stands there twice; \(Self.example)"
            }
        }
    }

    /// F9: few programs use it, and it is reached without looking.
    public static let usual = Hotkey(modifiers: [], keyName: "F9", keysym: UInt32(XK_F9))

    private init(modifiers: Modifiers, keyName: String, keysym: UInt32) {
        self.modifiers = modifiers
        self.keyName = keyName
        self.keysym = keysym
    }

    /// Reads a hotkey: modifiers in any order and the key last, joined by "+"; case and spaces do not matter.
    ///
    /// - Throws: ``ParseError``
    public init(parsing text: String) throws(ParseError) {
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
        guard let keysym = Self.keysym(named: last) else { throw .unknownKey(last) }
        self.modifiers = modifiers
        self.keysym = keysym
        keyName = Self.name(of: keysym)
    }

    public var description: String {
        Self.canonicalOrder.filter { modifiers.contains($0.0) }.map { $0.1 + "+" }.joined() + keyName
    }

    // MARK: Names

    private static let canonicalOrder: [(Modifiers, String)] = [
        (.control, "ctrl"), (.alt, "alt"), (.shift, "shift"), (.super, "super"),
    ]

    private static let modifierNames: [String: Modifiers] = [
        "shift": .shift, "ctrl": .control, "control": .control, "alt": .alt, "mod1": .alt, "meta": .alt,
        "super": .super, "win": .super, "mod4": .super,
    ]

    /// What people call keys that X11 calls otherwise.
    private static let otherNames = ["esc": "Escape", "enter": "Return", "del": "Delete", "ins": "Insert"]

    private static func keysym(named name: String) -> UInt32? {
        let name = otherNames[name.lowercased()] ?? name
        // A letter means its key, whatever its case.
        let exact = xkb_keysym_from_name(name.count == 1 ? name.lowercased() : name, XKB_KEYSYM_NO_FLAGS)
        if exact != 0 { return exact }
        // "é" is the key that gives é.
        if name.unicodeScalars.count == 1, let scalar = name.lowercased().unicodeScalars.first,
            scalar.properties.generalCategory != .control
        {
            return Keysym.entering(scalar)
        }
        let tolerant = xkb_keysym_from_name(name, XKB_KEYSYM_CASE_INSENSITIVE)
        return tolerant == 0 ? nil : tolerant
    }

    private static func name(of keysym: UInt32) -> String {
        // The longest name is 27 characters (xkbcommon's documentation advises 64 bytes).
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            guard let start = buffer.baseAddress, xkb_keysym_get_name(keysym, start, buffer.count) > 0 else {
                return ""
            }
            return String(cString: start)
        }
    }
}

extension Substring {
    fileprivate func trimmed() -> Substring {
        var result = drop(while: \.isWhitespace)
        while result.last?.isWhitespace == true { result.removeLast() }
        return result
    }
}
