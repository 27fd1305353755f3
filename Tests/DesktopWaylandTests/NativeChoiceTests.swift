import Desktop
import Testing

@testable import DesktopWayland

@Suite("The way of a text into a native window")
struct NativeChoiceTests {
    private func way(
        _ text: String, _ field: NativeChoice.Field, windowClass: String = "org.gnome.TextEditor",
        options: TypingOptions = TypingOptions()
    ) -> NativeChoice.Way {
        NativeChoice(text, options: options, windowClass: windowClass, field: field).way
    }

    @Test(
        "a field that shows its text is given it, and everything else gets keys",
        arguments: [
            (NativeChoice.Field.showsText, NativeChoice.Way.commit), (.showsNothing, .keys),
            (.missing, .keys),
            (.notOurs, .keys),
        ])
    func field(field: NativeChoice.Field, way expected: NativeChoice.Way) {
        #expect(way("Grüße, 世界! 👩‍💻", field) == expected)
    }

    @Test("characters that must be keys go as keys, with all that is around them")
    func keys() {
        #expect(way("one\ntwo", .showsText) == .keys)
        #expect(way("one\ntwo", .showsText, options: TypingOptions(newline: .shiftReturn)) == .keys)
        #expect(way("one\ntwo", .showsText, options: TypingOptions(newline: .space)) == .commit)
        #expect(way("one\ttwo", .showsText) == .commit)
        #expect(way("one\ttwo", .showsText, options: TypingOptions(tab: .key)) == .keys)
        #expect(way("one\u{85}two", .showsText) == .commit)
    }

    @Test("an application that accepts no keys for some characters gets them as text, or none of the text")
    func lost() {
        let names = [
            "chromium", "Google-chrome", "chrome-127.0.0.1__-Default", "code", "org.chromium.Chromium",
            "com.visualstudio.code", "com.microsoft.Edge", "obsidian",
        ]
        for name in names {
            #expect(NativeChoice.lostCharacters(of: "a 👩‍💻 世 𝄞", windowClass: name) == 2)
            #expect(way("a 👩‍💻", .showsText, windowClass: name) == .commit)
            for field in NativeChoice.Field.allCases where field != .showsText {
                #expect(way("a 👩‍💻", field, windowClass: name) == .hold(.noKeys))
                #expect(way("a 世", field, windowClass: name) == .keys)
            }
            #expect(way("one\n👩‍💻", .showsText, windowClass: name) == .hold(.noKeys))
        }
        for name in ["foot", "org.gnome.TextEditor", ""] {
            #expect(NativeChoice.lostCharacters(of: "👩‍💻", windowClass: name) == 0)
        }
    }
}

@Suite("The text that a field shows after it was given one")
struct SurroundingTextTests {
    private func shown(_ text: String) -> SurroundingText { SurroundingText(before: text) }

    @Test(
        "a piece has arrived when it is directly after the earlier text",
        arguments: [
            ("", "new", SurroundingText.Reading.arrived), ("", "", .unchanged), ("old ", "old new", .arrived),
            ("old ", "old ", .unchanged), ("old ", "old newer", .different), ("old ", "New", .different),
            ("new", "newnew", .arrived), ("new", "new", .unchanged), ("old ", "", .different),
            ("line\nold ", "old new", .arrived), ("line\nold ", "old ", .different),
        ])
    func reading(before: String, after: String, expected: SurroundingText.Reading) {
        #expect(shown(before).reading(of: shown(after), after: "new") == expected)
    }

    @Test("an equal text in another form is another text")
    func form() {
        #expect(shown("").reading(of: shown("e\u{301}"), after: "\u{E9}") == .different)
    }

    @Test("a long text is checked by its end, and only if that is decisive")
    func cut() {
        let numbers = (0..<2_000).map { "\($0) " }.joined()
        let before = shown(String(numbers.suffix(4_000)))
        let after = shown(String((numbers + "2000 ").suffix(3_990)))
        #expect(before.reading(of: after, after: "2000 ") == .arrived)
        #expect(before.reading(of: shown(String(numbers.suffix(3_000))), after: "2000 ") == .different)
        // The same bytes before and after.
        let digits = shown(String(repeating: "0123456789", count: 400))
        #expect(!digits.tells("0123456789"))
        #expect(digits.tells("012345678"))
        let text = String(repeating: "0123456789", count: 4).map(String.init)
        #expect(digits.piece(of: text[...], limit: 30) == 29)
        #expect(shown("").piece(of: text[...], limit: 30) == 30)
        #expect(shown("").piece(of: text[..<3], limit: 30) == 3)
        let same = shown(String(repeating: "a", count: 4_000))
        #expect(same.piece(of: Array(repeating: "a", count: 40)[...], limit: 32) == nil)
    }

    @Test("what is gone before the caret is known, also if another part of a long text is shown")
    func gone() {
        let numbers = (0..<2_000).map { "\($0) " }.joined() + "👩‍💻"
        let part = shown(String(numbers.suffix(3_900)))
        for (former, now, limit, gone) in [
            (shown("Stays. new"), shown("Stays. ne"), 3, 1), (shown("aaaa"), shown("aa"), 4, 2),
            (shown("b.\n"), shown("in b."), 1, 1), (shown("x\n\ny\nz"), shown("abc.x\n\ny\n"), 6, 1),
            (shown("one\n"), shown("one\ntwo"), 1, nil), (shown("\n"), shown("line"), 1, nil),
            (shown("Stays. new"), shown("Stays. "), 2, nil), (shown("Stays. new"), shown("Other."), 3, nil),
            (part, shown(String(numbers.dropLast().suffix(3_900))), 11, 11),
            (part, shown(String(numbers.dropLast(3).suffix(3_900))), 30, 13),
            (part, shown(String(numbers.dropLast().suffix(10))), 30, nil),
            (part, shown(String((numbers + ".").suffix(3_900))), 30, nil), (part, shown(""), 30, nil),
        ] as [(SurroundingText, SurroundingText, Int, Int?)] {
            #expect(now.bytesGone(since: former, atMost: limit) == gone)
        }
    }

    @Test("the text before the caret is known by the field alone")
    func caret() {
        #expect(SurroundingText(text: "Grüße, x".utf8, cursor: 7, anchor: 7).shows("Grüße"))
        #expect(!SurroundingText(text: "Grüße, x".utf8, cursor: 8, anchor: 8).shows("Grüße"))
        #expect(!SurroundingText(text: "Grüße".utf8, cursor: 7, anchor: 0).shows("Grüße"))
        #expect(!shown("Grüße").shows(""))
    }
}
