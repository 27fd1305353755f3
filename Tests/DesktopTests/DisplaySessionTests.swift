import Desktop
import Testing

@Suite("The kind of session")
struct DisplaySessionTests {
    private static let typing: Set<WaylandProtocol> = [.virtualKeyboard, .foreignToplevel]

    struct Row: CustomTestStringConvertible {
        let x11: DisplaySession.X11
        /// The protocols that a compositor offers; nil if none answers.
        let protocols: Set<WaylandProtocol>?
        let native: DisplaySession.NativeWindows?
        let windows: String
        var testDescription: String { "\(x11), \(protocols.map { "\($0)" } ?? "no compositor")" }

        init(
            _ x11: DisplaySession.X11, _ protocols: Set<WaylandProtocol>?,
            _ native: DisplaySession.NativeWindows?, _ windows: String
        ) {
            (self.x11, self.protocols, self.native, self.windows) = (x11, protocols, native, windows)
        }
    }

    @Test(
        "is what answers, and an X server that is XWayland needs no word from the environment",
        arguments: [
            Row(.reached, nil, nil, "every window"),
            Row(.reached, [], .outOfReach, "only X11 windows"),
            Row(.reachedXWayland, [.virtualKeyboard], .outOfReach, "only X11 windows"),
            Row(.reachedXWayland, typing, .reached, "native windows and X11 windows"),
            Row(.reachedXWayland, nil, .outOfReach, "only X11 windows"),
            Row(.missing, [], .outOfReach, "no window can be typed into"),
            Row(.missing, typing.union([.layerShell]), .reached, "without XWayland there are no others"),
            Row(.missing, nil, nil, "there is no desktop"),
        ])
    func decision(row: Row) {
        let session = DisplaySession(
            x11: row.x11, compositor: row.protocols.map { .init(name: .sway, protocols: $0) })
        #expect(session.nativeWindows == row.native)
        #expect(session.isWayland == (row.native != nil))
        #expect(session.hasX11 == (row.x11 != .missing))
        #expect(session.isNone == (row.x11 == .missing && row.protocols == nil))
        let ability = SessionAbilities.windows(of: session)
        #expect(ability.statement.contains(row.windows))
        // If something is missing, there is advice.
        #expect((ability.advice == nil) == (session.nativeWindows ?? .reached == .reached && !session.isNone))
    }

    @Test("without these protocols, what programs show to assistive technology is used")
    func accessibility() {
        func session(
            _ accessibility: DisplaySession.Accessibility?, _ protocols: Set<WaylandProtocol> = []
        ) -> DisplaySession {
            DisplaySession(
                x11: .missing, compositor: .init(name: .gnome, protocols: protocols),
                accessibility: accessibility)
        }
        #expect(session(nil).nativeWindows == .outOfReach)
        #expect(session(.all, Self.typing).nativeWindows == .reached)
        for accessibility in [DisplaySession.Accessibility.some, .all] {
            #expect(session(accessibility).nativeWindows == .accessible)
            let ability = SessionAbilities.windows(of: session(accessibility))
            #expect(ability.statement.contains("Qt") == (accessibility == .all))
            #expect(ability.statement.contains("terminals"))
            #expect(ability.statement.contains("browsers") == (accessibility == .all))
            #expect(ability.advice?.contains("setup windows") == (accessibility == .some ? true : nil))
        }
    }

    @Test("a compositor that does not answer is named as the reason", arguments: [true, false])
    func silence(hasX11: Bool) {
        let session = DisplaySession(
            x11: hasX11 ? .reachedXWayland : .missing, compositor: .init(name: .sway, protocols: nil))
        #expect(session.nativeWindows == .outOfReach)
        #expect(session.typingError == (hasX11 ? nil : .compositorSilent))
        let abilities = SessionAbilities(session, hotkey: nil, found: .init())
        #expect(abilities.windows.statement.hasPrefix("the compositor does not answer"))
        #expect(abilities.windows.advice?.contains("restart") == true)
        #expect(abilities.summary.contains("(sway)") && abilities.summary.hasSuffix("it does not answer"))
    }

    @Test("names its protocols, each purpose once")
    func summary() {
        let summary = { (session: DisplaySession) in
            SessionAbilities(session, hotkey: nil, found: .init()).summary
        }
        #expect(
            summary(
                DisplaySession(
                    x11: .reached,
                    compositor: .init(
                        name: .hyprland,
                        protocols: Self.typing.union([.dataControl, .standardDataControl]))))
                == "Wayland (Hyprland), with XWayland; protocols for virtual keyboard, focused window, clipboard"
        )
        #expect(
            summary(DisplaySession(x11: .missing, compositor: .init()))
                == "Wayland, without XWayland; none of the protocols that dictation can use")
        #expect(summary(DisplaySession(x11: .reached, compositor: nil)) == "X11")
    }

    @Test(
        "the compositor's socket is found as Wayland's own library finds it, but never guessed",
        arguments: [
            (["WAYLAND_DISPLAY": "wayland-1", "XDG_RUNTIME_DIR": "/run/user/7"], "/run/user/7/wayland-1"),
            (["WAYLAND_DISPLAY": "/tmp/compositor"], "/tmp/compositor"),
            (["WAYLAND_DISPLAY": "wayland-1"], nil),
            (["WAYLAND_DISPLAY": "", "XDG_RUNTIME_DIR": "/run/user/7"], nil),
            (["XDG_RUNTIME_DIR": "/run/user/7"], nil),
        ])
    func socket(environment: [String: String], path: String?) {
        #expect(DisplaySession.waylandSocket(environment) == path)
    }

    @Test(
        "the compositor is the one of this session, also if a variable of an earlier one is left over",
        arguments: [
            (["XDG_CURRENT_DESKTOP": "sway"], Compositor.sway),
            (["XDG_CURRENT_DESKTOP": "sway:wlroots"], .sway),
            (["XDG_CURRENT_DESKTOP": "ubuntu:GNOME"], .gnome),
            (["XDG_CURRENT_DESKTOP": "KDE", "SWAYSOCK": "/run/old"], .kde),
            (["SWAYSOCK": "/run/sway"], .sway),
            (["SWAYSOCK": "", "HYPRLAND_INSTANCE_SIGNATURE": "x"], .hyprland),
            (["XDG_CURRENT_DESKTOP": "river"], .river),
            (["LABWC_PID": "7"], .labwc),
            (["XDG_CURRENT_DESKTOP": "niri"], .other("niri")),
            (["XDG_CURRENT_DESKTOP": "wlroots", "SWAYSOCK": "/run/sway"], .sway),
            ([:], nil),
        ] as [([String: String], Compositor?)])
    func compositor(environment: [String: String], compositor: Compositor?) {
        #expect(Compositor(environment) == compositor)
    }
}
