import CX11
import Desktop
import DictationSystem
import Foundation
import TestSupport
import Testing

@testable import DesktopX11

@Suite("Pasting", .serialized, .timeLimit(.minutes(3)))
struct PasteTests {
    private static let text = "Grüße, 世界! 👩‍👩‍👧‍👦 “quoted” 5 €"

    @Test("the application gets the text exactly", arguments: Sink.Kind.installed)
    func exact(kind: Sink.Kind) async throws {
        let display = try TestDisplay()
        let sink = try Sink(kind, on: display, title: "target")
        let typist = try Typist(display: display.name)
        let window = try #require(try await typist.focusedWindow())
        let outcome = try await typist.paste(
            Self.text, into: window, keys: .shiftInsert, isTerminal: kind == .xterm)
        #expect(outcome == .pasted)
        #expect(try sink.waitFor(Self.text) == Self.text)
        #expect(try display.pressedKeycodes() == [])
    }

    @Test("one that is more than a request takes is not pasted, and the clipboard stays what it is")
    func tooLong() async throws {
        let display = try TestDisplay()
        let sink = try Sink(.gtk, on: display, title: "target")
        let typist = try Typist(display: display.name)
        let window = try #require(try await typist.focusedWindow())
        let text = String(repeating: "0123456789", count: 30_000)
        let outcome = try await typist.paste(text, into: window, keys: .shiftInsert, isTerminal: false)
        #expect(outcome == .notPossible(.tooLong))
        let connection = try DisplayConnection(name: display.name)
        #expect(XGetSelectionOwner(connection.display, connection.atom("CLIPBOARD")) == 0)
        withExtendedLifetime(sink) {}
    }

    @Test("the clipboard's content is there again, every format of it, also if it comes in pieces")
    func formats() async throws {
        let display = try TestDisplay()
        let sink = try Sink(.gtk, on: display, title: "target")
        let owner = try ClipboardServer(display: display.name)
        let connection = try DisplayConnection(name: display.name)
        let clipboard = connection.atom("CLIPBOARD")
        var content = SelectionContent(text: "my own", connection: connection)
        // Larger than one request of any server.
        let picture = (0..<600_000).map { UInt8(truncatingIfNeeded: $0 * 31) }
        content.formats.append(
            (
                connection.atom("image/png"),
                .init(type: connection.atom("image/png"), format: 8, bytes: picture)
            ))
        let words: [CLong] = [1, 2, 0x7fff_ffff]
        content.formats.append(
            (
                connection.atom("x-numbers"),
                .init(
                    type: Atom(XA_INTEGER), format: 32, bytes: words.withUnsafeBytes { Array($0) })
            ))
        owner.hold(content, as: clipboard)
        let typist = try Typist(display: display.name)
        let window = try #require(try await typist.focusedWindow())
        for round in 1...2 {
            let outcome = try await typist.paste(
                "\(round)", into: window, keys: .shiftInsert, isTerminal: false)
            #expect(outcome == .pasted)
            let reader = SelectionReader(connection: connection, window: connection.makeHiddenWindow())
            #expect(try reader.read(clipboard) == content)
        }
        #expect(try sink.waitFor("12") == "12")
    }

    @Test("what is restored at once is there, though the earlier loss is reported after it")
    func putBackAtOnce() throws {
        let display = try TestDisplay()
        let owner = try ClipboardServer(display: display.name)
        let other = try DisplayConnection(name: display.name)
        let window = other.makeHiddenWindow()
        let clipboard = other.atom("CLIPBOARD")
        let content = SelectionContent(text: "my own", connection: other)
        for _ in 0..<50 {
            owner.hold(content, as: clipboard)
            XSetSelectionOwner(other.display, clipboard, window, Time(CurrentTime))
            other.sync()
            owner.hold(content, as: clipboard)
            let reader = SelectionReader(connection: other, window: window)
            try #require(try reader.read(clipboard) == content)
        }
    }

    @Test("a text is pasted while the application still waits for an earlier owner, who never answers")
    func earlierOwnerHangs() async throws {
        let display = try TestDisplay()
        let sink = try Sink(.gtk, on: display, title: "target")
        let owner = try DisplayConnection(name: display.name)
        let clipboard = owner.atom("CLIPBOARD")
        XSetSelectionOwner(owner.display, clipboard, owner.makeHiddenWindow(), Time(CurrentTime))
        owner.sync()
        try display.run("xdotool", "key", "shift+Insert")
        var isAsked = false
        while !isAsked {
            try owner.waitForInput(until: .now + TestDisplay.limit)
            while let event = owner.nextEvent() { isAsked = isAsked || event.type == SelectionRequest }
        }
        XSetSelectionOwner(owner.display, clipboard, 0, Time(CurrentTime))
        owner.sync()
        let typist = try Typist(display: display.name)
        let window = try #require(try await typist.focusedWindow())
        let outcome = try await typist.paste(
            Self.text, into: window, keys: .shiftInsert, isTerminal: false)
        #expect(outcome == .pasted)
        #expect(try sink.waitFor(Self.text) == Self.text)
    }

