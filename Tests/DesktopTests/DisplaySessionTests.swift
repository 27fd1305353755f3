import Desktop
import Testing

@Suite("The kind of session")
struct DisplaySessionTests {
    struct Row: CustomTestStringConvertible {
        let x11: DisplaySession.X11
        let hasWayland: Bool
        let session: DisplaySession
        var testDescription: String { "\(x11), Wayland \(hasWayland): \(session)" }
    }

    @Test(
        "is what answers, and an X server that is XWayland needs no word from the environment",
        arguments: [
            Row(x11: .reached, hasWayland: false, session: .x11),
            Row(x11: .reached, hasWayland: true, session: .waylandWithX11),
            Row(x11: .reachedXWayland, hasWayland: true, session: .waylandWithX11),
            Row(x11: .reachedXWayland, hasWayland: false, session: .waylandWithX11),
            Row(x11: .missing, hasWayland: true, session: .waylandAlone),
            Row(x11: .missing, hasWayland: false, session: .none),
        ])
    func decision(row: Row) {
        let session = DisplaySession(x11: row.x11, hasWayland: row.hasWayland)
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
