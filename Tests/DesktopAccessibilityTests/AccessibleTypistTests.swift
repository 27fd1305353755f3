import Desktop
import DictationBus
import DictationSystem
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import DesktopAccessibility

@Suite("Text by what programs offer to assistive technology, on mutter", .serialized, .timeLimit(.minutes(5)))
struct AccessibleTypistTests {
    private static let texts = [
        "Hello, World.", "Grüße: “çà et là” — naïve, €5 ½ ñandú", "日本語と中文、한국어 Привет",
        "👨‍👩‍👧‍👦 🏳️‍🌈 e\u{301} 👍🏽", "one\ntwo\n\nfour",
    ]
    private static let long = (0..<300).map { "\($0) é “漢” 👍 " }.joined()

    /// A desktop, a window with the focus, and the typist.
    private struct Desk {
        let desktop: MutterDesktop
        let window: MutterWindow
        let typist: AccessibleTypist

        init(
            _ toolkit: MutterWindow.Toolkit, _ field: MutterWindow.Field = .view,
            answerLimit: Duration = .seconds(5)
        ) async throws {
            desktop = try await MutterDesktop.start()
            window = try await MutterWindow.start(toolkit, field, on: desktop, title: "Letter")
            typist = try AccessibleTypist(session: .address(desktop.bus), answerLimit: answerLimit)
        }

        func type(
            _ text: String, _ progress: @escaping @Sendable (TypingProgress) throws -> Void = { _ in }
        ) async throws -> TypingOutcome {
            let focused = try #require(try await typist.focusedWindow())
            #expect(focused.title == "Letter" && focused.isNative)
            return try await typist.type(text, into: focused, progress: progress)
        }

        func end() async {
            await window.end()
            await desktop.end()
        }
    }

    @Test("any text arrives exactly, and is confirmed", arguments: MutterWindow.Toolkit.allCases)
    func exact(toolkit: MutterWindow.Toolkit) async throws {
        let desk = try await Desk(toolkit)
        var whole = ""
        for text in Self.texts + [Self.long] {
            let routes = Mutex<Set<String>>([])
            let outcome = try await desk.type(text) { progress in
                _ = routes.withLock { $0.insert("\(progress.route.way) \(progress.route.isConfirmed)") }
            }
            #expect(outcome == .typed(text.count))
            #expect(routes.withLock { $0 } == ["accessibility true"])
            whole += text
            try await desk.window.waitForText(equal: whole)
        }
        await desk.end()
    }

    @Test("a field of one line gets text, and no new line", arguments: MutterWindow.Toolkit.allCases)
    func line(toolkit: MutterWindow.Toolkit) async throws {
        let desk = try await Desk(toolkit, .line)
        let text = "Grüße an alle, die “dies” lesen: 你好, and so on and on."
        #expect(try await desk.type(text) == .typed(text.count))
        #expect(try await desk.type(" More.") == .typed(6))
        try await desk.window.waitForText(equal: text + " More.")
        #expect(try await desk.type("a\nb") == .stopped(0, reason: .noKeys))
        #expect(desk.window.text == text + " More.")
        await desk.end()
    }

    @Test(
        "a password arrives, and is confirmed only if the program shows it",
        arguments: MutterWindow.Toolkit.allCases)
    func password(toolkit: MutterWindow.Toolkit) async throws {
        let desk = try await Desk(toolkit, .password)
        let isConfirmed = Mutex<Bool?>(nil)
        let outcome = try await desk.type("horse") { progress in
            isConfirmed.withLock { $0 = progress.route.isConfirmed }
        }
        #expect(outcome == .typed(5))
        // GTK 4.8 shows it to any program that asks.
        #expect(isConfirmed.withLock { $0 } == (toolkit == .gtk4))
        try await desk.window.waitForText(equal: "horse")
        await desk.end()
    }

    @Test(
        "a field that is full, or cannot be edited, takes nothing", arguments: MutterWindow.Toolkit.allCases)
    func refused(toolkit: MutterWindow.Toolkit) async throws {
        let full = try await Desk(toolkit, .full)
        #expect(try await full.type("12345") == .typed(5))
        #expect(try await full.type("6") == .stopped(0, reason: .notTaken))
        try await full.window.waitForText(equal: "12345")
        await full.window.end()
        let locked = try await MutterWindow.start(toolkit, .locked, on: full.desktop, title: "Letter")
        #expect(try await full.type("6") == .stopped(0, reason: .unreachable))
        #expect(locked.text.isEmpty)
        await locked.end()
        await full.desktop.end()
    }

    @Test("a selection is replaced", arguments: MutterWindow.Toolkit.allCases)
    func selection(toolkit: MutterWindow.Toolkit) async throws {
        let desk = try await Desk(toolkit)
        #expect(try await desk.type("former") == .typed(6))
        let keys: [(UInt32, Bool)] = [(0xFFE3, true), (0x61, true), (0x61, false), (0xFFE3, false)]
        for (key, isDown) in keys { try await desk.desktop.key(key, isDown: isDown) }
        try await desk.window.waitForSelection()
        #expect(try await desk.type("latter") == .typed(6))
        try await desk.window.waitForText(equal: "latter")
        await desk.end()
    }

