import Foundation
import GRDB
import Testing

@testable import DictationShared

/// Partial results and progress change only a row of `unfinished_dictation`.
@Suite("Partial results and progress")
struct ProgressRowTests {
    private func recording(_ store: StateStore) throws -> DictationState {
        try store.apply(
            .recordingStarted, to: try store.begin(target: nil, engine: "test", locale: "en-US").id)
    }

    @Test("each takes one revision, and every reader sees the newest")
    func chain() throws {
        let test = try TestGroup()
        let (store, other) = (try test.store(), try test.store())
        var state = try recording(store)
        for word in ["so", "so it", "so it goes", "", "so it goes 👩‍👩‍👧"] {
            let next = try store.apply(.partial(word), to: state.id)
            #expect(next.revision == state.revision + 1)
            #expect(try other.dictation(state.id) == next)
            #expect(try other.changes(since: state.revision).dictations == [next])
            state = next
        }
        #expect(try store.revision() == state.revision)
    }

    @Test("commits of others in between change nothing but the number")
    func others() throws {
        let test = try TestGroup()
        let (store, other) = (try test.store(), try test.store())
        var state = try recording(store)
        for index in 0..<5 {
            _ = try other.addReady("text \(index)")
            let before = try other.revision()
            state = try store.apply(.partial("word \(index)"), to: state.id)
            #expect(state.revision == before + 1)
            #expect(try other.dictation(state.id) == state)
        }
        #expect(try Set(other.changes(since: 0).dictations.map(\.revision)).count == 6)
    }

    @Test("a dictation that another process has changed is read again, and the table decides")
    func overtaken() throws {
        let test = try TestGroup()
        let (store, other) = (try test.store(), try test.store())
        let known = try recording(store)
        let changed = try other.apply(.partial("of another"), to: known.id)
        let next = try store.apply(.partial("ours"), to: known.id)
        #expect(next.revision == changed.revision + 1)
        #expect(next.partialText == "ours")
        let cancelled = try other.apply(.cancelled, to: known.id)
        #expect(throws: TransitionRefused.self) { try store.apply(.partial("too late"), to: next.id) }
        #expect(try store.dictation(known.id) == cancelled)
        #expect(try store.revision() == cancelled.revision, "what is refused takes no revision")
    }

    @Test("progress never goes back and never past the end, no matter who follows the dictation")
    func progress() throws {
        let test = try TestGroup()
        let store = try test.store()
        let ready = try store.addReady("abcdef")
        let claimed = try #require(try store.claimNext(by: claimant, patience: 60))
        let typed = try store.apply(.progress(4), to: claimed.id)
        #expect(typed.remainder == "ef")
        for count in [3, 7] {
            #expect(throws: TransitionRefused.self) { try store.apply(.progress(count), to: typed.id) }
            #expect(throws: TransitionRefused.self) { try store.apply(.progress(count), to: claimed.id) }
        }
        let held = try store.apply(.held(.focusMoved), to: ready.id)
        #expect(held.insertedCount == 4)
        #expect(try test.store().dictation(ready.id) == held, "the count outlives the claim")
        #expect(throws: TransitionRefused.self) { try store.apply(.progress(5), to: typed.id) }
    }

    @Test("the change feed has each dictation once, on its way to the end and back")
    func finishedAndBack() throws {
        let test = try TestGroup()
        let store = try test.store()
        let id = try store.addReady("text").id
        var seen = try store.revision()
        let transitions: [DictationTransition] = [
            .held(.focusMoved), .requeued, .claimed(by: claimant), .progress(2), .held(.focusMoved),
            .requeued,
            .claimed(by: claimant), .inserted(milliseconds: 3),
        ]
        for transition in transitions {
            let state = try store.apply(transition, to: id)
            let changes = try store.changes(since: seen)
            #expect(changes.dictations == [state])
            #expect(changes.revision == state.revision && state.revision == seen + 1)
            #expect(try store.unfinished() == (state.isUnfinished ? [state] : []))
            seen = changes.revision
        }
        #expect(try store.changes(since: 0).dictations.count == 1)
    }

    @Test("a store of the first schema is taken over with what was under way in it")
    func migration() throws {
        let test = try TestGroup()
        let first = try #require(StoreSchema.migrator.migrations.first)
        do {
            let queue = try DatabaseQueue(path: test.group.database.path)
            try StoreSchema.migrator.migrate(queue, upTo: first)
            try queue.write { db in
                try db.execute(
                    sql: """
                        PRAGMA application_id = \(AppGroupConstants.databaseApplicationID);
                        UPDATE counter SET revision = 9;
                        INSERT INTO dictation (id, revision, timestamp, status, delivery, delivery_detail, cleaned_text,
                            inserted_count, partial_text, engine, locale) VALUES
                            ('018f0000-0000-7000-8000-000000000001', 3, 1, 'ready', 'inserted', NULL, 'done', 4, '',
                                'test', 'en-US'),
                            ('018f0000-0000-7000-8000-000000000002', 8, 2, 'ready', 'claimed', 'boot/1/2', 'typed',
                                3, '', 'test', 'en-US'),
                            ('018f0000-0000-7000-8000-000000000003', 9, 3, 'recording', NULL, NULL, '', 0, 'so far',
                                'test', 'en-US');
                        """)
            }
        }
        let store = try test.store()
        let states = try store.changes(since: 0).dictations
        #expect(states.map(\.revision) == [3, 8, 9])
        #expect(states.map(\.insertedCount) == [4, 3, 0])
        #expect(states.map(\.partialText) == ["", "", "so far"])
        #expect(try store.unfinished() == Array(states.dropFirst()))
        #expect(try store.apply(.progress(4), to: states[1].id).revision == 10)
    }
}
