import CX11
import Desktop
import DictationSystem
import Foundation
import TestSupport
import Testing

@testable import DesktopX11

/// The clipboard of a user whose typist is killed.
@Suite("Clipboards of killed typists", .serialized, .timeLimit(.minutes(2)))
struct ClipboardRestorationTests {
    private static func content(_ text: String, _ connection: DisplayConnection) -> SelectionContent {
        var content = SelectionContent(text: text, connection: connection)
        let picture = (0..<600_000).map { UInt8(truncatingIfNeeded: $0 * 31) }
        let png = connection.atom("image/png")
        content.formats.append((png, .init(type: png, format: 8, bytes: picture)))
        let words: [CLong] = [1, 2, 0x7fff_ffff]
        let numbers = SelectionContent.Data(
            type: Atom(XA_INTEGER), format: 32, bytes: words.withUnsafeBytes { Array($0) })
        content.formats.append((connection.atom("x-numbers"), numbers))
        return content
    }

    /// The content that a pasting program would get.
    private static func clipboard(_ connection: DisplayConnection) throws -> SelectionContent? {
        let window = connection.makeHiddenWindow()
        defer { XDestroyWindow(connection.display, window) }
        return try SelectionReader(connection: connection, window: window).read(connection.atom("CLIPBOARD"))
    }

    /// Another program copies a text, and stays.
    private static func copy(_ text: String, on display: TestDisplay) throws {
        let file = display.folder.appending(path: "copied")
        try Data(text.utf8).write(to: file)
        try awaitCopy(on: display) {
            try display.start("xclip", ["-quiet", "-in", "-selection", "clipboard", file.path])
        }
    }

    /// Returns when another program has copied something.
    private static func awaitCopy(on display: TestDisplay, _ start: () throws -> Void) throws {
        let connection = try DisplayConnection(name: display.name)
        // The owner is notified when it loses the ownership.
        let clipboard = connection.atom("CLIPBOARD")
        XSetSelectionOwner(connection.display, clipboard, connection.makeHiddenWindow(), Time(CurrentTime))
        connection.sync()
        try start()
        var isCopied = false
        while !isCopied {
            try #require(try connection.waitForInput(until: .now + TestDisplay.limit))
            while let event = connection.nextEvent() { isCopied = isCopied || event.type == SelectionClear }
        }
    }

    private static func awaitEnd(of window: Window, on connection: DisplayConnection) throws {
        while true {
            try #require(try connection.waitForInput(until: .now + TestDisplay.limit))
            while let event = connection.nextEvent() {
                if event.type == DestroyNotify, event.xdestroywindow.window == window { return }
            }
        }
    }

