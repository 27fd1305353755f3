import Desktop
import DictationSystem
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import DesktopWayland

/// Real text fields of real applications, in a real compositor.
@Suite("Giving text to text fields", .serialized, .timeLimit(.minutes(10)))
struct InputMethodTests {
    private static let sentence = "Grüße aus Köln – naïve café “quotes” 日本語 Ελλάδα привет 👩‍💻 €5, and e\u{301}."
    /// Those that show the text around the caret.
    private static let fields = [WaylandWindow.Kind.gtk3, .gtk4]

    /// A desktop with a window and a typist that waits as long as the window needs.
    private struct Scene {
        let desktop: WaylandDesktop
        let typist: WaylandTypist
        let window: WaylandWindow
        let focused: WindowInfo

        init(_ kind: WaylandWindow.Kind, fieldLimit: Duration = Program.defaultLimit) async throws {
            desktop = try await WaylandDesktop.start()
            typist = try WaylandTypist(socket: desktop.socket, fieldLimit: fieldLimit)
            window = try await WaylandWindow.start(kind, on: desktop, title: "Letter")
            focused = try #require(try await typist.focusedWindow())
        }

        /// - Returns: the outcome, and all that was said of the way.
        func type(
            _ text: String, options: TypingOptions = TypingOptions()
        ) async throws -> (TypingOutcome, Set<String>) {
            let routes = Mutex<Set<String>>([])
            let outcome = try await typist.type(text, into: focused, options: options) { progress in
                let route = "\(progress.route.way.rawValue) \(progress.route.isConfirmed)"
                _ = routes.withLock { $0.insert(route) }
            }
            return (outcome, routes.withLock(\.self))
        }

        func end() async {
            await window.end()
            await desktop.end()
        }
    }

    private static let confirmed: Set<String> = ["input-method true"]
    private static let keys: Set<String> = ["virtual-keyboard false"]

    @Test("each character counts when the field shows it, also of a long text", arguments: fields)
    func confirmed(kind: WaylandWindow.Kind) async throws {
        let scene = try await Scene(kind)
        let long = (0..<60).map { "\($0) \(Self.sentence)" }.joined(separator: " ")
        var expected = ""
        for text in [Self.sentence, " " + long] {
            let (outcome, routes) = try await scene.type(text)
            #expect(outcome == .typed(text.count))
            #expect(routes == Self.confirmed)
            expected += text
            try await scene.window.waitForText(equal: expected)
        }
        await scene.end()
    }

    @Test("a field with much text answers later, and does not count as left", arguments: fields)
    func muchText(kind: WaylandWindow.Kind) async throws {
        let scene = try await Scene(kind)
        // More than a field shows of its text.
        var expected = (0..<1_500).map { "\($0) " }.joined()
        #expect(try await scene.type(expected).0 == .typed(expected.count))
        for number in 0..<60 {
            let text = "Sentence \(number). "
            // As before each text: it asks for the seat, too.
            _ = try await scene.typist.survey(text, options: .init(), window: scene.focused)
            try #require(try await scene.type(text).0 == .typed(text.count))
            expected += text
        }
        try await scene.window.waitForText(equal: expected)
        await scene.end()
    }

    @Test("a text with keys in it goes as keys, in order", arguments: fields)
    func newlines(kind: WaylandWindow.Kind) async throws {
        let scene = try await Scene(kind)
        #expect(try await scene.type("ä ").1 == Self.confirmed)
        let (outcome, routes) = try await scene.type("first\nsecond")
        #expect(outcome == .typed(12) && routes == Self.keys)
        // A field does not distinguish later changes by keys from those by a text.
        try await scene.window.waitForText(equal: "ä first\nsecond")
        #expect(try await scene.type(" ü").1 == Self.confirmed)
        try await scene.window.waitForText(equal: "ä first\nsecond ü")
        await scene.end()
    }

    @Test("a window that shows no text gets keys", arguments: [WaylandWindow.Kind.foot, .qt5])
    func silent(kind: WaylandWindow.Kind) async throws {
        let scene = try await Scene(kind, fieldLimit: .milliseconds(100))
        for _ in 0..<2 {
            let (outcome, routes) = try await scene.type(Self.sentence)
            #expect(outcome == .typed(Self.sentence.count) && routes == Self.keys)
        }
        try await scene.window.waitForText(equal: Self.sentence + Self.sentence)
        await scene.end()
    }

    @Test(
        "another input method keeps the seat, gets it when nothing is typed, and has it after a typist is gone"
    )
    func another() async throws {
        let scene = try await Scene(.gtk3)
        /// Whether keys would go through another input method, which may change the text.
        func hasInputMethod() async throws -> Bool {
            try await scene.typist.survey("two", options: .init(), window: scene.focused).hasInputMethod
        }
        #expect(try await !hasInputMethod())
        #expect(try await scene.type("one ").1 == Self.confirmed)
        let connection = try WaylandConnection(socket: scene.desktop.socket, within: Program.defaultLimit)
        let seat = try connection.seat()
        let other = try InputMethod(connection, seat: seat)
        other.take()
        #expect(try connection.wait(within: Program.defaultLimit) { other.isTaken || other.state.isActive })
        #expect(!other.isTaken)
        #expect(try await hasInputMethod())
        #expect(try await scene.type("two ").1 == Self.keys)
        other.release()
        try connection.roundTrip(within: Program.defaultLimit)
        #expect(try await !hasInputMethod())
        #expect(try await scene.type("three").1 == Self.confirmed)
        try await scene.window.waitForText(equal: "one two three")
        await scene.end()
    }

