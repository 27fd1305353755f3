import CX11
import Desktop

/// The X server's keyboard as the typist uses it: knows its map, binds spare keys, sends strokes.
final class TypingKeyboard {
    private(set) var layout = KeyboardLayout()
    private var description: KeyboardDescription?
    private var isStale = true
    /// The present bindings of the spare keys.
    private(set) var bindings: [TypingPlan.Binding] = []
    /// Keys that stay bound until an application has read them. The layout leaves them out: they are not free.
    var reserved: Set<UInt8> = [] {
        didSet { if reserved != oldValue { markStale() } }
    }
    private let connection: DisplayConnection
    let control: KeyboardControl
    private let isXWayland: Bool

    var map: KeyboardMap { layout.map }

    init(connection: DisplayConnection, isXWayland: Bool = false) throws(DesktopError) {
        self.connection = connection
        self.isXWayland = isXWayland
        control = try KeyboardControl(connection: connection)
    }

    // MARK: Reading the map

    /// Makes applications read the following keys by the map of the XTEST keyboard.
    ///
    /// Applications see the map of the keyboard that was used last. XWayland gives the user's layout to the user's keyboard
    /// alone: by the map that is seen before the first key, that key and all others would be wrong. The server sends a release
    /// of a key that is not down to no client, but counts it as a use of the keyboard.
    func takeOver() {
        guard isXWayland else { return }
        control.send(UInt8.max, isDown: false)
        connection.sync()
    }

    func markStale() { isStale = true }

    /// The map has changed, but only by us.
    func markKnown() { isStale = false }

    /// Whether the layout is no longer the one that ``map`` was read from: another group is active, or
    /// something has changed the map. Each notification is checked, because many change nothing (another
    /// keyboard of the same layout).
    func isLayoutChanged(_ state: XkbStateRec) throws(DesktopError) -> Bool {
        if state.group != layout.group { return true }
        if !isStale { return false }
        let (before, bound) = (map, bindings)
        try refresh()
        // The new layout does not have our bound keys as spare ones.
        let keycodes = Set(bound.map(\.keycode))
        let isSame =
            before.entries.filter { !keycodes.contains($0.keycode) }
            == map.entries.filter { !keycodes.contains($0.keycode) } && isStillBound(bound)
        layout.map = before
        return !isSame
    }

    /// Whether these keys have their bindings, by the map that was read last.
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
        let group = control.state().group
        if !isStale && group == layout.group { return }
        guard let description = KeyboardDescription(of: connection) else {
            try connection.checkAlive()
            throw .unreadableKeyboard
        }
        self.description = description
        // Applications on XWayland may read nothing from a key that was bound after the map has changed to
        // that of another keyboard. So a text with characters beyond the layout is pasted there, or held.
        layout = KeyboardLayout(description, group: group, reserved: reserved, canBind: !isXWayland)
        isStale = false
    }

    /// The key that gives it without modifiers; see ``KeyboardDescription/keycodes(giving:besides:)``. 0 where no key does.
    func keycode(giving keysym: Int32) -> UInt8 {
        description?.keycodes(giving: keysym, besides: reserved).first ?? 0
    }

    // MARK: Spare keys

    /// Binds the spare keys, all in one change of the map (a window manager needs some 30 ms for each); those that
    /// are not named give nothing.
    func bind(_ bindings: [TypingPlan.Binding]) {
        // The lowest and the highest bound keycode lie within these; the map of this range is sent at each change.
        guard let description, let first = map.spareKeycodes.first, let last = map.spareKeycodes.last else {
            return
        }
        let bound = Dictionary(grouping: bindings, by: \.keycode)
        for keycode in map.spareKeycodes {
            let (plain, shifted) = (
                bound[keycode]?.first { !$0.isShifted }, bound[keycode]?.first(where: \.isShifted)
            )
            description.set([plain, shifted].compactMap { $0?.keysym }, on: keycode)
        }
        control.write(first...last, of: description)
        self.bindings = bindings
    }

    /// The bound keys stay bound. ``UnreadTexts`` empties them later, with ``unbind(_:)``.
    func leaveBound() { bindings = [] }

    /// Empties bound keys. A key that has another meaning now, because another layout was loaded, is left alone.
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
        control.write(first...last, of: description)
        connection.sync()
        markStale()
    }

    // MARK: Modifiers of the user

    /// Releases modifiers that the user holds, so that no menu opens: see ``KeyboardLayout/menuKeycodes``.
    func release(_ modifiers: [UInt8]) {
        if modifiers.contains(where: layout.menuKeycodes.contains) { tapUnused() }
        for keycode in modifiers { control.send(keycode, isDown: false) }
    }

    /// Presses modifiers that the user still holds; no menu opens when the user releases them.
    func press(_ modifiers: [UInt8]) {
        for keycode in modifiers { control.send(keycode, isDown: true) }
        if modifiers.contains(where: layout.menuKeycodes.contains) { tapUnused() }
    }

    /// Taps a key that gives nothing. If there is none left it is Control, which may choose another layout together with Alt.
    private func tapUnused() {
        let keycode = layout.unusedKeycode ?? keycode(giving: XK_Control_L)
        guard keycode != 0 else { return }
        for isDown in [true, false] { control.send(keycode, isDown: isDown) }
    }

    // MARK: Strokes

    /// - Parameter whileDown: called between press and release, to send what belongs there.
    func tap(_ stroke: KeyboardMap.KeyStroke, whileDown: () -> Void = {}) {
        let held = layout.levelKeycodes.filter { stroke.level.contains($0.level) }
        for (_, keycode) in held { control.send(keycode, isDown: true) }
        control.send(stroke.keycode, isDown: true)
        whileDown()
        control.send(stroke.keycode, isDown: false)
        for (_, keycode) in held.reversed() { control.send(keycode, isDown: false) }
    }

    /// A key together with the modifier keys that are held with it.
    struct Chord: Equatable {
        let modifiers: [UInt8]
        let keycode: UInt8
    }

    /// - Returns: nil if the layout has no such keys (a Latin v, on a Greek one).
    func chord(_ keys: PasteKeys) -> Chord? {
        let (modifiers, key): ([Int32], Int32) =
            switch keys {
            case .shiftInsert: ([XK_Shift_L], XK_Insert)
            case .controlV: ([XK_Control_L], XK_v)
            case .controlShiftV: ([XK_Control_L, XK_Shift_L], XK_v)
            }
        let held = modifiers.map(keycode(giving:))
        let pressed = keycode(giving: key)
        return pressed == 0 || held.contains(0) ? nil : Chord(modifiers: held, keycode: pressed)
    }

    func tap(_ chord: Chord) {
        for keycode in chord.modifiers { control.send(keycode, isDown: true) }
        control.send(chord.keycode, isDown: true)
        control.send(chord.keycode, isDown: false)
        for keycode in chord.modifiers.reversed() { control.send(keycode, isDown: false) }
    }
}
