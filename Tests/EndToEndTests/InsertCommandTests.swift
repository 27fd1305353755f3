import DictationShared
import Foundation
import TestSupport
import Testing

/// `dictstate insert`, as scripts use it.
@Suite("Inserting by command", .serialized, .timeLimit(.minutes(5)))
struct InsertCommandTests {
    @Test("a file is inserted exactly; --join puts a space before it, as dictations get one")
    func exactFile() async throws {
        let desk = try await Desk.set(.missing)
        let window = try await TextWindow.start(.gtkEntry, on: desk.display, title: "Letter")
        let inserter = try await desk.startInserter()
        let file = try desk.folder.write("one", to: "one.txt")
        _ = try await desk.dictstate("insert", "--file", file)
        _ = try await desk.dictstate("insert", "--file", file)
        try await window.waitForText(equal: "oneone")
        _ = try await desk.dictstate("insert", "--join", "--file", file)
        try await window.waitForText(equal: "oneone one")
        await desk.end(inserter)
    }

    @Test("characters that change the direction of writing are typed as they are, and told of")
    func direction() async throws {
        let desk = try await Desk.set(.missing)
        let window = try await TextWindow.start(.gtkEntry, on: desk.display, title: "Letter")
        let inserter = try await desk.startInserter()
        let text = "pay \u{202E}3 ot 1\u{202C} now"
        let insert = try desk.start(
            "dictstate", "insert", "--file", try desk.folder.write(text, to: "turned.txt"))
        #expect(try await insert.exitCode == 0)
        #expect(insert.errors.contains("changes the direction of writing with 2 characters, such as U+202E"))
        try await window.waitForText(equal: text)
        // Hebrew, with a mark of one character, needs none of them.
        let plain = try desk.folder.write("\u{5D0}\u{200F}!", to: "plain.txt")
        let quiet = try desk.start("dictstate", "insert", "--file", plain)
        #expect(try await quiet.exitCode == 0)
        #expect(quiet.errors == "")
        await desk.end(inserter)
    }

    @Test("a tab is typed as a space, and told of; line ends of any kind are newlines")
    func tabs() async throws {
        let desk = try await Desk.set(.missing)
        let window = try await TextWindow.start(.gtkText, on: desk.display, title: "Letter")
        let inserter = try await desk.startInserter()
        let insert = try desk.start(
            "dictstate", "insert", "--file", try desk.folder.write("a\tb\r\nc\rd\n", to: "tabs.txt"))
        #expect(try await insert.exitCode == 0)
        #expect(insert.errors == "dictstate: The text has 1 tab: a tab is typed as a space.\n")
        try await window.waitForText(equal: "a b\nc\nd\n")
        await desk.end(inserter)
    }

    @Test("a text that was wholly inserted is typed once more only with --again")
    func again() async throws {
        let desk = try await Desk.set(.missing)
        let window = try await TextWindow.start(.gtkEntry, on: desk.display, title: "Letter")
        let inserter = try await desk.startInserter()
        let file = try desk.folder.write("once", to: "text.txt")
        _ = try await desk.dictstate("insert", "--file", file)
        let id = try #require(try desk.store.history(limit: 1).first).id
        let twice = try desk.start("dictstate", "insert", "\(id)")
        #expect(try await twice.exitCode == 1)
        #expect(twice.errors.contains("dictstate insert --again \(id)"))
        // The same for the one who asked when it was held, and it was counted to its end meanwhile; a URL does so.
        let intent = try desk.store.submit(.insert(id))
        for try await changes in StateWatcher.changes(of: desk.store, since: intent.revision - 1) {
            let phase = changes.intents.first { $0.id == intent.id }?.phase
            guard case .refused(let reason) = phase else { continue }
            #expect(reason.contains("all of dictation \(id) was inserted"))
            break
        }
        // Nor for one who names none, as a key binding does, or a link.
        for arguments in [["insert"], ["open", "voicedictation://insert"]] {
            let bare = try Program.start(
                BuildFolder.program("dictstate"), arguments, environment: desk.environment)
            #expect(try await bare.exitCode == 1)
            #expect(bare.errors.contains("no text is held, and all of the newest one was inserted"))
            #expect(bare.errors.contains("dictstate insert --again \(id)"))
        }
        _ = try await desk.dictstate("insert", "--again", "\(id)")
        try await window.waitForText(equal: "onceonce")
        // Of two that saw the same, the second one is refused.
        let seen = try #require(try desk.store.dictation(id)).revision
        let stale = try desk.store.submit(.insertAgain(id, seen: seen - 1))
        for try await changes in StateWatcher.changes(of: desk.store, since: stale.revision - 1) {
            let phase = changes.intents.first { $0.id == stale.id }?.phase
            guard case .refused(let reason) = phase else { continue }
            #expect(reason.contains("has changed since"))
            break
        }
        await desk.end(inserter)
    }

