import Desktop
import DictationShared
import Foundation
import TestSupport
import Testing

/// Native windows of a GNOME session that accept no text from programs, and get it through IBus.
@Suite("Dictating into terminals of GNOME, by IBus", .serialized, .timeLimit(.minutes(5)))
struct CommittedWindowTests {
    typealias Session = AccessibleWindowTests.Session

    private static let long = (0..<4_000).map { "\($0) é “漢” 👩‍💻 " }.joined()

    @Test("each text arrives exactly, and the state says how; the user's engine is as it was")
    func exact() async throws {
        let session = try await Session()
        let inputMethod = try await InputMethodDaemon.start(on: session.desktop)
        try await inputMethod.choose("xkb:us:intl:eng")
        let inserter = try await session.startInserter()
        let window = try await MutterWindow.start(
            .gtk3, .terminal, on: session.desktop, title: "Shell", inputMethod: inputMethod)
        var expected = ""
        for text in [
            "echo \"plain\" ~`|\\{}[]<>?/", "Grüße: “çà et là” — naïve, €5 ½ ñandú",
            "日本語と中文、한국어 Привет 👨‍👩‍👧‍👦 🏳️‍🌈 e\u{301}", String(Self.long.prefix(500)),
        ] {
            let state = try await session.insert(text)
            #expect(state.delivery == .inserted)
            #expect(state.insertedCount == text.count)
            #expect(state.route == InsertionRoute(.ibus, isConfirmed: false))
            expected += text
            try await window.waitForText(equal: expected)
        }
        // It is set apart by a space, unless a busy terminal has shown its caret too late.
        let next = try session.desk.store.add(text: "And more.", locale: "en-US")
        try await session.desk.waitForDictation(next.id) { $0.delivery == .inserted }
        try await window.waitForText(endingIn: "And more.")
        #expect(try await inputMethod.engine() == "xkb:us:intl:eng")
        await window.end()
        await inputMethod.end()
        await session.end(inserter)
    }

    @Test("a password, which its field does not show to IBus, goes another way")
    func password() async throws {
        let session = try await Session()
        let inputMethod = try await InputMethodDaemon.start(on: session.desktop)
        _ = try session.desk.folder.write("[insert]\nmethod = \"ibus\"\n", to: "settings.toml")
        let inserter = try await session.startInserter()
        let window = try await MutterWindow.start(
            .gtk4, .password, on: session.desktop, title: "Login", inputMethod: inputMethod)
        let state = try await session.insert("horse")
        #expect(state.delivery == .inserted)
        #expect(state.route?.way == .accessibility)
        #expect(state.notice?.message.contains("does not confirm") == true)
        try await window.waitForText(equal: "horse")
        await window.end()
        await inputMethod.end()
        await session.end(inserter)
    }

    @Test("a newline never gets into a terminal, whatever its profile says")
    func newline() async throws {
        let session = try await Session()
        let inputMethod = try await InputMethodDaemon.start(on: session.desktop)
        _ = try session.desk.folder.write(
            "[[profile]]\nclass = \"*\"\nnewline = \"return\"\n", to: "settings.toml")
        let inserter = try await session.startInserter()
        let window = try await MutterWindow.start(
            .gtk3, .terminal, on: session.desktop, title: "Shell", inputMethod: inputMethod)
        for text in ["one\ntwo", "one\n"] {
            let state = try await session.insert(text)
            #expect(state.delivery == .held(.noKeys))
            #expect(state.insertedCount == 0)
        }
        #expect(try await session.insert("three").delivery == .inserted)
        try await window.waitForText(equal: "three")
        await window.end()
        await inputMethod.end()
        await session.end(inserter)
    }

    @Test("without IBus the text is held")
    func noDaemon() async throws {
        let session = try await Session()
        let inserter = try await session.startInserter()
        let window = try await MutterWindow.start(
            .gtk3, .terminal, on: session.desktop, title: "Shell")
        let state = try await session.insert("one")
        #expect(state.delivery == .held(.nativeWindow))
        #expect(state.insertedCount == 0)
        // Also if it runs and the window is not connected to it.
        let inputMethod = try await InputMethodDaemon.start(on: session.desktop)
        #expect(try await session.insert("two").delivery == .held(.noInputContext))
        #expect(window.text.isEmpty)
        await window.end()
        await inputMethod.end()
        await session.end(inserter)
    }

    @Test("if the focus moves in the middle, at most a piece is astray, and the rest is held")
    func focusMoves() async throws {
        let session = try await Session()
        let inputMethod = try await InputMethodDaemon.start(on: session.desktop)
        let inserter = try await session.startInserter()
        let window = try await MutterWindow.start(
            .gtk3, .terminal, on: session.desktop, title: "Shell", inputMethod: inputMethod)
        let id = try session.desk.store.add(text: Self.long, locale: "en-US", isExact: true).id
        try await session.desk.waitForDictation(id) { $0.insertedCount > 100 }
        let other = try await MutterWindow.start(
            .gtk3, .terminal, on: session.desktop, title: "Other", inputMethod: inputMethod)
        let state = try await session.desk.waitForDictation(id) { $0.isSettled }
        #expect(state.delivery == .held(.focusMoved))
        #expect(state.insertedCount < Self.long.count)
        // The next text shows what has come before.
        #expect(try await session.insert("|").delivery == .inserted)
        try await other.waitForText(endingIn: "|")
        let astray = other.text.dropLast()
        #expect(astray.count <= 32)
        // The other window may show its text first.
        try await window.waitForText(ofAtLeast: state.insertedCount - astray.count)
        #expect(Self.long.hasPrefix(window.text))
        #expect((state.insertedCount...state.insertedCount + 32).contains(window.text.count + astray.count))
        await other.end()
        await window.end()
        await inputMethod.end()
        await session.end(inserter)
    }

    @Test("the text of a killed typist is counted to within a piece, and the user's engine is given back")
    func killed() async throws {
        let session = try await Session()
        let inputMethod = try await InputMethodDaemon.start(on: session.desktop)
        try await inputMethod.choose("xkb:us:intl:eng")
        let inserter = try await session.startInserter()
        let window = try await MutterWindow.start(
            .gtk3, .terminal, on: session.desktop, title: "Shell", inputMethod: inputMethod)
        let id = try session.desk.store.add(text: Self.long, locale: "en-US", isExact: true).id
        try await session.desk.waitForDictation(id) { $0.insertedCount > 100 }
        try await session.desk.kill(inserter)
        let next = try await session.startInserter()
        #expect(try await inputMethod.engine() == "xkb:us:intl:eng")
        let state = try await session.desk.waitForDictation(id) { $0.isSettled }
        #expect(state.delivery == .held(.inserterDied))
        #expect(state.insertedCount < Self.long.count)
        #expect(try await session.insert("|").delivery == .inserted)
        try await window.waitForText(endingIn: "|")
        let received = window.text.dropLast()
        #expect(Self.long.hasPrefix(received))
        #expect((state.insertedCount...state.insertedCount + 32).contains(received.count))
        await window.end()
        await inputMethod.end()
        await session.end(next)
    }
}
