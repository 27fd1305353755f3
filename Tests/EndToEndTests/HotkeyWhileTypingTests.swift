import DictationShared
import Foundation
import Synchronization
import TestSupport
import Testing

/// Fluent speakers begin the next sentence while the last one is still on its way into the window.
@Suite("The hotkey, pressed before the last text is typed", .serialized, .timeLimit(.minutes(5)))
struct HotkeyWhileTypingTests {
    /// Typed in two dozen batches.
    private static let long = String(repeating: "The meeting is at noon. ", count: 32)

    @Test("while it is typed: the dictation lasts for as long as the key is held, and all of the text comes")
    func whileTyping() async throws {
        let desk = try await Desk.set()
        try desk.folder.write("[[profile]]\nclass = \"*\"\npace = 40\n", to: "settings.toml")
        let keyboard = try UserKeyboard(of: desk.display.name)
        let window = try await TextWindow.start(.gtkText, on: desk.display, title: "Letter")
        let host = try await desk.startHost()
        let inserter = try await desk.startInserter()
        let text = try desk.store.add(text: Self.long, locale: "en-US")
        try await desk.waitForDictation(text.id) { $0.insertedCount > 0 }
        try keyboard.press("F9")
        try await desk.speak(seconds: 3)
        #expect(try desk.store.unfinished().contains { $0.status == .recording })
        try keyboard.release("F9")
        let spoken = try #require(desk.spokenInto.withLock { $0 })
        let state = try await desk.waitForDictation(spoken) { $0.isSettled }
        #expect(state.delivery == .inserted)
        #expect(state.rawText.count > 10)
        #expect(try await desk.waitForDictation(text.id) { $0.isSettled }.delivery == .inserted)
        try await window.waitForText(equal: Self.long + state.cleanedText)
        await desk.end(host, inserter)
    }

    @Test("typing gives way to a key that changes the selected text as well")
    func transforming() async throws {
        let desk = try await Desk.set()
        try desk.folder.write(
            "[[hotkey]]\nkey = \"F8\"\ntransform = true\n[[profile]]\nclass = \"*\"\npace = 100\n",
            to: "settings.toml")
        let keyboard = try UserKeyboard(of: desk.display.name)
        let window = try await TextWindow.start(.gtkText, on: desk.display, title: "Letter")
        let host = try await desk.startHost()
        let inserter = try await desk.startInserter()
        let text = try desk.store.add(text: Self.long, locale: "en-US")
        try await desk.waitForDictation(text.id) { $0.insertedCount > 0 }
        try keyboard.press("F8")
        try await inserter.waitForLine(containing: "a text waits while the hotkey is held")
        // The key was heard. No language model is there.
        let refused = try await desk.waitForDictation { $0.status == .error }
        #expect(refused.error?.knownCode == .notTransformed && refused.options.transform == .spoken)
        try keyboard.release("F8")
        #expect(try await desk.waitForDictation(text.id) { $0.isSettled }.delivery == .inserted)
        try await window.waitForText(equal: Self.long)
        await desk.end(host, inserter)
    }

    @Test("while it waits for the key, no other text is begun, no matter what happens")
    func waiting() async throws {
        let desk = try await Desk.set()
        try desk.folder.write("[[profile]]\nclass = \"*\"\npace = 40\n", to: "settings.toml")
        let keyboard = try UserKeyboard(of: desk.display.name)
        let slow = try await TextWindow.start(.gtkText, on: desk.display, title: "Slow")
        let host = try await desk.startHost()
        let inserter = try await desk.startInserter()
        // A window that reads its keys late.
        slow.signal(SIGSTOP)
        let late = try desk.store.add(text: "Late.", locale: "en-US", isExact: true)
        try await desk.waitForDictation(late.id) { $0.delivery == .held(.notResponding) }
        let window = try await TextWindow.start(.gtkText, on: desk.display, title: "Letter")
        let former = try desk.store.add(text: "Before. ", locale: "en-US", isExact: true)
        let seen = try await desk.waitForDictation(former.id) { $0.delivery == .inserted }
        let text = try desk.store.add(text: Self.long, locale: "en-US", isExact: true)
        try await desk.waitForDictation(text.id) { $0.insertedCount > 0 }
        try keyboard.press("F9")
        try await inserter.waitForLine(containing: "a text waits while the hotkey is held")
        // It is handled when the key is free, and how long that takes depends on the machine.
        _ = try desk.store.submit(.insertAgain(former.id, seen: seen.revision), timeToLive: 600_000)
        slow.signal(SIGCONT)
        try await slow.waitForText(equal: "Late.")
        // Long enough for any effect of that.
        try await desk.speak(seconds: 3)
        #expect(try desk.store.dictation(former.id)?.delivery == .inserted)
        try keyboard.release("F9")
        let spoken = try #require(desk.spokenInto.withLock { $0 })
        let state = try await desk.waitForDictation(spoken) { $0.isSettled }
        let answers = try await desk.waitForAnswers()
        #expect(answers.map(\.phase) == [.done("inserted 8 characters", dictation: former.id)])
        #expect(try await desk.waitForDictation(late.id) { $0.delivery == .inserted }.insertedCount == 5)
        let further = [state.cleanedText + "Before. ", "Before. " + state.cleanedText]
        try await window.waitForText { text in further.contains { text == "Before. " + Self.long + $0 } }
        await desk.end(host, inserter)
    }

    @Test("before it is typed: the text comes when the key is free again, and is not held")
    func beforeTyping() async throws {
        let desk = try await Desk.set()
        let keyboard = try UserKeyboard(of: desk.display.name)
        let window = try await TextWindow.start(.gtkText, on: desk.display, title: "Letter")
        let host = try await desk.startHost()
        let inserter = try await desk.startInserter()
        // Recognized slowly, by a server for instance.
        let first = try desk.store.begin(target: nil, engine: "test", locale: "en-US")
        try keyboard.press("F9")
        try await desk.waitForDictation { $0.id > first.id && $0.status == .recording }
        try desk.store.apply(
            .recognized(.init(rawText: "Hello there.", cleanedText: "Hello there.")), to: first.id)
        // Longer than typing waits for a keyboard that another client has.
        try await desk.speak(seconds: 4)
        #expect(window.text.isEmpty)
        try keyboard.release("F9")
        #expect(try await desk.waitForDictation(first.id) { $0.isSettled }.delivery == .inserted)
        let spoken = try #require(desk.spokenInto.withLock { $0 })
        let second = try await desk.waitForDictation(spoken) { $0.isSettled }
        #expect(second.delivery == .inserted)
        try await window.waitForText(equal: "Hello there. " + second.cleanedText)
        await desk.end(host, inserter)
    }
}