    @Test("a text that was discarded is typed again only by its name")
    func discarded() async throws {
        let desk = try await Desk.set(.missing)
        let window = try await TextWindow.start(.gtkEntry, on: desk.display, title: "Letter")
        let inserter = try await desk.startInserter()
        func insertNewest() async throws -> String {
            let insert = try desk.start("dictstate", "insert")
            #expect(try await insert.exitCode == 1)
            return insert.errors
        }
        #expect(try await insertNewest().contains("there is no text to type"))
        let older = try desk.store.add(text: "older", locale: "und")
        try await desk.waitForDictation(older.id) { $0.delivery == .inserted }
        let newer = try desk.store.add(text: "newer", locale: "und")
        let typed = try await desk.waitForDictation(newer.id) { $0.delivery == .inserted }
        try await window.waitForText(equal: "older newer")
        _ = try await desk.dictstate("undo")
        _ = try await desk.dictstate("discard", "\(newer.id)")
        // Neither what was given up nor the one before it.
        #expect(try await insertNewest().contains("the newest one was discarded; nothing was typed"))
        #expect(try desk.store.dictation(newer.id)?.delivery == .discarded)
        #expect(try desk.store.dictation(older.id)?.delivery == .inserted)
        try await window.waitForText(equal: "older")
        _ = try await desk.dictstate("insert", "\(newer.id)")
        try await desk.waitForDictation(newer.id, since: typed.revision) { $0.delivery == .inserted }
        try await window.waitForText(equal: "older newer")
        await desk.end(inserter)
    }

    @Test("Ctrl-C ends the typing, and the rest is held")
    func interrupted() async throws {
        let desk = try await Desk.set(.missing)
        let window = try await TextWindow.start(.gtkEntry, on: desk.display, title: "Letter")
        let inserter = try await desk.startInserter()
        // Characters that no key has: the window must have read each few dozen of them before the next ones, and GTK lays out its
        // line anew with each. The command listens to Ctrl-C when the text is on the disk: a slow one must not take longer than
        // the typing.
        let text = String(
            String.UnicodeScalarView((0..<4_500).compactMap { Unicode.Scalar(0x4E00 + $0 % 300) }))
        let file = try desk.folder.write(text, to: "long.txt")
        let insert = try desk.start("dictstate", "insert", "--file", file)
        let begun = try await desk.waitForDictation { $0.insertedCount > 0 }
        insert.signal(SIGINT)
        #expect(try await insert.exitCode == 130)
        let state = try #require(try desk.store.dictation(begun.id))
        #expect(state.delivery == .held(.interrupted))
        #expect((1..<4_500).contains(state.insertedCount))
        #expect(insert.errors.contains("dictstate insert \(state.id)"))
        // The rest, and nothing twice.
        _ = try await desk.dictstate("insert", "\(state.id)")
        try await window.waitForText(equal: text)
        await desk.end(inserter)
    }

    @Test(
        "a text that another program holds while it is typed stops there, and the rest comes once, when it is asked for"
    )
    func heldByOther() async throws {
        let desk = try await Desk.set(.missing)
        let window = try await TextWindow.start(.gtkEntry, on: desk.display, title: "Letter")
        let inserter = try await desk.startInserter()
        // Characters that no key has: the window must have read each few dozen of them before the next ones.
        let text = String(
            String.UnicodeScalarView((0..<1_500).compactMap { Unicode.Scalar(0x4E00 + $0 % 300) }))
        let state = try desk.store.add(text: text, locale: "und", isExact: true)
        try await desk.waitForDictation(state.id) { $0.insertedCount > 0 }
        _ = try desk.store.apply(.held(.interrupted), to: state.id)
        // It still runs, and knows how much it has typed.
        _ = try await desk.dictstate("insert", "\(state.id)")
        try await window.waitForText(equal: text)
        #expect(try desk.store.dictation(state.id)?.delivery == .inserted)
        await desk.end(inserter)
    }

