import CX11

/// The keyboard map as Xlib has read it from the server, with every index checked.
///
/// Another program may have loaded any map: with one key, no modifiers, or no symbols at all. Xlib omits empty tables. A
/// missing entry gives nothing, and is never an error.
final class KeyboardDescription {
    private let description: XkbDescPtr

    /// Reads the map; nil if the server does not return it.
    init?(of connection: DisplayConnection) {
        let parts = UInt32(XkbKeyTypesMask | XkbKeySymsMask | XkbModifierMapMask)
        guard let description = XkbGetMap(connection.display, parts, UInt32(XkbUseCoreKbd)) else {
            return nil
        }
        self.description = description
    }

    deinit { XkbFreeKeyboard(description, UInt32(XkbAllComponentsMask), 1) }

    private var map: XkbClientMapRec? { description.pointee.map?.pointee }

    /// In ascending order; none if the map has no symbols.
    var keycodes: [UInt8] {
        let (first, last) = (description.pointee.min_key_code, description.pointee.max_key_code)
        guard first <= last, map?.key_sym_map != nil else { return [] }
        return Array(first...last)
    }

    var firstKeycode: UInt8 { description.pointee.min_key_code }
    var lastKeycode: UInt8 { description.pointee.max_key_code }

    private func has(_ keycode: UInt8) -> Bool {
        (firstKeycode...max(firstKeycode, lastKeycode)).contains(keycode)
    }

    /// The key's entry in the table of symbols; nil if there is none.
    private func key(_ keycode: UInt8) -> XkbSymMapRec? {
        guard has(keycode), let keys = map?.key_sym_map else { return nil }
        return keys[Int(keycode)]
    }

    /// The modifiers that the key sets, as in the state of an event.
    func modifiers(of keycode: UInt8) -> UInt32 {
        guard has(keycode), let modifiers = map?.modmap else { return 0 }
        return UInt32(modifiers[Int(keycode)])
    }

    /// How many groups of symbols a key has; 0 if it gives nothing (`XkbNumGroups`).
    func groupCount(of keycode: UInt8) -> Int { key(keycode).map { Int($0.group_info & 0x0f) } ?? 0 }

    /// How many levels each group of a key has.
    func levelCount(of keycode: UInt8) -> Int { key(keycode).map { Int($0.width) } ?? 0 }

    /// The symbol at a level of a group; nil if the key has no such level.
    func keysym(of keycode: UInt8, group: Int = 0, level: Int = 0) -> UInt32? {
        guard let key = key(keycode), let map, let symbols = map.syms,
            (0..<groupCount(of: keycode)).contains(group), (0..<Int(key.width)).contains(level)
        else { return nil }
        let index = Int(key.offset) + group * Int(key.width) + level
        return index < Int(map.num_syms) ? UInt32(truncatingIfNeeded: symbols[index]) : nil
    }

    /// The keys that give it without modifiers: in the first group of the layout that has one, as toolkits look for
    /// the keys of their shortcuts.
    ///
    /// By our own copy of the map: Xlib's would have to be read again after each of our changes.
    func keycodes(giving keysym: Int32, besides reserved: Set<UInt8>) -> [UInt8] {
        let keycodes = keycodes
        for group in 0..<Int(XkbNumKbdGroups) {
            let giving = keycodes.filter {
                !reserved.contains($0) && self.keysym(of: $0, group: group) == UInt32(keysym)
            }
            if !giving.isEmpty { return giving }
        }
        return []
    }

    /// The symbol that a press gives with these modifiers on; 0 for none.
    func translate(_ keycode: UInt8, group: UInt8, modifiers: UInt32) -> UInt32 {
        guard let key = key(keycode), let map, map.types != nil else { return 0 }
        let types = [key.kt_index.0, key.kt_index.1, key.kt_index.2, key.kt_index.3]
        guard types.prefix(groupCount(of: keycode)).allSatisfy({ $0 < map.num_types }) else { return 0 }
        var consumed: UInt32 = 0
        var keysym: KeySym = 0
        // Bits 13 and 14 of a core state are the group (XkbBuildCoreState).
        XkbTranslateKeyCode(
            description, keycode, modifiers | UInt32(group & 3) << 13, &consumed, &keysym)
        return UInt32(truncatingIfNeeded: keysym)
    }

    /// The types of a key's four groups, as requests carry them.
    func types(of keycode: UInt8) -> [UInt8] {
        key(keycode).map { [$0.kt_index.0, $0.kt_index.1, $0.kt_index.2, $0.kt_index.3] } ?? [0, 0, 0, 0]
    }

    /// How the key treats groups that it does not have, and how many it has, as requests carry it.
    func groupInfo(of keycode: UInt8) -> UInt8 { key(keycode)?.group_info ?? 0 }

    /// Changes one key in this copy; nothing is sent.
    ///
    /// - Parameter keysyms: of its levels, none to two.
    /// - Returns: whether the key can be changed so.
    @discardableResult
    func set(_ keysyms: [UInt32], on keycode: UInt8) -> Bool {
        guard key(keycode) != nil, let types = map?.types, types[0].num_levels > 0,
            keysyms.count <= 1 || map.map({ $0.num_types > 1 }) == true
        else { return false }
        // Exactly as many levels: then neither a lock nor Shift can turn it into another character.
        let type = keysyms.count > 1 ? XkbTwoLevelIndex : XkbOneLevelIndex
        var chosen: [Int32] = Array(repeating: type, count: Int(XkbNumKbdGroups))
        // Emptied first: Xlib would look for the actions of a key that becomes wider or narrower, which were not read.
        for groups: Int32 in keysyms.isEmpty ? [0] : [0, 1] {
            let result = XkbChangeTypesOfKey(
                description, Int32(keycode), groups, UInt32(XkbGroup1Mask), &chosen, nil)
            guard result == Int32(Success) else { return false }
        }
        guard let map, let symbols = map.syms, let key = key(keycode), Int(key.width) >= keysyms.count,
            Int(key.offset) + keysyms.count <= Int(map.num_syms)
        else { return keysyms.isEmpty }
        for (level, keysym) in keysyms.enumerated() { symbols[Int(key.offset) + level] = KeySym(keysym) }
        return true
    }
}
