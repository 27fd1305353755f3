import CX11

/// The effects of keys in one group of the layout: read once from a description, and asked often.
struct KeyboardLayout {
    let group: UInt8
    var map = KeyboardMap(entries: [], spareKeycodes: [])
    /// The keys that give Escape: often Caps Lock as well.
    private(set) var escapeKeycodes: Set<UInt8> = []
    /// Alt, Meta and Super: to release one with no other key since its press opens a menu or the desktop's overview.
    private(set) var menuKeycodes: Set<UInt8> = []
    /// A key that gives nothing and is never bound, so that no application can read a character from it, however late; nil if
    /// there are few that could be bound.
    private(set) var unusedKeycode: UInt8?
    /// Of these, all are needed for characters.
    private static let fewSpareKeys = 8
    /// The keys that hold a level down, in the order in which they are pressed.
    private(set) var levelKeycodes: [(level: KeyboardMap.Level, keycode: UInt8)] = []
    /// The modifiers that each of these keys sets, as in the state of an event.
    private var modifierMasks: [UInt8: UInt32] = [:]
    private var numLockMask: UInt32 = 0

    /// Of a keyboard that was not read yet.
    init() { group = 0 }

    /// - Parameters:
    ///   - reserved: keys that stay bound until an application has read them. They are left out.
    ///   - canBind: whether keys without a character can be bound to one.
    init(_ description: KeyboardDescription, group: UInt8, reserved: Set<UInt8>, canBind: Bool) {
        self.group = group
        let keycodes = description.keycodes
        for keycode in keycodes {
            let mask = description.modifiers(of: keycode)
            if mask != 0 { modifierMasks[keycode] = mask }
        }
        let masks = modifierMasks
        func modifier(giving keysyms: Int32...) -> (keycode: UInt8, mask: UInt32)? {
            for keysym in keysyms {
                for keycode in keycodes {
                    if let mask = masks[keycode],
                        description.translate(keycode, group: group, modifiers: 0) == UInt32(keysym)
                    {
                        return (keycode, mask)
                    }
                }
            }
            return nil
        }
        let shift = modifier(giving: XK_Shift_L, XK_Shift_R)
        let altGr = modifier(giving: XK_ISO_Level3_Shift, XK_Mode_switch)
        numLockMask = modifier(giving: XK_Num_Lock)?.mask ?? 0
        if let altGr { levelKeycodes.append((.altGr, altGr.keycode)) }
        if let shift { levelKeycodes.append((.shift, shift.keycode)) }

        var entries: [KeyboardMap.Entry] = []
        var spareKeycodes: [UInt8] = []
        for keycode in keycodes where !reserved.contains(keycode) {
            if description.groupCount(of: keycode) == 0 {
                if canBind, masks[keycode] == nil { spareKeycodes.append(keycode) }
                continue
            }
            for level in KeyboardMap.Level.all {
                guard !level.contains(.shift) || shift != nil, !level.contains(.altGr) || altGr != nil else {
                    continue
                }
                let mask =
                    (level.contains(.shift) ? UInt32(ShiftMask) : 0)
                    | (level.contains(.altGr) ? altGr?.mask ?? 0 : 0)
                let keysym = description.translate(keycode, group: group, modifiers: mask)
                if keysym != 0 { entries.append(.init(keycode: keycode, level: level, keysym: keysym)) }
            }
        }
        // The same one while others are in use.
        if spareKeycodes.count + reserved.count > Self.fewSpareKeys {
            unusedKeycode = spareKeycodes.popLast()
        }
        map = KeyboardMap(entries: entries, spareKeycodes: spareKeycodes)
        escapeKeycodes = Set(description.keycodes(giving: XK_Escape, besides: reserved))
        menuKeycodes = Set(
            [XK_Alt_L, XK_Alt_R, XK_Meta_L, XK_Meta_R, XK_Super_L, XK_Super_R].flatMap {
                description.keycodes(giving: $0, besides: reserved)
            })
    }

    var modifierKeycodes: Set<UInt8> { Set(modifierMasks.keys) }

    func isModifier(_ keycode: UInt8) -> Bool { modifierMasks[keycode] != nil }

    /// The modifiers that are on while these keys are held.
    func modifiers(of keycodes: Set<UInt8>) -> UInt32 {
        keycodes.reduce(0) { $0 | (modifierMasks[$1] ?? 0) }
    }

    /// The locks that would change what a key gives; Num Lock only concerns the keypad, which is not used.
    func disturbingLocks(_ state: XkbStateRec) -> UInt32 { UInt32(state.locked_mods) & ~numLockMask }
}
