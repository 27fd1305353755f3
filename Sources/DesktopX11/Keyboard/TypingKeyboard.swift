import CX11
import Desktop

/// The X server's keyboard as the typist uses it: reads the map, binds spare keys, sends strokes.
final class TypingKeyboard {
    private(set) var map = KeyboardMap(entries: [], spareKeycodes: [])
    private(set) var modifierKeycodes: Set<UInt8> = []
    /// What each of these keys is a modifier for, as in the state of an event.
    private var modifierMasks: [UInt8: UInt32] = [:]
    /// 0 where no key gives Escape.
    private(set) var escapeKeycode: UInt8 = 0
    private var levelKeycodes: [(KeyboardMap.Level, UInt8)] = []
    private var numLockMask: UInt32 = 0
    private var group: UInt8 = 0
    private var isStale = true
    /// What the spare keys are bound to at this moment.
    private(set) var bindings: [TypingPlan.Binding] = []
    private var description: KeyboardDescription?
    /// Keys that are bound until somebody has read them: for whoever reads the map, they give nothing and are not free.
    var reserved: Set<UInt8> = [] {
        didSet { if reserved != oldValue { markStale() } }
    }
    let connection: DisplayConnection
    /// Of XKEYBOARD.
    let opcode: UInt8
    /// The type of all events of XKEYBOARD.
    private let eventType: Int32

    /// The lowest and the highest bound keycode lie within these; the map of this range is sent at each change.
    private var spares: ClosedRange<UInt8>? {
        map.spareKeycodes.first.flatMap { first in map.spareKeycodes.last.map { first...$0 } }
    }

    init(connection: DisplayConnection) throws(DesktopError) {
        self.connection = connection
        var opcode: Int32 = 0
        var event: Int32 = 0
        var error: Int32 = 0
        var major = XkbMajorVersion
        var minor = XkbMinorVersion
        guard XkbQueryExtension(connection.display, &opcode, &event, &error, &major, &minor) != 0 else {
            throw .missingExtension("XKEYBOARD")
        }
        eventType = event
        self.opcode = UInt8(truncatingIfNeeded: opcode)
        guard XTestQueryExtension(connection.display, &event, &error, &major, &minor) != 0 else {
            throw .missingExtension("XTEST")
        }
    }

    /// Asks to be told when the map changes; see ``isChange(_:)``.
    ///
    /// Xlib by itself tells of one change only, until all that it knows of the keyboard is read again: a handful of
    /// round trips for each change, and ours are many.
    func watchChanges() {
        let mask = UInt32(XkbMapNotifyMask | XkbNewKeyboardNotifyMask)
        XkbSelectEvents(connection.display, UInt32(XkbUseCoreKbd), mask, mask)
    }

    func isChange(_ event: XEvent) -> Bool { event.type == eventType || event.type == MappingNotify }

    func markStale() { isStale = true }

    /// What has changed was our own doing.
    func markKnown() { isStale = false }

    /// Whether the layout is no longer the one that ``map`` was read from: another group is active, or somebody has
    /// changed the map. Every change is looked into, for many change nothing (another keyboard of the same layout).
    func isLayoutChanged(_ state: XkbStateRec) throws(DesktopError) -> Bool {
        if state.group != group { return true }
        if !isStale { return false }
        let (before, bound) = (map, bindings)
        try refresh()
        // The keys that are bound are no spare ones now, for whoever reads the map.
        let keycodes = Set(bound.map(\.keycode))
        let isSame =
            before.entries.filter { !keycodes.contains($0.keycode) }
            == map.entries.filter { !keycodes.contains($0.keycode) } && isStillBound(bound)
        map = before
        return !isSame
    }

    /// Whether these keys give what they were bound to, by the map that was read last.
    func isStillBound(_ bindings: [TypingPlan.Binding]) -> Bool {
        guard let description else { return false }
        return bindings.allSatisfy { isBound($0, in: description) }
    }

    private func isBound(_ binding: TypingPlan.Binding, in description: KeyboardDescription) -> Bool {
        description.groupCount(of: binding.keycode) == 1
            && description.keysym(of: binding.keycode, level: binding.isShifted ? 1 : 0) == binding.keysym
    }

    /// Reads the map again if it has changed.
    func refreshIfStale() throws(DesktopError) { if isStale { try refresh() } }

    /// Reads the map again if it has changed, or another group of it is active now.
    func refresh() throws(DesktopError) {
        let state = state()
        if !isStale && state.group == group { return }
        guard let description = KeyboardDescription(of: connection) else {
            try connection.checkAlive()
            throw .unreadableKeyboard
        }
        self.description = description
        group = state.group
        read(description)
        isStale = false
    }

