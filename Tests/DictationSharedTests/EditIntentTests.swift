import DictationShared
import Foundation
import Testing

@Suite("Commands that edit, in the store")
struct EditIntentTests {
    private let request = Intent.EditRequest(
        words: "change a to b", locale: "en-GB", sentence: "Change a to b.")

    private func command(_ store: StateStore, timeToLive: Int = 5_000) throws -> DictationState {
        let begun = try store.begin(target: nil, engine: "test", locale: "en-US")
        try DictationKeeper(store: store).apply(
            .init(rawText: "change a to b", cleanedText: ""), asking: .edit(request, spokenIn: begun.id),
            of: begun.id,
            timeToLive: timeToLive)
        return try #require(try store.dictation(begun.id))
    }

    @Test("a command has its turn among the texts, and its intent is taken once")
    func turn() throws {
        let test = try TestGroup()
        let store = try test.store()
        let before = try store.add(text: "One.", locale: "en-US")
        let state = try command(store)
        #expect(state.isCommand && state.delivery == .pending)
        let revision = state.revision
        // One commit: a reader who sees the one sees the other.
        #expect(
            try store.changes(since: before.revision).intents.map(\.action) == [
                .edit(request, spokenIn: state.id)
            ])
        #expect(try store.changes(since: before.revision).revision >= revision)
        #expect(try store.claimNext(by: .current, patience: 60)?.id == before.id)
        #expect(try store.claimNext(by: .current, patience: 60) == nil)
        try store.apply(.inserted(milliseconds: 1), to: before.id)
        #expect(try store.claimNext(by: .current, patience: 60)?.id == state.id)
        // Its agent may have been notified of it before.
        #expect(try store.takeIntents(for: .inserter).map(\.action) == [.edit(request, spokenIn: state.id)])
        let intent = try #require(try store.takeCommand(of: state.id))
        #expect(intent.action == .edit(request, spokenIn: state.id))
        try store.answer(intent.id, .done("removed", dictation: before.id))
        #expect(try store.takeCommand(of: state.id) == nil)
    }

    @Test("one that waited too long is an error, and no held text")
    func late() throws {
        let test = try TestGroup()
        let store = try test.store()
        let state = try command(store)
        #expect(try store.claimNext(by: .current, patience: 60, at: Date() + 100) == nil)
        #expect(try store.dictation(state.id)?.error?.code == "not-edited")
        #expect(try store.takeCommand(of: state.id, at: Date() + 100) == nil)
    }

    @Test("one whose inserter died was not carried out")
    func dead() throws {
        let test = try TestGroup()
        let store = try test.store()
        let state = try command(store)
        _ = try store.claimNext(by: .current, patience: 60)
        try store.releaseClaims(of: { _ in true })
        let after = try #require(try store.dictation(state.id))
        #expect(after.status == .error && after.error?.message.contains("insert-agent ended") == true)
        #expect(after.isDone)
    }

    @Test("an edited text is claimed again, and continues after what is left of it")
    func revised() throws {
        let test = try TestGroup()
        let store = try test.store()
        let state = try store.add(text: "We meet on Monday.", locale: "en-US")
        try store.apply(.claimed(by: .current), to: state.id)
        try store.apply(.inserted(milliseconds: 1), to: state.id)
        let revised = try store.apply(
            .revised("We meet on Tuesday.", typed: 11, by: .current), to: state.id)
        #expect(revised.remainder == "Tuesday." && revised.delivery == .claimed(by: .current))
        #expect(try store.unfinished().map(\.remainder) == ["Tuesday."])
        try store.releaseClaims(of: { _ in true })
        #expect(try store.dictation(state.id)?.delivery == .held(.inserterDied))
        #expect(try store.dictation(state.id)?.remainder == "Tuesday.")
    }

    @Test("characters that were removed for an edit count at once, and the edit continues from there")
    func removed() throws {
        let test = try TestGroup()
        let store = try test.store()
        let state = try store.add(text: "We meet on Monday.", locale: "en-US")
        try store.apply(.claimed(by: .current), to: state.id)
        try store.apply(.inserted(milliseconds: 1), to: state.id)
        for count in [15, 11] {
            #expect(try store.apply(.undone(count), to: state.id).delivery == .held(.undone))
        }
        let revised = try store.apply(
            .revised("We meet on Tuesday.", typed: 11, by: .current), to: state.id)
        #expect(revised.remainder == "Tuesday." && revised.delivery == .claimed(by: .current))
        try store.apply(.held(.focusMoved), to: state.id)
        // Only an undone text is edited.
        #expect(throws: TransitionRefused.self) {
            try store.apply(.revised("We.", typed: 1, by: .current), to: state.id)
        }
    }

    @Test("a command that is forgotten leaves nothing of its words", arguments: [true, false])
    func forgotten(isAnswered: Bool) throws {
        let test = try TestGroup()
        let store = try test.store()
        let state = try command(store)
        _ = try store.claimNext(by: .current, patience: 60)
        let intent = try #require(try store.takeCommand(of: state.id))
        if isAnswered { try store.answer(intent.id, .refused("“a” is not there")) }
        try store.apply(.inserted(milliseconds: 1), to: state.id)
        _ = try store.forget(.one(state.id))
        #expect(try store.intent(intent.id) == nil)
        // Its inserter may answer only now.
        try store.answer(intent.id, .refused("“a” is not there"))
        #expect(try store.intent(intent.id) == nil)
    }

    @Test("with all dictations, the words of commands that were written are forgotten, too")
    func written() throws {
        let test = try TestGroup()
        let store = try test.store()
        _ = try store.add(text: "One.", locale: "en-US")
        let done = try store.submit(.edit(.init(words: "change b to c"), spokenIn: nil))
        let open = try store.submit(.edit(.init(words: "undo that"), spokenIn: nil))
        try store.answer(done.id, .refused("“b” is not there"))
        _ = try store.forget(.all)
        #expect(try store.intent(done.id)?.action == .edit(.init(words: ""), spokenIn: nil))
        #expect(try store.intent(done.id)?.phase == .refused(""))
        #expect(try store.intent(open.id)?.action == .edit(.init(words: "undo that"), spokenIn: nil))
    }
}
