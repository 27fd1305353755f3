import Desktop
import DesktopX11
import Testing

@Suite("Hotkey texts")
struct HotkeyTests {
    @Test(
        "are understood in any order and case, and written in one way",
        arguments: [
            ("F9", "F9"), ("f9", "F9"), ("ctrl+alt+d", "ctrl+alt+d"), ("ALT+Control+D", "ctrl+alt+d"),
            ("super+space", "super+space"), ("Win+Space", "super+space"), ("mod4 + SPACE", "super+space"),
            ("Control+Shift+F12", "ctrl+shift+F12"), ("pause", "Pause"), ("Control_R", "Control_R"),
            ("shift+super+mod1+ctrl+x", "ctrl+alt+shift+super+x"), ("xf86audiorecord", "XF86AudioRecord"),
            ("ctrl+plus", "ctrl+plus"), ("esc", "Escape"), ("é", "eacute"),
        ])
    func parse(text: String, canonical: String) throws {
        let hotkey = try Hotkey(parsing: text)
        #expect(hotkey.description == canonical)
        #expect(try Hotkey(parsing: canonical) == hotkey)
    }

    @Test(
        "that people write with are known",
        arguments: [
            ("d", true), ("shift+d", true), ("space", true), ("Return", true), ("esc", true), ("Left", true),
            ("KP_5", true), ("é", true), ("dead_acute", true), ("delete", true), ("F9", false),
            ("shift+F9", false),
            ("ctrl+d", false), ("super+space", false), ("pause", false), ("Insert", false), ("KP_F1", false),
            ("XF86AudioRecord", false), ("Control_R", false), ("ISO_Level3_Shift", false),
        ])
    func writing(text: String, isForWriting: Bool) throws {
        #expect(try Hotkey(parsing: text).isForWriting == isForWriting)
    }

    @Test(
        "that mean nothing are refused with the reason and an example",
        arguments: [
            ("", Hotkey.ParseError.empty), ("  ", .empty), ("F99", .unknownKey("F99")),
            ("hyper+d", .unknownModifier("hyper")),
            ("ctrl+alt", .onlyModifiers("ctrl+alt")), ("ctrl+", .onlyModifiers("ctrl+")),
            ("ctrl+control+d", .repeatedModifier("control")), ("a+b", .unknownModifier("a")),
            ("+", .unknownModifier("")),
            ("\u{0}", .unknownKey("\u{0}")),
        ])
    func refuse(text: String, error: Hotkey.ParseError) {
        #expect(throws: error) { try Hotkey(parsing: text) }
        #expect(error.description.contains("ctrl+alt+d"))
    }
}
