import Desktop
import DesktopWayland
import DictationSystem
import Foundation
import TestSupport
import Testing

/// In real windows of a real compositor.
@Suite("Typing in a Wayland session", .serialized, .timeLimit(.minutes(5)))
struct WaylandTypistTests {
    private static let texts = [
        "Plain \"ASCII\", with ~`|\\{}[]<>?/ and UPPER case.",
        "Grüße aus Köln – naïve café “quotes” 日本語 Ελλάδα привет 👩‍💻 €5",
    ]

    @Test(
        "each text arrives as it is, also one with more characters than a keyboard has keys",
        arguments: WaylandWindow.Kind.native)
    func exact(kind: WaylandWindow.Kind) async throws {
        let desktop = try await WaylandDesktop.start()
        let typist = try WaylandTypist(socket: desktop.socket)
        let window = try await WaylandWindow.start(kind, on: desktop, title: "Letter")
        let many = String((0..<300).compactMap { Unicode.Scalar(0x4E00 + $0) }.map(Character.init))
        var expected = ""
        for whole in Self.texts + [many] {
            // Chromium ignores keys for characters beyond the first plane.
            let text =
                kind == .chromium
                ? whole.filter { $0.unicodeScalars.allSatisfy { $0.value < 0x10000 } } : whole
            let focused = try #require(try await typist.focusedWindow())
            #expect(focused.title == "Letter")
            let outcome = try await typist.type(text, into: focused)
            #expect(outcome == .typed(text.count))
            expected += text
            try await window.waitForText(equal: expected)
        }
        await window.end()
        // Chromium's window is another process's, and may be there for a moment more.
        try await desktop.waitForClose(of: "Letter")
        #expect(try await typist.focusedWindow() == nil)
        await desktop.end()
    }

    @Test("typing stops in the batch in which the focus moves, and continues in the window that gets it back")
    func focus() async throws {
        let desktop = try await WaylandDesktop.start()
        let typist = try WaylandTypist(socket: desktop.socket)
        let window = try await WaylandWindow.start(on: desktop, title: "First")
        let first = try #require(try await typist.focusedWindow())
        let other = try await WaylandWindow.start(on: desktop, title: "Second")
        let second = try #require(try await typist.focusedWindow())
        #expect(try await typist.type("astray", into: first) == .stopped(0, reason: .focusMoved(to: second)))
        #expect(try await typist.activate(first))
        let text = String(repeating: "0123456789", count: 10)
        let outcome = try await typist.type(text, into: first) { progress in
            if progress.sent == 32 {
                try Self.focusSecond(desktop.environment)
            }
        }
        guard case .stopped(let count, .focusMoved) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(count == 32)
        try await window.waitForText(equal: String(text.prefix(32)))
        #expect(other.text.count <= 16)
        await other.end()
        #expect(try await typist.type("x", into: second) == .stopped(0, reason: .windowClosed))
        await window.end()
        await desktop.end()
    }

    @Test(
        "a window that reads no keys gets no more than its compositor can keep for it, and each of them later",
        arguments: [WaylandWindow.Kind.foot, .gtk3, .gtk4, .qt5])
    func reading(kind: WaylandWindow.Kind) async throws {
        let desktop = try await WaylandDesktop.start()
        // Keys alone: no text field is waited for. It does not matter how long the window hangs, only that it is longer than the
        // typist waits.
        let typist = try WaylandTypist(socket: desktop.socket, fieldLimit: .zero, answerLimit: .seconds(1))
        let window = try await WaylandWindow.start(kind, on: desktop, title: "Letter")
        let focused = try #require(try await typist.focusedWindow())
        // Longer than what ends the connection of an application that reads nothing, and not much longer: GTK 4 sends all of its
        // text with each character, and libwayland before 1.23 ends it as soon as a compositor that waits for its disk has no
        // room for that.
        let text = (0..<300).map { "\($0) " }.joined()
        let outcome = try await typist.type(text, into: focused) { progress in
            if progress.sent == 64 { window.signal(SIGSTOP) }
        }
        guard case .stopped(let count, .notResponding) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        window.signal(SIGCONT)
        // The keys that it has not read stay in their order. This one waits for as long as a busy machine takes; the first one stays
        // next to it, because unread keys are lost with their keyboard.
        let patient = try WaylandTypist(
            socket: desktop.socket, fieldLimit: .zero, answerLimit: Program.defaultLimit)
        let rest = try await patient.type(String(text.dropFirst(count)), into: focused)
        #expect(rest == .typed(text.count - count))
        try await window.waitForText(equal: text)
        withExtendedLifetime(typist) {}
        await window.end()
        await desktop.end()
    }

