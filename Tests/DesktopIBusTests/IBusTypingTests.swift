import Desktop
import DesktopX11
import DictationSystem
import Foundation
import Logging
import Synchronization
import TestSupport
import Testing

@testable import DesktopIBus

/// Through a real IBus, into real applications.
@Suite("Typing by IBus", .serialized, .timeLimit(.minutes(15)))
struct IBusTypingTests {
    /// A display with IBus, and the typing under test.
    struct Desk {
        let display: VirtualDisplay
        let inputMethod: InputMethodDaemon
        let windows: DisplayWindows
        let folder: TemporaryFolder
        let preedit: IBusPreedit
        let typing: IBusTyping

        static func start() async throws -> Desk {
            let display = try await VirtualDisplay.start()
            let inputMethod = try await InputMethodDaemon.start(on: display)
            let windows = DisplayWindows(typist: try Typist(display: display.name))
            let folder = try TemporaryFolder("ibus-typing")
            let preedit = IBusPreedit(
                note: folder.file("note"), logger: Logger(label: "test"), environment: inputMethod.environment
            )
            return Desk(
                display: display, inputMethod: inputMethod, windows: windows, folder: folder,
                preedit: preedit,
                typing: IBusTyping(
                    windows: windows, preedit: preedit, note: folder.file("note"),
                    logger: Logger(label: "test"),
                    environment: inputMethod.environment))
        }

        var hasNote: Bool { FileManager.default.fileExists(atPath: folder.file("note")) }

        /// Types into the window that has the focus.
        func type(
            _ text: String, progress: (TypingProgress) throws -> Void = { _ in }
        ) async throws -> CommitOutcome {
            let window = try #require(try await windows.focusedWindow())
            return try await typing.commit(
                text, into: window, options: .init(), confirmation: .needed, progress: progress)
        }

        func end() async {
            await inputMethod.end()
            await display.end()
        }
    }

    /// The windows of the X display.
    struct DisplayWindows: WindowFocus {
        let typist: Typist
        let seesEveryWindow = true

        func focusedWindow() async throws -> WindowInfo? { try await typist.focusedWindow() }
        func activate(_ window: WindowInfo) async throws -> Bool { try await typist.activate(window) }
        func waitForFocus(of window: WindowInfo, within limit: Duration) -> Bool { false }
        func watchTouches(of window: WindowInfo) -> (any TouchWatching)? { nil }
    }

    private static let texts = [
        "Plain \"ASCII\", with ~`|\\{}[]<>?/ and UPPER case.",
        " “Grüße” aus Łódź – naïve café’s, e\u{301}\u{323}, 日本語 Ελλάδα привет 👩‍👩‍👧‍👦 🇩🇪 €5.",
    ]
    /// 10,000 characters of all sorts.
    private static let long: String = {
        let unit = Array("Typed mixed: äöü “quotes” 漢字かな 😀👩‍💻 ÀÉÎ; it's 10:30. ")
        return String((0..<10_000).map { unit[$0 % unit.count] })
    }()

    // Each on its own display: IBus takes time to forget the field of an application that has ended, and
    // tells our engine then that a field has lost the focus.
    @Test(
        "each text arrives as it is, and the user's engine and layout are as they were",
        arguments: TextField.Kind.allCases.filter { $0.confirms || $0 == .xterm })
    func exact(kind: TextField.Kind) async throws {
        let desk = try await Desk.start()
        try await desk.inputMethod.choose("xkb:us:intl:eng")
        try await desk.display.setLayout("de", variant: "neo")
        let layout = try await Self.layout(of: desk.display)
        // Locks and held modifiers do not matter.
        try await desk.display.xdotool("key", "Caps_Lock")
        let field = try await TextField.start(kind, on: desk.display, desk.inputMethod, title: "Letter")
        var expected = ""
        for text in Self.texts + ["\nA line\n\nand\ta tab"] + [Self.long] where kind.confirms {
            let route = Mutex<InsertionRoute?>(nil)
            let window = try #require(try await desk.windows.focusedWindow())
            let outcome = try await desk.typing.commit(
                text, into: window, options: .init(tab: .key), confirmation: .needed
            ) {
                progress in route.withLock { $0 = progress.route }
            }
            expected += text
            #expect(outcome == .ended(.typed(text.count)))
            #expect(route.withLock { $0 } == InsertionRoute(.ibus, isConfirmed: true))
            do { try await field.waitForText(equal: expected) } catch {
                Issue.record(error, "\(Self.difference(between: field.text, expected) ?? "")")
            }
        }
        if kind == .xterm {
            let window = try #require(try await desk.windows.focusedWindow())
            let outcome = try await desk.typing.commit(
                "x", into: window, options: .init(), confirmation: .needed
            ) { _ in }
            #expect(outcome == .notPossible(.unconfirmed))
            #expect(field.text.isEmpty)
        }
        #expect(try await desk.inputMethod.engine() == "xkb:us:intl:eng")
        await field.end()
        #expect(try await Self.layout(of: desk.display) == layout)
        #expect(!desk.hasNote)
        await desk.end()
    }