    @Test(
        "a window that waits for a paste whose owner was killed gets no other one: xterm would crash, Qt paste it twice",
        arguments: [Sink.Kind.xterm, .qt])
    func brokenOffPaste(kind: Sink.Kind) async throws {
        let display = try TestDisplay()
        let sink = try Sink(kind, on: display, title: "target")
        try leave([TypingJournal.Paste(into: try focusedWindow(on: display))], on: display)
        // A second one that is killed knows as well, and hands it on.
        let way = try CutConnection(to: display)
        let killed = try Typist(display: way.name, owner: "test")
        withExtendedLifetime(killed) { way.end() }
        let typist = try Typist(display: display.name, owner: "test")
        let window = try #require(try await typist.focusedWindow())
        #expect(
            try await typist.paste(
                "pasted", into: window, keys: .shiftInsert, isTerminal: kind == .xterm) == .stillWaiting)
        #expect(try await typist.type("typed", into: window) == .typed(5))
        #expect(try sink.waitFor("typed") == "typed")
    }

    @Test("once it has waited long enough, or in another window, it does get one")
    func overdue() async throws {
        let display = try TestDisplay()
        let sink = try Sink(.xterm, on: display, title: "target")
        let window = try focusedWindow(on: display)
        try leave(
            [.init(window: window, end: UInt(BootClock.seconds)), .init(into: window + 1)], on: display)
        let typist = try Typist(display: display.name, owner: "test")
        let target = try #require(try await typist.focusedWindow())
        #expect(
            try await typist.paste("pasted", into: target, keys: .shiftInsert, isTerminal: true) == .pasted)
        #expect(try sink.waitFor("pasted") == "pasted")
    }

    private func focusedWindow(on display: TestDisplay) throws -> Window {
        try #require(FocusInspector(connection: DisplayConnection(name: display.name)).focusedToplevel())
    }

    /// Leaves the notes of a typist that is killed while it pastes.
    private func leave(_ pastes: [TypingJournal.Paste], on display: TestDisplay) throws {
        let connection = try DisplayConnection(name: display.name)
        try TypingJournal(connection: connection, owner: "test").note(pastes)
        connection.sync()
    }

    @Test("an application that asks too late gets nothing, and not what the user had copied")
    func late() async throws {
        let display = try TestDisplay()
        let sink = try Sink(.gtk, on: display, title: "target")
        let owner = try ClipboardServer(display: display.name)
        let connection = try DisplayConnection(name: display.name)
        let clipboard = connection.atom("CLIPBOARD")
        let content = SelectionContent(text: "my own", connection: connection)
        owner.hold(content, as: clipboard)
        let typist = try Typist(display: display.name)
        let window = try #require(try await typist.focusedWindow())
        sink.application.signal(SIGSTOP)
        let outcome = try await typist.paste("pasted", into: window, keys: .shiftInsert, isTerminal: false)
        sink.application.signal(SIGCONT)
        #expect(outcome == .unsure)
        #expect(try await typist.type("typed", into: window) == .typed(5))
        #expect(try sink.waitFor("typed") == "typed")
        // Others get it in the meantime.
        let reader = SelectionReader(connection: connection, window: connection.makeHiddenWindow())
        #expect(try reader.read(clipboard) == content)
    }

    @Test("if another program copies before the application asks, it is unknown what it has pasted")
    func replaced() async throws {
        let display = try TestDisplay()
        let sink = try Sink(.gtk, on: display, title: "target")
        let connection = try DisplayConnection(name: display.name)
        let typist = try Typist(display: display.name)
        let window = try #require(try await typist.focusedWindow())
        sink.application.signal(SIGSTOP)
        let keys = try KeyPressWatch(display: display.name)
        try keys.begin()
        async let outcome = typist.paste("pasted", into: window, keys: .shiftInsert, isTerminal: false)
        #expect(try keys.wait(atMost: TestDisplay.limit))
        let other = try ClipboardServer(display: display.name)
        other.hold(
            SelectionContent(text: "their own", connection: connection), as: connection.atom("CLIPBOARD"))
        #expect(try await outcome == .unsure)
        sink.application.signal(SIGCONT)
        #expect(try sink.waitFor("their own") == "their own")
    }

    @Test(
        "an application that waits for the display to send anything, or asks by another connection, gets the text",
        arguments: [PastingWindow.Manner.belated, .apart])
    func manners(manner: PastingWindow.Manner) async throws {
        let display = try TestDisplay(withWindowManager: false)
        let application = try PastingWindow(manner, on: display)
        let typist = try Typist(display: display.name)
        let window = try #require(try await typist.focusedWindow())
        let outcome = try await typist.paste(
            Self.text, into: window, keys: .shiftInsert, isTerminal: false)
        #expect(outcome == .pasted)
        #expect(application.end() == Self.text)
    }

    @Test("an application that asks again when it has the text certainly has it only when it asks no more")
    func again() async throws {
        let display = try TestDisplay(withWindowManager: false)
        let application = try PastingWindow(.again(50), on: display)
        let typist = try Typist(display: display.name)
        let window = try #require(try await typist.focusedWindow())
        let outcome = try await typist.paste(
            Self.text, into: window, keys: .shiftInsert, isTerminal: false
        ) { #expect(application.answered.count == 51) }
        #expect(outcome == .pasted)
        #expect(application.answered == ["UTF8_STRING"] + Array(repeating: "TARGETS", count: 50))
        #expect(application.end() == Self.text)
    }

    @Test("if the typist is killed before it asks no more, it is unknown whether it has the text")
    func killedMeanwhile() async throws {
        let display = try TestDisplay(withWindowManager: false)
        let application = try PastingWindow(.again(.max), on: display)
        let way = try CutConnection(to: display)
        let killed = try Typist(display: way.name, owner: "test")
        let window = try #require(try await killed.focusedWindow())
        async let outcome = killed.paste(
            Self.text, into: window, keys: .shiftInsert, isTerminal: false,
            record: .init(text: "letter", scalars: 0), adding: 5
        ) { Issue.record("it counts as pasted") }
        application.waitUntilItAsksAgain()
        way.end()
        _ = try? await outcome
        let next = try Typist(display: display.name, owner: "test")
        #expect(next.unsurePastes == ["letter"])
        #expect(next.unfinished.isEmpty && next.unread.isEmpty)
        // The requester may have died before it recorded that.
        #expect(try Typist(display: display.name, owner: "test").unsurePastes == ["letter"])
        await next.forgetUnfinished()
        _ = application.end()
    }

    @Test(
        "a page that waits for a killed owner continues with the next typist, with the keys since then",
        .enabled(if: Chromium.isInstalled))
    func abandoned() async throws {
        let display = try TestDisplay()
        let sink = try Sink(.chromium, on: display, title: "target")
        do {
            let owner = try DisplayConnection(name: display.name)
            XSetSelectionOwner(
                owner.display, owner.atom("CLIPBOARD"), owner.makeHiddenWindow(), Time(CurrentTime))
            owner.sync()
            // When it was killed does not matter: the page waits longer than the notes hold.
            let paste = TypingJournal.Paste(
                window: try focusedWindow(on: display), end: UInt(BootClock.seconds))
            try leave([paste], on: display)
            try display.run("xdotool", "key", "shift+Insert")
            var isAsked = false
            while !isAsked {
                try owner.waitForInput(until: .now + TestDisplay.limit)
                while let event = owner.nextEvent() { isAsked = isAsked || event.type == SelectionRequest }
            }
        }
        try display.run("xdotool", "key", "q")
        let typist = try Typist(display: display.name, owner: "test")
        let window = try #require(try await typist.focusedWindow())
        // The rest of the old paste must not get the text of a new one.
        #expect(
            try await typist.paste("pasted", into: window, keys: .shiftInsert, isTerminal: false)
                == .stillWaiting)
        #expect(try await typist.type("typed", into: window) == .typed(5))
        #expect(try sink.waitFor("qtyped") == "qtyped")
    }

    @Test("an empty clipboard is empty again")
    func empty() async throws {
        let display = try TestDisplay()
        let sink = try Sink(.gtk, on: display, title: "target")
        let typist = try Typist(display: display.name)
        let window = try #require(try await typist.focusedWindow())
        _ = try await typist.paste("x", into: window, keys: .shiftInsert, isTerminal: true)
        #expect(try sink.waitFor("x") == "x")
        let connection = try DisplayConnection(name: display.name)
        #expect(XGetSelectionOwner(connection.display, connection.atom("CLIPBOARD")) == 0)
        #expect(XGetSelectionOwner(connection.display, Atom(XA_PRIMARY)) == 0)
    }

    @Test("a window that does not paste by that key says so, and nothing is in it")
    func notTaken() async throws {
        let display = try TestDisplay()
        let sink = try Sink(.gtk, on: display, title: "target")
        let typist = try Typist(display: display.name)
        let window = try #require(try await typist.focusedWindow())
        let outcome = try await typist.paste(
            "x", into: window, keys: .controlShiftV, isTerminal: false)
        #expect(outcome == .notTaken)
        #expect(try await typist.type("y", into: window) == .typed(1))
        #expect(try sink.waitFor("y") == "y")
    }

    @Test("into a window that has not the focus, nothing is pasted")
    func otherWindow() async throws {
        let display = try TestDisplay()
        _ = try Sink(.gtk, on: display, title: "other")
        let typist = try Typist(display: display.name)
        let other = try #require(try await typist.focusedWindow())
        _ = try Sink(.gtk, on: display, title: "target")
        let outcome = try await typist.paste("x", into: other, keys: .shiftInsert, isTerminal: false)
        guard case .stopped(.focusMoved) = outcome else {
            Issue.record("unexpected: \(outcome)")
            return
        }
    }
}
