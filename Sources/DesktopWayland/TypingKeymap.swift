/// Our own keyboard map: a US keyboard, with other characters on the AltGr levels of its printing keys.
///
/// ASCII has its usual keys, because some programs read keys and not characters. Chromium takes characters
/// only from printing keys. All other keys are there as well: XWayland shows the map to X11 programs, which
/// look for their hotkeys in it.
struct TypingKeymap: Equatable, Sendable {
    /// A key and the modifiers that are down with it.
    struct Stroke: Equatable, Sendable {
        /// As the kernel counts keys (`linux/input-event-codes.h`), 8 below XKB's keycode.
        let key: UInt32
        /// XKB's real modifiers.
        var modifiers: UInt32 = 0

        static let space = Stroke(key: 57)
        static let tab = Stroke(key: 15)
        static let escape = Stroke(key: 1)
        static let backspace = Stroke(key: 14)
        static let selectLeft = Stroke(key: 105, modifiers: TypingKeymap.shift)
        static let enter = Stroke(key: 28)
        static let shiftEnter = Stroke(key: 28, modifiers: TypingKeymap.shift)
    }

    static let shift: UInt32 = 1
    static let control: UInt32 = 4
    /// Mod5, which AltGr is in every layout.
    private static let altGr: UInt32 = 0x80

    /// A key that prints.
    private struct Place {
        let key: UInt32
        /// As XKB calls it.
        let name: String
        let plain: Unicode.Scalar
        let shifted: Unicode.Scalar
    }

    private static let printing: [Place] =
        row("AE", from: 2, "1234567890-=", "!@#$%^&*()_+")
        + row("AD", from: 16, "qwertyuiop[]", "QWERTYUIOP{}")
        + row("AC", from: 30, "asdfghjkl;'", "ASDFGHJKL:\"") + row("AB", from: 44, "zxcvbnm,./", "ZXCVBNM<>?")
        + [
            Place(key: 41, name: "TLDE", plain: "`", shifted: "~"),
            Place(key: 43, name: "BKSL", plain: "\\", shifted: "|"),
        ]

    private static func row(_ name: String, from first: UInt32, _ plain: String, _ shifted: String) -> [Place]
    {
        zip(1..., zip(plain.unicodeScalars, shifted.unicodeScalars)).map { number, scalars in
            Place(
                key: first + UInt32(number) - 1, name: name + (number < 10 ? "0" : "") + "\(number)",
                plain: scalars.0, shifted: scalars.1)
        }
    }

    private static let ascii: [Unicode.Scalar: Stroke] = {
        var strokes: [Unicode.Scalar: Stroke] = [" ": .space]
        for place in printing {
            strokes[place.plain] = Stroke(key: place.key)
            strokes[place.shifted] = Stroke(key: place.key, modifiers: shift)
        }
        return strokes
    }()

    /// How many characters besides ASCII fit into one map.
    static let capacity = printing.count * 2

    /// The characters besides ASCII, in the order of their keys; at most ``capacity``.
    let extras: [Unicode.Scalar]
    private let strokes: [Unicode.Scalar: Stroke]

    /// - Parameter extras: those beyond ``capacity`` are left out.
    init(extras: [Unicode.Scalar] = []) {
        let extras = Array(extras.prefix(Self.capacity))
        self.extras = extras
        var strokes = Self.ascii
        for (index, scalar) in extras.enumerated() {
            strokes[scalar] = Stroke(
                key: Self.printing[index / 2].key,
                modifiers: Self.altGr | (index.isMultiple(of: 2) ? 0 : Self.shift))
        }
        self.strokes = strokes
    }

    /// Nil if the map has no such character.
    subscript(scalar: Unicode.Scalar) -> Stroke? { strokes[scalar] }

    /// A map for the beginning of a text, as far as there is room. Characters of this map stay if there is
    /// room, for the next text.
    func fitting(_ text: some Sequence<Unicode.Scalar>) -> TypingKeymap {
        var extras: [Unicode.Scalar] = []
        var known: Set<Unicode.Scalar> = []
        for scalar in text where Self.ascii[scalar] == nil && known.insert(scalar).inserted {
            guard extras.count < Self.capacity else { return TypingKeymap(extras: extras) }
            extras.append(scalar)
        }
        let room = Self.capacity - extras.count
        return TypingKeymap(extras: extras + self.extras.filter { !known.contains($0) }.prefix(room))
    }

    static func == (left: TypingKeymap, right: TypingKeymap) -> Bool { left.extras == right.extras }

    // MARK: As text

    /// In XKB's text format, version 1.
    var text: String {
        let keys = Self.printing.enumerated().map { index, place in
            let levels = [place.plain, place.shifted] + extras.dropFirst(index * 2).prefix(2)
            let names = levels.map { "U" + String($0.value, radix: 16, uppercase: true) }
            return "key <\(place.name)> { type = \"TYPED\", [ \(names.joined(separator: ", ")) ] };"
        }
        return """
            xkb_keymap {
            xkb_keycodes "voicedictation" { include "evdev+aliases(qwerty)" };
            xkb_types "voicedictation" {
            include "complete"
            type "TYPED" {
            modifiers = Shift+Mod5;
            map[Shift] = Level2; map[Mod5] = Level3; map[Shift+Mod5] = Level4;
            level_name[Level1] = "plain"; level_name[Level2] = "Shift";
            level_name[Level3] = "AltGr"; level_name[Level4] = "Shift and AltGr";
            };
            };
            xkb_compatibility "voicedictation" { include "complete" };
            xkb_symbols "voicedictation" {
            include "pc+us+inet(evdev)"
            name[Group1] = "VoiceDictation";
            \(keys.joined(separator: "\n"))
            };
            };
            """
    }
}