    @Test("an inserter that hangs is told of, and the text is held, not typed later")
    func hangs() async throws {
        let desk = try await Desk.set(.missing)
        let window = try await TextWindow.start(.gtkEntry, on: desk.display, title: "Letter")
        let inserter = try await desk.startInserter()
        inserter.signal(SIGSTOP)
        let file = try desk.folder.write("late", to: "text.txt")
        let insert = try desk.start("dictstate", "insert", "--file", file)
        #expect(try await insert.exitCode == 1)
        #expect(insert.errors.contains("did not take the text within 5000 ms"))
        inserter.signal(SIGCONT)
        let state = try #require(try desk.store.history(limit: 1).first)
        #expect(state.delivery == .held(.stale))
        _ = try await desk.dictstate("insert", "\(state.id)")
        try await window.waitForText(equal: "late")
        await desk.end(inserter)
    }

    @Test("a text that waits for a recording says so, and is typed behind it")
    func waits() async throws {
        let desk = try await Desk.set(.silent)
        let window = try await TextWindow.start(.gtkEntry, on: desk.display, title: "Letter")
        let host = try await desk.startHost()
        let inserter = try await desk.startInserter()
        _ = try await desk.dictstate("start")
        let file = try desk.folder.write("behind", to: "text.txt")
        let insert = try desk.start("dictstate", "insert", "--file", file)
        try await insert.waitForLine(containing: "Waiting for an earlier dictation to end.")
        #expect(window.text.isEmpty)
        _ = try await desk.dictstate("cancel")
        #expect(try await insert.exitCode == 0)
        try await window.waitForText(equal: "behind")
        await desk.end(host, inserter)
    }

    @Test("more than 1 MiB is refused, and so is an endless file; the message names the limit")
    func tooLong() async throws {
        let desk = try await Desk.set(.missing)
        let file = try desk.folder.write(String(repeating: "x", count: 1 << 20 + 1), to: "long.txt")
        for path in [file, "/dev/zero"] {
            let insert = try desk.start("dictstate", "insert", "--file", path)
            #expect(try await insert.exitCode == 1)
            #expect(insert.errors.contains("1 MiB"))
        }
        #expect(try desk.store.history(limit: 1).isEmpty)
        await desk.end()
    }

    @Test("no control character gets into the store, onto a terminal or onto the clipboard")
    func controls() async throws {
        let desk = try await Desk.set(.missing)
        let window = try await TextWindow.start(.gtkEntry, on: desk.display, title: "Letter")
        let inserter = try await desk.startInserter()
        let evil = "a\u{1B}]0;title\u{7}b\u{9B}31mc\u{7F}"
        let file = try desk.folder.write(evil, to: "evil.txt")
        let insert = try desk.start("dictstate", "insert", "--file", file)
        #expect(try await insert.exitCode == 0)
        #expect(insert.errors.contains("has 4 control characters, such as U+001B: no such"))
        let clean = "a]0;titleb31mc"
        try await window.waitForText(equal: clean)
        let state = try #require(try desk.store.history(limit: 1).first)
        #expect(state.cleanedText == clean && state.rawText == clean)
        // A row of an older version has them still, and so have arguments and names of files.
        try await Program.run(
            "python3",
            [
                "-c",
                "import sqlite3,sys; d=sqlite3.connect(sys.argv[1]); d.execute('UPDATE dictation SET cleaned_text=?, raw_text=?', (sys.argv[2], sys.argv[2])); d.commit()",
                desk.group.database.path, evil,
            ])
        let outputs: [(arguments: [String], code: Int32)] = [
            ([], 0), (["history"], 0), (["history", "title"], 0), (["show", "\(state.id)"], 0),
            (["--json"], 0),
            (["show", evil], 2), (["open", evil], 64), (["insert", "--file", evil], 1), (["--\(evil)"], 64),
            (["history", "--since", evil], 64), (["settings", "get", evil], 64),
        ]
        for (arguments, code) in outputs {
            let program = try Program.start(
                BuildFolder.program("dictstate"), arguments, environment: desk.environment)
            let exit = try await program.exitCode
            if arguments.first != "settings" { #expect(exit == code, "\(arguments)") }
            let shown = (program.output + program.errors).unicodeScalars
            #expect(
                !shown.contains {
                    ($0.value < 32 && $0 != "\n" && $0 != "\t") || (0x7F...0x9F).contains($0.value)
                },
                "\(arguments)")
        }
        _ = try await desk.dictstate("copy", "\(state.id)")
        #expect(try await desk.display.clipboardText() == clean)
        await desk.end(inserter)
    }
}
