import Testing

@testable import DictationShared

@Suite("A text that is mended while it grows")
struct RevisedTextTests {
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

    @discardableResult
    private func apply(_ transitions: DictationTransition...) throws -> DictationState {
        var state: DictationState?
        for transition in transitions { state = try store.apply(transition, to: id) }
        return try #require(state)
    }

    private func recognized(_ text: String, held: HoldReason? = nil) -> DictationTransition {
        .recognized(.init(rawText: text.lowercased(), cleanedText: text, held: held, mayBeMended: true))
    }

    /// A text that is typed up to there, and is not being typed now.
    private func type(_ text: String) throws {
        try apply(.regrown(text))
        _ = try claim()
        try apply(.paused(text.count))
    }

    @Test(
        "the inserter claims it though nothing is left to type, removes what is otherwise, and goes on from there"
    )
    func mended() throws {
        try type("I went two")
        let wished = try apply(.regrown("I went to the"))
        #expect(wished.revisedText == "I went to the" && wished.insertedCount == 10)
        #expect(wished.cleanedText == "I went two the", "what follows if nothing can be removed")
        let claimed = try #require(try claim())
        #expect(claimed.isGrowthClaimed && claimed.revisedText == "I went to the")
        #expect(try store.dictation(id) == claimed, "read back as it was written")
        let removed = try apply(.undone(8))
        #expect(removed.isGrowthClaimed && removed.insertedCount == 8)
        let mended = try apply(.mended("I went to the"))
        #expect(mended.cleanedText == "I went to the" && mended.remainder == "o the")
        #expect(mended.revisedText == nil && mended.isGrowthClaimed)
        #expect(try apply(.paused(13)).growth == .open)
        #expect(try claim() == nil)
        let ready = try apply(recognized("I went to the store."))
        #expect(ready.remainder == " store." && ready.revisedText == nil && ready.wrongCommits == 0)
    }

    @Test("words that are not typed are replaced at once")
    func unclaimed() throws {
        try apply(.regrown("I went two"))
        #expect(try apply(.regrown("I want to")).cleanedText == "I want to")
        #expect(try store.dictation(id)?.revisedText == nil)
    }

    @Test("if nothing is removed, the revised text is joined to what is there")
    func joined() throws {
        try type("I went two")
        try apply(.regrown("I went to the"))
        _ = try claim()
        let joined = try apply(.mended("I went to the"))
        #expect(joined.cleanedText == "I went two the" && joined.remainder == " the")
        #expect(joined.revisedText == nil)
    }

    @Test("claimed words stay: the inserter sees other words when it looks again")
    func claimedMeanwhile() throws {
        try apply(.regrown("I went two"))
        _ = try claim()
        let wished = try apply(.progress(4), .regrown("I want to the"))
        #expect(wished.cleanedText.hasPrefix("I went two") && wished.revisedText == "I want to the")
        #expect(try apply(.paused(10)).revisedText == "I want to the")
        _ = try claim()
        // Others still, in the middle of the BackSpaces.
        try apply(.undone(3), .regrown("I want two"))
        #expect(throws: TransitionRefused.self) { try apply(.mended("I want to the")) }
        #expect(try apply(.mended("I want two")).remainder == "ant two")
    }

    @Test("the whole text is mended too, also when it comes while the inserter types")
    func whole() throws {
        try type("I went two")
        let ready = try apply(recognized("I went to the store."))
        #expect(ready.delivery == .pending && ready.revisedText == "I went to the store.")
        #expect(ready.cleanedText == "I went two the store." && ready.wrongCommits == 1)
        let claimed = try #require(try claim())
        #expect(claimed.delivery == .claimed(by: claimant) && claimed.revisedText != nil)
        try apply(.undone(8))
        let mended = try apply(.mended("I went to the store."))
        #expect(mended.remainder == "o the store." && mended.wrongCommits == 0)
        #expect(try apply(.inserted(milliseconds: 2)).delivery == .inserted)
    }

    @Test("a whole text with fewer words than were typed is mended before it counts as inserted")
    func shorter() throws {
        try apply(.regrown("I went there er"))
        _ = try claim()
        try apply(recognized("I went there"))
        let ready = try apply(.paused(15))
        #expect(ready.delivery == .pending && ready.remainder.isEmpty && ready.revisedText == "I went there")
        #expect(try claim() != nil)
        try apply(.undone(12), .mended("I went there"))
        #expect(try apply(.inserted(milliseconds: 2)).cleanedText == "I went there")
    }

    @Test("held or undone, nothing is mended any more, and the count says what is there")
    func held() throws {
        try type("I went two")
        try apply(.regrown("I went to the"))
        _ = try claim()
        let held = try apply(.undone(9), .held(.focusMoved))
        #expect(held.heldGrowth == .focusMoved && held.insertedCount == 9 && held.revisedText == nil)
        #expect(held.remainder == "o the")
        #expect(try apply(.regrown("I want")).revisedText == nil)
        #expect(try apply(.undone(0)).heldGrowth == .undone)
        #expect(try apply(recognized("I want to")).delivery == .held(.undone))
    }

