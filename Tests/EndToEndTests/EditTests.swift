import DictationShared
import Foundation
import Synchronization
import TestSupport
import Testing

/// Commands that edit the last insertion: real agents, real windows. A server on this machine returns the
/// recognized words.
@Suite("Commands that edit", .serialized, .timeLimit(.minutes(5)))
struct EditTests {
    private struct Office {
        let letter: LetterDesk
        var desk: Desk { letter.desk }
        var window: TextWindow { letter.window }

        static func open(_ kind: TextWindow.Kind, settings: String = "") async throws -> Office {
            try await Office(letter: LetterDesk(kind, settings: settings))
        }

        @discardableResult
        func insert(_ text: String) async throws -> DictationState {
            let added = try desk.store.add(text: text, locale: "en-US")
            return try await desk.waitForDictation(added.id) { $0.isSettled }
        }

        func edit(_ words: String) async throws -> String { try await desk.dictstate("edit", words) }

        /// - Returns: why not.
        func refused(_ words: String, _ place: SourceLocation = #_sourceLocation) async throws -> String {
            try await letter.refused("edit", words, place)
        }

        func waitFor(_ text: String, _ place: SourceLocation = #_sourceLocation) async throws {
            try await letter.waitFor(text, place)
        }

        func close() async { await desk.end(letter.inserter) }
    }

    @Test(
        "the last insertion is edited, in each kind of window",
        arguments: [TextWindow.Kind.xterm, .gtkText, .gtkEntry, .qtText, .chromium].filter(\.isInstalled))
    func kinds(kind: TextWindow.Kind) async throws {
        let office = try await Office.open(kind)
        let first = try await office.insert("We meet on Monday.")
        let second = try await office.insert("Grüße an Jon und alle 👋.")
        try await office.waitFor("We meet on Monday. Grüße an Jon und alle 👋.")
        _ = try await office.edit("replace John with Jane")
        try await office.waitFor("We meet on Monday. Grüße an Jane und alle 👋.")
        #expect(try office.desk.store.dictation(second.id)?.cleanedText == "Grüße an Jane und alle 👋.")
        #expect(try office.desk.store.dictation(second.id)?.delivery == .inserted)
        _ = try await office.edit("delete the last two words")
        try await office.waitFor("We meet on Monday. Grüße an Jane und")
        _ = try await office.edit("all caps that")
        try await office.waitFor("We meet on Monday. GRÜSSE AN JANE UND")
        _ = try await office.edit("scratch that")
        try await office.waitFor("We meet on Monday.")
        #expect(try office.desk.store.dictation(second.id)?.delivery == .held(.undone))
        // The one before is the last one now.
        _ = try await office.edit("change Monday to Tuesday")
        try await office.waitFor("We meet on Tuesday.")
        _ = try await office.insert("Bring it.")
        try await office.waitFor("We meet on Tuesday. Bring it.")
        _ = try await office.edit("no caps that")
        try await office.waitFor("We meet on Tuesday. bring it.")
        // Edits first, one after another, and then the texts.
        for text in ["We meet on Tuesday. Bring it.", "We meet on Tuesday.", "We meet on Monday.", ""] {
            _ = try await office.edit("undo that")
            try await office.waitFor(text)
        }
        #expect(try office.desk.store.dictation(first.id)?.delivery == .held(.undone))
        #expect(try await office.refused("undo that").contains("typed nothing that can be undone"))
        await office.close()
    }

