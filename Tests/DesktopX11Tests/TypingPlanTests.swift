import Desktop
import Testing

@testable import DesktopX11

@Suite("Typing plan")
struct TypingPlanTests {
    /// A small keyboard: a and A, e with € on AltGr, a dead acute, Return, Tab, space, keypad 1; spare keys 200 to 202.
    static let map = KeyboardMap(
        entries: [
            .init(keycode: 38, level: .plain, keysym: 0x61), .init(keycode: 38, level: .shift, keysym: 0x41),
            .init(keycode: 26, level: .plain, keysym: 0x65),
            .init(keycode: 26, level: .altGr, keysym: 0x20ac),
            .init(keycode: 39, level: .plain, keysym: 0x61),
            .init(keycode: 48, level: .plain, keysym: 0xfe51),
            .init(keycode: 48, level: .shift, keysym: 0xb4),
            .init(keycode: 36, level: .plain, keysym: 0xff0d),
            .init(keycode: 23, level: .plain, keysym: 0xff09),
            .init(keycode: 65, level: .plain, keysym: 0x20),
            .init(keycode: 87, level: .plain, keysym: 0xffb1),
            .init(keycode: 22, level: .plain, keysym: 0xff08),
        ],
        spareKeycodes: [202, 200, 201])

    static func plan(_ text: String, _ options: TypingOptions = .init()) -> TypingPlan {
        TypingPlan(text: text, map: map, options: options)
    }

    @Test("the map knows what each key gives, the fewest modifiers first, without dead keys and keypad")
    func mapping() {
        #expect(Self.map.strokes["a"] == .init(keycode: 38, level: .plain))
        #expect(Self.map.strokes["A"] == .init(keycode: 38, level: .shift))
        #expect(Self.map.strokes["€"] == .init(keycode: 26, level: .altGr))
        #expect(Self.map.strokes["´"] == .init(keycode: 48, level: .shift))
        #expect(Self.map.strokes["1"] == nil)
        #expect(Self.map.strokes["\u{8}"] == nil)
        #expect(Self.map.spareKeycodes == [200, 201, 202])
    }

