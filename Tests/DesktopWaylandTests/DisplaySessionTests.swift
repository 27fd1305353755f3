import Desktop
import DesktopWayland
import TestSupport
import Testing

@Suite("The kind of session that can be reached")
struct DisplaySessionTests {
    @Test("names alone are no session: a server must answer")
    func reached() async throws {
        let display = try await VirtualDisplay.start(hasWindowManager: false)
        let desktop = try await WestonDesktop.start()
        let wayland = desktop.environment
        let x11 = ["DISPLAY": display.name]
        let bare = DisplaySession.WaylandCompositor()
        #expect(DisplaySession.current(x11) == DisplaySession(x11: .reached, compositor: nil))
        #expect(
            DisplaySession.current(x11.merging(wayland) { $1 })
                == DisplaySession(x11: .reached, compositor: bare))
        #expect(DisplaySession.current(wayland) == DisplaySession(x11: .missing, compositor: bare))
        #expect(
            DisplaySession.current(["DISPLAY": ":987654"].merging(wayland) { $1 })
                == DisplaySession(x11: .missing, compositor: bare))
        await desktop.end()
        #expect(
            DisplaySession.current(x11.merging(wayland) { $1 })
                == DisplaySession(x11: .reached, compositor: nil))
        #expect(DisplaySession.current(wayland).isNone)
        await display.end()
        #expect(DisplaySession.current(x11).isNone)
    }

    @Test("a compositor that hangs is there, and says nothing; one that has crashed is not")
    func hanging() throws {
        let folder = try TemporaryFolder("session")
        let compositor = try ListeningSocket(at: folder.file("wayland-9"))
        let wayland = ["WAYLAND_DISPLAY": "wayland-9", "XDG_RUNTIME_DIR": folder.path]
        #expect(
            DisplaySession.current(wayland)
                == DisplaySession(x11: .missing, compositor: .init(protocols: nil)))
        compositor.close()
        #expect(DisplaySession.current(wayland).isNone)
    }

    @Test("a real compositor says what it offers")
    func protocols() async throws {
        let desktop = try await WaylandDesktop.start()
        let session = DisplaySession.current(desktop.environment)
        let compositor = try #require(session.compositor)
        #expect(compositor.name == .sway && session.hasX11 && session.nativeWindows == .reached)
        #expect(
            compositor.protocols
                == [.virtualKeyboard, .foreignToplevel, .inputMethod, .dataControl, .layerShell])
        await desktop.end()
    }
}
