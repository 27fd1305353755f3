import DictationShared
import DictationSystem
import Foundation
import Testing

@Suite("The store")
struct StateStoreTests {
    @Test("every field comes back as it was written")
    func roundTrip() throws {
        let test = try TestGroup()
        let store = try test.store()
        let target = WindowInfo(id: 0xFFFF_FFFF, windowClass: "XTerm", title: "naïve — “title”", pid: 42)
        let begun = try store.begin(target: target, engine: "pocketsphinx", locale: "en-US")
        try store.apply(.recordingStarted, to: begun.id)
        #expect(try store.apply(.partial("hé"), to: begun.id).partialText == "hé")
        try store.apply(.processingStarted(recording: 1_234), to: begun.id)
        let notice = DictationFailure(code: .microphoneLost, message: "It vanished.", kept: "2 s")
        try store.apply(
            .recognized(
                .init(
                    rawText: "raw 👩‍👩‍👧", cleanedText: "Raw 👩‍👩‍👧.", notice: notice,
                    timings: Timings(recording: 1_234, recognition: 50, cleaning: 1), engine: "another")),
            to: begun.id)
        let read = try #require(try test.store().dictation(begun.id))
        #expect(read.target == target)
        #expect(read.error == notice)
        #expect(read.engine == "another", "what really recognized it")
        #expect(read.cleanedText == "Raw 👩‍👩‍👧.")
        #expect(read.partialText.isEmpty)
        #expect(read.timings == Timings(recording: 1_234, recognition: 50, cleaning: 1))
        #expect(read.delivery == .pending)
    }

    @Test("revisions count commits, and the change feed gives the newest state of each row in their order")
    func changeFeed() throws {
        let test = try TestGroup()
        let store = try test.store()
        let first = try store.addReady("one")
        let second = try store.addReady("two")
        let seen = try store.changes(since: 0)
        #expect(seen.revision == 4)
        #expect(seen.dictations.map(\.id) == [first.id, second.id])
        _ = try store.claimNext(by: claimant, patience: 60)
        let later = try store.changes(since: seen.revision)
        #expect(later.dictations.map(\.id) == [first.id])
        #expect(try store.changes(since: later.revision).dictations.isEmpty)
    }

    @Test(
        "texts are claimed in the order in which they were spoken, and none overtakes one that is not ready")
    func order() throws {
        let test = try TestGroup()
        let store = try test.store()
        let first = try store.begin(target: nil, engine: "test", locale: "en-US")
        let second = try store.addReady("second")
        #expect(try store.claimNext(by: claimant, patience: 60) == nil)
        try store.apply(.recognized(.init(rawText: "first", cleanedText: "first")), to: first.id)
        #expect(try store.claimNext(by: claimant, patience: 60)?.id == first.id)
        #expect(try store.claimNext(by: claimant, patience: 60) == nil, "one text at a time")
        try store.apply(.inserted(milliseconds: 1), to: first.id)
        #expect(try store.claimNext(by: claimant, patience: 60)?.id == second.id)
    }

    @Test("a text that was not typed in time is held, and the user's request makes it new again")
    func stale() throws {
        let test = try TestGroup()
        let store = try test.store()
        let old = try store.addReady("old", at: Date(timeIntervalSinceNow: -61))
        let fresh = try store.addReady("fresh")
        #expect(try store.claimNext(by: claimant, patience: 60)?.id == fresh.id)
        #expect(try store.dictation(old.id)?.delivery == .held(.stale))
        try store.apply(.inserted(milliseconds: 1), to: fresh.id)
        try store.apply(.requeued, to: old.id)
        #expect(try store.claimNext(by: claimant, patience: 60)?.id == old.id)
    }

