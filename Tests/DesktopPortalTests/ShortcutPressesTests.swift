import Desktop
import Testing

@testable import DesktopPortal

@Suite("Signals of the desktop's shortcuts")
struct ShortcutPressesTests {
    private let start = ContinuousClock.now

    private let english: Hotkey
    private let german: Hotkey
    private let shortcuts: PortalShortcuts

    init() throws {
        english = try Hotkey(parsing: "F9") { ($0, 1) }
        german = try Hotkey(parsing: "shift+F9") { ($0, 1) }
        shortcuts = PortalShortcuts(
            dictate: english, further: [.init(hotkey: german, description: "Dictate (de-DE)")], insert: nil)
    }

    private func at(_ milliseconds: Int) -> ContinuousClock.Instant { start + .milliseconds(milliseconds) }

    @Test("press and release, with the length by the desktop's clock")
    func length() {
        var presses = ShortcutPresses(shortcuts)
        #expect(
            presses.handle(.activated(.dictate, at: 5_000), at: at(0))
                == .pressed(english, at: at(0), focus: nil))
        // The release waited for a busy machine.
        #expect(presses.handle(.deactivated(.dictate, at: 5_120), at: at(900)) == .released(at: at(120)))
        #expect(presses.handle(.deactivated(.dictate, at: 5_130), at: at(910)) == nil)
    }

    @Test(
        "a time that cannot be is none to go by",
        arguments: [(0, 0), (5_000, 0), (5_000, 4_000), (5_000, 5_000), (0, 77_000), (5_000, 90_000)])
    func oddTimes(press: UInt64, release: UInt64) {
        var presses = ShortcutPresses(shortcuts)
        _ = presses.handle(.activated(.dictate, at: press), at: at(0))
        #expect(presses.handle(.deactivated(.dictate, at: release), at: at(400)) == .released(at: at(400)))
    }

    @Test("a repeated press of a key that is down is none")
    func repeated() {
        var presses = ShortcutPresses(shortcuts)
        _ = presses.handle(.activated(.dictate, at: 10), at: at(0))
        #expect(presses.handle(.activated(.dictate, at: 600), at: at(590)) == nil)
        #expect(presses.handle(.deactivated(.dictate, at: 700), at: at(690)) == .released(at: at(690)))
    }

    @Test("a further key is reported as itself; another one is ignored while it is down")
    func further() {
        var presses = ShortcutPresses(shortcuts)
        let shortcut = PortalShortcut.dictateWith("shift+F9")
        #expect(
            presses.handle(.activated(shortcut, at: 10), at: at(0))
                == .pressed(german, at: at(0), focus: nil))
        #expect(presses.handle(.activated(.dictate, at: 20), at: at(10)) == nil)
        #expect(presses.handle(.deactivated(.dictate, at: 30), at: at(20)) == nil)
        #expect(presses.handle(.deactivated(shortcut, at: 700), at: at(690)) == .released(at: at(690)))
        // A shortcut of an earlier session, whose section is no longer in the settings.
        #expect(presses.handle(.activated(.dictateWith("F7"), at: 800), at: at(790)) == nil)
    }

    @Test("the end of the session releases the key that is down, and only that")
    func ended() {
        var presses = ShortcutPresses(shortcuts)
        #expect(presses.handle(.ended, at: at(0)) == nil)
        _ = presses.handle(.activated(.dictate, at: 10), at: at(1))
        #expect(presses.handle(.ended, at: at(2)) == .released(at: at(2)))
        #expect(presses.handle(.ended, at: at(3)) == nil)
    }

    @Test(
        "the key for cancelling counts while there is something to cancel; the one for held texts when it is up"
    )
    func others() {
        var presses = ShortcutPresses(shortcuts)
        #expect(presses.handle(.activated(.cancel, at: 1), at: at(0)) == nil)
        presses.isCancelWanted = true
        #expect(presses.handle(.activated(.cancel, at: 2), at: at(1)) == .cancelPressed(at: at(1)))
        #expect(presses.handle(.deactivated(.cancel, at: 3), at: at(2)) == nil)
        #expect(presses.handle(.activated(.insert, at: 4), at: at(3)) == nil)
        #expect(presses.handle(.deactivated(.insert, at: 5), at: at(4)) == .insertReleased(at: at(4)))
    }
}

@Suite("Requests to the desktop")
struct PortalShortcutTests {
    private func hotkey(_ text: String) throws -> Hotkey {
        try Hotkey(parsing: text) { ($0, 1) }
    }

    @Test(
        "keys are written as the XDG specification has them",
        arguments: [
            ("F9", "F9"), ("ctrl+alt+d", "CTRL+ALT+d"), ("super+space", "LOGO+space"),
            ("shift+super+F12", "SHIFT+LOGO+F12"), ("XF86AudioRecord", "XF86AudioRecord"),
        ])
    func triggers(setting: String, trigger: String) throws {
        #expect(try hotkey(setting).portalTrigger == trigger)
    }

    @Test("all keys are asked for each time; Escape is never proposed")
    func wanted() throws {
        let all = PortalShortcuts(dictate: try hotkey("F9"), insert: try hotkey("shift+F9")).wanted
        #expect(all.map(\.shortcut) == [.dictate, .cancel, .insert])
        #expect(all.map(\.trigger) == ["F9", nil, "SHIFT+F9"])
        let further = PortalShortcuts(
            dictate: nil,
            further: [.init(hotkey: try hotkey("shift+F9"), description: "Dictate (de-DE, mail)")],
            insert: nil
        ).wanted
        #expect(further.map(\.shortcut.name) == ["dictate", "dictate-with-shift+F9", "cancel", "insert"])
        #expect(further.map(\.trigger) == [nil, "SHIFT+F9", nil, nil])
        #expect(further[1].description == "Dictate (de-DE, mail)")
        #expect(further.allSatisfy { PortalShortcut(name: $0.shortcut.name) == $0.shortcut })
        let fewer = PortalShortcuts(dictate: try hotkey("F9"), insert: nil).wanted
        #expect(fewer.map(\.shortcut) == all.map(\.shortcut) && fewer.map(\.trigger) == ["F9", nil, nil])
    }
}