    private func read(_ description: KeyboardDescription) {
        let keycodes = description.keycodes
        modifierMasks = [:]
        for keycode in keycodes {
            let mask = description.modifiers(of: keycode)
            if mask != 0 { modifierMasks[keycode] = mask }
        }
        modifierKeycodes = Set(modifierMasks.keys)
        func keycode(giving keysyms: Int32...) -> (UInt8, UInt32)? {
            for keysym in keysyms {
                for keycode in keycodes {
                    if let mask = modifierMasks[keycode],
                        translate(description, keycode, mask: 0) == UInt32(keysym)
                    {
                        return (keycode, mask)
                    }
                }
            }
            return nil
        }
        let shift = keycode(giving: XK_Shift_L, XK_Shift_R)
        let altGr = keycode(giving: XK_ISO_Level3_Shift, XK_Mode_switch)
        numLockMask = keycode(giving: XK_Num_Lock)?.1 ?? 0
        levelKeycodes = []
        if let altGr { levelKeycodes.append((.altGr, altGr.0)) }
        if let shift { levelKeycodes.append((.shift, shift.0)) }

        var entries: [KeyboardMap.Entry] = []
        var spareKeycodes: [UInt8] = []
        for keycode in keycodes where !reserved.contains(keycode) {
            if description.groupCount(of: keycode) == 0 {
                if !modifierKeycodes.contains(keycode) { spareKeycodes.append(keycode) }
                continue
            }
            for level in KeyboardMap.Level.all {
                guard !level.contains(.shift) || shift != nil, !level.contains(.altGr) || altGr != nil else {
                    continue
                }
                let mask =
                    (level.contains(.shift) ? UInt32(ShiftMask) : 0)
                    | (level.contains(.altGr) ? altGr?.1 ?? 0 : 0)
                let keysym = translate(description, keycode, mask: mask)
                if keysym != 0 { entries.append(.init(keycode: keycode, level: level, keysym: keysym)) }
            }
        }
        map = KeyboardMap(entries: entries, spareKeycodes: spareKeycodes)
        escapeKeycode = self.keycode(giving: XK_Escape)
    }

    private func translate(_ description: KeyboardDescription, _ keycode: UInt8, mask: UInt32) -> UInt32 {
        description.translate(keycode, group: group, modifiers: mask)
    }

    // MARK: Spare keys

    /// Binds the spare keys, all in one change of the map (a window manager needs some 30 ms for each); those that
    /// are not named give nothing.
    func bind(_ bindings: [TypingPlan.Binding]) {
        guard let description, let spares else { return }
        let bound = Dictionary(grouping: bindings, by: \.keycode)
        for keycode in map.spareKeycodes {
            let (plain, shifted) = (
                bound[keycode]?.first { !$0.isShifted }, bound[keycode]?.first(where: \.isShifted)
            )
            description.set([plain, shifted].compactMap { $0?.keysym }, on: keycode)
        }
        send(spares, of: description)
        self.bindings = bindings
    }

    /// The keys that are bound stay so, and somebody else empties them by ``unbind(_:)`` some day.
    func leaveBound() { bindings = [] }

    /// Empties the keys that are bound. A key that means something else by now (another layout was loaded) is left.
    func unbind(_ bindings: [TypingPlan.Binding]) throws(DesktopError) {
        if bindings.isEmpty { return }
        if !isStale && bindings == self.bindings {
            bind([])
            markStale()
            return
        }
        markStale()
        try refresh()
        self.bindings = []
        guard let description else { return }
        let known = Set(bindings.filter { isBound($0, in: description) }.map(\.keycode))
        guard let first = known.min(), let last = known.max() else { return }
        for keycode in known { description.set([], on: keycode) }
        send(first...last, of: description)
        connection.sync()
        markStale()
    }

    /// XkbChangeMap would have the server compute the actions of these keys as well, though no character has any: it would
    /// tell every client of the change a second time, which a window manager needs another 30 ms for.
    private func send(_ keycodes: ClosedRange<UInt8>, of description: KeyboardDescription) {
        var keys: [UInt8] = []
        var keysymCount = 0
        for keycode in keycodes {
            let (groups, levels) = (description.groupCount(of: keycode), description.levelCount(of: keycode))
            // The request counts symbols in 16 bits. What does not fit goes in a request of its own.
            if keysymCount + groups * levels > Int(UInt16.max), keycode > keycodes.lowerBound {
                send(keycodes.lowerBound...(keycode - 1), of: description)
                send(keycode...keycodes.upperBound, of: description)
                return
            }
            // xkbSymMapWireDesc: the types of four groups, their number, the width and number of what follows.
            keys += description.types(of: keycode)
            keys += [description.groupInfo(of: keycode), UInt8(truncatingIfNeeded: levels)]
            keys += Inquiries.bytes(UInt16(groups * levels))
            for group in 0..<groups {
                for level in 0..<levels {
                    keys += Inquiries.bytes(
                        description.keysym(of: keycode, group: group, level: level) ?? UInt32(NoSymbol))
                }
            }
            keysymCount += groups * levels
        }
        // xkbSetMapReq: the core keyboard, what is there (keysyms), no flags; nothing of what comes after the keysyms.
        var request: [UInt8] = [opcode, 9, 0, 0]
        for word in [XkbUseCoreKbd, XkbKeySymsMask, 0] {
            request += Inquiries.bytes(UInt16(truncatingIfNeeded: word))
        }
        request += [description.firstKeycode, description.lastKeycode, 0, 0]
        request += [keycodes.lowerBound, UInt8(truncatingIfNeeded: keycodes.count)]
        request += Inquiries.bytes(UInt16(keysymCount))
        request += [UInt8](repeating: 0, count: 18)
        connection.inquiries.tell(request + keys)
    }

