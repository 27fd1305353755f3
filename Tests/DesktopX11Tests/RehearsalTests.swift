import CX11
import Desktop
import Foundation
import Testing

@testable import DesktopX11

/// What was seen beforehand is only believed until the last look before the first key.
@Suite("A rehearsal", .serialized, .timeLimit(.minutes(2)))
struct RehearsalTests {
    let display: TestDisplay
    let sink: Sink
    let typist: Typist

    init() async throws {
        display = try TestDisplay()
        sink = try Sink(.gtk, on: display, title: "target")
        typist = try Typist(display: display.name)
        try await typist.getReady()
    }

    @Test("spares the typist nothing of the text, nor the desktop anything")
    func unchanged() async throws {
        let before = try display.keyboardMap()
        var all = ""
        for text in ["abc ", "“Größe” ", "DEF"] {
            await typist.lookBack()
            let window = try #require(try await typist.focusedWindow())
            #expect(try await typist.survey(text, options: .init(), window: window).untypable == 0)
            #expect(try await typist.type(text, into: window) == .typed(text.count))
            all += text
            #expect(try sink.waitFor(all) == all)
            try await typist.getReady()
        }
        #expect(try display.keyboardMap() == before)
    }

    /// What can happen between it and the text.
    enum Change: String, CaseIterable, CustomTestStringConvertible {
        case otherWindow, otherTitle, noWindow
        var testDescription: String { rawValue }
    }

    @Test("that is outdated types nothing and leaves nothing behind", arguments: Change.allCases)
    func outdated(change: Change) async throws {
        let before = try display.keyboardMap()
        var others: [Sink] = []
        switch change {
        case .otherWindow: others.append(try Sink(.gtk, on: display, title: "other"))
        case .otherTitle:
            try display.run("xdotool", "search", "--name", "^target$", "set_window", "--name", "changed")
        case .noWindow:
            kill(sink.application.processIdentifier, SIGKILL)
            sink.application.waitUntilExit()
            // Its windows go when the server reads the end of the connection.
            let connection = try DisplayConnection(name: display.name)
            let focus = FocusInspector(connection: connection)
            XSelectInput(connection.display, connection.root, SubstructureNotifyMask)
            while focus.focusedWindow() != nil {
                try connection.waitForInput(atMost: .milliseconds(50))
                while connection.nextEvent() != nil {}
            }
        }
        for text in ["abc", "“é”"] {
            await typist.lookBack()
            let window = try #require(try await typist.focusedWindow())
            #expect(window.title == "target")
            await #expect(throws: LookOutdated.self) { try await typist.type(text, into: window) }
            // All is forgotten: from here on it sees what is.
            let title = try await typist.focusedWindow()?.title
            #expect(title == [.otherWindow: "other", .otherTitle: "changed"][change])
        }
        await typist.lookBack()
        _ = try await typist.focusedWindow()
        await #expect(throws: LookOutdated.self) { try await typist.confirmLook() }
        // What comes next is all that there is.
        if change != .noWindow { others.append(sink) }
        for sink in others {
            try display.activate(sink === self.sink && change == .otherTitle ? "changed" : sink.title)
            #expect(try await typist.type("end") == .typed(3))
            #expect(try sink.waitFor("end") == "end")
        }
        #expect(try display.keyboardMap() == before)
        #expect(try display.pressedKeycodes() == [])
        #expect(try display.repeating(display.keyboards()).count == 3)
    }

    @Test("knows nothing of keys, locks and groups that are so by now, which are looked at anyway")
    func keyboard() async throws {
        // 37 is Control.
        try display.sendPhysical(keycode: 37, isDown: true)
        try display.run("xdotool", "key", "Caps_Lock")
        await typist.lookBack()
        let window = try #require(try await typist.focusedWindow())
        #expect(try await typist.type("aBc", into: window) == .typed(3))
        #expect(try sink.waitFor("aBc") == "aBc")
        #expect(try display.pressedKeycodes() == [37])
        #expect(try display.lockedModifiers() == 2)
    }

    @Test("leaves auto-repeat to a user who has turned it off since")
    func repeatOff() async throws {
        try display.run("xset", "r", "off")
        await typist.lookBack()
        let window = try #require(try await typist.focusedWindow())
        #expect(try await typist.type("abc", into: window) == .typed(3))
        #expect(try sink.waitFor("abc") == "abc")
        #expect(try display.repeating(display.keyboards()) == [])
    }

    @Test("a key that the user holds, and lets go of while the look is found outdated, does not stay down")
    func letGoMeanwhile() async throws {
        let connection = try DisplayConnection(name: display.name)
        let focused = try #require(FocusInspector(connection: connection).focusedToplevel())
        for round in 0..<30 {
            try await typist.getReady()
            connection.setProperty("_NET_WM_NAME", of: focused, text: "round \(round)")
            connection.sync()
            // 53 is x.
            try display.sendPhysical(keycode: 53, isDown: true)
            await typist.lookBack()
            let window = try #require(try await typist.focusedWindow())
            let (isReady, go) = (AsyncStream<Void>.makeStream(), DispatchSemaphore(value: 0))
            let release = DispatchGroup()
            release.enter()
            Thread.detachNewThread {
                defer { release.leave() }
                #expect(throws: Never.self) {
                    try display.sendPhysical(keycode: 53, isDown: false) {
                        isReady.continuation.finish()
                        go.wait()
                        // The instant of the release is what is tried out: all is over within that time.
                        usleep(UInt32(round) * 50)
                    }
                }
            }
            for await _ in isReady.stream {}
            go.signal()
            await #expect(throws: LookOutdated.self) { try await typist.type("abc", into: window) }
            await withCheckedContinuation { done in release.notify(queue: .global()) { done.resume() } }
            #expect(try display.pressedKeycodes() == [])
        }
    }
}
