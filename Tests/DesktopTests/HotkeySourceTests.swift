import Desktop
import Testing

@Suite("Where the hotkey comes from")
struct HotkeySourceTests {
    private static let x11 = DisplaySession(x11: .reached, compositor: nil)
    private static let both = DisplaySession(x11: .reachedXWayland, compositor: .init(name: .sway))
    private static let wayland = DisplaySession(x11: .missing, compositor: .init(name: .sway))
    private static let gnome = DisplaySession(x11: .reachedXWayland, compositor: .init(name: .gnome))
    private static let console = DisplaySession(x11: .missing, compositor: nil)

    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let session: DisplaySession
        let found: HotkeySource.Found
        let source: HotkeySource
        /// The advice to the user; nil if nothing is missing.
        let advice: String?

        init(
            _ name: String, _ session: DisplaySession, _ found: HotkeySource.Found,
            _ source: HotkeySource, advice: String? = nil
        ) {
            testDescription = name
            (self.session, self.found, self.source, self.advice) = (session, found, source, advice)
        }
    }

    @Test(
        "is the first that works everywhere; what is missing is reported with the way to get it",
        arguments: [
            Row("X11", x11, .init(), .grab),
            Row("X11, whatever else there is", x11, .init(hasBindings: true, hasPortal: true), .grab),
            Row("XWayland alone", both, .init(), .grabOverX11Windows, advice: "dictstate setup bindings"),
            Row("nothing", wayland, .init(), .missing, advice: "dictstate setup bindings"),
            Row("bindings", wayland, .init(hasBindings: true), .bindings(.sway)),
            Row(
                "bindings before the portal", both, .init(hasBindings: true, hasPortal: true),
                .bindings(.sway)),
            Row("the portal", gnome, .init(hasPortal: true), .portal),
            Row("the portal before a shortcut", gnome, .init(hasPortal: true, hasShortcut: true), .portal),
            Row("a shortcut", gnome, .init(hasShortcut: true), .shortcut),
            Row("no session", console, .init(), .missing, advice: "in a graphical session"),
        ])
    func choice(row: Row) throws {
        let hotkey = try Hotkey(parsing: "F9") { ($0, 1) }
        let abilities = SessionAbilities(row.session, hotkey: hotkey, found: row.found)
        #expect(abilities.source == row.source)
        #expect((abilities.keys.advice == nil) == (row.advice == nil))
        if let advice = row.advice { #expect(abilities.keys.advice?.contains(advice) == true) }
        #expect(abilities.keys.statement.contains("F9"))
        // Without a hotkey nothing is missing.
        let none = SessionAbilities(row.session, hotkey: nil, found: row.found)
        #expect(none.source == .none && none.keys.advice == nil)
    }

    @Test("further keys that the compositor does not report are named, with the way to get them")
    func unbound() throws {
        let (first, second, third) = (
            try Hotkey(parsing: "F9") { ($0, 1) }, try Hotkey(parsing: "F8") { ($0, 2) },
            try Hotkey(parsing: "shift+F8") { ($0, 2) }
        )
        for (session, found) in [
            (Self.both, HotkeySource.Found(hasBindings: true, unbound: [second, third])),
            (Self.gnome, HotkeySource.Found(hasShortcut: true, unbound: [second, third])),
        ] {
            let keys = SessionAbilities(session, hotkey: first, found: found).keys
            #expect(keys.statement.contains("F9"))
            #expect(keys.statement.hasSuffix("no binding for F8 and shift+F8 was found"))
            #expect(keys.advice?.contains("dictstate setup bindings") == true)
        }
        // The portal is asked for all of them, and X11 gives all.
        for (session, found) in [
            (Self.gnome, HotkeySource.Found(hasPortal: true, unbound: [second])),
            (Self.x11, HotkeySource.Found(unbound: [second])),
        ] {
            #expect(SessionAbilities(session, hotkey: first, found: found).keys.advice == nil)
        }
    }
}
