import Desktop
import DictationSystem
import Foundation
import TestSupport
import Testing

@testable import DesktopWayland

/// In real windows of a real compositor, together with real programs that copy.
@Suite("The clipboards of a Wayland session", .serialized, .timeLimit(.minutes(5)))
struct ClipboardTests {
    /// A desktop with a typist that can paste.
    private struct Session {
        let desktop: WaylandDesktop
        let clipboard: WaylandClipboard
        let typist: WaylandTypist

        init() async throws {
            desktop = try await WaylandDesktop.start()
            clipboard = try #require(WaylandClipboard(socket: desktop.socket))
            typist = try WaylandTypist(socket: desktop.socket, clipboard: clipboard)
        }

        func paste(
            _ text: String, into window: WaylandWindow, taken: @Sendable () throws -> Void = {}
        ) async throws -> PasteOutcome {
            let focused = try #require(try await typist.focusedWindow())
            return try await typist.paste(
                text, into: focused, keys: .shiftInsert, isTerminal: true, taken: taken)
        }
    }

    private static let mixed = "Grüße aus Köln – naïve “quotes” 日本語 привет 👩‍💻 €5\n"

    @Test("a paste arrives whole, and both clipboards are as they were")
    func pasted() async throws {
        let session = try await Session()
        let window = try await WaylandWindow.start(on: session.desktop, title: "Letter")
        #expect(try await session.paste(Self.mixed, into: window) == .pasted)
        try await window.waitForText(equal: Self.mixed)
        #expect(try await session.desktop.clipboardText() == "")
        #expect(try await session.desktop.clipboardText("--primary") == "")
        let primary = try await session.desktop.copy("the selection", "--primary")
        let picture = try await session.desktop.copy("not text", "--type", "image/x-test")
        // More than a pipe holds.
        let long = String(repeating: "All work and no play. ", count: 5_000)
        #expect(try await session.paste(long, into: window) == .pasted)
        try await window.waitForText(equal: Self.mixed + long)
        #expect(try await session.desktop.clipboardText("--primary") == "the selection")
        #expect(try await session.desktop.clipboardText("--list-types") == "image/x-test\n")
        #expect(try await session.desktop.clipboardText("--type", "image/x-test") == "not text")
        // The content that is held now is restored as well.
        #expect(try await session.paste("!", into: window) == .pasted)
        #expect(try await session.desktop.clipboardText("--type", "image/x-test") == "not text")
        let new = try await session.desktop.copy("something new", "--primary")
        #expect(try await session.desktop.clipboardText("--primary") == "something new")
        await new.end()
        await window.end()
        await primary.end()
        await picture.end()
        await session.desktop.end()
    }

    @Test(
        "a paste counts when the window keeps it, even if the clipboard is gone right after that",
        arguments: WaylandWindow.Kind.native)
    func counted(kind: WaylandWindow.Kind) async throws {
        let session = try await Session()
        let window = try await WaylandWindow.start(kind, on: session.desktop, title: "Letter")
        let focused = try #require(try await session.typist.focusedWindow())
        let clipboard = session.clipboard
        for number in 1...10 {
            let outcome = try await session.typist.paste(
                "\(number) ", into: focused, keys: .shiftInsert, isTerminal: kind == .foot
            ) {
                // As the compositor does when this process is killed.
                try clipboard.run { try $0.putBack([.clipboard: nil, .primary: nil], silentUntil: nil) }
            }
            #expect(outcome == .pasted)
            try await window.waitForText(equal: (1...number).map { "\($0) " }.joined())
        }
        await window.end()
        await session.desktop.end()
    }

    @Test("a copied text is there for all windows until something else is copied")
    func copied() async throws {
        let session = try await Session()
        try await session.clipboard.copy(Self.mixed)
        #expect(try await session.desktop.clipboardText() == Self.mixed)
        let window = try await WaylandWindow.start(.xterm, on: session.desktop, title: "X11")
        let program = try Program.start(
            "xclip", ["-selection", "clipboard", "-o"], environment: session.desktop.environment)
        _ = try await program.waitForExit()
        #expect(program.output == Self.mixed)
        let other = try await session.desktop.copy("something else")
        #expect(try await session.desktop.clipboardText() == "something else")
        await other.end()
        await window.end()
        await session.desktop.end()
    }

