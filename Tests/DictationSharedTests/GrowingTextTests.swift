import DictationSystem
import Foundation
import GRDB
import Testing

@testable import DictationShared

@Suite("A text that is typed while it grows")
struct GrowingTextTests {
    private let test: TestGroup
    private let store: StateStore
    private let id: DictationID

    init() throws {
        test = try TestGroup()
        store = try test.store()
        id = try store.begin(target: nil, engine: "test", locale: "en-US").id
        try store.apply(.recordingStarted, to: id)
    }

    private func claim() throws -> DictationState? { try store.claimNext(by: claimant, patience: 60) }

    private func apply(_ transitions: DictationTransition...) throws -> DictationState {
        var state: DictationState?
        for transition in transitions { state = try store.apply(transition, to: id) }
        return try #require(state)
    }

    private func recognized(_ text: String, held: HoldReason? = nil) -> DictationTransition {
        .recognized(.init(rawText: text.lowercased(), cleanedText: text, held: held))
    }

    @Test("is claimed as far as it is settled, again and again, and then to its end")
    func toItsEnd() throws {
        #expect(try claim() == nil, "nothing is settled")
        _ = try apply(.grown("Hello"))
        let first = try #require(try claim())
        #expect(first.status == .recording && first.isGrowthClaimed && first.remainder == "Hello")
        #expect(try claim() == nil, "somebody types it")
        #expect(try store.dictation(id) == first, "read back as it was written")
        // It grows while it is typed.
        _ = try apply(.progress(3), .grown("Hello there"), .partial("hello there how"))
        #expect(try apply(.paused(5)).insertedCount == 5)
        let second = try #require(try claim())
        #expect(second.remainder == " there" && second.partialText == "hello there how")
        _ = try apply(.paused(11))
        #expect(try claim() == nil, "all that is settled is typed")
        _ = try apply(.processingStarted(recording: 1_000))
        let ready = try apply(recognized("Hello there, how are you?"))
        #expect(ready.delivery == .pending && ready.insertedCount == 11 && ready.wrongCommits == 0)
        let last = try #require(try claim())
        #expect(last.delivery == .claimed(by: claimant) && last.growth == nil)
        #expect(last.remainder == ", how are you?")
        #expect(try apply(.inserted(milliseconds: 3)).delivery == .inserted)
    }

    @Test("only grows: other words than those that were settled are refused")
    func appendOnly() throws {
        _ = try apply(.grown("Hello there"))
        for text in ["Hello", "Hallo there, you", ""] {
            #expect(throws: TransitionRefused.self) { try apply(.grown(text)) }
        }
        #expect(try apply(.grown("Hello there, you")).cleanedText == "Hello there, you")
    }

    @Test("the final text is adapted to what is typed, and what is otherwise is counted")
    func wrongCommits() throws {
        _ = try apply(.grown("I went two the"))
        _ = try claim()
        _ = try apply(.paused(14))
        let ready = try apply(recognized("I went to the store."))
        #expect(ready.cleanedText == "I went two the store." && ready.remainder == " store.")
        #expect(ready.wrongCommits == 1)
        #expect(try store.dictation(id)?.wrongCommits == 1)
    }

    @Test("settled words that were never claimed give way to the final text")
    func unclaimed() throws {
        _ = try apply(.grown("I went"))
        _ = try claim()
        _ = try apply(.paused(6), .grown("I went two the"))
        #expect(try apply(recognized("I went to the store.")).cleanedText == "I went to the store.")
    }

    @Test(
        "the final text may come while the inserter types: what was claimed is kept, and nobody else claims it"
    )
    func finalWhileClaimed() throws {
        _ = try apply(.grown("I went two the"))
        _ = try claim()
        _ = try apply(.progress(4))
        let ready = try apply(recognized("I went to the store."))
        #expect(ready.delivery == .pending && ready.isGrowthClaimed && ready.isUnfinished)
        #expect(ready.cleanedText == "I went two the store.")
        #expect(try claim() == nil)
        #expect(try store.unfinished().map(\.id) == [id])
        #expect(try apply(.paused(14)).remainder == " store.")
        #expect(try claim()?.insertedCount == 14)
    }

    @Test("a text that was typed to its end while it grew is inserted when that is reported")
    func typedBeforeTheEnd() throws {
        _ = try apply(.grown("Hello there"))
        _ = try claim()
        _ = try apply(recognized("Hello there"))
        let done = try apply(.paused(11))
        #expect(done.delivery == .inserted && done.timings.typing == 0 && done.isDone)
    }

