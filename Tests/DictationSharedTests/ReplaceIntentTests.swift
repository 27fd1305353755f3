import DictationShared
import DictationSystem
import Foundation
import Testing

@Suite("Replacements of a selected text, in the store")
struct ReplaceIntentTests {
    private let request = Intent.ReplaceRequest(selection: "see you\n\tlater 👋", text: "Good-bye.")

    private func command(
        _ store: StateStore, isPrivate: Bool = false, in window: WindowInfo? = nil
    ) throws -> DictationState {
        let begun = try store.begin(target: window, engine: "test", locale: "en-US", isPrivate: isPrivate)
        try DictationKeeper(store: store).apply(
            .init(rawText: "politely", cleanedText: ""), asking: .replace(request, spokenIn: begun.id),
            of: begun.id, timeToLive: 5_000)
        return try #require(try store.dictation(begun.id))
    }

    @Test("it has its turn as a command, and becomes a text when it is carried out")
    func turn() throws {
        let test = try TestGroup()
        let store = try test.store()
        let state = try command(store)
        #expect(state.isCommand && state.delivery == .pending)
        #expect(try store.claimNext(by: .current, patience: 60)?.id == state.id)
        let intent = try #require(try store.takeCommand(of: state.id))
        #expect(intent.action == .replace(request, spokenIn: state.id))
        #expect(intent.action.role == .inserter)
        try store.apply(.adapted(request.text), to: state.id)
        try store.apply(.held(.notReplaced), to: state.id)
        #expect(try store.dictation(state.id)?.remainder == "Good-bye.")
        // The user's word types it.
        #expect(try store.apply(.requeued, to: state.id).delivery == .pending)
    }

    @Test("the store forgets what was selected with the answer", arguments: [true, false])
    func forgotten(isDone: Bool) throws {
        let test = try TestGroup()
        let store = try test.store()
        let state = try command(store)
        _ = try store.claimNext(by: .current, patience: 60)
        let intent = try #require(try store.takeCommand(of: state.id))
        try store.answer(
            intent.id, isDone ? .done("replaced", dictation: state.id) : .refused("not selected"))
        #expect(
            try store.intent(intent.id)?.action
                == .replace(.init(selection: "", text: ""), spokenIn: state.id))
        // An edit's words stay, as those of any dictation.
        let edit = try store.submit(.edit(.init(words: "undo that"), spokenIn: nil))
        try store.answer(edit.id, .refused("x"))
        #expect(try store.intent(edit.id)?.action == .edit(.init(words: "undo that"), spokenIn: nil))
    }

    @Test("a command that is forgotten leaves nothing of the selection")
    func removed() throws {
        let test = try TestGroup()
        let store = try test.store()
        let state = try command(store)
        let intent = try #require(
            try store.changes(since: 0).intents.first { $0.action.dictation == state.id })
        _ = try store.forget(.one(state.id))
        #expect(try store.intent(intent.id) == nil)
    }

    @Test("a request to the host is read as it was written", arguments: [nil, "shorter"])
    func asked(words: String?) throws {
        let test = try TestGroup()
        let store = try test.store()
        let action = Intent.Action.transform(.init(instruction: words, isPrivate: words != nil))
        _ = try store.submit(action)
        #expect(try store.takeIntents(for: .host).map(\.action) == [action])
    }

    @Test("the store forgets the instruction with the answer; a dictation has it from then on")
    func answered() throws {
        let test = try TestGroup()
        let store = try test.store()
        let intent = try store.submit(.transform(.init(instruction: "shorter", isPrivate: true)))
        try store.answer(intent.id, .done("asking the model", dictation: nil))
        #expect(
            try store.intent(intent.id)?.action == .transform(.init(instruction: nil, isPrivate: true)))
    }

    @Test(
        "a selected text that was asked for is taken out of the store once, and by a new host if nobody took it"
    )
    func read() throws {
        let test = try TestGroup()
        let store = try test.store()
        let id = DictationID()
        for isTaken in [true, false] {
            let intent = try store.submit(.readSelection(for: id))
            #expect(try store.takeIntents(for: .inserter).map(\.action) == [.readSelection(for: id)])
            #expect(try store.takeSelection(intent.id) == nil)
            try store.answer(intent.id, .done("see you\n\tlater 👋", dictation: id))
            if isTaken {
                #expect(try store.takeSelection(intent.id) == "see you\n\tlater 👋")
            } else {
                try store.refuseAbandonedIntents(of: .host)
            }
            #expect(try store.takeSelection(intent.id) ?? "" == "")
            #expect(try store.intent(intent.id)?.phase == .done("", dictation: id))
        }
    }

    @Test(
        "the selected text is held if some of the new one may be in its place",
        arguments: [
            (0, true, false), (4, true, true),
            // In a native window more may be there than counts.
            (0, false, true),
        ])
    func killed(typed: Int, isX11: Bool, isHeld: Bool) throws {
        let test = try TestGroup()
        let store = try test.store()
        let state = try command(
            store, in: isX11 ? WindowInfo(id: 7, windowClass: "Editor", title: "Letter") : nil)
        _ = try store.claimNext(by: .current, patience: 60)
        _ = try store.takeCommand(of: state.id)
        try store.apply(.adapted(request.text), to: state.id)
        if typed > 0 { try store.apply(.progress(typed), to: state.id) }
        // As at the start of the next inserter.
        try store.refuseAbandonedIntents(of: .inserter)
        try store.apply(.held(.inserterDied), to: state.id)
        let held = try store.holdFormerTexts()
        #expect(held.map(\.cleanedText) == (isHeld ? [request.selection] : []))
        #expect(held.allSatisfy { $0.delivery == .held(.formerText) && $0.isExact })
        // Without an identifier, the rest of the new text is still meant.
        #expect(try store.newestHeld()?.id == state.id)
        // It is done once, and leaves nothing in the intents.
        #expect(try store.holdFormerTexts().isEmpty)
        #expect(!"\(try store.changes(since: 0).intents)".contains("see you"))
    }

    @Test("a text that is put back is held until it is there", arguments: [true, false])
    func undone(isKilled: Bool) throws {
        let test = try TestGroup()
        let store = try test.store()
        let state = try command(store)
        _ = try store.claimNext(by: .current, patience: 60)
        let intent = try #require(try store.takeCommand(of: state.id))
        try store.apply(.adapted(request.text), to: state.id)
        try store.apply(.inserted(milliseconds: 1), to: state.id)
        try store.answer(intent.id, .done("replaced", dictation: state.id))
        let former = try store.keepFormerText(request.selection, of: state.id)
        if isKilled {
            try store.refuseAbandonedIntents(of: .inserter)
            #expect(try store.holdFormerTexts().map(\.cleanedText) == [request.selection])
        } else {
            try store.answer(former, .done("put back", dictation: state.id))
            #expect(try store.holdFormerTexts().isEmpty)
        }
        #expect(!"\(try store.changes(since: 0).intents)".contains("see you"))
    }
}
