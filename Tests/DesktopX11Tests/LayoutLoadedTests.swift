import CX11
import Desktop
import DictationSystem
import Foundation
import Synchronization
import Testing

@testable import DesktopX11

@Suite("A layout that is loaded while the typist does something else", .serialized, .timeLimit(.minutes(3)))
struct LayoutLoadedTests {
    @Test("while it reads the clipboard, the text after the paste is exact")
    func duringPaste() async throws {
        let display = try TestDisplay()
        let sink = try Sink(.gtk, on: display, title: "target")
        let typist = try Typist(display: display.name)
        let window = try #require(try await typist.focusedWindow())
        #expect(try await typist.type("yz", into: window) == .typed(2))
        let owner = try ClipboardOwner("my own", on: display) { try display.setLayout(["de"]) }
        let outcome = try await typist.paste("-", into: window, keys: .shiftInsert, isTerminal: false)
        #expect(outcome == .pasted)
        #expect(try await typist.type("yz", into: window) == .typed(2))
        #expect(try sink.waitFor("yz-yz") == "yz-yz")
        #expect(owner.end())
    }

    @Test("while it reads the clipboard, the key that pastes is that of the layout")
    func pasteKey() async throws {
        let display = try TestDisplay()
        let sink = try Sink(.gtk, on: display, title: "target")
        let typist = try Typist(display: display.name)
        let window = try #require(try await typist.focusedWindow())
        #expect(try await typist.type("a", into: window) == .typed(1))
        // There the key of V gives K.
        let owner = try ClipboardOwner("my own", on: display) { try display.setLayout(["us", "dvorak"]) }
        let outcome = try await typist.paste("pasted", into: window, keys: .controlV, isTerminal: false)
        #expect(outcome == .pasted)
        #expect(try sink.waitFor("apasted") == "apasted")
        #expect(owner.end())
    }

    @Test("while it gives a window the focus, the text in that window is exact")
    func duringActivation() async throws {
        let display = try TestDisplay()
        let first = try Sink(.gtk, on: display, title: "first")
        let typist = try Typist(display: display.name)
        let target = try #require(try await typist.focusedWindow())
        #expect(try await typist.type("yz", into: target) == .typed(2))
        #expect(try first.waitFor("yz") == "yz")
        let second = try Sink(.gtk, on: display, title: "second")
        // Nothing has changed so far.
        try await typist.getReady()
        try display.setLayout(["de"])
        #expect(try await typist.activate(target))
        #expect(try await typist.type("yz", into: target) == .typed(2))
        #expect(try first.waitFor("yzyz") == "yzyz")
        withExtendedLifetime(second) {}
    }

    /// Owns a text on the clipboard, and calls a function before it serves it for the first time.
    private final class ClipboardOwner: Sendable {
        private let stop: WakeUp
        private let isTaken = DispatchSemaphore(value: 0)
        private let hasEnded = DispatchSemaphore(value: 0)
        private let wasAsked = Mutex(false)

        init(
            _ text: String, on display: TestDisplay, doingBefore body: @escaping @Sendable () throws -> Void
        ) throws {
            stop = try WakeUp()
            startThread(named: "owner") { [self] in
                #expect(throws: Never.self) { try serve(text, on: display, doingBefore: body) }
                isTaken.signal()
                hasEnded.signal()
            }
            isTaken.wait()
        }

        /// - Returns: whether it was asked.
        func end() -> Bool {
            stop.signal()
            hasEnded.wait()
            return wasAsked.withLock { $0 }
        }

        private func serve(
            _ text: String, on display: TestDisplay, doingBefore body: () throws -> Void
        ) throws {
            let connection = try DisplayConnection(name: display.name)
            let content = SelectionContent(text: text, connection: connection)
            let clipboard = connection.atom("CLIPBOARD")
            XSetSelectionOwner(
                connection.display, clipboard, connection.makeHiddenWindow(), Time(CurrentTime))
            connection.sync()
            isTaken.signal()
            let giver = SelectionGiver(connection: connection)
            while !stop.isRinging {
                while let event = connection.nextEvent() {
                    guard event.type == SelectionRequest else { continue }
                    let isFirst = wasAsked.withLock { wasAsked in
                        defer { wasAsked = true }
                        return !wasAsked
                    }
                    if isFirst { try body() }
                    giver.answer(event.xselectionrequest, with: content)
                }
                try connection.waitForInput(or: stop)
            }
        }
    }
}