    @Test(
        "what was copied, every format of it, is there again: after a kill during a paste, and after one",
        arguments: [false, true])
    func killed(isStopped: Bool) async throws {
        let display = try TestDisplay()
        let sink = try Sink(.gtk, on: display, title: "target")
        let connection = try DisplayConnection(name: display.name)
        let content = Self.content("my own", connection)
        let way = try CutConnection(to: display)
        do {
            let owner = try ClipboardServer(display: display.name)
            owner.hold(content, as: connection.atom("CLIPBOARD"))
            let killed = try Typist(display: way.name, owner: "test")
            let window = try #require(try await killed.focusedWindow())
            if isStopped { sink.application.signal(SIGSTOP) }
            let keys = try KeyPressWatch(display: display.name)
            try keys.begin()
            async let outcome = killed.paste("pasted", into: window, keys: .shiftInsert, isTerminal: false)
            #expect(try keys.wait(atMost: TestDisplay.limit))
            if !isStopped { #expect(try await outcome == .pasted) }
            // As if it were a program of the user's, the former owner takes no part: it has noticed its loss before the kill. When
            // an order is done, all is that came before the order before.
            for _ in 0..<2 { owner.hold(.init(), as: connection.atom("SECONDARY")) }
            let last = XGetSelectionOwner(connection.display, connection.atom("CLIPBOARD"))
            XSelectInput(connection.display, last, StructureNotifyMask)
            connection.sync()
            way.end()
            if isStopped { _ = try? await outcome }
            // The server closes the connection of the killed one later, and there is no answer until then.
            try Self.awaitEnd(of: last, on: connection)
        }
        let next = try Typist(display: display.name, owner: "test")
        #expect(try Self.clipboard(connection) == content)
        // The window that has not pasted yet must not get that in place of the text.
        sink.application.signal(SIGCONT)
        let window = try #require(try await next.focusedWindow())
        #expect(try await next.type(".", into: window) == .typed(1))
        let expected = isStopped ? "." : "pasted."
        #expect(try sink.waitFor(expected) == expected)
    }

    @Test("a program with the numbers of one that has ended, which was to get nothing for a while, gets it")
    func numbersAgain() async throws {
        let display = try TestDisplay()
        let connection = try DisplayConnection(name: display.name)
        let content = Self.content("my own", connection)
        let server = try ClipboardServer(display: display.name)
        let sink = try Sink(.gtk, on: display, title: "target")
        let window = try #require(FocusInspector(connection: connection).focusedWindow()).id
        let late = ClipboardServer.LatePaste(
            into: Window(window), ClientProcesses(connection: connection))
        server.hold(content, as: connection.atom("CLIPBOARD"), refusing: [late])
        XSelectInput(connection.display, Window(window), StructureNotifyMask)
        connection.sync()
        sink.application.signal(SIGKILL)
        try Self.awaitEnd(of: Window(window), on: connection)
        // The server gives the numbers that are free to the next ones.
        var others: [DisplayConnection] = []
        while others.last?.isSameClient(others.last?.makeHiddenWindow() ?? 0, Window(window)) != true {
            try #require(others.count < 20)
            others.append(try DisplayConnection(name: display.name))
        }
        #expect(try Self.clipboard(try #require(others.last)) == content)
        withExtendedLifetime(server) {}
    }

    @Test("a paste that comes before it is there again does not lose it")
    func pasteBefore() async throws {
        let display = try TestDisplay()
        let sink = try Sink(.gtk, on: display, title: "target")
        let connection = try DisplayConnection(name: display.name)
        let typist = try Typist(display: display.name, owner: "test")
        let content = Self.content("my own", connection)
        SavedSelections(connection: connection).save(content, of: connection.atom("CLIPBOARD"))
        let window = try #require(try await typist.focusedWindow())
        #expect(
            try await typist.paste("x", into: window, keys: .shiftInsert, isTerminal: false) == .pasted)
        #expect(try Self.clipboard(connection) == content)
        withExtendedLifetime(sink) {}
    }

    @Test("what is saved for a paste stays saved if it was copied only just before")
    func savedBehindCopy() throws {
        let display = try TestDisplay()
        let connection = try DisplayConnection(name: display.name)
        let selection = connection.atom("CLIPBOARD")
        let server = try ClipboardServer(display: display.name)
        let (earlier, copied) = (Self.content("earlier", connection), Self.content("my own", connection))
        server.change { $0.save(earlier, of: selection) }
        server.hold(earlier, as: selection)
        // As if the machine were busy: the server learns late that it has lost the clipboard.
        let (isBusy, goesOn, isSaved) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        Thread.detachNewThread {
            server.change { _ in
                isBusy.signal()
                goesOn.wait()
            }
        }
        isBusy.wait()
        try Self.copy("my own", on: display)
        Thread.detachNewThread {
            server.change { $0.saveBeforeTaking(copied, of: selection) }
            isSaved.signal()
        }
        goesOn.signal()
        isSaved.wait()
        // When an order is done, all is that came before the order before.
        for _ in 0..<2 { server.hold(.init(), as: connection.atom("SECONDARY")) }
        #expect(SavedSelections(connection: connection).content(of: selection) == copied)
    }

