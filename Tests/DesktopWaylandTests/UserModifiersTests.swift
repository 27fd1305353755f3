import Desktop
import TestSupport
import Testing

@testable import DesktopWayland

@Suite("The user's modifiers during typing", .serialized, .timeLimit(.minutes(5)))
struct UserModifiersTests {
    /// XKB's real modifiers.
    enum Held: UInt32, CaseIterable {
        case shift = 1
        case control = 4
        case alt = 8
        case `super` = 0x40
    }

    @Test(
        "held modifiers and Caps Lock of another keyboard change nothing",
        arguments: WaylandWindow.Kind.native)
    func leak(kind: WaylandWindow.Kind) async throws {
        let desktop = try await WaylandDesktop.start()
        // Keys alone: no text field is waited for.
        let typist = try WaylandTypist(socket: desktop.socket, fieldLimit: .zero)
        let connection = try WaylandConnection(socket: desktop.socket, within: Program.defaultLimit)
        let user = try VirtualKeyboard(connection, seat: try connection.seat())
        let window = try await WaylandWindow.start(kind, on: desktop, title: "Letter")
        let focused = try #require(try await typist.focusedWindow())
        var expected = ""
        for (held, locked) in Held.allCases.map({ ($0.rawValue, UInt32(0)) }) + [(0, 2)] {
            user.hold(held, locked: locked)
            try connection.roundTrip(within: Program.defaultLimit)
            let text = "aB1! ü世"
            #expect(try await typist.type(text, into: focused) == .typed(text.count))
            expected += text
            try await window.waitForText(equal: expected)
            user.hold(0)
            try connection.roundTrip(within: Program.defaultLimit)
        }
        await window.end()
        await desktop.end()
    }
}
