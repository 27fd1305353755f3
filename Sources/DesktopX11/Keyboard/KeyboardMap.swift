import CX11

/// The characters of keys in the active group of the keyboard layout: a value, read once and asked often.
struct KeyboardMap: Equatable, Sendable {
    /// The modifiers that choose a level of a key.
    struct Level: OptionSet, Hashable, Sendable {
        let rawValue: UInt8
        static let plain: Level = []
        static let shift = Level(rawValue: 1)
        static let altGr = Level(rawValue: 2)
        /// The order of preference: the fewer modifiers the better.
        static let all: [Level] = [.plain, .shift, .altGr, [.shift, .altGr]]
    }

    struct KeyStroke: Hashable, Sendable {
        let keycode: UInt8
        let level: Level
    }

    /// One cell of the keyboard: what a key gives at a level.
    struct Entry: Equatable, Sendable {
        let keycode: UInt8
        let level: Level
        let keysym: UInt32
    }

    /// The keys for each character that the layout can give by itself.
    private(set) var strokes: [Unicode.Scalar: KeyStroke] = [:]
    /// The same for printable ASCII, by number: nearly all text, and twelve times as fast to find.
    private var printable = [KeyStroke?](repeating: nil, count: 0x7f)
    /// Keycodes that give nothing, in ascending order: free to be bound to any character.
    let spareKeycodes: [UInt8]
    /// The strokes to which characters can be bound at a time: each spare key, and then each again with Shift. With Shift
    /// there are fewer changes of the map, which cost a window manager some 30 ms each, for two more key events.
    let spareStrokes: [KeyStroke]
    let entries: [Entry]

    /// - Parameter entries: in any order.
    init(entries: [Entry], spareKeycodes: [UInt8]) {
        self.entries = entries
        let spares = spareKeycodes.sorted()
        self.spareKeycodes = spares
        // Return, Tab and BackSpace may be needed with Shift, so a bound one must be the same with and without it.
        let given = Set(entries.lazy.filter { $0.level == .plain }.map(\.keysym))
        let hasAllKeys = given.isSuperset(of: [Keysym.enter, Keysym.tab, Keysym.backspace])
        let levels: [Level] =
            hasAllKeys && entries.contains { $0.level == .shift } ? [.plain, .shift] : [.plain]
        spareStrokes = levels.flatMap { level in spares.map { KeyStroke(keycode: $0, level: level) } }
        for level in Level.all {
            for entry in entries where entry.level == level {
                guard let scalar = Keysym.scalar(of: entry.keysym), strokes[scalar] == nil else { continue }
                let stroke = KeyStroke(keycode: entry.keycode, level: level)
                strokes[scalar] = stroke
                if (0x20..<0x7f).contains(scalar.value) { printable[Int(scalar.value)] = stroke }
            }
        }
    }

    /// The key for a character of printable ASCII that the layout has; nil for any other one.
    func stroke(forPrintable character: Character) -> KeyStroke? {
        guard let byte = character.utf8.first, byte < 0x7f, character.utf8.count == 1 else { return nil }
        return printable[Int(byte)]
    }
}

/// The arithmetic of keysyms.
enum Keysym {
    static let enter = UInt32(XK_Return)
    static let tab = UInt32(XK_Tab)
    static let backspace = UInt32(XK_BackSpace)
    static let left = UInt32(XK_Left)
    static let escape = UInt32(XK_Escape)
    /// Keysyms that compose with the next one, and so give no character by themselves (keysymdef.h).
    private static let deadKeys: ClosedRange<UInt32> = 0xfe50...0xfe93
    /// The keypad: the same characters, but Num Lock and applications give it other meanings.
    private static let keypad: ClosedRange<UInt32> = 0xff80...0xffbd

    /// The character that a press of the key enters; nil for none.
    static func scalar(of keysym: UInt32) -> Unicode.Scalar? {
        if keysym == enter { return "\n" }
        if keysym == tab { return "\t" }
        if keysym == escape { return "\u{1b}" }
        if deadKeys.contains(keysym) || keypad.contains(keysym) { return nil }
        guard let scalar = Unicode.Scalar(xkb_keysym_to_utf32(keysym)) else { return nil }
        return scalar.properties.generalCategory == .control ? nil : scalar
    }

    /// The keysym that enters `scalar`; nil for control characters other than newline, tab and Escape.
    static func entering(_ scalar: Unicode.Scalar) -> UInt32? {
        switch scalar {
        case "\n": return enter
        case "\t": return tab
        case "\u{1b}": return escape
        default: break
        }
        if scalar.properties.generalCategory == .control { return nil }
        // Latin-1 has its own numbers; everything else is Unicode plus 0x01000000 (keysymdef.h).
        return scalar.value < 0x100 ? scalar.value : 0x0100_0000 + scalar.value
    }
}
