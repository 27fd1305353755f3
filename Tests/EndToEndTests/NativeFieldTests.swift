import Desktop
import DictationShared
import Foundation
import TestSupport
import Testing

/// The agents with native windows that show their text, and with those that do not.
@Suite("Native text fields and terminals", .serialized, .timeLimit(.minutes(5)))
struct NativeFieldTests {
    /// Typed alone, because a paste is there at once, and slow enough to be stopped in the middle.
    private static let slowTyping = "[insert]\npaste-from = 0\n[[profile]]\nclass = \"*\"\npace = 30\n"

    @Test("a text is undone if its window shows it, and what was changed since stays")
    func undo() async throws {
        let session = try await NativeWindowTests.Session()
        let inserter = try await session.start("insert-agent")
        let window = try await WaylandWindow.start(.gtk3, on: session.desktop, title: "Letter")
        let id = try session.desk.store.add(text: "Grüße, 世界!", locale: "de-DE").id
        let state = try await session.desk.waitForDictation(id) { $0.isSettled }
        #expect(state.delivery == .inserted)
        try await window.waitForText(equal: "Grüße, 世界!")
        let undo = try await session.dictstate("undo")
        // If the machine was too busy for the field to answer in time, keys were typed, and nothing is known
        // of them.
        if state.route?.way == .inputMethod {
            #expect(state.route?.isConfirmed == true)
            #expect(try await undo.exitCode == 0)
            try await window.waitForText(equal: "")
            let undone = try #require(try session.desk.store.dictation(id))
            #expect(undone.delivery == .held(.undone))
        }
        await window.end()
        await session.end(inserter)
    }

    @Test(
        "a text is edited, selected and replaced if its window shows it",
        arguments: [WaylandWindow.Kind.gtk3, .gtk4])
    func edited(kind: WaylandWindow.Kind) async throws {
        let session = try await NativeWindowTests.Session()
        let inserter = try await session.start("insert-agent")
        let window = try await WaylandWindow.start(kind, on: session.desktop, title: "Letter")
        var isConfirmed = true
        func insert(_ text: String) async throws {
            let id = try session.desk.store.add(text: text, locale: "en-US").id
            let state = try await session.desk.waitForDictation(id) { $0.isSettled }
            #expect(state.delivery == .inserted)
            isConfirmed = isConfirmed && state.route == InsertionRoute(.inputMethod, isConfirmed: true)
        }
        func edit(_ words: String) async throws {
            let edit = try await session.dictstate("edit", words)
            #expect(try await edit.exitCode == 0, "\(words): \(edit.errors)")
        }
        try await insert("We meet.")
        try await insert("See you on Monday.")
        // If the machine was too busy for the field to answer in time, keys were typed, and nothing is known
        // of them.
        if isConfirmed {
            try await edit("replace Monday with Tuesday")
            try await window.waitForText(equal: "We meet. See you on Tuesday.")
            try await edit("undo that")
            try await window.waitForText(equal: "We meet. See you on Monday.")
            try await edit("select that")
            try await insert("Bye.")
            try await window.waitForText(equal: "We meet. Bye.")
        }
        await window.end()
        await session.end(inserter)
    }

    @Test("keys are pressed in native windows whose profile allows them")
    func keys() async throws {
        let session = try await NativeWindowTests.Session()
        _ = try session.desk.folder.write(
            "[[profile]]\nclass = \"foot\"\npress-enter = true\n", to: "settings.toml")
        let inserter = try await session.start("insert-agent")
        let window = try await WaylandWindow.start(.foot, on: session.desktop, title: "Terminal")
        let id = try session.desk.store.add(text: "ls", locale: "en-US").id
        try await session.desk.waitForDictation(id) { $0.delivery == .inserted }
        for words in ["press tab", "press escape", "press enter"] {
            let edit = try await session.dictstate("edit", words)
            #expect(try await edit.exitCode == 0, "\(edit.errors)")
        }
        // The terminal turns the Return into a newline.
        try await window.waitForText(equal: "ls\t\u{1b}\n")
        await window.end()
        let editor = try await WaylandWindow.start(.gtk3, on: session.desktop, title: "Editor")
        let refused = try await session.dictstate("edit", "press enter")
        #expect(try await refused.exitCode == 1 && refused.errors.contains("no profile allows keys"))
        #expect(editor.text == "")
        await editor.end()
        await session.end(inserter)
    }