    /// The state that a process leaves that is killed in the middle of a copy.
    struct LeftCopy: CustomTestStringConvertible, Sendable {
        /// The clipboard when the next process starts; the last selection is "selected".
        let clipboard: String
        /// How many seconds ago the window was asked for its copy.
        let age: TimeInterval
        let expected: String

        var testDescription: String { "\(clipboard), \(Int(age)) s: \(expected)" }
    }

    @Test(
        "the content from before a killed process's copy comes back, and another program's copy stays",
        arguments: [
            LeftCopy(clipboard: "selected", age: 0, expected: "mine"),
            LeftCopy(clipboard: "another", age: 0, expected: "another"),
            LeftCopy(clipboard: "selected", age: 60, expected: "selected"),
            // The clock was set back.
            LeftCopy(clipboard: "selected", age: -60, expected: "selected"),
        ])
    func leftCopy(left: LeftCopy) async throws {
        let session = try await Session()
        let primary = try await session.desktop.copy("selected", "--primary")
        let copier = try await session.desktop.copy(left.clipboard)
        let mine = ClipboardContent(formats: [
            .init(type: "text/plain;charset=utf-8", data: Data("mine".utf8))
        ])
        session.clipboard.journal.note(
            [.clipboard: mine], copied: Date(timeIntervalSinceNow: -left.age))
        let next = try #require(WaylandClipboard(socket: session.desktop.socket))
        #expect(try await session.desktop.clipboardText() == left.expected)
        #expect(next.journal.copied == nil)
        await primary.end()
        await copier.end()
        await session.desktop.end()
    }

    @Test("nothing is pasted over a clipboard that cannot be saved, or into a window that has no focus")
    func notPasted() async throws {
        let session = try await Session()
        let window = try await WaylandWindow.start(on: session.desktop, title: "First")
        let first = try #require(try await session.typist.focusedWindow())
        let owner = try await session.desktop.copy("mine")
        owner.signal(SIGSTOP)
        #expect(try await session.paste("x", into: window) == .notPossible(.unreadable))
        owner.signal(SIGCONT)
        #expect(try await session.desktop.clipboardText() == "mine")
        let other = try await WaylandWindow.start(on: session.desktop, title: "Second")
        let second = try #require(try await session.typist.focusedWindow())
        let outcome = try await session.typist.paste(
            "astray", into: first, keys: .shiftInsert, isTerminal: true)
        #expect(outcome == .stopped(.focusMoved(to: second)))
        #expect(try await session.desktop.clipboardText() == "mine")
        // Keys come in their order: a pasted text would be before these.
        #expect(try await session.typist.type(".", into: second) == .typed(1))
        try await other.waitForText(equal: ".")
        #expect(window.text.isEmpty)
        await other.end()
        await window.end()
        await owner.end()
        await session.desktop.end()
    }

    @Test(
        "the read of a program that follows the clipboard does not count, and a window that asks late gets nothing"
    )
    func unsure() async throws {
        let session = try await Session()
        let window = try await WaylandWindow.start(on: session.desktop, title: "Letter")
        let owner = try await session.desktop.copy("mine", "--primary")
        let follower = try Program.start(
            "wl-paste", ["--primary", "--watch", "cat"], environment: session.desktop.environment)
        try await follower.waitForOutput("what is there") { $0.contains("mine") }
        // No key was pressed: a program that asks now is a follower, at any time.
        let passing = try PassingText("overheard", followers: session.clipboard.followers)
        let former = try session.clipboard.run { try $0.read([.primary]) }
        try session.clipboard.run { try $0.offer(passing, over: former) }
        try await follower.waitForOutput("what passes") { $0.contains("overheard") }
        try session.clipboard.run { try $0.putBack(former, silentUntil: nil) }
        #expect(!passing.isRead)
        #expect(try await session.paste("one ", into: window) == .pasted)
        try await window.waitForText(equal: "one ")
        window.signal(SIGSTOP)
        #expect(try await session.paste("two", into: window) == .unsure)
        #expect(try await session.desktop.clipboardText("--primary") == "")
        window.signal(SIGCONT)
        let focused = try #require(try await session.typist.focusedWindow())
        #expect(try await session.typist.type("three", into: focused) == .typed(5))
        try await window.waitForText(equal: "one three")
        await follower.end()
        await owner.end()
        await window.end()
        await session.desktop.end()
    }
}