    @Test(
        "an edit is taken back, also one that removed all; “scratch that” takes the text whatever was edited")
    func editTakenBack() async throws {
        let office = try await Office.open(.gtkText)
        let first = try await office.insert("One two.")
        let second = try await office.insert("Three four.")
        let steps = [
            ("replace four with five", "One two. Three five."), ("all caps that", "One two. THREE FIVE."),
            ("undo that", "One two. Three five."), ("delete last word", "One two. Three"),
            ("undo that", "One two. Three five."), ("undo that", "One two. Three four."),
            ("delete last sentence", "One two."), ("undo that", "One two. Three four."),
            ("change three to six", "One two. Six four."), ("scratch that", "One two."),
        ]
        for (words, text) in steps {
            _ = try await office.edit(words)
            try await office.waitFor(text)
        }
        #expect(try office.desk.store.dictation(second.id)?.delivery == .held(.undone))
        // A text that the user has undone stays undone; the one before is the last one now.
        _ = try await office.edit("replace two with seven")
        #expect(try office.desk.store.dictation(first.id)?.cleanedText == "One seven.")
        #expect(try await office.desk.dictstate("undo").contains("removed"))
        try await office.waitFor("One two.")
        // With something else after it, nothing comes back.
        _ = try await office.edit("delete last sentence")
        try await office.waitFor("")
        try tapKey("x", on: office.desk.display)
        try await office.waitFor("x")
        #expect(try await office.refused("undo that").contains("typed nothing that can be undone"))
        try await office.waitFor("x")
        await office.close()
    }

    @Test("ten insertions and more are taken back, one after another")
    func tenBack() async throws {
        let office = try await Office.open(.gtkText)
        let words = ["One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven"]
        for word in words { try await office.insert("\(word).") }
        for count in (0..<words.count).reversed() {
            _ = try await office.edit("scratch that")
            try await office.waitFor(words.prefix(count).map { "\($0)." }.joined(separator: " "))
        }
        await office.close()
    }

    @Test("nothing is pressed once something was typed or clicked there, or another window has the focus")
    func refused() async throws {
        let office = try await Office.open(.gtkText)
        try await office.insert("One two.")
        try await office.waitFor("One two.")
        let absent = try await office.refused("replace six with seven")
        #expect(absent.contains("“six” is not in the last inserted text"))
        #expect(try await office.refused("do something else").contains("is not an edit command in en:"))
        let french = try office.desk.start("dictstate", "edit", "--locale", "fr-FR", "efface cela")
        #expect(try await french.exitCode == 1)
        #expect(french.errors.contains("there are no edit commands in “fr”; there are in en, de, es"))
        try await office.insert("For 👋🏽 you.")
        #expect(try await office.refused("scratch that").contains("in several steps"))
        _ = try await office.edit("delete last word")
        try await office.waitFor("One two. For 👋🏽")
        #expect(try await office.refused("press tab").contains("no profile allows keys"))
        try await office.waitFor("One two. For 👋🏽")
        let other = try await TextWindow.start(.gtkEntry, on: office.desk.display, title: "Other")
        #expect(try await office.refused("scratch that").contains("no longer focused"))
        try await office.window.focus()
        try tapKey("x", on: office.desk.display)
        try await office.waitFor("One two. For 👋🏽x")
        for words in ["scratch that", "delete last word", "all caps that", "select that"] {
            #expect(try await office.refused(words).contains("something was typed or clicked"))
        }
        try await office.waitFor("One two. For 👋🏽x")
        #expect(other.text.isEmpty)
        await office.close()
    }

    @Test(
        "a selection is replaced by the next text; a new line is one",
        arguments: [TextWindow.Kind.gtkText, .qtText])
    func selected(kind: TextWindow.Kind) async throws {
        let office = try await Office.open(kind)
        try await office.insert("First.")
        try await office.insert("Second.")
        #expect(try await office.edit("select that").contains("selected 7 characters"))
        try await office.insert("Third.")
        try await office.waitFor("First. Third.")
        _ = try await office.edit("new paragraph")
        try await office.insert("Fourth.")
        try await office.waitFor("First. Third.\n\nFourth.")
        _ = try await office.edit("delete last line")
        try await office.waitFor("First. Third.\n\n")
        await office.close()
    }

