import CX11
import Foundation
import Testing

@testable import DesktopX11

@Suite("Which process has which connections", .serialized, .timeLimit(.minutes(1)))
struct ClientProcessesTests {
    @Test(
        "an application's window is its only connection's, unless it has another one",
        arguments: Sink.Kind.installed)
    func applications(kind: Sink.Kind) throws {
        let display = try TestDisplay()
        let sink = try Sink(kind, on: display, title: "target")
        defer { withExtendedLifetime(sink) {} }
        let connection = try DisplayConnection(name: display.name)
        let window = try #require(FocusInspector(connection: connection).focusedToplevel())
        // Chromium has its own, and one through GTK.
        #expect(
            ClientProcesses(connection: connection).isOnlyConnection(of: window) == (kind != .chromium))
    }

    @Test("a second connection is seen as soon as it is there, and no more when it is not")
    func ourOwn() throws {
        let display = try TestDisplay(withUser: false)
        let asking = try DisplayConnection(name: display.name)
        let clients = ClientProcesses(connection: asking)
        // This process has one already, which asks.
        var second: DisplayConnection? = try DisplayConnection(name: display.name)
        let window = try #require(second?.makeHiddenWindow())
        second?.sync()
        #expect(!clients.isOnlyConnection(of: window))
        #expect(!clients.isOnlyConnection(of: asking.makeHiddenWindow()))
        second = nil
        // The server closes it at its own time.
        let deadline = ContinuousClock.now + TestDisplay.limit
        while !clients.isOnlyConnection(of: asking.makeHiddenWindow()), ContinuousClock.now < deadline {
            try asking.waitForInput(until: .now + .milliseconds(20))
        }
        #expect(clients.isOnlyConnection(of: asking.makeHiddenWindow()))
        #expect(!clients.isOnlyConnection(of: window), "there is no such client any more")
    }
}