    @Test("no step of the host in between loses a character that the inserter counts")
    func hostMeanwhile() throws {
        let ends: [(DictationTransition, DictationStatus)] = [
            (.failed(.hostDied(hasSound: true)), .error), (.cancelled, .cancelled),
            (recognized("Hello there you", held: .askedFor), .ready),
        ]
        for (end, status) in ends {
            let id = try store.begin(target: nil, engine: "test", locale: "en-US").id
            try store.apply(.cancelled, to: self.id, orNotIfEnded: true)
            try store.apply(.grown("Hello there"), to: id)
            _ = try claim()
            try store.apply(.progress(3), to: id)
            let ended = try store.apply(end, to: id)
            #expect(ended.isUnfinished && !ended.isDone, "\(status)")
            #expect(try store.trimmable(id) == false)
            try store.apply(.progress(7), to: id)
            let told = try store.apply(.paused(11), to: id)
            #expect(told.status == status && told.insertedCount == 11 && told.growth == nil)
            #expect(!told.isUnfinished)
            #expect(told.cleanedText.hasPrefix("Hello there"))
        }
    }

    @Test("of a dictation that was canceled or has failed, what is typed stays")
    func cancelled() throws {
        _ = try apply(.grown("Hello there"))
        _ = try claim()
        _ = try apply(.paused(5))
        let cancelled = try apply(.cancelled)
        #expect(cancelled.cleanedText == "Hello" && cancelled.growth == nil && cancelled.isDone)
    }

    @Test("held in the middle, the rest waits for the user's request, and continues from there")
    func held() throws {
        _ = try apply(.grown("Hello there"))
        _ = try claim()
        _ = try apply(.progress(5))
        #expect(try apply(.held(.focusMoved)).heldGrowth == .focusMoved)
        #expect(try apply(.grown("Hello there you")).heldGrowth == .focusMoved)
        #expect(try claim() == nil)
        // It is what the key for held texts types, while the user still speaks.
        #expect(try store.newestHeld()?.id == id)
        #expect(try apply(.requeued).growth == .open)
        #expect(try store.newestHeld() == nil)
        #expect(try claim()?.remainder == " there you")
        _ = try apply(.paused(15), .grown("Hello there you two"), .held(.focusMoved))
        let ready = try apply(recognized("Hello there you two."))
        #expect(ready.delivery == .held(.focusMoved) && ready.remainder == " two." && ready.growth == nil)
    }

    @Test("undone in the middle, the words that follow are held")
    func undone() throws {
        _ = try apply(.grown("Hello there"))
        _ = try claim()
        _ = try apply(.paused(11))
        let undone = try apply(.undone(0))
        #expect(undone.heldGrowth == .undone && undone.remainder == "Hello there")
        #expect(try apply(recognized("Hello there.")).delivery == .held(.undone))
    }

    @Test("a dead inserter's claim is held with what the display knows, independent of the host")
    func deadInserter() throws {
        let ends: [DictationTransition?] = [
            nil, recognized("Hello there you."), .failed(.hostDied(hasSound: true)),
        ]
        for end in ends {
            let id = try store.begin(target: nil, engine: "test", locale: "en-US").id
            try store.apply(.cancelled, to: self.id, orNotIfEnded: true)
            try store.apply(.grown("Hello there"), to: id)
            let claimed = try #require(try claim())
            #expect(claimed.id == id)
            if let end { try store.apply(end, to: id) }
            let released = try store.releaseClaims(of: { $0 == claimant }, typed: { _, _ in 7 })
            #expect(released.map(\.id) == [id] && released[0].insertedCount == 7)
            let later = try store.dictation(id)
            switch end {
            case nil: #expect(later?.heldGrowth == .inserterDied)
            case .failed?: #expect(later?.status == .error)
            default: #expect(later?.delivery == .held(.inserterDied))
            }
            // The recording of a failure is recognized again; the typed part is not typed again.
            let whole = DictationTransition.recognized(
                .init(rawText: "", cleanedText: "Hello there you.", held: .recovered))
            if later?.delivery == nil { try store.apply(whole, to: id) }
            #expect(try store.dictation(id)?.remainder == "here you.")
            #expect(try store.dictation(id)?.isUnfinished == false)
        }
    }

    @Test(
        "if one dies that pasted a piece of it, the user must look first, for any reason of the hold",
        arguments: [
            (HoldReason.interrupted, HoldReason.pasteUnsure), (.escapePressed, .pasteUnsure),
            // A command takes the text, and types nothing.
            (.askedFor, .askedFor),
        ])
    func pasteUnsure(held: HoldReason, wanted: HoldReason) throws {
        for isLate in [false, true] {
            let id = try store.begin(target: nil, engine: "test", locale: "en-US").id
            try store.apply(.cancelled, to: self.id, orNotIfEnded: true)
            try store.apply(.grown("Hello there"), to: id)
            #expect(try claim()?.id == id)
            try store.apply(recognized("Hello there you.", held: held), to: id)
            if isLate {
                // A process that cannot ask the display has noticed it before.
                try store.releaseClaims(of: { $0 == claimant })
                #expect(try store.dictation(id)?.delivery == .held(held))
                try store.explain([id: .pasteUnsure])
            } else {
                try store.releaseClaims(of: { $0 == claimant }, reason: { _, _ in .pasteUnsure })
            }
            #expect(try store.dictation(id)?.delivery == .held(wanted))
            #expect(try store.dictation(id)?.isUnfinished == false)
        }
    }

