import Desktop
import Foundation
import TestSupport
import Testing

@testable import DesktopWayland

/// A compositor that offers ext-data-control-v1 alone, as newer ones may: sway behind a proxy that offers
/// only that name.
@Suite("The clipboards by the standard's protocol alone", .serialized, .timeLimit(.minutes(5)))
struct StandardDataControlTests {
    private static let text = "Grüße aus Köln, 日本語 👩‍💻"

    @Test("a text is copied and pasted, and both clipboards are as they were")
    func clipboards() async throws {
        let desktop = try await WaylandDesktop.start()
        let socket = desktop.socket + "-standard"
        let passage = try Program.start(
            "/usr/bin/python3",
            [repositoryFile("Tests/TestSupport/standard-data-control.py"), desktop.socket, socket])
        try await passage.waitForLine(containing: "serving")
        let compositor = try WaylandConnection(socket: socket, within: Program.defaultLimit)
        #expect(compositor.offers("ext_data_control_manager_v1"))
        #expect(!compositor.offers("zwlr_data_control_manager_v1"))
        let clipboard = try #require(WaylandClipboard(socket: socket))
        try await clipboard.copy("mine")
        #expect(try await desktop.clipboardText() == "mine")
        let primary = try await desktop.copy("selected", "--primary")

        let typist = try WaylandTypist(socket: socket, clipboard: clipboard)
        let window = try await WaylandWindow.start(on: desktop, title: "Letter")
        let focused = try #require(try await typist.focusedWindow())
        let outcome = try await typist.paste(
            Self.text, into: focused, keys: .shiftInsert, isTerminal: true)
        #expect(outcome == .pasted)
        try await window.waitForText(equal: Self.text)
        #expect(try await desktop.clipboardText() == "mine")
        #expect(try await desktop.clipboardText("--primary") == "selected")
        await primary.end()
        await window.end()
        await passage.end()
        await desktop.end()
    }
}
