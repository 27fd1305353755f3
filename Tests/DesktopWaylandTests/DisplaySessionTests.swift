import Desktop
import DesktopWayland
import TestSupport
import Testing

@Suite("The kind of session that can be reached")
struct DisplaySessionTests {
    @Test("names alone are no session: somebody must answer")
    func reached() async throws {
        let display = try await VirtualDisplay.start(hasWindowManager: false)
        let folder = try TemporaryFolder("session")
        let compositor = try ListeningSocket(at: folder.file("wayland-9"))
        let wayland = ["WAYLAND_DISPLAY": "wayland-9", "XDG_RUNTIME_DIR": folder.path]
        let x11 = ["DISPLAY": display.name]
        #expect(DisplaySession.current(x11) == .x11)
        #expect(DisplaySession.current(x11.merging(wayland) { $1 }) == .wayland(hasX11: true, .outOfReach))
        #expect(DisplaySession.current(wayland) == .wayland(hasX11: false, .outOfReach))
        #expect(
            DisplaySession.current(["DISPLAY": ":987654"].merging(wayland) { $1 })
                == .wayland(hasX11: false, .outOfReach))
        compositor.close()
        #expect(DisplaySession.current(x11.merging(wayland) { $1 }) == .x11)
        #expect(DisplaySession.current(wayland) == .none)
        await display.end()
        #expect(DisplaySession.current(x11) == .none)
    }
}