    @Test("a text that another program has copied since stays")
    func copiedSince() async throws {
        let display = try TestDisplay()
        let sink = try Sink(.gtk, on: display, title: "target")
        let connection = try DisplayConnection(name: display.name)
        try Self.copy("old", on: display)
        let way = try CutConnection(to: display)
        do {
            let killed = try Typist(display: way.name, owner: "test")
            let window = try #require(try await killed.focusedWindow())
            #expect(
                try await killed.paste("x", into: window, keys: .shiftInsert, isTerminal: false) == .pasted)
            try Self.copy("new", on: display)
            way.end()
        }
        let next = try Typist(display: display.name, owner: "test")
        #expect(try Self.clipboard(connection)?.text(connection) == "new")
        withExtendedLifetime((next, sink)) {}
    }

    @Test("a clipboard that the user has cleared stays empty")
    func clearedSince() async throws {
        let display = try TestDisplay()
        let sink = try Sink(.gtk, on: display, title: "target")
        let connection = try DisplayConnection(name: display.name)
        let clipboard = connection.atom("CLIPBOARD")
        try Self.copy("old", on: display)
        let saved = SavedSelections(connection: connection)
        do {
            let typist = try Typist(display: display.name, owner: "test")
            let window = try #require(try await typist.focusedWindow())
            #expect(
                try await typist.paste("x", into: window, keys: .shiftInsert, isTerminal: false) == .pasted)
            #expect(try Self.clipboard(connection)?.text(connection) == "old" && !saved.isEmpty)
            guard
                case .words(let holders)? = connection.property(
                    "_VOICEDICTATION_SAVED_CLIPBOARD", of: connection.root)
            else {
                Issue.record("nothing is saved")
                return
            }
            // Called when the saved content is removed.
            XSelectInput(connection.display, try #require(holders.first), PropertyChangeMask)
            XSetSelectionOwner(connection.display, clipboard, 0, Time(CurrentTime))
            connection.sync()
            while !saved.isEmpty {
                try #require(try connection.waitForInput(until: .now + TestDisplay.limit))
                while connection.nextEvent() != nil {}
            }
            withExtendedLifetime(typist) {}
        }
        let next = try Typist(display: display.name, owner: "test")
        #expect(XGetSelectionOwner(connection.display, clipboard) == 0)
        withExtendedLifetime((next, sink)) {}
    }

    @Test("a secret of a password manager, and what is too large, is not kept")
    func notKept() throws {
        let display = try TestDisplay(withWindowManager: false)
        let connection = try DisplayConnection(name: display.name)
        let clipboard = connection.atom("CLIPBOARD")
        let saved = SavedSelections(connection: connection)
        saved.save(Self.content("mine", connection), of: clipboard)
        #expect(saved.content(of: clipboard) == Self.content("mine", connection))
        var secret = SelectionContent(text: "password", connection: connection)
        secret.markAsPassing(connection)
        saved.save(secret, of: clipboard)
        #expect(saved.isEmpty && saved.content(of: clipboard) == nil)
        saved.save(
            SelectionContent(
                text: String(repeating: "x", count: SavedSelections.sizeLimit), connection: connection),
            of: clipboard)
        #expect(saved.isEmpty)
    }

    /// The event between a copy and the next typist.
    enum Meanwhile: CaseIterable {
        case nothing, otherCopy, otherSelection
    }

    @Test(
        "the selection that a killed typist had a window copy is taken from the clipboard, and nothing else is",
        arguments: Meanwhile.allCases)
    func leftCopy(meanwhile: Meanwhile) async throws {
        let display = try TestDisplay()
        let sink = try Sink(.gtk, on: display, title: "target")
        let connection = try DisplayConnection(name: display.name)
        let clipboard = connection.atom("CLIPBOARD")
        let typist = try Typist(display: display.name)
        let window = try #require(try await typist.focusedWindow())
        #expect(try await typist.type("selected", into: window) == .typed(8))
        let saved = SavedSelections(connection: connection)
        saved.save(SelectionContent(text: "my own", connection: connection), of: clipboard)
        saved.beginCopy(over: clipboard, in: Window(window.id))
        try Self.awaitCopy(on: display) { try display.run("xdotool", "key", "ctrl+a", "ctrl+c") }
        switch meanwhile {
        case .nothing: break
        case .otherCopy: try Self.copy("their own", on: display)
        case .otherSelection:
            try display.run("xdotool", "key", "Right")
            #expect(try await typist.type(".", into: window) == .typed(1))
        }
        let next = try Typist(display: display.name, owner: "next")
        let expected =
            switch meanwhile {
            case .nothing: "my own"
            case .otherCopy: "their own"
            case .otherSelection: "selected"
            }
        #expect(try Self.clipboard(connection)?.text(connection) == expected)
        withExtendedLifetime((sink, next)) {}
    }
}

extension SelectionContent {
    fileprivate func text(_ connection: DisplayConnection) -> String? {
        data(for: connection.atom("UTF8_STRING")).map { String(decoding: $0.bytes, as: UTF8.self) }
    }
}
