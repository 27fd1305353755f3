import Desktop
import DictationSystem
import Foundation
import TestSupport
import Testing

@testable import DesktopWayland

/// In real windows of a real compositor.
@Suite("Looks at a Wayland session's screen", .serialized, .timeLimit(.minutes(5)))
struct NativeScreenTests {
    private func select(_ text: String, _ options: String..., in desktop: WaylandDesktop) throws -> Program {
        try Program.start(
            "wl-copy", ["--foreground", "--primary"] + options + ["--", text],
            environment: desktop.environment)
    }

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

        let selection = try select("Ask Lindqvist, Grüße", in: desktop)
        while try await screen.selectedText(in: window) != .text("Ask Lindqvist, Grüße") {
            await Task.yield()
        }
        await selection.end()
        let picture = try select("not text", "--type", "image/x-test", in: desktop)
        while try await screen.selectedText(in: window) != .unreadable { await Task.yield() }
        await picture.end()
        // Much text is read to its end, so that the program goes on.
        let folder = try TemporaryFolder("selection")
        let file = try folder.write(String(repeating: "a", count: SelectedText.sizeLimit), to: "large")
        let large = try Program.start(
            "sh", ["-c", "exec wl-copy --foreground --primary --type text/plain <\(file)"],
            environment: desktop.environment)
        func size() async throws -> Int? {
            guard case .text(let text) = try await screen.selectedText(in: window) else { return nil }
            return text.utf8.count
        }
        // Between the two programs nothing is selected.
        while try await size() != SelectedText.sizeLimit { await Task.yield() }
        #expect(large.isRunning)
        await large.end()
        await first.end()
        await second.end()
        await desktop.end()
        await #expect(throws: (any Error).self) { try await screen.focusedWindow() }
        #expect(NativeScreen(socket: desktop.socket) == nil)
    }
}
