import Desktop
import Testing

@Suite("The kind of session")
struct DisplaySessionTests {
    struct Row: CustomTestStringConvertible {
        let x11: DisplaySession.X11
        let native: DisplaySession.NativeWindows?
        let session: DisplaySession
        var testDescription: String { "\(x11), Wayland \(native.debugDescription): \(session)" }
    }

    @Test(
        "is what answers, and an X server that is XWayland needs no word from the environment",
        arguments: [
            Row(x11: .reached, native: nil, session: .x11),
            Row(x11: .reached, native: .outOfReach, session: .wayland(hasX11: true, .outOfReach)),
            Row(x11: .reachedXWayland, native: .outOfReach, session: .wayland(hasX11: true, .outOfReach)),
            Row(x11: .reachedXWayland, native: .reached, session: .wayland(hasX11: true, .reached)),
            Row(x11: .reachedXWayland, native: nil, session: .wayland(hasX11: true, .outOfReach)),
            Row(x11: .missing, native: .outOfReach, session: .wayland(hasX11: false, .outOfReach)),
            Row(x11: .missing, native: .reached, session: .wayland(hasX11: false, .reached)),
            Row(x11: .missing, native: nil, session: .none),
        ])
    func decision(row: Row) {
        let session = DisplaySession(x11: row.x11, nativeWindows: row.native)
        #expect(session == row.session)
        // Who is restricted is told how to go on.
        #expect((session.restriction == nil) == (session.advice == nil))
        #expect((session.restriction != nil) == session.isWayland)
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
}