    @Test("killed while it removes: the store counts to within a batch what is left, and nothing is lost")
    func killedRemoving() async throws {
        let session = try await NativeWindowTests.Session()
        let inserter = try await session.start("insert-agent")
        let window = try await WaylandWindow.start(.gtk3, on: session.desktop, title: "Letter")
        let text = (0..<150).map { "\($0) " }.joined() + "end."
        let id = try session.desk.store.add(text: text, locale: "en-US", isExact: true).id
        let typed = try await session.desk.waitForDictation(id) { $0.isSettled }
        try await window.waitForText(equal: text)
        if typed.route == InsertionRoute(.inputMethod, isConfirmed: true) {
            let undo = try Program.start(
                BuildFolder.program("dictstate"), ["undo"], environment: session.environment)
            try await session.desk.waitForDictation(id) { $0.insertedCount < text.count - 100 }
            try await session.desk.kill(inserter)
            #expect(try await undo.waitForExit().code == 1)
            let next = try await session.start("insert-agent")
            let held = try #require(try session.desk.store.dictation(id))
            #expect(held.delivery == .held(.undone))
            let left = window.text
            #expect(text.hasPrefix(left))
            #expect((held.insertedCount...held.insertedCount + 16).contains(left.count))
            let rest = try await session.dictstate("insert", id.description)
            #expect(try await rest.exitCode == 0)
            try await window.waitForText(equal: left + text.dropFirst(held.insertedCount))
            await window.end()
            await session.end(next)
        } else {
            await window.end()
            await session.end(inserter)
        }
    }

    @Test("dictstate cancel stops the typing, and the rest is held")
    func cancel() async throws {
        let session = try await NativeWindowTests.Session()
        _ = try session.desk.folder.write(Self.slowTyping, to: "settings.toml")
        let inserter = try await session.start("insert-agent")
        let window = try await WaylandWindow.start(on: session.desktop, title: "Letter")
        let text = (0..<2_000).map { "\($0) " }.joined()
        let id = try session.desk.store.add(text: text, locale: "en-US").id
        try await session.desk.waitForDictation(id) { $0.insertedCount > 100 }
        let cancel = try await session.dictstate("cancel")
        #expect(try await cancel.exitCode == 0)
        let state = try await session.desk.waitForDictation(id) { $0.isSettled }
        #expect(state.delivery == .held(.interrupted) && state.insertedCount < text.count)
        try await window.waitForText(equal: String(text.prefix(state.insertedCount)))
        await window.end()
        await session.end(inserter)
    }

    @Test(
        "a text arrives once, also if its window is stopped in the middle and the rest is requested before it continues",
        arguments: [WaylandWindow.Kind.gtk3, .gtk4, .foot, .qt5])
    func stopped(kind: WaylandWindow.Kind) async throws {
        let session = try await NativeWindowTests.Session()
        _ = try session.desk.folder.write(Self.slowTyping, to: "settings.toml")
        let inserter = try await session.start("insert-agent")
        let window = try await WaylandWindow.start(kind, on: session.desktop, title: "Letter")
        let text = (0..<800).map { "\($0) " }.joined()
        let id = try session.desk.store.add(text: text, locale: "en-US", isExact: true).id
        try await session.desk.waitForDictation(id) { $0.insertedCount > 300 }
        window.signal(SIGSTOP)
        let state = try await session.desk.waitForDictation(id) { $0.isSettled }
        #expect(state.delivery == .held(.notResponding))
        if state.route?.way == .inputMethod {
            let asked = try await session.dictstate("insert", id.description)
            #expect(try await asked.exitCode == 1)
            window.signal(SIGCONT)
            // Keys on their way are counted when the window has read them.
            try await session.desk.waitForDictation(id) { $0.insertedCount > state.insertedCount }
        } else {
            // Keys wait in their order until the window reads them.
            window.signal(SIGCONT)
        }
        let rest = try await session.dictstate("insert", id.description)
        #expect(try await rest.exitCode == 0)
        try await window.waitForText(equal: text)
        await window.end()
        await session.end(inserter)
    }
}