    @Test("keys are pressed if the profile allows them; Enter cannot be undone")
    func keys() async throws {
        let office = try await Office.open(
            .xterm, settings: "[[profile]]\nclass = \"xterm\"\npress-enter = true\n")
        try await office.insert("ls")
        _ = try await office.edit("press tab")
        _ = try await office.edit("press escape")
        _ = try await office.edit("press enter")
        try await office.window.waitForText { $0 == "ls\t\u{1b}\n" || $0 == "ls\t\u{1b}\r" }
        try await office.insert("make\n")
        #expect(try await office.refused("scratch that").contains("Enter was pressed"))
        #expect(try await office.refused("select that").contains("in a terminal"))
        await office.close()
    }

    // MARK: Kills

    private static let longText =
        (0..<60).map { line in (0..<8).map { "word\(line)x\($0)" }.joined(separator: " ") }.joined(
            separator: "\n") + "."

    @Test(
        "killed while it removes: what is left is counted to the character, and the rest can be had",
        arguments: [0.8, 0.3])
    func killedRemoving(share: Double) async throws {
        let office = try await Office.open(.gtkText, settings: "[insert]\npaste-from = 0\n")
        let state = try await office.insert(Self.longText)
        try await office.waitFor(Self.longText)
        let command = try office.desk.start("dictstate", "edit", "scratch that")
        try await office.window.waitForText { Double($0.count) < Double(Self.longText.count) * share }
        try await office.desk.kill(office.letter.inserter)
        _ = try await command.waitForExit()
        let again = try await office.desk.startInserter()
        let held = try await office.desk.waitForDictation(state.id) { $0.delivery == .held(.undone) }
        try await office.waitFor(String(Self.longText.prefix(held.insertedCount)))
        _ = try await office.desk.dictstate("insert", "\(state.id)")
        try await office.waitFor(Self.longText)
        await office.desk.end(again)
    }

    @Test("killed while it types what is new: nothing is lost, nothing comes twice")
    func killedTyping() async throws {
        let office = try await Office.open(.gtkText, settings: "[insert]\npaste-from = 0\n")
        let state = try await office.insert(Self.longText)
        try await office.waitFor(Self.longText)
        let command = try office.desk.start("dictstate", "edit", "all caps that")
        let new = Self.longText.uppercased()
        try await office.window.waitForText { $0.hasPrefix("WORD") }
        try await office.desk.kill(office.letter.inserter)
        _ = try await command.waitForExit()
        let again = try await office.desk.startInserter()
        let settled = try await office.desk.waitForDictation(state.id) { $0.isSettled }
        #expect(settled.cleanedText == new)
        try await office.waitFor(String(new.prefix(settled.insertedCount)))
        if settled.delivery != .inserted { _ = try await office.desk.dictstate("insert", "\(state.id)") }
        try await office.waitFor(new)
        await office.desk.end(again)
    }

    // MARK: Spoken

