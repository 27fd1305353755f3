import Desktop
import DictationShared
import Foundation
import TestSupport
import Testing

/// Native windows of a GNOME session, whose compositor lets no program type: mutter without a screen.
@Suite("Dictating into native windows of GNOME", .serialized, .timeLimit(.minutes(5)))
struct AccessibleWindowTests {
    /// A desk in such a session.
    struct Session {
        let desktop: MutterDesktop
        let desk: Desk
        let environment: [String: String]

        init(hasX11: Bool = false) async throws {
            desktop = try await MutterDesktop.start(hasX11: hasX11)
            desk = try await Desk.set()
            environment = desk.environment.merging(["DISPLAY": ""]) { $1 }.merging(desktop.environment) { $1 }
        }

        func startInserter() async throws -> Program {
            let program = try Program.start(
                BuildFolder.program("insert-agent"), [], environment: environment)
            try await program.waitForLine(containing: "insert-agent is ready")
            return program
        }

        func dictstate(_ arguments: String...) async throws -> Program {
            let program = try Program.start(
                BuildFolder.program("dictstate"), arguments, environment: environment)
            _ = try await program.waitForExit()
            return program
        }

        /// - Returns: how it was settled.
        func insert(_ text: String) async throws -> DictationState {
            let id = try desk.store.add(text: text, locale: "en-US", isExact: true).id
            return try await desk.waitForDictation(id) { $0.isSettled }
        }

        static let longText = (0..<3_000).map { "\($0) " }.joined()

        /// Begins to type a text that is far from its end, however late something happens to it.
        func beginLongText() async throws -> (inserter: Program, window: MutterWindow, id: DictationID) {
            _ = try desk.folder.write("[[profile]]\nclass = \"*\"\npace = 200\n", to: "settings.toml")
            let inserter = try await startInserter()
            let window = try await MutterWindow.start(.gtk4, on: desktop, title: "Letter")
            let id = try desk.store.add(text: Self.longText, locale: "en-US", isExact: true).id
            try await desk.waitForDictation(id) { $0.insertedCount > 100 }
            return (inserter, window, id)
        }

        func end(_ inserter: Program) async {
            await inserter.end()
            await desk.end()
            await desktop.end()
        }
    }

    @Test("a text goes into the focused text field, and is undone there")
    func inserted() async throws {
        let session = try await Session()
        let inserter = try await session.startInserter()
        let window = try await MutterWindow.start(.gtk4, on: session.desktop, title: "Letter")
        let state = try await session.insert("Grüße, “世界” 👨‍👩‍👧‍👦!")
        #expect(state.delivery == .inserted)
        #expect(state.route == InsertionRoute(.accessibility, isConfirmed: true))
        try await window.waitForText(equal: "Grüße, “世界” 👨‍👩‍👧‍👦!")
        // The next one is set apart by a space.
        let second = try session.desk.store.add(text: "And more.", locale: "en-US")
        try await session.desk.waitForDictation(second.id) { $0.delivery == .inserted }
        try await window.waitForText(equal: "Grüße, “世界” 👨‍👩‍👧‍👦! And more.")
        let undo = try await session.dictstate("undo")
        #expect(try await undo.exitCode == 0)
        try await window.waitForText(equal: "Grüße, “世界” 👨‍👩‍👧‍👦!")
        let doctor = try await session.dictstate("doctor")
        #expect(doctor.output.contains("assistive technology"))
        await window.end()
        await session.end(inserter)
    }

    @Test("setup turns on what Qt needs, and doctor says whether it is on")
    func setup() async throws {
        let session = try await Session()
        try await session.desktop.setAccessibility(isOn: false)
        let before = try await session.dictstate("doctor")
        #expect(before.output.contains("dictstate setup windows"))
        let setup = try await session.dictstate("setup", "--yes", "windows")
        #expect(try await setup.exitCode == 0 && setup.output.contains("ok       windows"))
        let after = try await session.dictstate("doctor")
        #expect(after.output.contains("text fields of GTK and Qt"))
        #expect(!after.output.contains("dictstate setup windows"))
        let again = try await session.dictstate("setup", "--yes", "windows")
        #expect(again.output.contains("ok       windows"))
        await session.desk.end()
        await session.desktop.end()
    }

    @Test("a window that shows nothing of itself gets nothing, and the text is held")
    func unseen() async throws {
        let session = try await Session()
        let inserter = try await session.startInserter()
        let window = try await MutterWindow.start(.gtk3, .locked, on: session.desktop, title: "Letter")
        #expect(try await session.insert("one").delivery == .held(.nativeWindow))
        await window.end()
        #expect(try await session.insert("two").delivery == .held(.nativeWindow))
        let note = try await MutterWindow.start(.gtk3, .full, on: session.desktop, title: "Note")
        #expect(try await session.insert("too long").delivery == .held(.notTaken))
        await note.end()
        await session.end(inserter)
    }

    @Test("if the focus moves to a window that cannot be seen, the rest is held, and the state says why")
    func focusMovesOutOfSight() async throws {
        let session = try await Session()
        let (inserter, window, id) = try await session.beginLongText()
        let other = try await MutterWindow.start(.gtk3, on: session.desktop, title: "Other", isHidden: true)
        let state = try await session.desk.waitForDictation(id) { $0.isSettled }
        #expect(state.delivery == .held(.focusMoved))
        #expect(other.text.isEmpty)
        try await window.waitForText(equal: String(Session.longText.prefix(state.insertedCount)))
        await other.end()
        await window.end()
        await session.end(inserter)
    }

    @Test("the text of a killed typist is counted to within a piece, and the rest is held")
    func killed() async throws {
        let session = try await Session()
        let (inserter, window, id) = try await session.beginLongText()
        try await session.desk.kill(inserter)
        let next = try await session.startInserter()
        let state = try await session.desk.waitForDictation(id) { $0.isSettled }
        #expect(state.delivery == .held(.inserterDied) && state.insertedCount < Session.longText.count)
        // The program carries out requests in order: then this has come after everything.
        #expect(try await session.insert("|").delivery == .inserted)
        try await window.waitForText(endingIn: "|")
        let received = window.text.dropLast()
        #expect(Session.longText.hasPrefix(received))
        #expect((state.insertedCount...state.insertedCount + 32).contains(received.count))
        await window.end()
        await session.end(next)
    }

    @Test("X11 windows are typed into, next to native ones")
    func besideX11() async throws {
        let session = try await Session(hasX11: true)
        let inserter = try await session.startInserter()
        let native = try await MutterWindow.start(.gtk3, on: session.desktop, title: "Native")
        #expect(try await session.insert("native").route?.way == .accessibility)
        try await native.waitForText(equal: "native")
        await native.end()
        await session.end(inserter)
    }
}