    @Test("the display's count comes after another process has held it")
    func recounted() throws {
        _ = try apply(.grown("Hello there"))
        _ = try claim()
        try store.releaseClaims(of: { _ in true })
        #expect(try store.dictation(id)?.heldGrowth == .inserterDied)
        #expect(try store.recount([id: 6]).map(\.insertedCount) == [6])
        // All that may be on its way is kept, as another text would not fit the count.
        let failed = try apply(.failed(.hostDied(hasSound: true)))
        #expect(failed.cleanedText == "Hello there" && failed.insertedCount == 6)
        #expect(try store.recount([id: 8]).map(\.insertedCount) == [8])
    }

    @Test("a new inserter does not continue in a window that it does not know")
    func continued() throws {
        _ = try apply(.grown("Hello there"))
        #expect(try store.holdContinued().isEmpty, "nothing is typed yet")
        _ = try claim()
        _ = try apply(.paused(11))
        #expect(try store.holdContinued().map(\.heldGrowth) == [.inserterDied])
        let other = try store.begin(target: nil, engine: "test", locale: "en-US").id
        _ = try apply(recognized("Hello there."))
        for step in [.grown("And"), .claimed(by: claimant), .paused(3), recognized("And more.")]
            as [DictationTransition]
        {
            try store.apply(step, to: other)
        }
        #expect(try store.holdContinued().map(\.delivery) == [.held(.inserterDied)])
    }

    @Test("settled words that could not be typed for too long are held")
    func stale() throws {
        try store.apply(.grown("Hello"), to: id, at: Date(timeIntervalSinceNow: -61))
        #expect(try claim() == nil)
        #expect(try store.dictation(id)?.heldGrowth == .stale)
    }

    @Test("as long as words are added, a text that could not be typed is not too old")
    func spokenOn() throws {
        try store.apply(.grown("Hello"), to: id, at: Date(timeIntervalSinceNow: -300))
        try store.apply(.grown("Hello there"), to: id, at: Date(timeIntervalSinceNow: -3))
        #expect(try claim()?.remainder == "Hello there")
    }

    @Test("a text that grows is typed after those that were spoken before it")
    func order() throws {
        let later = try store.begin(target: nil, engine: "test", locale: "en-US").id
        try store.apply(.grown("Later"), to: later)
        #expect(try claim() == nil)
        _ = try apply(.cancelled)
        #expect(try claim()?.id == later)
    }

    @Test("a value of the column that this version does not know is held, and damages nothing")
    func unknownValue() throws {
        _ = try apply(.grown("Hello"))
        for value in ["shrinking", "", "held", "held by-magic", "open wide", "claimed"] {
            try store.write { transaction in
                try transaction.db.execute(sql: "UPDATE dictation SET growing = ?", arguments: [value])
            }
            let state = try #require(try test.store().dictation(id))
            #expect(state.cleanedText == "Hello" && state.status == .recording, "\(value)")
            if !value.hasPrefix("open"), value != "claimed" {
                #expect(state.heldGrowth == .typingFailed, "\(value)")
                #expect(try claim() == nil)
            }
        }
    }

    @Test("a store that was lost in the middle gets it back as it was")
    func writtenAgain() throws {
        for ways: [DictationTransition] in [
            [.grown("Hello"), .claimed(by: claimant), .progress(2)],
            [.grown("Hello"), .claimed(by: claimant), .paused(5), .grown("Hello you")],
            [.grown("Hello"), .claimed(by: claimant), .progress(2), .held(.focusMoved)],
        ] {
            let fresh = try TestGroup()
            let (keeper, begun) = (DictationKeeper(store: try fresh.store()), DictationID())
            var state = try store.begin(begun, target: nil, engine: "test", locale: "en-US")
            for step in [.recordingStarted] + ways { state = try store.apply(step, to: begun) }
            keeper.adopt(state)
            let again = try keeper.apply(.noticed(.noSpeech), to: begun, orElse: .partial("more"))
            #expect(again.growth == state.growth && again.insertedCount == state.insertedCount)
            #expect(again.cleanedText == state.cleanedText)
        }
    }
}

extension StateStore {
    fileprivate func apply(
        _ transition: DictationTransition, to id: DictationID, orNotIfEnded: Bool
    ) throws {
        do { try apply(transition, to: id) } catch is TransitionRefused {}
    }

    fileprivate func trimmable(_ id: DictationID) throws -> Bool {
        try read { db in
            var row = try DirectStatement(
                "SELECT 1 FROM dictation WHERE id = ? AND \(DictationRow.isDoneAndLetGo)", db)
            try row.bind(id.description)
            return try row.step()
        }
    }
}

extension DictationKeeper {
    fileprivate func apply(
        _ transition: DictationTransition, to id: DictationID, orElse other: DictationTransition
    ) throws -> DictationState {
        do { return try apply(transition, to: id) } catch is TransitionRefused {
            return try apply(other, to: id)
        }
    }
}