    @Test("the layout's own keys are used if there are any, and bound keys for the rest")
    func bindings() {
        let plan = Self.plan("a世A世é")
        #expect(plan.segments.count == 1)
        #expect(
            plan.segments[0].bindings == [
                .init(keycode: 200, keysym: 0x0100_4e16), .init(keycode: 201, keysym: 0xe9),
            ])
        #expect(
            plan.segments[0].batches.map(\.strokes) == [
                [
                    .init(keycode: 38, level: .plain), .init(keycode: 200, level: .plain),
                    .init(keycode: 38, level: .shift),
                    .init(keycode: 200, level: .plain), .init(keycode: 201, level: .plain),
                ]
            ])
    }

    @Test("more different characters than spare keys take the same keys with Shift")
    func shiftedBindings() {
        let plan = Self.plan("bcdbfg")
        #expect(
            plan.segments.map(\.bindings) == [
                [
                    .init(keycode: 200, keysym: 0x62), .init(keycode: 201, keysym: 0x63),
                    .init(keycode: 202, keysym: 0x64), .init(keycode: 200, isShifted: true, keysym: 0x66),
                    .init(keycode: 201, isShifted: true, keysym: 0x67),
                ]
            ])
        let strokes = plan.segments.flatMap(\.batches).flatMap(\.strokes)
        #expect(strokes.map(\.keycode) == [200, 201, 202, 200, 200, 201])
        #expect(strokes.map(\.level) == [.plain, .plain, .plain, .plain, .shift, .shift])
    }

    @Test("more different characters than these begin a new segment")
    func segments() {
        let plan = Self.plan("bcdfghbk")
        #expect(
            plan.segments.map { $0.bindings.map(\.keysym) } == [
                [0x62, 0x63, 0x64, 0x66, 0x67, 0x68], [0x6b],
            ])
        #expect(plan.segments.flatMap(\.batches).map(\.done.characters) == [7, 8])
    }

    @Test("a key that is no character, and must be bound as well, is the same with Shift")
    func boundReturn() {
        let map = KeyboardMap(
            entries: Self.map.entries.filter { $0.keysym != Keysym.enter }, spareKeycodes: [200, 201, 202])
        let plan = TypingPlan(text: "b\ncd", map: map, options: TypingOptions(newline: .shiftReturn))
        #expect(plan.segments.map { $0.bindings.map(\.keysym) } == [[0x62, Keysym.enter, 0x63], [0x64]])
        #expect(plan.segments.flatMap(\.bindings).allSatisfy { !$0.isShifted })
        #expect(
            plan.segments.flatMap(\.batches).flatMap(\.strokes).map(\.level) == [
                .plain, .shift, .plain, .plain,
            ])
    }

    @Test("a batch has 32 keys at most, and counts whole characters")
    func batches() {
        let plan = Self.plan(String(repeating: "a", count: 72))
        #expect(plan.segments.flatMap(\.batches).map(\.strokes.count) == [32, 32, 8])
        #expect(plan.segments.flatMap(\.batches).map(\.done.characters) == [32, 64, 72])
        // e and a combining acute: a character of two keys does not straddle two batches.
        let pair = Self.plan("aaa" + String(repeating: "e\u{301}", count: 16))
        #expect(pair.segments.flatMap(\.batches).map(\.strokes.count) == [31, 4])
        #expect(pair.segments.flatMap(\.batches).map(\.done.characters) == [17, 19])
    }

    @Test("a character of more parts than spare keys is counted when its last part is there")
    func longCharacter() {
        let pile = "世\u{301}\u{302}\u{303}\u{304}\u{306}\u{307}\u{308}"
        let plan = Self.plan("a\(pile)a")
        #expect(plan.segments.allSatisfy { $0.bindings.count <= 6 })
        #expect(plan.segments.flatMap(\.batches).flatMap(\.strokes).count == 2 + pile.unicodeScalars.count)
        let counts = plan.segments.flatMap(\.batches).map(\.done.characters)
        #expect(counts.first == 1)
        #expect(counts.last == 3)
        #expect(counts == counts.sorted())
    }

    @Test("each key counts the scalars that are there with it, and a character only when it is whole")
    func extents() {
        func extents(_ text: String) -> [[Int]] {
            Self.plan(text).segments.flatMap(\.batches).flatMap(\.steps).map {
                [$0.done.characters, $0.done.scalars]
            }
        }
        #expect(extents("ae\u{301}a") == [[1, 1], [1, 2], [2, 3], [3, 4]])
        #expect(extents("a\r\na") == [[1, 1], [2, 3], [3, 4]])
        #expect(extents("a\u{7}a") == [[1, 1], [3, 3]], "what no key can enter counts as typed")
    }

    @Test(
        "newlines and tabs become what the options say",
        arguments: [
            ("a\na", TypingOptions(), [38, 36, 38] as [UInt8], KeyboardMap.Level.plain),
            ("a\r\na", TypingOptions(), [38, 36, 38], .plain),
            ("a\u{2028}a", TypingOptions(), [38, 36, 38], .plain),
            ("a\na", TypingOptions(newline: .space), [38, 65, 38], .plain),
            ("a\na", TypingOptions(newline: .shiftReturn), [38, 36, 38], .shift),
            ("a\ta", TypingOptions(), [38, 65, 38], .plain),
            ("a\ta", TypingOptions(tab: .key), [38, 23, 38], .plain),
        ])
    func breaks(text: String, options: TypingOptions, keycodes: [UInt8], level: KeyboardMap.Level) {
        let strokes = Self.plan(text, options).segments.flatMap(\.batches).flatMap(\.strokes)
        #expect(strokes.map(\.keycode) == keycodes)
        #expect(strokes[1].level == level)
    }

    @Test("control characters are never typed", arguments: 0..<0xa0)
    func controls(code: Int) throws {
        let scalar = try #require(Unicode.Scalar(UInt32(code)))
        guard scalar.properties.generalCategory == .control,
            !"\t\n\r\u{b}\u{c}".unicodeScalars.contains(scalar)
        else {
            return
        }
        let plan = Self.plan("a\(Character(scalar))")
        #expect(plan.dropped == [Character(scalar)])
        #expect(plan.segments.flatMap(\.batches).flatMap(\.strokes).map(\.keycode) == [38])
        #expect(plan.segments.last?.batches.last?.done.characters == 2)
    }

    @Test("without spare keys, what the layout lacks is left out, never half typed")
    func noSpares() {
        let map = KeyboardMap(entries: [.init(keycode: 26, level: .plain, keysym: 0x65)], spareKeycodes: [])
        let plan = TypingPlan(text: "ee\u{301}世e", map: map, options: .init())
        #expect(plan.dropped == ["e\u{301}", "世"])
        #expect(plan.segments.flatMap(\.batches).flatMap(\.strokes).count == 2)
        #expect(plan.characterCount == 4)
    }

    @Test("an empty text has nothing to type")
    func empty() {
        #expect(Self.plan("").segments.isEmpty)
    }
}