    @Test(
        "killed in the middle of the BackSpaces, what is left by the display's word counts, whatever the host did"
    )
    func killed() throws {
        let ends: [DictationTransition?] = [
            nil, recognized("I went to the store."), .failed(.hostDied(hasSound: true)), .cancelled,
            recognized("I went to the store.", held: .askedFor),
        ]
        for end in ends {
            let id = try store.begin(target: nil, engine: "test", locale: "en-US").id
            for earlier in try store.unfinished() where earlier.id != id {
                try store.apply(.cancelled, to: earlier.id)
            }
            for step in [.regrown("I went two"), .claimed(by: claimant), .paused(10), .regrown("I went to")]
                as [DictationTransition]
            {
                try store.apply(step, to: id)
            }
            #expect(try claim()?.id == id)
            if let end { try store.apply(end, to: id) }
            try store.releaseClaims(of: { $0 == claimant }, left: { _, _ in 7 })
            let state = try #require(try store.dictation(id))
            #expect(
                state.insertedCount == 7 && state.revisedText == nil && !state.isGrowthClaimed, "\(state)")
            switch end {
            case nil: #expect(state.heldGrowth == .inserterDied)
            case .recognized(let text)?:
                #expect(state.delivery == .held(text.held ?? .inserterDied))
                #expect(state.remainder.hasPrefix("two") && state.remainder.hasSuffix("store."))
            default: #expect(!state.isUnfinished)
            }
        }
    }

    @Test("killed when the whole text was claimed, it is held, and no word of it is missing")
    func killedAtTheEnd() throws {
        try type("I went two")
        try apply(recognized("I went to"))
        _ = try claim()
        // Nothing was removed yet: the typed text is that of the store.
        let whole = try store.releaseClaims(of: { $0 == claimant })
        #expect(whole.map(\.delivery) == [.inserted] && whole[0].cleanedText == "I went two")
        // The display knows better.
        #expect(try apply(.undone(8)).delivery == .held(.undone))
        #expect(try store.dictation(id)?.remainder == "wo")
    }

    @Test("released by a process that cannot ask the display: then a failed one is counted again, too")
    func noticedLate() throws {
        try type("I went two")
        try apply(.regrown("I went to"))
        _ = try claim()
        try apply(.failed(.hostDied(hasSound: true)))
        try store.releaseClaims(of: { $0 == claimant })
        #expect(try apply(.undone(8)).insertedCount == 8)
        let again = try apply(
            .recognized(.init(rawText: "", cleanedText: "I went to the store.", held: .recovered)))
        #expect(again.remainder == "wo the store.")
    }
}

@Suite("How much is removed so that another text can be typed")
struct LiveRevisionTests {
    struct Case: Sendable {
        let typed, revised, removed: String
        var first = 0
    }

    private static let long = "we meet on Monday at the place that you know and then we go to the other place"

    @Test(
        "only what is otherwise, at most 60 characters, and never across a newline",
        arguments: [
            Case(typed: "I went two", revised: "I went to the", removed: "wo"),
            Case(typed: "I went to", revised: "I went to the", removed: ""),
            Case(typed: "I went to the s", revised: "I went", removed: " to the s"),
            Case(typed: "", revised: "I", removed: ""),
            // Nothing of a line that has ended.
            Case(typed: "First\nsecond", revised: "Fist\nseconds", removed: ""),
            Case(typed: "First\nsecond", revised: "First\nsecant", removed: "ond"),
            // Not the earlier text.
            Case(typed: "I went two", revised: "You went to", removed: " two", first: 6),
            // A letter with an accent is not the same as the two.
            Case(typed: "cafe\u{301}", revised: "caf\u{e9}", removed: "e\u{301}"),
            Case(typed: long, revised: long.replacing("other", with: "others"), removed: " place"),
            // The difference is too far back: everything after it stays.
            Case(typed: long, revised: long.replacing("Monday", with: "Tuesday"), removed: ""),
        ])
    func removed(row: Case) {
        let revision = LiveRevision(of: row.typed, to: row.revised, behind: row.first)
        #expect(revision.removed == row.removed)
        #expect(row.typed.prefix(revision.kept) + revision.removed == row.typed)
    }

    @Test("a difference farther back stays, and one after it is mended")
    func partly() {
        let revised = Self.long.replacing("Monday", with: "Tuesday").replacing("other", with: "next")
        let revision = LiveRevision(of: Self.long, to: revised)
        #expect(revision.removed == " other place")
        let whole = LiveJoin(String(Self.long.prefix(revision.kept)), revised).text
        #expect(whole == Self.long.replacing("other", with: "next"))
    }
}
