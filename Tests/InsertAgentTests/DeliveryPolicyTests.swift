import DictationDesktop
import DictationShared
import Foundation
import TestSupport
import Testing

@testable import InsertAgent

@Suite("The delivery policy")
struct DeliveryPolicyTests {
    private static let window = WindowInfo(id: 1, windowClass: "XTerm", title: "letter")
    private let policy = DeliveryPolicy(patience: 120)

    /// A store with one dictation in each of the given deliveries, oldest first.
    private func history(_ transitions: [[DictationTransition]]) throws -> [DictationState] {
        let folder = try TemporaryFolder("policy")
        let store = try StateStore(group: AppGroup(folder: URL(fileURLWithPath: folder.file("group"))))
        for (index, steps) in transitions.enumerated() {
            let state = try store.begin(target: nil, engine: "test", locale: "en-US")
            try store.apply(
                .recognised(.init(rawText: "\(index)", cleanedText: "Text \(index).")), to: state.id)
            for step in steps { try store.apply(step, to: state.id) }
        }
        return try store.history(limit: 100)
    }

    private static let claim = DictationTransition.claimed(by: Claimant("boot/1/1"))

    @Test("types the part that is not typed yet, into the window that has the focus")
    func types() throws {
        let state = try #require(try history([[Self.claim, .progress(3)]]).first)
        #expect(policy.decide(state, focused: Self.window) == .type("t 0."))
    }

    @Test("without a focused window the text is held")
    func noFocus() throws {
        let state = try #require(try history([[Self.claim]]).first)
        #expect(policy.decide(state, focused: nil) == .settle(.held(.noFocus)))
    }

    @Test("a text that is typed to its end needs no window")
    func nothingLeft() throws {
        let state = try #require(try history([[Self.claim, .progress(7)]]).first)
        #expect(policy.decide(state, focused: nil) == .settle(.inserted(milliseconds: 0)))
    }

    @Test(
        "whatever stops the typing, the rest is held with its reason",
        arguments: [
            (.typed(7), .inserted(milliseconds: 5)),
            (.stopped(2, reason: .focusMoved(to: nil)), .held(.focusMoved)),
            (.stopped(0, reason: .noFocus), .held(.noFocus)),
            (.stopped(2, reason: .windowClosed), .held(.windowClosed)),
            (.stopped(0, reason: .keyboardBusy), .held(.keyboardBusy)),
            (.stopped(2, reason: .notResponding), .held(.notResponding)),
        ] as [(TypingOutcome, DictationTransition)])
    func settles(outcome: TypingOutcome, transition: DictationTransition) {
        #expect(policy.settle(outcome, milliseconds: 5) == transition)
    }

    @Test("who names none means the newest that is held, else the newest text")
    func newest() throws {
        let inserted: [DictationTransition] = [Self.claim, .inserted(milliseconds: 1)]
        let held: [DictationTransition] = [.held(.focusMoved)]
        #expect(policy.dictationToInsert(among: try history([held, held, inserted]))?.rawText == "1")
        #expect(policy.dictationToInsert(among: try history([inserted, inserted]))?.rawText == "1")
        #expect(policy.dictationToInsert(among: []) == nil)
    }
}
