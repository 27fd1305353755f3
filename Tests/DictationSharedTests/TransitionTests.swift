import DictationShared
import Foundation
import Testing

@Suite("The table of transitions")
struct TransitionTests {
    /// Each state that a dictation can be in, by the transitions that lead there.
    static let ways: [(name: String, way: [DictationTransition])] = [
        ("starting", []),
        ("recording", [.recordingStarted]),
        ("processing", [.recordingStarted, .processingStarted(recording: 1_000)]),
        ("pending", [ready]),
        ("claimed", [ready, .claimed(by: claimant)]),
        ("inserted", [ready, .claimed(by: claimant), .inserted(milliseconds: 5)]),
        ("held", [ready, .held(.noFocus)]),
        ("pending command", [command]),
        ("claimed command", [command, .claimed(by: claimant)]),
        ("discarded", [ready, .discarded]),
        ("error", [.failed(.noSpeech)]),
        ("cancelled", [.cancelled]),
    ]

    static let command = DictationTransition.recognized(.init(rawText: "scratch that", cleanedText: ""))
    static let ready = DictationTransition.recognized(.init(rawText: "hello", cleanedText: "Hello."))

    /// The transitions that each state allows; all others are refused.
    static let allowed: [String: Set<String>] = [
        "starting": [
            "start recording", "take a partial result", "start processing", "take the recognized text",
            "fail",
            "cancel",
        ],
        "recording": [
            "take a partial result", "start processing", "take the recognized text", "fail", "cancel",
        ],
        "processing": ["take a partial result", "take the recognized text", "fail", "cancel"],
        "pending": ["claim", "hold", "discard", "count again"],
        "claimed": ["adapt the text", "take a notice", "record progress", "mark as inserted", "hold"],
        "inserted": ["insert", "undo", "edit"],
        "pending command": ["claim", "hold", "discard", "fail"],
        "claimed command": ["adapt the text", "take a notice", "mark as inserted", "hold", "fail"],
        "held": ["insert", "discard", "count again"],
        "discarded": ["insert"],
        "error": ["fail"],
        "cancelled": [],
    ]

    static let transitions: [DictationTransition] = [
        .recordingStarted, .partial("he"), .processingStarted(recording: 1), ready, .failed(.noSpeech),
        .cancelled,
        .claimed(by: claimant), .progress(3), .inserted(milliseconds: 1), .held(.noFocus), .requeued,
        .discarded, .recounted(scalars: 3), .adapted("hello"), .noticed(.noSpeech), .undone(0),
        .revised("Hullo.", typed: 1, by: claimant),
    ]

    @Test("the store allows exactly what the table allows", arguments: ways.map(\.name))
    func table(name: String) throws {
        let way = try #require(Self.ways.first { $0.name == name }).way
        let test = try TestGroup()
        let store = try test.store()
        for transition in Self.transitions {
            let begun = try store.begin(target: nil, engine: "test", locale: "en-US")
            for step in way { try store.apply(step, to: begun.id) }
            let before = try #require(try store.dictation(begun.id))
            let isAllowed = try #require(Self.allowed[name]).contains(transition.name)
            if isAllowed {
                let after = try store.apply(transition, to: begun.id)
                #expect(after.revision == before.revision + 1)
                #expect(try store.dictation(begun.id) == after)
            } else {
                #expect(throws: TransitionRefused.self, "\(name): \(transition.name)") {
                    try store.apply(transition, to: begun.id)
                }
                #expect(try store.dictation(begun.id) == before, "a refused transition changes nothing")
            }
        }
    }

    @Test("the recording of a failure may be recognized later, but is never typed unasked")
    func recognizedLater() throws {
        let test = try TestGroup()
        let store = try test.store()
        let begun = try store.begin(target: nil, engine: "test", locale: "en-US")
        try store.apply(.failed(.hostDied(hasSound: true)), to: begun.id)
        #expect(throws: TransitionRefused.self) { try store.apply(Self.ready, to: begun.id) }
        let text = DictationTransition.Recognized(rawText: "hello", cleanedText: "Hello.", held: .recovered)
        #expect(try store.apply(.recognized(text), to: begun.id).delivery == .held(.recovered))
        #expect(try store.apply(.requeued, to: begun.id).delivery == .pending)
    }

    @Test(
        "progress never goes backward or past the end",
        arguments: [(-1, false), (2, false), (3, true), (6, true), (7, false)])
    func progress(count: Int, isAllowed: Bool) throws {
        let test = try TestGroup()
        let store = try test.store()
        let state = try store.addReady("Hello.")
        _ = try store.claimNext(by: claimant, patience: 60)
        try store.apply(.progress(3), to: state.id)
        if isAllowed {
            #expect(try store.apply(.progress(count), to: state.id).insertedCount == count)
        } else {
            #expect(throws: TransitionRefused.self) { try store.apply(.progress(count), to: state.id) }
        }
    }

    @Test("a held text keeps what was typed; asking again for an inserted one begins again")
    func requeued() throws {
        let test = try TestGroup()
        let store = try test.store()
        let state = try store.addReady("Hello.")
        _ = try store.claimNext(by: claimant, patience: 60)
        try store.apply(.progress(4), to: state.id)
        try store.apply(.held(.focusMoved), to: state.id)
        #expect(try store.apply(.requeued, to: state.id).remainder == "o.")
        _ = try store.claimNext(by: claimant, patience: 60)
        try store.apply(.inserted(milliseconds: 1), to: state.id)
        #expect(try store.apply(.requeued, to: state.id).remainder == "Hello.")
    }
}