    @Test("a modifier that the user holds does not matter")
    func modifiers() async throws {
        let desk = try await Desk.start()
        let field = try await TextField.start(.gtk, on: desk.display, desk.inputMethod, title: "Letter")
        for key in ["Shift_L", "Control_L", "Alt_L"] {
            try await desk.display.xdotool("keydown", key)
            #expect(try await desk.type(key) == .ended(.typed(key.count)))
            try await desk.display.xdotool("keyup", key)
        }
        try await field.waitForText(equal: "Shift_LControl_LAlt_L")
        await field.end()
        await desk.end()
    }

    @Test("without a text field that has the focus nothing is done, and nothing without a daemon")
    func noContext() async throws {
        let desk = try await Desk.start()
        let field = try await TextField.start(.gtk, on: desk.display, desk.inputMethod, title: "Letter")
        // It is connected to no input method, and the field has lost the focus.
        let news = desk.inputMethod.news
        let other = try await TextWindow.start(.xterm, on: desk.display, title: "Other")
        try await desk.inputMethod.waitForNoField(since: news)
        #expect(try await desk.type("nowhere") == .ended(.stopped(0, reason: .noInputContext)))
        #expect(try await desk.inputMethod.engine() == "xkb:us::eng")
        #expect(field.text.isEmpty && other.text.isEmpty && !desk.hasNote)
        try await field.focus()
        #expect(try await desk.type("here") == .ended(.typed(4)))
        try await field.waitForText(equal: "here")
        let window = try #require(try await desk.windows.focusedWindow())
        await desk.inputMethod.end()
        let outcome = try await desk.typing.commit("x", into: window, options: .init(), confirmation: .needed)
        { _ in }
        #expect(outcome == .notPossible(.notRunning))
        await field.end()
        await other.end()
        await desk.display.end()
    }

    @Test(
        "if the focus moves in the middle, the rest goes nowhere",
        arguments: TextField.Kind.allCases.filter { $0.confirms && $0.isInstalled })
    func focusMoves(kind: TextField.Kind) async throws {
        let desk = try await Desk.start()
        let other = try await TextField.start(.gtk, on: desk.display, desk.inputMethod, title: "Other")
        let field = try await TextField.start(kind, on: desk.display, desk.inputMethod, title: "Letter")
        let text = String(Self.long.prefix(1_000))
        let outcome = try await desk.type(text) { progress in
            if progress.sent == 2 * CommitPiece.size { try Self.activate("Other", on: desk.display) }
        }
        guard case .ended(.stopped(let count, .focusMoved)) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(count == 2 * CommitPiece.size)
        try await field.waitForText(equal: String(text.prefix(count)))
        #expect(other.text.count <= CommitPiece.size)
        #expect(try await desk.inputMethod.engine() == "xkb:us::eng")
        await field.end()
        await other.end()
        await desk.end()
    }

    @Test("a field that has the focus again within the limit gets the text")
    func focusReturns() async throws {
        let desk = try await Desk.start()
        let field = try await TextField.start(.gtk, on: desk.display, desk.inputMethod, title: "Letter")
        let environment = desk.inputMethod.environment
        let daemon = try IBusDaemon(environment)
        let context = try #require(try daemon.focusedContext())
        let loan = try EngineLoan(
            daemon, note: NoteFile(path: desk.folder.file("note")), environment,
            logger: Logger(label: "test"))
        let window = try #require(try await desk.windows.focusedWindow())
        let run = { (windows: any WindowFocus) in
            CommitRun(
                loan: loan, context: context, window: window, windows: windows, hasPassedOn: { true },
                returnLimit: Program.defaultLimit)
        }
        let text = String(Self.long.prefix(100))
        let pieces = try #require(CommitPiece.pieces(of: text, options: .init()))
        var outcome = try await run(desk.windows).insertConfirmed([pieces[0]]) { _ in }
        #expect(outcome == .ended(.typed(pieces[0].end)))
        let news = desk.inputMethod.news
        field.signal(SIGUSR1)
        try await desk.inputMethod.waitForNoField(since: news)
        let returning = ReturningFocus(of: field, in: desk.windows)
        outcome = try await run(returning).insertConfirmed(Array(pieces[1...])) { _ in }
        #expect(outcome == .ended(.typed(text.count)))
        loan.giveBack()
        try await field.waitForText(equal: text)
        await field.end()
        await desk.end()
    }