    @Test("a text from before the machine started is held, with any patience: it may have been typed")
    func beforeTheStart() throws {
        let test = try TestGroup()
        let store = try test.store()
        let old = try store.addReady("old", at: Date(timeIntervalSinceNow: -31))
        #expect(try store.claimNext(by: claimant, patience: 60, uptime: 30) == nil)
        #expect(try store.dictation(old.id)?.delivery == .held(.stale))
        let early = try store.addReady("from the future", at: Date(timeIntervalSinceNow: 3_600))
        #expect(try store.claimNext(by: claimant, patience: 60, uptime: 30) == nil)
        #expect(try store.dictation(early.id)?.delivery == .held(.stale), "the clock was set back")
        let fresh = try store.addReady("fresh")
        #expect(try store.claimNext(by: claimant, patience: 60, uptime: 30)?.id == fresh.id)
    }

    @Test("a dead inserter's claim is held with what was typed, once")
    func deadInserter() throws {
        let test = try TestGroup()
        let store = try test.store()
        let state = try store.addReady("Hello.")
        _ = try store.claimNext(by: claimant, patience: 60)
        try store.apply(.progress(2), to: state.id)
        #expect(try store.releaseClaims(of: { $0 != claimant }).isEmpty)
        #expect(try store.releaseClaims(of: { $0 == claimant }).map(\.id) == [state.id])
        #expect(try store.releaseClaims(of: { $0 == claimant }).isEmpty)
        let held = try #require(try store.dictation(state.id))
        #expect(held.delivery == .held(.inserterDied))
        #expect(held.remainder == "llo.")
    }

    /// Four characters of nine scalars: three of the first one, and two of each other but “a”.
    private static let torn = "👩‍👧a🇩🇪🇫🇷"

    @Test(
        "a character that a dead inserter has typed in part continues where it stopped",
        arguments: [
            (0, 0, 0, "👩‍👧a🇩🇪🇫🇷"), (1, 0, 1, "\u{200d}👧a🇩🇪🇫🇷"), (2, 0, 2, "👧a🇩🇪🇫🇷"), (3, 1, 0, "a🇩🇪🇫🇷"),
            (4, 2, 0, "🇩🇪🇫🇷"), (5, 2, 1, "🇪🇫🇷"), (6, 3, 0, "🇫🇷"), (7, 3, 1, "🇷"),
        ])
    func tornCharacter(scalars: Int, count: Int, left: Int, remainder: String) throws {
        let test = try TestGroup()
        let store = try test.store()
        let state = try store.addReady(Self.torn)
        _ = try store.claimNext(by: claimant, patience: 60)
        try store.releaseClaims(of: { $0 == claimant }, typed: { _, _ in scalars })
        let held = try #require(try store.dictation(state.id))
        #expect(held.delivery == .held(.inserterDied))
        #expect(held.insertedCount == count && held.tornScalars == left)
        // Characters that only look the same are not the same.
        #expect(held.remainder.unicodeScalars.elementsEqual(remainder.unicodeScalars))
        #expect(held.typedScalars == scalars)
        // It stays so until more of it is typed, no matter which process reads it.
        try store.apply(.requeued, to: state.id)
        let claimed = try #require(try store.claimNext(by: claimant, patience: 60))
        #expect(claimed.remainder == held.remainder)
        #expect(try store.apply(.progress(count), to: state.id).tornScalars == left)
        if left > 0 {
            #expect(throws: TransitionRefused.self) { try store.apply(.adapted("other"), to: state.id) }
        }
        try store.apply(.progress(count + 1), to: state.id)
        #expect(try store.unfinished().map(\.tornScalars) == [0])
        #expect(try store.apply(.held(.focusMoved), to: state.id).tornScalars == 0)
        #expect(try store.dictation(state.id)?.insertedCount == count + 1)
    }

