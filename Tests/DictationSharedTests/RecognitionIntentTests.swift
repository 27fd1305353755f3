import Foundation
import Testing

@testable import DictationShared

@Suite("The intent to recognize a recording again")
struct RecognitionIntentTests {
    @Test("carries its options, and tells how much is done until it is answered")
    func roundTrip() throws {
        let test = try TestGroup()
        let store = try test.store()
        let id = DictationID()
        let action = Intent.Action.recognize(id, .init(engine: "remote", model: "big", language: "de-DE"))
        let intent = try store.submit(action)
        #expect(try store.intent(intent.id)?.action == action)
        #expect(try store.takeIntents(for: .inserter).isEmpty)
        #expect(try store.takeIntents(for: .host).map(\.action) == [action])
        let revision = try store.revision()
        try store.note(progress: 0.25, of: intent.id)
        let change = try #require(try store.changes(since: revision).intents.first)
        #expect(change.phase == .taken && change.progress == 0.25)
        try store.answer(intent.id, .done("recognized", dictation: id))
        // Too late.
        try store.note(progress: 0.5, of: intent.id)
        let answered = try #require(try store.intent(intent.id))
        #expect(answered.phase == .done("recognized", dictation: id) && answered.progress == nil)
    }

    @Test("no options are options; other intents have none")
    func plain() throws {
        let test = try TestGroup()
        let store = try test.store()
        let id = DictationID()
        let actions: [Intent.Action] = [.recognize(id, .init()), .record(.start()), .insert(id)]
        for action in actions { #expect(try store.intent(try store.submit(action).id)?.action == action) }
    }

    @Test("a text that was recognized again is held, and waits for no agent")
    func held() throws {
        let test = try TestGroup()
        let store = try test.store()
        let state = try store.add(
            .init(rawText: "hello", cleanedText: "Hello.", engine: "remote"),
            heldBecause: .recognizedAgain, locale: "de-DE", isPrivate: true)
        #expect(state.delivery == .held(.recognizedAgain))
        #expect(try store.dictation(state.id) == state)
        #expect(state.isPrivate && state.engine == "remote" && state.locale == "de-DE")
        #expect(try store.unfinished().isEmpty)
    }
}
