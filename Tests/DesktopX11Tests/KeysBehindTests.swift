import CX11
import Desktop
import DictationSystem
import Foundation
import Testing

@testable import DesktopX11

@Suite("The user's keys after a text", .serialized, .timeLimit(.minutes(2)))
struct KeysBehindTests {
    private static let z: UInt32 = 52
    private static let shift: UInt32 = 50

    @Test(
        "one that comes when the keyboard is given back, and the text is not read yet, is noticed",
        arguments: [z, shift])
    func beforeReading(key: UInt32) async throws {
        let display = try TestDisplay()
        let sink = try Sink(.xterm, on: display, title: "target")
        let typist = try Typist(display: display.name, answerLimit: TestDisplay.limit)
        let window = try #require(try await typist.focusedWindow())
        let notes = try UndoNotes(on: display)
        sink.application.signal(SIGSTOP)
        async let outcome = typist.type("hello world", into: window)
        // Auto-repeat turned off, locks restored, and, when the keyboard is released, nothing left.
        try notes.wait(for: 3)
        for isDown in [true, false] { try display.sendPhysical(keycode: key, isDown: isDown) }
        sink.application.signal(SIGCONT)
        #expect(try await outcome == .typed(11))
        let text = "hello world" + (key == Self.z ? "z" : "")
        #expect(try sink.waitFor(text) == text)
        #expect(await typist.hasUserTypedMeanwhile() == (key == Self.z))
        // The next text starts over, and the caller watches by other means.
        #expect(try await typist.type(".", into: window) == .typed(1))
        #expect(await !typist.hasUserTypedMeanwhile())
        for isDown in [true, false] { try display.sendPhysical(keycode: Self.z, isDown: isDown) }
        #expect(await !typist.hasUserTypedMeanwhile())
    }
}

/// Reports when the only typist of a display has noted its undo data.
private final class UndoNotes {
    private let connection: DisplayConnection
    private let property: Atom

    init(on display: TestDisplay) throws {
        connection = try DisplayConnection(name: display.name)
        property = connection.atom("_VOICEDICTATION_UNDO")
        guard case .words(let typist)? = connection.property("_VOICEDICTATION_TYPISTS", of: connection.root)
        else { throw DesktopTestError.noTypist }
        XSelectInput(connection.display, try #require(typist.first), PropertyChangeMask)
        connection.sync()
    }

    private enum DesktopTestError: Error { case noTypist }

    func wait(for count: Int) throws {
        var left = count
        while left > 0 {
            while let event = connection.nextEvent() {
                let isNote =
                    event.type == PropertyNotify && event.xproperty.atom == property
                    && event.xproperty.state == PropertyNewValue
                if isNote { left -= 1 }
            }
            if left > 0 { try #require(try connection.waitForInput(until: .now + TestDisplay.limit)) }
        }
    }
}