    @Test("why a text is held whose inserter died can be said later, by the one who can ask the display")
    func explained() throws {
        let test = try TestGroup()
        let store = try test.store()
        let texts = try ["one", "two"].map { try store.addReady($0).id }
        _ = try store.claimNext(by: claimant, patience: 60)
        try store.releaseClaims(of: { $0 == claimant })
        try store.explain([texts[0]: .pasteUnsure, texts[1]: .pasteUnsure])
        #expect(try store.dictation(texts[0])?.delivery == .held(.pasteUnsure))
        #expect(try store.dictation(texts[1])?.delivery == .pending, "nobody has died over it")
        // The user has asked for it since, and it was held for another reason: if a paste of it may have
        // arrived, the user must look before asking again.
        try store.apply(.requeued, to: texts[0])
        try store.apply(.held(.focusMoved), to: texts[0])
        try store.explain([texts[0]: .notResponding])
        #expect(try store.dictation(texts[0])?.delivery == .held(.focusMoved))
        try store.explain([texts[0]: .pasteUnsure])
        #expect(try store.dictation(texts[0])?.delivery == .held(.pasteUnsure))
    }

    @Test("a later count of the display is taken as well, and never a smaller one")
    func recounted() throws {
        let test = try TestGroup()
        let store = try test.store()
        let state = try store.addReady(Self.torn)
        _ = try store.claimNext(by: claimant, patience: 60)
        try store.releaseClaims(of: { $0 == claimant })
        #expect(try store.recount([state.id: 5]).map(\.typedScalars) == [5])
        #expect(try store.recount([state.id: 5]).isEmpty && store.recount([state.id: 4]).isEmpty)
        // Characters after a text are not part of it.
        #expect(try store.recount([state.id: 9]).map(\.delivery) == [.inserted])
        #expect(try store.dictation(state.id)?.remainder == "")
    }

    @Test("text that a window has read counts, also if the rest was requested or held in between")
    func recountedLater() throws {
        let test = try TestGroup()
        let store = try test.store()
        for reason in [HoldReason.notResponding, .focusMoved] {
            let state = try store.addReady("Hello.")
            _ = try store.claimNext(by: claimant, patience: 60)
            try store.apply(.held(reason), to: state.id)
            #expect(try store.recount([state.id: 2]).map(\.insertedCount) == [2])
            try store.apply(.requeued, to: state.id)
            #expect(try store.recount([state.id: 4]).map(\.insertedCount) == [4])
            #expect(try store.dictation(state.id)?.delivery == .pending)
            #expect(try store.recount([state.id: 6]).map(\.delivery) == [.inserted])
            #expect(try store.recount([state.id: 6]).isEmpty)
        }
    }

    @Test("an intent is taken once, answered once, and refused when it is late")
    func intents() throws {
        let test = try TestGroup()
        let store = try test.store()
        let start = try store.submit(.record(.start()))
        let late = try store.submit(.record(.stop()), timeToLive: 100, at: Date(timeIntervalSinceNow: -1))
        let insert = try store.submit(.insert(nil))
        #expect(try store.takeIntents(for: .host).map(\.id) == [start.id])
        #expect(try store.takeIntents(for: .host).isEmpty)
        #expect(try store.takeIntents(for: .inserter).map(\.action) == [.insert(nil)])
        guard case .refused = try store.intent(late.id)?.phase else {
            Issue.record("a late intent was not refused")
            return
        }
        try store.answer(start.id, .done("recording", dictation: nil))
        #expect(try store.intent(start.id)?.phase == .done("recording", dictation: nil))
        try store.refuseAbandonedIntents(of: .inserter)
        guard case .refused = try store.intent(insert.id)?.phase else {
            Issue.record("an intent whose agent died waits for ever")
            return
        }
    }

    @Test("identifiers sort by time and are version 7")
    func identifiers() {
        let early = DictationID(date: Date(timeIntervalSince1970: 1_700_000_000))
        let late = DictationID(date: Date(timeIntervalSince1970: 1_700_000_001))
        #expect(early < late)
        #expect(Array(early.description)[14] == "7")
        #expect(DictationID(early.description) == early)
        #expect(DictationID("nonsense") == nil)
    }
}