    /// The second one is longer than what a field shows of its text.
    private static let earlier = ["Stays. ", (0..<1_200).map { "\($0) " }.joined()]

    @Test(
        "typed text is removed if the field still shows it before the caret",
        arguments: fields, earlier)
    func undo(kind: WaylandWindow.Kind, before: String) async throws {
        let scene = try await Scene(kind)
        _ = try await scene.type(before)
        _ = try await scene.type(Self.sentence)
        #expect(try await scene.typist.isBeforeCaret("another", in: scene.focused) == false)
        #expect(try await scene.typist.isBeforeCaret(Self.sentence, in: scene.focused) == true)
        let announced = Observed<[Int]>([])
        let outcome = try await scene.typist.undo(Self.sentence, in: scene.focused) { count in
            announced.change { $0.append(count) }
        }
        #expect(outcome == .typed(Self.sentence.count))
        let counts = announced.value
        #expect(counts.last == Self.sentence.count && counts == counts.sorted())
        #expect(
            zip([0] + counts, counts).allSatisfy { $1 - $0 <= RemovalLimits.batch && $1 > $0 })
        try await scene.window.waitForText(equal: before)
        await scene.end()
    }

    @Test("typed text is selected, so that the next text replaces it", arguments: fields)
    func select(kind: WaylandWindow.Kind) async throws {
        let scene = try await Scene(kind)
        _ = try await scene.type("Stays. ")
        _ = try await scene.type(Self.sentence)
        let other = try await scene.typist.select("another", in: scene.focused)
        #expect(other == .stopped(0, reason: .fieldLeft))
        #expect(
            try await scene.typist.select(Self.sentence, in: scene.focused) == .typed(Self.sentence.count))
        // Shift is up again.
        _ = try await scene.type("new.")
        try await scene.window.waitForText(equal: "Stays. new.")
        await scene.end()
    }

    /// A text whose third piece goes to a field that is stopped.
    private func stop(_ text: String, in scene: Scene) async throws -> TypingOutcome {
        try await scene.typist.type(
            text, into: scene.focused, record: TypingRecord(text: "first", scalars: 0)
        ) { [window = scene.window] progress in
            if progress.read == 64 { window.signal(SIGSTOP) }
        }
    }

    @Test(
        "a field that does not answer stops the text, which counts further when the field continues",
        arguments: fields)
    func stopped(kind: WaylandWindow.Kind) async throws {
        let scene = try await Scene(kind)
        let text = String(repeating: "0123456789 ", count: 20)
        #expect(try await stop(text, in: scene) == .stopped(64, reason: .notResponding))
        #expect(await scene.typist.takeLateReadings().isEmpty)
        scene.window.signal(SIGCONT)
        for await _ in scene.typist.readings { break }
        #expect(await scene.typist.takeLateReadings() == [TypingRecord(text: "first", scalars: 96)])
        await scene.typist.forgetUnfinished()
        #expect(await scene.typist.takeLateReadings().isEmpty)
        try await scene.window.waitForText(equal: String(text.prefix(96)))
        // The seat was released.
        let (next, routes) = try await scene.type("!")
        #expect(next == .typed(1) && routes == Self.confirmed)
        try await scene.window.waitForText(equal: String(text.prefix(96)) + "!")
        await scene.end()
    }

    @Test("a stopped field gets no more of a text until it has said what it has of it")
    func askedWhileStopped() async throws {
        let scene = try await Scene(.gtk3, fieldLimit: .milliseconds(100))
        let text = String(repeating: "0123456789 ", count: 20)
        let first = try await stop(text, in: scene)
        // If the machine was too busy for the field to answer in time, keys were typed.
        if first == .stopped(64, reason: .notResponding) {
            let rest = try await scene.typist.type(
                String(text.dropFirst(64)), into: scene.focused,
                record: TypingRecord(text: "first", scalars: 64))
            #expect(rest == .stopped(0, reason: .notResponding))
            scene.window.signal(SIGCONT)
            for await _ in scene.typist.readings { break }
            #expect(await scene.typist.takeLateReadings() == [TypingRecord(text: "first", scalars: 96)])
            try await scene.window.waitForText(equal: String(text.prefix(96)))
        }
        scene.window.signal(SIGCONT)
        await scene.end()
    }

    @Test("a piece that a window has read after the focus has left it is counted when it has the focus again")
    func readElsewhere() async throws {
        let scene = try await Scene(.gtk3)
        let text = String(repeating: "0123456789 ", count: 20)
        #expect(try await stop(text, in: scene) == .stopped(64, reason: .notResponding))
        let other = try await WaylandWindow.start(on: scene.desktop, title: "Other")
        scene.window.signal(SIGCONT)
        try await scene.window.waitForText(equal: String(text.prefix(96)))
        #expect(try await scene.typist.focusedWindow()?.title == "Other")
        #expect(await scene.typist.takeLateReadings().isEmpty)
        try await scene.window.focus()
        try await scene.typist.getReady()
        #expect(await scene.typist.takeLateReadings() == [TypingRecord(text: "first", scalars: 96)])
        await other.end()
        await scene.end()
    }
}
