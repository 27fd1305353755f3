import Foundation
import Testing

@testable import DictationShared

@Suite("Claims")
struct ClaimTests {
    @Test("a claim of what another process has committed takes one revision, and every reader sees it")
    func revisions() throws {
        let test = try TestGroup()
        let (store, other) = (try test.store(), try test.store())
        for index in 0..<4 {
            let ready = try other.addReady("text \(index) 👩‍👩‍👧")
            let state = try #require(try store.claimNext(by: claimant, patience: 60))
            #expect(state.id == ready.id && state.revision == ready.revision + 1)
            #expect(state.delivery == .claimed(by: claimant))
            for reader in [store, other] {
                #expect(try reader.dictation(ready.id) == state)
                #expect(try reader.unfinished() == [state])
                #expect(try reader.changes(since: ready.revision).dictations == [state])
                #expect(try reader.changes(since: state.revision).dictations.isEmpty)
                #expect(try reader.revision() == state.revision)
            }
            // Progress has the claim's own revision.
            let typed = try store.apply(.progress(3), to: state.id)
            #expect(typed.revision == state.revision + 1)
            let done = try store.apply(.inserted(milliseconds: 1), to: state.id)
            #expect(done.insertedCount == state.cleanedText.count)
            #expect(try other.changes(since: typed.revision).dictations == [done])
        }
        #expect(try Set(other.changes(since: 0).dictations.map(\.revision)).count == 4)
    }

    @Test("an inserter that waited in vain changes nothing")
    func inVain() throws {
        let test = try TestGroup()
        let (store, other) = (try test.store(), try test.store())
        func claim() throws -> DictationState? {
            try store.claimNext(by: claimant, patience: 60)
        }
        #expect(try claim() == nil)
        let spoken = try other.begin(target: nil, engine: "test", locale: "en-US")
        _ = try other.addReady("later")
        let revision = try store.revision()
        #expect(try claim() == nil, "the earlier dictation is not ready")
        #expect(try store.revision() == revision)
        _ = try other.apply(.cancelled, to: spoken.id)
        #expect(try other.claimNext(by: Claimant("boot/3/4"), patience: 60) != nil)
        #expect(try claim() == nil, "another one was sooner")
        #expect(try store.unfinished().map(\.delivery) == [.claimed(by: Claimant("boot/3/4"))])
    }

    @Test("a text that is too old is held, and the next one is claimed in the same call")
    func stale() throws {
        let test = try TestGroup()
        let store = try test.store()
        let old = try store.addReady("old", at: Date(timeIntervalSinceNow: -61))
        let fresh = try store.addReady("fresh")
        #expect(try store.claimNext(by: claimant, patience: 60)?.id == fresh.id)
        #expect(try store.dictation(old.id)?.delivery == .held(.stale))
    }

    @Test("an inserter that has decided about one text claims no other")
    func decided() throws {
        let test = try TestGroup()
        let store = try test.store()
        func claim(_ id: DictationID) throws -> DictationState? {
            try store.claimNext(by: claimant, patience: 60, only: id)
        }
        let old = try store.addReady("old", at: Date(timeIntervalSinceNow: -61))
        let fresh = try store.addReady("fresh")
        let revision = try store.revision()
        #expect(try claim(fresh.id) == nil, "it is not its turn")
        #expect(try store.revision() == revision)
        #expect(try claim(old.id) == nil, "it is too old")
        #expect(try store.dictation(old.id)?.delivery == .held(.stale))
        #expect(try store.dictation(fresh.id)?.delivery == .pending)
        #expect(try claim(fresh.id)?.id == fresh.id)
    }

    @Test("a client holds a text that waits, and leaves one that is claimed to its inserter")
    func heldByClient() throws {
        let test = try TestGroup()
        let (store, client) = (try test.store(), try test.store())
        let waiting = try store.addReady("waiting")
        #expect(try client.holdPending(waiting.id, because: .interrupted))
        #expect(try store.dictation(waiting.id)?.delivery == .held(.interrupted))
        #expect(try !client.holdPending(waiting.id, because: .interrupted))
        let typed = try store.addReady("typed")
        let claimed = try #require(try store.claimNext(by: claimant, patience: 60))
        #expect(claimed.id == typed.id)
        #expect(try !client.holdPending(typed.id, because: .interrupted))
        #expect(try store.dictation(typed.id) == claimed)
        _ = try store.apply(.inserted(milliseconds: 1), to: typed.id)
        // Its beginning is being typed since before it was ready.
        let spoken = try store.begin(target: nil, engine: "test", locale: "en-US")
        _ = try store.apply(.recordingStarted, to: spoken.id)
        _ = try store.apply(.grown("so far"), to: spoken.id)
        _ = try #require(try store.claimNext(by: claimant, patience: 60))
        _ = try store.apply(.processingStarted(recording: 1), to: spoken.id)
        _ = try store.apply(
            .recognized(.init(rawText: "so far so good", cleanedText: "so far so good")), to: spoken.id)
        #expect(try store.dictation(spoken.id)?.delivery == .pending)
        #expect(try !client.holdPending(spoken.id, because: .interrupted))
        #expect(try store.dictation(spoken.id)?.isGrowthClaimed == true)
    }

    @Test("nothing is claimed in a store that was replaced: what is there now counts")
    func replaced() throws {
        let test = try TestGroup()
        let store = try test.store()
        _ = try store.addReady("of the old store")
        for path in try FileManager.default.contentsOfDirectory(atPath: test.folder.path)
        where path.hasPrefix("dictation.sqlite") || path == "revision" {
            try FileManager.default.removeItem(at: test.folder.appending(path: path))
        }
        let new = try test.store().addReady("of the new one")
        #expect(try store.claimNext(by: claimant, patience: 60)?.id == new.id)
        #expect(try test.store().dictation(new.id)?.delivery == .claimed(by: claimant))
    }
}