    @Test(
        "if ours is the only keyboard, no key goes to an older window that may not know it",
        arguments: WaylandWindow.Kind.native)
    func onlyKeyboard(kind: WaylandWindow.Kind) async throws {
        let desktop = try await WaylandDesktop.start()
        let former = try await WaylandKeyboard.connect(to: desktop)
        let window = try await WaylandWindow.start(kind, on: desktop, title: "Letter")
        await former.end()
        // It is notified of the next keyboard after that is there.
        if kind == .qt5 { window.signal(SIGSTOP) }
        let clipboard = WaylandClipboard(socket: desktop.socket)
        let typist = try WaylandTypist(socket: desktop.socket, clipboard: clipboard)
        let focused = try #require(try await typist.focusedWindow())
        var expected = "first"
        let outcome = try await typist.type(expected, into: focused)
        if kind == .qt5 {
            // It knows no input methods, and so answers nothing.
            #expect(outcome == .stopped(0, reason: .keyboardUnknown))
            let survey = try await typist.survey(expected, options: TypingOptions(), window: focused)
            #expect(survey.untypable == 5)
            window.signal(SIGCONT)
            // Qt reports the keyboard only when the focus comes.
            let other = try await WaylandWindow.start(on: desktop, title: "Other")
            try await window.waitForLoss()
            let seen = window.keyboardCount
            try await window.focus()
            try await window.waitForKeyboard(after: seen)
            await other.end()
            let paste = try await typist.paste(
                expected, into: focused, keys: .shiftInsert, isTerminal: false)
            #expect(paste == .pasted)
        } else {
            #expect(outcome == .typed(5))
        }
        try await window.waitForText(equal: expected)
        expected += ", second"
        #expect(try await typist.type(", second", into: focused) == .typed(8))
        try await window.waitForText(equal: expected)
        await window.end()
        await desktop.end()
    }

    @Test("if the user has a keyboard, an older window gets the keys as soon as it reads")
    func userKeyboard() async throws {
        let desktop = try await WaylandDesktop.start()
        let users = try await WaylandKeyboard.connect(to: desktop)
        let window = try await WaylandWindow.start(.qt5, on: desktop, title: "Letter")
        window.signal(SIGSTOP)
        let typist = try WaylandTypist(socket: desktop.socket)
        let focused = try #require(try await typist.focusedWindow())
        #expect(try await typist.type("text", into: focused) == .typed(4))
        window.signal(SIGCONT)
        try await window.waitForText(equal: "text")
        await window.end()
        await users.end()
        await desktop.end()
    }

    @Test("nothing is typed while the session is locked")
    func locked() async throws {
        let desktop = try await WaylandDesktop.start()
        let typist = try WaylandTypist(socket: desktop.socket)
        let window = try await WaylandWindow.start(on: desktop, title: "Letter")
        let focused = try #require(try await typist.focusedWindow())
        // It returns when the session is locked, and ends with the compositor.
        try await Program.run("swaylock", ["--daemonize"], environment: desktop.environment)
        #expect(try await typist.focusedWindow() == nil)
        #expect(try await typist.type("a password", into: focused) == .stopped(0, reason: .noFocus))
        #expect(window.text.isEmpty)
        await window.end()
        await desktop.end()
    }

    /// Returns when sway has done it, and blocks, as a call between two batches may.
    private static func focusSecond(_ environment: [String: String]) throws {
        try StartedProcess("swaymsg", ["[title=\"^Second$\"] focus"], environment: environment).reap()
    }
}