    /// Gives a text field the focus back as soon as its window is queried.
    struct ReturningFocus: WindowFocus {
        private let field: TextField
        private let windows: DisplayWindows
        let seesEveryWindow = true

        init(of field: TextField, in windows: DisplayWindows) {
            self.field = field
            self.windows = windows
        }

        func focusedWindow() async throws -> WindowInfo? {
            let focused = try await windows.focusedWindow()
            field.signal(SIGUSR2)
            return focused
        }
        func activate(_ window: WindowInfo) async throws -> Bool { try await windows.activate(window) }
        func waitForFocus(of window: WindowInfo, within limit: Duration) -> Bool { false }
        func watchTouches(of window: WindowInfo) -> (any TouchWatching)? { nil }
    }

    @Test("a text does not count as typed if the application does not react")
    func silent() async throws {
        let desk = try await Desk.start()
        let field = try await TextField.start(.gtk, on: desk.display, desk.inputMethod, title: "Letter")
        field.signal(SIGSTOP)
        #expect(try await desk.type("text") == .unsure)
        #expect(try await desk.inputMethod.engine() == "xkb:us::eng")
        field.signal(SIGCONT)
        try await field.waitForText(equal: "text")
        await field.end()
        await desk.end()
    }

    @Test("an error of the caller stops the text, and the engine is given back")
    func interrupted() async throws {
        struct Stop: Error {}
        let desk = try await Desk.start()
        let field = try await TextField.start(.qt, on: desk.display, desk.inputMethod, title: "Letter")
        await #expect(throws: Stop.self) { try await desk.type(Self.long) { _ in throw Stop() } }
        try await field.waitForText(equal: String(Self.long.prefix(CommitPiece.size)))
        #expect(try await desk.inputMethod.engine() == "xkb:us::eng")
        // An engine that the user chooses during the text stays, and ends the text.
        let outcome = try await desk.type(Self.long) { progress in
            if progress.sent == CommitPiece.size {
                try Self.run("ibus", ["engine", "xkb:us:intl:eng"], desk.inputMethod.environment)
            }
        }
        #expect(outcome == .ended(.stopped(CommitPiece.size, reason: .focusMoved(to: nil))))
        #expect(try await desk.inputMethod.engine() == "xkb:us:intl:eng")
        #expect(!desk.hasNote)
        await field.end()
        await desk.end()
    }

    /// Where two texts begin to differ, with some of both.
    private static func difference(between one: String, _ other: String) -> String? {
        let (one, other) = (Array(one.unicodeScalars), Array(other.unicodeScalars))
        if one == other { return nil }
        let start = zip(one, other).prefix { $0 == $1 }.count
        func part(_ text: [Unicode.Scalar]) -> String {
            String(String.UnicodeScalarView(text.dropFirst(max(0, start - 20)).prefix(60)))
        }
        return "at \(start) of \(other.count): “\(part(one))” in place of “\(part(other))”"
    }

    /// The keyboard map, and its sources.
    private static func layout(of display: VirtualDisplay) async throws -> [String] {
        [
            try await Program.run("xkbcomp", ["-xkb", display.name, "-"], environment: display.environment),
            try await Program.run("setxkbmap", ["-query"], environment: display.environment),
        ]
    }

    /// Returns when it is done, and blocks, as a call between two pieces may.
    private static func activate(_ title: String, on display: VirtualDisplay) throws {
        try run(
            "xdotool", ["search", "--onlyvisible", "--name", "^\(title)$", "windowactivate", "--sync"],
            display.environment)
    }

    private static func run(_ program: String, _ arguments: [String], _ environment: [String: String]) throws
    {
        try StartedProcess(
            program, arguments, environment: ProcessInfo.processInfo.environment.merging(environment) { $1 }
        ).reap()
    }
}
