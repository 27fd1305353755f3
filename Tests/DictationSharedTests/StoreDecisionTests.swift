import DictationSystem
import Foundation
import Testing

@testable import DictationShared

@Suite("Decisions about a store that fails")
struct StoreDecisionTests {
    @Test(
        "each fault has its remedies, in order and once each; then the call gives up",
        arguments: [
            (StoreFault.replaced, [.reopen, .reopenChecking]),
            (.openedToLook, [.openToWrite]),
            (.damaged("malformed"), [.reopenChecking, .replace]),
            (.full, [.releaseReserve]),
            (.readOnly("EROFS"), [.reopen]),
            (.unusable("I/O"), [.reopen]),
            (.busy, []),
        ] as [(StoreFault, [StoreRepair.Remedy])])
    func remedies(fault: StoreFault, expected: [StoreRepair.Remedy]) {
        var repair = StoreRepair()
        for remedy in expected { #expect(repair.next(after: fault) == remedy) }
        #expect(repair.next(after: fault) == nil)
    }

    @Test("a call that meets fault after fault ends")
    func ends() {
        let faults: [StoreFault] = [
            .replaced, .openedToLook, .damaged(""), .full, .readOnly(""), .unusable(""), .busy,
        ]
        for seed in 0..<1_000 {
            var repair = StoreRepair()
            var generator = SystemRandomNumberGenerator()
            var count = 0
            while let fault = faults.randomElement(using: &generator), repair.next(after: fault) != nil {
                count += 1
            }
            #expect(count <= StoreRepair.Remedy.allCases.count, "try \(seed)")
        }
    }

    static let full = StoreError.diskFull(path: "/x")
    static let gone = StoreError.vanished(path: "/x")

    @Test(
        "trouble is reported once, and its end once; reading does not end what prevents writing",
        arguments: [
            ([.worked(.reading), .worked(.writing)], [nil, nil]),
            ([.failed(full), .failed(full), .failed(gone)], [.trouble(full), nil, .trouble(gone)]),
            (
                [.failed(full), .worked(.reading), .worked(.writing), .worked(.writing)],
                [.trouble(full), nil, .recovered(from: full), nil]
            ),
            ([.failed(gone), .worked(.reading)], [.trouble(gone), .recovered(from: gone)]),
        ] as [([StoreHealth.Event], [StoreNotice?])])
    func health(events: [StoreHealth.Event], notices: [StoreNotice?]) {
        var health = StoreHealth()
        #expect(events.map { health.handle($0) } == notices)
    }

    @Test("the waits grow, have a longest one, and do not end")
    func waits() {
        let waits = [1, 2, 3, 6, 7, 1_000_000].map { RetryPolicy.savingWhatIsKept.delay(afterFailures: $0) }
        #expect(waits == [1, 2, 4, 30, 30, 30].map { Duration.seconds($0) })
    }

    // MARK: - Dictations in memory

    private static let date = Date(timeIntervalSince1970: 1_700_000_000)

    private static func begun() -> (UnsavedDictations, DictationID) {
        var unsaved = UnsavedDictations()
        let state = DictationState(
            id: DictationID(date: date), revision: 0, timestamp: date, phase: .starting, target: nil,
            engine: "test", locale: "en-US")
        unsaved.begin(state)
        return (unsaved, state.id)
    }

    private static func change(_ transition: DictationTransition) -> UnsavedDictations.Change {
        .init(transition: transition, date: date)
    }

    @Test("of partial results the newest is kept, of all else everything, in order")
    func keeps() throws {
        var (unsaved, id) = Self.begun()
        let text = DictationTransition.recognized(.init(rawText: "one two", cleanedText: "One two."))
        for transition in [.recordingStarted, .partial("one"), .partial("one two"), text] {
            try unsaved.add(Self.change(transition), to: id)
        }
        let record = try #require(unsaved.unsaved.first)
        #expect(record.unsaved.map(\.transition) == [.recordingStarted, .partial("one two"), text])
        #expect(record.state.cleanedText == "One two.")
        #expect(throws: TransitionRefused.self) { try unsaved.add(Self.change(.recordingStarted), to: id) }
    }

    @Test(
        "of a text that grows the newest is kept, saved or not, for speech of any length",
        arguments: [true, false])
    func grows(isSaved: Bool) throws {
        var (unsaved, id) = Self.begun()
        try unsaved.add(Self.change(.recordingStarted), to: id)
        func save() throws {
            if isSaved { unsaved.saved(try #require(unsaved.records[id]?.state)) }
        }
        try save()
        var text = ""
        for number in 1...100 {
            text += "word\(number) "
            try unsaved.add(Self.change(.partial(text)), to: id)
            try save()
            try unsaved.add(Self.change(.grown(text)), to: id)
            try save()
        }
        let record = try #require(unsaved.records[id])
        #expect(record.whole.map(\.transition) == [.recordingStarted, .partial(text), .grown(text)])
        #expect(record.isSaved == isSaved)
    }

    @Test(
        "a host forgets a dictation that it has told, though an inserter still types some of it; and so does the inserter"
    )
    func forgotten() throws {
        var (host, id) = Self.begun()
        var state = try #require(host.records[id]?.state)
        func apply(_ transition: DictationTransition) throws {
            state = try state.applying(transition)
        }
        for transition in [.recordingStarted, .grown("Hello")] as [DictationTransition] {
            try host.add(Self.change(transition), to: id)
            try apply(transition)
            host.saved(state)
        }
        #expect(host.begun == [id])
        try apply(.claimed(by: claimant))
        var inserter = UnsavedDictations()
        inserter.adopt(state, at: Self.date)
        #expect(inserter.begun.isEmpty)
        let text = DictationTransition.recognized(.init(rawText: "hello", cleanedText: "Hello"))
        try host.add(Self.change(text), to: id)
        try apply(text)
        host.saved(state)
        #expect(host.records.isEmpty && host.begun.isEmpty)
        try inserter.add(Self.change(.progress(2)), to: id)
        try apply(.progress(2))
        inserter.saved(state)
        #expect(inserter.records[id] != nil)
        try apply(.paused(5))
        inserter.saved(state)
        #expect(state.delivery == .inserted && inserter.records.isEmpty)
    }

    @Test("an agent that records and types knows of both")
    func both() throws {
        var (unsaved, id) = Self.begun()
        try unsaved.add(Self.change(.grown("Hello")), to: id)
        var state = try #require(unsaved.records[id]?.state)
        unsaved.saved(state)
        state = try state.applying(.claimed(by: claimant))
        unsaved.adopt(state, at: Self.date)
        state = try state.applying(.paused(5))
        unsaved.saved(state)
        #expect(unsaved.records[id] != nil && unsaved.begun == [id])
    }

    @Test("saved dictations are written again to a store that lost them, and forgotten when all is done")
    func lost() throws {
        var (unsaved, id) = Self.begun()
        try unsaved.add(Self.change(.recordingStarted), to: id)
        let state = try #require(unsaved.records[id]?.state)
        unsaved.saved(state)
        #expect(unsaved.unsaved.isEmpty)
        unsaved.lost(id)
        #expect(unsaved.unsaved.first?.whole.map(\.transition) == [.recordingStarted])
        try unsaved.add(Self.change(.failed(.noSpeech)), to: id)
        let ended = try #require(unsaved.records[id]?.state)
        unsaved.saved(ended)
        #expect(unsaved.records.isEmpty)
    }

    @Test(
        "a growing text that the store lost comes back held, with what is typed of it: no word is typed twice",
        arguments: [true, false])
    func growingAgain(isTyped: Bool) throws {
        let test = try TestGroup()
        let store = try test.store()
        let host = DictationKeeper(store: store)
        let id = DictationID()
        try host.begin(id, target: nil, engine: "test", locale: "en-US")
        try host.apply(.recordingStarted, to: id)
        try host.apply(.grown("Hello"), to: id)
        if isTyped {
            #expect(try store.claimNext(by: claimant, patience: 60)?.remainder == "Hello")
            try store.apply(.paused(5), to: id)
            // Nothing more is said until the store is lost.
            host.note(try #require(try store.dictation(id)))
        }
        try FileManager.default.removeItem(at: test.folder)
        try host.apply(.grown("Hello there"), to: id)
        let held = try #require(try store.dictation(id))
        #expect(held.heldGrowth == .typingFailed && held.insertedCount == (isTyped ? 5 : 0))
        #expect(try store.claimNext(by: claimant, patience: 60) == nil)
        let text = DictationTransition.recognized(
            .init(rawText: "hello there you", cleanedText: "Hello there, you."))
        #expect(try host.apply(text, to: id).delivery == .held(.typingFailed))
        try store.apply(.requeued, to: id)
        let rest = try store.claimNext(by: claimant, patience: 60)?.remainder
        #expect(rest == (isTyped ? " there, you." : "Hello there, you."))
    }

    @Test("a claimed text that the store lost comes back as it was claimed")
    func claimedAgain() throws {
        let test = try TestGroup()
        let store = try test.store()
        let added = try store.addReady("Hello there.")
        let claimed = try #require(try store.claimNext(by: claimant, patience: 60))
        let keeper = DictationKeeper(store: store)
        keeper.adopt(claimed)
        try keeper.apply(.progress(5), to: added.id)
        try FileManager.default.removeItem(at: test.folder)
        try keeper.apply(.progress(9), to: added.id)
        #expect(try store.dictation(added.id)?.insertedCount == 9)
        try keeper.apply(.inserted(milliseconds: 3), to: added.id)
        #expect(try test.store().dictation(added.id)?.delivery == .inserted)
    }

    @Test("a text typed on from the middle of a character comes back there, too")
    func tornAgain() throws {
        let test = try TestGroup()
        let store = try test.store()
        let added = try store.addReady("Caf\u{65}\u{301} at noon.")
        _ = try store.claimNext(by: claimant, patience: 60)
        try store.releaseClaims(of: { $0 == claimant }, typed: { _, _ in 4 })
        try store.apply(.requeued, to: added.id)
        let claimed = try #require(try store.claimNext(by: claimant, patience: 60))
        #expect(claimed.insertedCount == 3 && claimed.tornScalars == 1)
        let keeper = DictationKeeper(store: store)
        keeper.adopt(claimed)
        try FileManager.default.removeItem(at: test.folder)
        try keeper.apply(.progress(3), to: added.id)
        try keeper.apply(.held(.focusMoved), to: added.id)
        let again = try #require(try test.store().dictation(added.id))
        #expect(again.delivery == .held(.focusMoved))
        #expect(again.insertedCount == 3 && again.tornScalars == 1)
        #expect(again.remainder.unicodeScalars.elementsEqual(claimed.remainder.unicodeScalars))
    }
}