    private final class Opened: Sendable {
        let window = Mutex<MutterWindow?>(nil)
    }

    @Test("if the focus moves in the middle, the rest goes nowhere", arguments: MutterWindow.Toolkit.allCases)
    func focusMoves(toolkit: MutterWindow.Toolkit) async throws {
        let desk = try await Desk(toolkit)
        let other = Opened()
        let desktop = desk.desktop
        let outcome = try await desk.type(Self.long) { progress in
            guard progress.sent == 2 * InsertionRun.piece else { return }
            // The typist's thread waits, and no other.
            let moved = DispatchSemaphore(value: 0)
            Task {
                let window = try? await MutterWindow.start(toolkit, on: desktop, title: "Other")
                other.window.withLock { $0 = window }
                moved.signal()
            }
            moved.wait()
        }
        let window = try #require(other.window.withLock { $0 })
        guard case .stopped(let count, .focusMoved(let to)) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(count == 2 * InsertionRun.piece && to?.title == "Other")
        try await desk.window.waitForText(equal: String(Self.long.prefix(count)))
        #expect(window.text.isEmpty)
        await window.end()
        await desk.end()
    }

    @Test(
        "a program that hangs stops the text, and one that ends too", arguments: MutterWindow.Toolkit.allCases
    )
    func hangs(toolkit: MutterWindow.Toolkit) async throws {
        let desk = try await Desk(toolkit, answerLimit: .seconds(3))
        let window = desk.window
        let outcome = try await desk.type(Self.long) { progress in
            if progress.sent == 2 * InsertionRun.piece { window.signal(SIGSTOP) }
        }
        #expect(outcome == .stopped(2 * InsertionRun.piece, reason: .notResponding))
        #expect(try await desk.typist.focusedWindow() == nil)
        window.signal(SIGCONT)
        try await window.waitForText(equal: String(Self.long.prefix(2 * InsertionRun.piece)))
        await window.end()
        #expect(try await desk.typist.focusedWindow() == nil)
        #expect(try await desk.typist.type("x", into: nil) == .stopped(0, reason: .noFocus))
        await desk.desktop.end()
        await #expect(throws: (any Error).self) { try await desk.typist.focusedWindow() }
    }

    @Test("what a program takes late is counted, once it answers")
    func takenLate() async throws {
        let desk = try await Desk(.gtk4, .hanging, answerLimit: .seconds(1))
        let focused = try #require(try await desk.typist.focusedWindow())
        let outcome = try await desk.typist.type(
            Self.long, into: focused, record: TypingRecord(text: "letter", scalars: 0))
        #expect(outcome == .stopped(2 * InsertionRun.piece, reason: .unsure))
        try await desk.typist.getReady()
        #expect(await desk.typist.takeLateReadings().isEmpty)
        desk.window.signal(SIGCONT)
        let taken = String(Self.long.prefix(3 * InsertionRun.piece))
        try await desk.window.waitForText(equal: taken)
        try await desk.typist.getReady()
        let scalars = taken.unicodeScalars.count
        #expect(
            await desk.typist.takeLateReadings() == [TypingRecord(text: "letter", scalars: scalars)])
        await desk.end()
    }

    @Test("a field that adds characters of its own gets each piece once")
    func adding() async throws {
        let desk = try await Desk(.gtk4, .closing)
        let text = "See (and hear) it. " + String(repeating: "Then write to me. ", count: 8)
        #expect(try await desk.type(text) == .typed(text.count))
        #expect(desk.window.text.replacing(")", with: "") == text.replacing(")", with: ""))
        await desk.end()
    }

    @Test("a text is undone if it is still before the caret", arguments: MutterWindow.Toolkit.allCases)
    func undo(toolkit: MutterWindow.Toolkit) async throws {
        let desk = try await Desk(toolkit)
        #expect(try await desk.type("Dear ") == .typed(5))
        #expect(try await desk.type(Self.long) == .typed(Self.long.count))
        let focused = try #require(try await desk.typist.focusedWindow())
        let watch = try #require(desk.typist.watchTouches(of: focused))
        #expect(!watch.isTouched())
        #expect(try await desk.typist.isBeforeCaret(Self.long, in: focused) == true)
        #expect(try await desk.typist.undo(Self.long, in: focused) == .typed(Self.long.count))
        try await desk.window.waitForText(equal: "Dear ")
        #expect(watch.isTouched())
        #expect(try await desk.typist.isBeforeCaret("Dear", in: focused) == false)
        #expect(try await desk.typist.undo("Dear", in: focused) == .stopped(0, reason: .notTaken))
        #expect(desk.window.text == "Dear ")
        await desk.end()
    }
}
