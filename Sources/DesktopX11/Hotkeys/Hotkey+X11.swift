import CX11
import Desktop

extension Hotkey.Modifiers {
    /// As in the state of an event.
    var mask: UInt32 {
        let masks: [(Hotkey.Modifiers, Int32)] = [
            (.control, ControlMask), (.alt, Mod1Mask), (.shift, ShiftMask), (.super, Mod4Mask),
        ]
        return masks.filter { contains($0.0) }.reduce(0) { $0 | UInt32($1.1) }
    }
}

extension Hotkey {
    /// Reads a hotkey: modifiers in any order and the key last, joined by "+"; case and spaces do not matter.
    ///
    /// ```swift
    /// let hotkey = try Hotkey(parsing: "Control+Shift+F12")
    /// print(hotkey)   // ctrl+shift+F12
    /// ```
    ///
    /// - Throws: ``ParseError``
    public init(parsing text: String) throws(ParseError) {
        try self.init(parsing: text) { name in
            Self.keysym(named: name).map { (Self.name(of: $0) ?? "", $0) }
        }
    }

    /// The hotkey of a key that was pressed.
    ///
    /// - Parameters:
    ///   - keysym: that of the key alone.
    ///   - state: the modifiers that are down, as in the state of an event.
    /// - Returns: nil for keys that are needed for other things: modifiers, and without Ctrl, Alt or Super those that
    ///   write, edit or move.
    init?(keysym: UInt32, state: UInt32) {
        let held: [(Int32, String)] = [
            (ControlMask, "ctrl"), (Mod1Mask, "alt"), (ShiftMask, "shift"), (Mod4Mask, "super"),
        ]
        let names = held.filter { state & UInt32($0.0) != 0 }.map(\.1)
        // Modifiers of all kinds, from XK_Shift_L to XK_Hyper_R, and those of ISO.
        if (0xFFE1...0xFFEE).contains(keysym) || (0xFE00...0xFE1F).contains(keysym) || keysym == 0xFF7F {
            return nil
        }
        let isForWriting =
            keysym < 0xFD00 || (0xFF00...0xFF1F).contains(keysym)
            || (0xFF50...0xFF58).contains(keysym) || (0xFF80...0xFFB9).contains(keysym) || keysym == 0xFFFF
        if isForWriting, names.allSatisfy({ $0 == "shift" }) { return nil }
        // Ctrl+C interrupts programs in terminals.
        if keysym == 0x63, names == ["ctrl"] { return nil }
        guard let name = Self.name(of: keysym) else { return nil }
        guard let hotkey = try? Hotkey(parsing: (names + [name]).joined(separator: "+")) else { return nil }
        self = hotkey
    }

    // MARK: Names

    /// Common names of keys that have another name in X11.
    private static let otherNames = ["esc": "Escape", "enter": "Return", "del": "Delete", "ins": "Insert"]

    private static func keysym(named name: String) -> UInt32? {
        let name = otherNames[name.lowercased()] ?? name
        // A letter means its key, in either case.
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

    private static func name(of keysym: UInt32) -> String? {
        // The longest name is 27 characters (xkbcommon's documentation advises 64 bytes).
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            guard let start = buffer.baseAddress, xkb_keysym_get_name(keysym, start, buffer.count) > 0 else {
                return nil
            }
            return String(cString: start)
        }
    }
}