    // MARK: Strokes

    /// - Parameter whileDown: called between press and release, to send what belongs there.
    func tap(_ stroke: KeyboardMap.KeyStroke, whileDown: () -> Void = {}) {
        let held = levelKeycodes.filter { stroke.level.contains($0.0) }
        for (_, keycode) in held { send(keycode, isDown: true) }
        send(stroke.keycode, isDown: true)
        whileDown()
        send(stroke.keycode, isDown: false)
        for (_, keycode) in held.reversed() { send(keycode, isDown: false) }
    }

    /// The key that gives it without modifiers: in the first group of the layout that has one, as toolkits look for
    /// the keys of their shortcuts. 0 where no key does.
    ///
    /// By the map that was read here: Xlib's own would have to be read again after each change, by both of ours.
    func keycode(giving keysym: Int32) -> UInt8 {
        guard let description else { return 0 }
        let keycodes = description.keycodes
        for group in 0..<Int(XkbNumKbdGroups) {
            for keycode in keycodes
            where !reserved.contains(keycode)
                && description.keysym(of: keycode, group: group) == UInt32(keysym)
            {
                return keycode
            }
        }
        return 0
    }

    func send(_ keycode: UInt8, isDown: Bool) {
        XTestFakeKeyEvent(connection.display, UInt32(keycode), isDown ? 1 : 0, 0)
    }

    // MARK: Modifiers

    /// The modifiers that are on while these keys are held.
    func modifiers(of keycodes: Set<UInt8>) -> UInt32 {
        keycodes.reduce(0) { $0 | (modifierMasks[$1] ?? 0) }
    }

    /// What asks for ``state()``.
    var stateQuestion: Question { .keyboardState(extension: opcode) }

    /// Modifiers and group; without any where the connection is lost.
    func state() -> XkbStateRec {
        var state = XkbStateRec()
        _ = connection.answer(stateQuestion) { reply in
            // xkbGetStateReply.
            state.mods = reply.load(fromByteOffset: 8, as: UInt8.self)
            state.base_mods = reply.load(fromByteOffset: 9, as: UInt8.self)
            state.latched_mods = reply.load(fromByteOffset: 10, as: UInt8.self)
            state.locked_mods = reply.load(fromByteOffset: 11, as: UInt8.self)
            state.group = reply.load(fromByteOffset: 12, as: UInt8.self)
        }
        return state
    }

    /// The locks that would change what a key gives; Num Lock only concerns the keypad, which is not used.
    func disturbingLocks(_ state: XkbStateRec) -> UInt32 { UInt32(state.locked_mods) & ~numLockMask }

    func setLocks(_ mask: UInt32, isLocked: Bool) {
        XkbLockModifiers(connection.display, UInt32(XkbUseCoreKbd), mask, isLocked ? mask : 0)
    }

    /// Lets go of what "sticky keys" have latched.
    func unlatch() { XkbLatchModifiers(connection.display, UInt32(XkbUseCoreKbd), 0xff, 0) }

    /// The keys that are down for the applications.
    func pressedKeycodes() -> [UInt8] {
        connection.answer(.pressedKeys) { reply in
            // xQueryKeymapReply.
            KeyBits(at: reply + 8).keycodes
        } ?? []
    }
}

/// The set of keys that are down, as the server describes it: one bit a keycode.
struct KeyBits: Equatable {
    /// In bytes.
    static let size = 32
    let keycodes: [UInt8]

    /// - Parameter reply: where they begin in an answer of the server.
    init(at reply: UnsafeRawPointer) {
        self.init(UnsafeRawBufferPointer(start: reply, count: Self.size).map { CChar(bitPattern: $0) })
    }

    init(_ bytes: [CChar]) {
        // Keycodes begin at 8 (the X11 protocol).
        keycodes = (UInt8(8)...UInt8.max).filter { keycode in
            Int(keycode / 8) < bytes.count
                && UInt8(bitPattern: bytes[Int(keycode / 8)]) & (1 << (keycode % 8)) != 0
        }
    }
}