    @Test("a command that is said alone is carried out in its turn; what is no command is typed")
    func spoken() async throws {
        let heard = Mutex("")
        let server = try LoopbackServer { _ in
            let text = heard.withLock { $0 }
            return [.answer(200, [:], (try? JSONEncoder().encode(["text": text])) ?? Data())]
        }
        let remote = "[speech]\nengine = \"remote\"\n[remote]\naddress = \"\(server.address("/v1"))\"\n"
        let office = try await Office.open(.gtkText, settings: remote)
        let desk = office.desk
        let host = try await desk.startHost()
        func say(_ words: String) async throws -> DictationState {
            heard.withLock { $0 = words }
            _ = try await desk.dictstate("start")
            let id = try #require(try desk.store.history(limit: 1).first?.id)
            try await desk.speak(seconds: 1)
            _ = try await desk.dictstate("stop")
            return try await desk.waitForDictation(id) { $0.isSettled }
        }
        #expect(try await say("we meet on monday").cleanedText == "We meet on Monday.")
        let replaced = try await say("Change Monday to Tuesday.")
        #expect(replaced.delivery == .inserted && replaced.cleanedText.isEmpty)
        try await office.waitFor("We meet on Tuesday.")
        // There is nothing like it in the text: it was meant as one.
        #expect(try await say("Change the oil to synthetic.").delivery == .inserted)
        try await office.waitFor("We meet on Tuesday. Change the oil to synthetic.")
        #expect(try await say("Delete last sentence.").delivery == .inserted)
        try await office.waitFor("We meet on Tuesday.")
        #expect(try await say("Literal scratch that.").cleanedText == "Scratch that.")
        try await office.waitFor("We meet on Tuesday. Scratch that.")
        #expect(try await say("um scratch that").delivery == .inserted)
        #expect(try await say("new line").cleanedText == "\n")
        #expect(try await say("scratch that tape").cleanedText == "Scratch that tape.")
        try await office.waitFor("We meet on Tuesday.\nScratch that tape.")
        #expect(try await say("Stop listening.").status == .cancelled)
        #expect(try await say("press escape").cleanedText == "Press escape.")
        try tapKey("x", on: desk.display)
        let refused = try await say("Scratch that.")
        #expect(refused.status == .error && refused.error?.code == "not-edited")
        try await office.waitFor("We meet on Tuesday.\nScratch that tape. Press escape.x")
        // A refused command is not a held text, unless it may have been meant as a text.
        #expect(try desk.store.newestHeld()?.delivery == .held(.undone))
        let sentence = try await say("Replace escape with enter.")
        #expect(sentence.delivery == .held(.notEdited))
        #expect(sentence.error?.message.contains("something was typed or clicked") == true)
        #expect(sentence.cleanedText == "Replace escape with enter.")
        try desk.folder.write(remote + "[edit]\nlead-word = \"computer\"\n", to: "settings.toml")
        try await host.waitForLine(containing: "settings read")
        #expect(try await say("Scratch that.").error?.code == "scratched")
        #expect(try await say("Select that.").cleanedText == "Select that.")
        #expect(try await say("Computer, scratch that.").delivery == .inserted)
        try await office.waitFor("We meet on Tuesday.\nScratch that tape. Press escape.x")
        server.stop()
        await desk.end(host, office.letter.inserter)
    }

    @Test("Escape while a command is recognized keeps what may be a sentence, and no command, as a held text")
    func escaped() async throws {
        let heard = Mutex("")
        let isEscaped = DispatchSemaphore(value: 0)
        let (asked, telling) = AsyncStream<Void>.makeStream()
        let server = try LoopbackServer { _ in
            telling.yield()
            isEscaped.wait()
            let text = heard.withLock { $0 }
            return [.answer(200, [:], (try? JSONEncoder().encode(["text": text])) ?? Data())]
        }
        let office = try await Office.open(
            .gtkText,
            settings: "[speech]\nengine = \"remote\"\n[remote]\naddress = \"\(server.address("/v1"))\"\n")
        let desk = office.desk
        let host = try await desk.startHost()
        var questions = asked.makeAsyncIterator()
        func say(_ words: String) async throws -> DictationState {
            heard.withLock { $0 = words }
            _ = try await desk.dictstate("start")
            let id = try #require(try desk.store.history(limit: 1).first?.id)
            try await desk.speak(seconds: 1)
            _ = try await desk.dictstate("stop")
            await questions.next()
            try tapKey("Escape", on: desk.display)
            try await host.waitForLine(containing: "\(id): Escape was pressed")
            isEscaped.signal()
            return try await desk.waitForDictation(id) { $0.isSettled }
        }
        let sentence = try await say("Change the oil to synthetic.")
        #expect(sentence.delivery == .held(.escapePressed))
        #expect(
            sentence.cleanedText == "Change the oil to synthetic." && sentence.rawText == sentence.cleanedText
        )
        _ = try await desk.dictstate("insert")
        try await office.waitFor("Change the oil to synthetic.")
        #expect(try await say("Scratch that.").error?.code == "not-edited")
        #expect(try desk.store.newestHeld() == nil)
        try await office.waitFor("Change the oil to synthetic.")
        server.stop()
        await desk.end(host, office.letter.inserter)
    }
}
