import Desktop
import DictationSystem
import Foundation
import TestSupport
import Testing

@testable import DesktopWayland

/// In real windows of a real compositor.
@Suite("Looks at a Wayland session's screen", .serialized, .timeLimit(.minutes(5)))
struct NativeScreenTests {
    @Test("tell the focused window and its title, and what is selected; a password is nothing to look at")
    func looks() async throws {
        let desktop = try await WaylandDesktop.start()
        let screen = try #require(NativeScreen(socket: desktop.socket))
        #expect(screen.seesSelections)
        #expect(try await screen.focusedWindow() == nil)
        let first = try await WaylandWindow.start(on: desktop, title: "Re: Zabrowski")
        let window = try #require(try await screen.focusedWindow())
        #expect(window.title == "Re: Zabrowski" && window.windowClass == "foot" && window.isNative)
        #expect(try await screen.selectedText(in: window) == .nothing)
        let second = try await WaylandWindow.start(on: desktop, title: "Letter")
        #expect(try await screen.focusedWindow()?.title == "Letter")

        let selection = try await desktop.copy("Ask Lindqvist, Grüße", "--primary")
        #expect(try await screen.selectedText(in: window) == .text("Ask Lindqvist, Grüße"))
        await selection.end()
        let picture = try await desktop.copy("not text", "--primary", "--type", "image/x-test")
        #expect(try await screen.selectedText(in: window) == .unreadable)
        await picture.end()
        // Much text is read to its end, so that the program continues.
        let folder = try TemporaryFolder("selection")
        let most = String(repeating: "a", count: SelectedText.sizeLimit)
        let file = try folder.write(most, to: "large")
        let large = try Program.start(
            "sh", ["-c", "exec wl-copy --foreground --primary --type text/plain <\(file)"],
            environment: desktop.environment)
        try await desktop.waitForClipboard(most, ["--primary"])
        #expect(try await screen.selectedText(in: window) == .text(most))
        #expect(large.isRunning)
        await large.end()
        await first.end()
        await second.end()
        await desktop.end()
        await #expect(throws: (any Error).self) { try await screen.focusedWindow() }
        #expect(NativeScreen(socket: desktop.socket) == nil)
    }
}
