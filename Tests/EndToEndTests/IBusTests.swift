import Desktop
import DictationShared
import Foundation
import TestSupport
import Testing

/// Texts that go through a real IBus.
@Suite("IBus as a way to insert", .serialized, .timeLimit(.minutes(15)))
struct IBusTests {
    @Test("a text goes by IBus as the settings say, and the state says how, and whether it was confirmed")
    func method() async throws {
        let desk = try await Desk.set()
        let inputMethod = try await InputMethodDaemon.start(on: desk.display)
        try desk.folder.write("[insert]\nmethod = \"ibus\"\n", to: "settings.toml")
        let inserter = try await startInserter(desk, inputMethod)
        let field = try await TextWindow.start(
            .gtkText, on: desk.display, title: "Letter", inputMethod: inputMethod)
        let first = try desk.store.add(text: "Grüße, 世界 👩‍👩‍👧‍👦!\nA line.", locale: "en-US")
        try await field.waitForText(equal: "Grüße, 世界 👩‍👩‍👧‍👦!\nA line.")
        var state = try await desk.waitForDictation(first.id) { $0.isSettled }
        #expect(state.delivery == .inserted && state.route == InsertionRoute(.ibus, isConfirmed: true))
        #expect(
            try await ibusFinding(desk, inputMethod)
                == "ok ibus the daemon answers; its engine is xkb:us::eng")
        // A terminal cannot say that it has a text: it gets it in the usual way.
        let terminal = try await TextWindow.start(
            .xterm, on: desk.display, title: "Shell", inputMethod: inputMethod)
        let second = try desk.store.add(text: "echo ß", locale: "en-US")
        try await terminal.waitForText(equal: "echo ß")
        state = try await desk.waitForDictation(second.id) { $0.isSettled }
        #expect(state.delivery == .inserted && state.route?.way != .ibus)
        #expect(state.notice?.message.contains("does not confirm") == true)
        // This one is connected to no input method.
        let news = inputMethod.news
        let other = try await TextWindow.start(.xterm, on: desk.display, title: "Other")
        try await inputMethod.waitForNoField(since: news)
        let third = try desk.store.add(text: "nowhere", locale: "en-US")
        state = try await desk.waitForDictation(third.id) { $0.isSettled }
        #expect(state.delivery == .held(.noInputContext) && state.insertedCount == 0)
        #expect(try await desk.dictstate("show", third.id.description).contains("connected to IBus"))
        // Without a daemon the text is typed, and the state says so.
        await inputMethod.end()
        #expect(
            try await ibusFinding(desk, inputMethod)?
                .hasPrefix("warning ibus no IBus daemon answers, so texts are typed by keys") == true)
        _ = try await desk.dictstate("insert", third.id.description)
        try await other.waitForText(equal: "nowhere")
        state = try await desk.waitForDictation(third.id) { $0.delivery == .inserted }
        #expect(state.notice?.code == FailureCode.methodFallback.rawValue)
        #expect(state.notice?.message.contains("no IBus daemon answers") == true)
        await desk.end(inserter)
    }

    @Test("a killed insert-agent leaves the user without an engine only until the next one starts")
    func killed() async throws {
        let desk = try await Desk.set()
        let inputMethod = try await InputMethodDaemon.start(on: desk.display)
        try await inputMethod.choose("xkb:us:intl:eng")
        try await desk.display.setLayout("de", variant: "neo")
        try desk.folder.write("[insert]\nmethod = \"ibus\"\n", to: "settings.toml")
        let field = try await TextWindow.start(
            .gtkText, on: desk.display, title: "Letter", inputMethod: inputMethod)
        let unit = Array("Äpfel, 漢字 and “quotes” 👩‍💻. ")
        // It is far from its end, however late it is killed.
        let text = String((0..<20_000).map { unit[$0 % unit.count] })
        var inserter = try await startInserter(desk, inputMethod)
        var before = ""
        for least in [1, 500, 3_000] {
            let dictation = try desk.store.add(text: text, locale: "en-US")
            try await desk.waitForDictation(dictation.id) { $0.insertedCount >= least }
            try await desk.kill(inserter)
            inserter = try await startInserter(desk, inputMethod)
            #expect(try await inputMethod.engine() == "xkb:us:intl:eng")
            let state = try await desk.waitForDictation(dictation.id) { $0.isSettled }
            guard case .held = state.delivery else {
                Issue.record("\(String(describing: state.delivery))")
                continue
            }
            // One piece more than was counted may be there.
            let now = try await field.waitForText { $0.count >= before.count + state.insertedCount }
            let typed = now.dropFirst(before.count)
            #expect(typed.drop { $0 == " " } == text.prefix(typed.drop { $0 == " " }.count))
            #expect(typed.count - state.insertedCount <= 33)
            before = now
            _ = try await desk.dictstate("discard", dictation.id.description)
        }
        #expect(
            try await Program.run("setxkbmap", ["-query"], environment: desk.display.environment)
                .contains("neo"))
        let note = desk.group.folder.appending(path: AppGroupConstants.File.inputMethod).path
        #expect(!FileManager.default.fileExists(atPath: note))
        await desk.end(inserter)
        await inputMethod.end()
    }

    @Test(
        "a text that is stopped in the middle is nothing to undo: what was inserted before is not behind it")
    func interrupted() async throws {
        let (desk, inputMethod, field, inserter) = try await writeLetter()
        let first = try desk.store.add(text: "The first one.", locale: "en-US")
        try await desk.waitForDictation(first.id) { $0.delivery == .inserted }
        let unit = Array("Äpfel, 漢字 and more. ")
        let second = try desk.store.add(
            text: String((0..<20_000).map { unit[$0 % unit.count] }), locale: "en-US")
        try await desk.waitForDictation(second.id) { $0.insertedCount >= 60 }
        _ = try await desk.dictstate("cancel")
        let state = try await desk.waitForDictation(second.id) { $0.isSettled }
        #expect(state.delivery == .held(.interrupted))
        let text = "The first one. " + state.cleanedText.prefix(state.insertedCount)
        try await field.waitForText(equal: text)
        let undo = try desk.start("dictstate", "undo")
        #expect(try await undo.exitCode != 0)
        // The rest comes directly after it.
        _ = try await desk.dictstate("insert", second.id.description)
        try await desk.waitForDictation(second.id) { $0.insertedCount >= state.insertedCount + 60 }
        let more = "The first one. " + state.cleanedText.prefix(state.insertedCount + 60)
        try await field.waitForText { $0.hasPrefix(more) }
        await desk.end(inserter)
        await inputMethod.end()
    }

    @Test("what a window may have taken late is not given to it again before the user has looked")
    func hanging() async throws {
        let (desk, inputMethod, field, inserter) = try await writeLetter()
        field.signal(SIGSTOP)
        let text = try desk.store.add(text: "Meet me at noon.", locale: "en-US")
        let held = try await desk.waitForDictation(text.id) { $0.isSettled }
        // In the store: a restarted agent must know it as well.
        #expect(held.delivery == .held(.pasteUnsure) && held.insertedCount == 0)
        field.signal(SIGCONT)
        try await field.waitForText(equal: "Meet me at noon.")
        // Another text, and one that the user asks for again, go there as before.
        let other = try desk.store.add(text: "Or not.", locale: "en-US")
        try await desk.waitForDictation(other.id) { $0.delivery == .inserted }
        #expect(field.text.hasPrefix("Meet me at noon.") && field.text.hasSuffix("Or not."))
        _ = try await desk.dictstate("insert", text.id.description)
        try await desk.waitForDictation(text.id) { $0.delivery == .inserted }
        await desk.end(inserter)
        await inputMethod.end()
    }

    @Test("words are shown in the field while the user speaks, and go with the text, a cancel, or a kill")
    func preedit() async throws {
        let desk = try await Desk.set()
        let inputMethod = try await InputMethodDaemon.start(on: desk.display)
        try desk.folder.write("[insert]\nmethod = \"ibus\"\n", to: "settings.toml")
        // This process plays the host-agent.
        let role = try RoleLock(.host, in: desk.group)
        defer { withExtendedLifetime(role) {} }
        var inserter = try await startInserter(desk, inputMethod)
        let field = try await TextWindow.start(
            .gtkText, on: desk.display, title: "Letter", inputMethod: inputMethod)
        let spoken = try desk.store.begin(target: nil, engine: "test", locale: "en-US")
        try desk.store.apply(.recordingStarted, to: spoken.id)
        for words in ["so", "so we meet", "so we met on Monday"] {
            try desk.store.apply(.partial(words), to: spoken.id)
            try await field.waitForPreedit(equal: words)
        }
        // A killed one's words are never part of the text, and the next one shows them again.
        try await desk.kill(inserter)
        try await field.waitForPreedit(equal: "")
        inserter = try await startInserter(desk, inputMethod)
        try await field.waitForPreedit(equal: "so we met on Monday")
        try desk.store.apply(.partial("so we met on Monday at"), to: spoken.id)
        try await field.waitForPreedit(equal: "so we met on Monday at")
        #expect(field.text.isEmpty)
        try desk.store.apply(.processingStarted(recording: 1_000), to: spoken.id)
        try desk.store.apply(
            .recognized(.init(rawText: "so we met on monday", cleanedText: "So we met on Monday.")),
            to: spoken.id)
        try await field.waitForText(equal: "So we met on Monday.")
        try await field.waitForPreedit(equal: "")
        let state = try await desk.waitForDictation(spoken.id) { $0.isSettled }
        #expect(state.delivery == .inserted && state.route == InsertionRoute(.ibus, isConfirmed: true))
        let other = try desk.store.begin(target: nil, engine: "test", locale: "en-US")
        try desk.store.apply(.recordingStarted, to: other.id)
        try desk.store.apply(.partial("never mind"), to: other.id)
        try await field.waitForPreedit(equal: "never mind")
        try await desk.kill(inserter)
        try desk.store.apply(.cancelled, to: other.id)
        try await field.waitForPreedit(equal: "")
        // The next one has nothing to show, and gives the engine back.
        inserter = try await startInserter(desk, inputMethod)
        #expect(try await inputMethod.engine() == "xkb:us::eng")
        // An agent that ends while words are shown leaves nothing either.
        let last = try desk.store.begin(target: nil, engine: "test", locale: "en-US")
        try desk.store.apply(.recordingStarted, to: last.id)
        try desk.store.apply(.partial("some words"), to: last.id)
        try await field.waitForPreedit(equal: "some words")
        await inserter.end()
        try await field.waitForPreedit(equal: "")
        #expect(try await inputMethod.engine() == "xkb:us::eng")
        #expect(field.text == "So we met on Monday.")
        await desk.end()
        await inputMethod.end()
    }

    /// The finding of `dictstate doctor` about IBus, with single blanks.
    private func ibusFinding(_ desk: Desk, _ inputMethod: InputMethodDaemon) async throws -> String? {
        let doctor = try Program.start(
            BuildFolder.program("dictstate"), ["doctor"],
            environment: desk.environment.merging(inputMethod.environment) { $1 })
        _ = try await doctor.waitForExit()
        return doctor.output.split(separator: "\n").map {
            $0.split(separator: " ").joined(separator: " ")
        }.first { $0.split(separator: " ").dropFirst().first == "ibus" }
    }

    @Test("no text waits until the disk has the note of the user's engine, which no other session needs")
    func note() async throws {
        let desk = try await Desk.set()
        let inputMethod = try await InputMethodDaemon.start(on: desk.display)
        try desk.folder.write("[insert]\nmethod = \"ibus\"\n", to: "settings.toml")
        let log = desk.folder.file("calls")
        let inserter = try await startInserter(
            desk, inputMethod, RecordedCall.environment(log: log, folder: desk.group.folder.path))
        let field = try await TextWindow.start(
            .gtkText, on: desk.display, title: "Letter", inputMethod: inputMethod)
        let dictation = try desk.store.add(text: "At once", locale: "en-US")
        try await field.waitForText(equal: "At once")
        try await desk.waitForDictation(dictation.id) { $0.delivery == .inserted }
        await desk.end(inserter)
        let name = AppGroupConstants.File.inputMethod + ".new"
        var isWritten = false
        for call in try RecordedCall.all(in: log) {
            switch call {
            case .write(name, _, _): isWritten = true
            case .sync(name): Issue.record("the note was synced")
            default: break
            }
        }
        #expect(isWritten)
    }

    /// A letter in a text field, and an inserter that goes by IBus.
    private func writeLetter() async throws -> (Desk, InputMethodDaemon, TextWindow, Program) {
        let desk = try await Desk.set()
        let inputMethod = try await InputMethodDaemon.start(on: desk.display)
        try desk.folder.write("[insert]\nmethod = \"ibus\"\n", to: "settings.toml")
        let field = try await TextWindow.start(
            .gtkText, on: desk.display, title: "Letter", inputMethod: inputMethod)
        return (desk, inputMethod, field, try await startInserter(desk, inputMethod))
    }

    private func startInserter(
        _ desk: Desk, _ inputMethod: InputMethodDaemon, _ more: [String: String] = [:]
    ) async throws -> Program {
        let inserter = try Program.start(
            BuildFolder.program("insert-agent"),
            environment: desk.environment.merging(inputMethod.environment) { $1 }.merging(more) { $1 })
        try await inserter.waitForLine(containing: "insert-agent is ready")
        return inserter
    }
}
