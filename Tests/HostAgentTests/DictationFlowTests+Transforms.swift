import DictationShared

@testable import DictationHost

/// Dictations that change a selected text instead of typing one.
extension DictationFlowTests {
    static func transform(
        _ words: String?, _ intent: Int64, absence: String? = nil
    ) -> DictationFlow.Event {
        .askedToTransform(
            .init(instruction: words, isPrivate: true), intent: intent, focus: window, absence: absence)
    }
    static let spoken = StartOptions(transform: .spoken)
    static let shorter = StartOptions(isPrivate: true, transform: .fixed("shorter"))
    static func begin(
        _ number: Int, _ options: StartOptions
    ) -> [DictationFlow.Effect] {
        [.begin(number, focus: window, options), .grabCancelKey(true)]
    }

    static let transformScenarios: [Scenario] = [
        (
            "the key for transforms works like the hotkey",
            [
                Step(
                    event: .hotkeyPressed(at: start, focus: window, options: spoken),
                    effects: begin(1, spoken)),
                Step(event: release(1_000), effects: finish(1)),
                Step(event: .cancelKeyPressed, effects: [.hold(1)]),
                Step(event: .ended(1), effects: [.grabCancelKey(false)]),
            ]
        ),
        (
            "a key with an instruction of its own: one press is all, of any length; a recording continues",
            [
                Step(
                    event: .hotkeyPressed(at: start, focus: window, options: shorter),
                    effects: begin(1, shorter)),
                Step(event: release(1_000), effects: []),
                Step(event: .ended(1), effects: [.grabCancelKey(false)]),
                Step(event: press(2_000), effects: begin(2)),
                Step(event: release(2_100), effects: []),
                Step(
                    event: .hotkeyPressed(at: start, focus: window, options: shorter),
                    effects: begin(3, shorter)),
                Step(event: release(3_000), effects: []),
                Step(event: .ended(3), effects: []),
                Step(event: press(5_000), effects: finish(2)),
                Step(event: release(5_100), effects: []),
            ]
        ),
        (
            "the same key, bound in a compositor: by its press, or by toggle",
            [
                Step(
                    event: .boundKey(down(0), intent: 1, focus: window, options: shorter),
                    effects: begin(1, shorter) + [.answer(intent: 1, .transforming(1))]),
                Step(event: key(up(100), 2), effects: [noted(2)]),
                Step(event: key(down(900), 3), effects: begin(2) + [.answer(intent: 3, .started(2))]),
                Step(
                    event: ask(.toggle(shorter), 4),
                    effects: begin(3, shorter) + [.answer(intent: 4, .transforming(3))]),
                Step(event: key(up(2_000), 5), effects: finish(2) + [noted(5)]),
                Step(
                    event: .boundKey(
                        down(3_000), intent: 6, focus: window, absence: "the session is locked",
                        options: shorter),
                    effects: [.answer(intent: 6, .refused("the session is locked; nothing is changed"))]),
            ]
        ),
        (
            "a spoken instruction that a client asks for by its key",
            [
                Step(
                    event: ask(.toggle(spoken), 1),
                    effects: begin(1, spoken) + [.answer(intent: 1, .started(1))]),
                Step(event: ask(.toggle(spoken), 2), effects: finish(1) + [.answer(intent: 2, .stopped(1))]),
            ]
        ),
        (
            "a transform that a client asks for, with words: nothing is recorded, and Escape gives it up",
            [
                Step(
                    event: transform("shorter", 5),
                    effects: begin(1, shorter) + [.answer(intent: 5, .transforming(1))]),
                Step(event: press(0), effects: begin(2)),
                Step(event: release(1_000), effects: finish(2)),
                Step(event: .ended(2), effects: []),
                Step(event: .cancelKeyPressed, effects: [.hold(1)]),
                Step(event: .ended(1), effects: [.grabCancelKey(false)]),
                Step(
                    event: transform("shorter", 6, absence: "the session is locked"),
                    effects: [
                        .answer(intent: 6, .refused("the session is locked; nothing is changed"))
                    ]),
            ]
        ),
        (
            "a transform that a client asks for without words: asked for again, it ends",
            [
                Step(
                    event: transform(nil, 5),
                    effects: begin(1, StartOptions(isPrivate: true, transform: .spoken))
                        + [.answer(intent: 5, .started(1))]),
                Step(event: transform(nil, 6), effects: finish(1) + [.answer(intent: 6, .stopped(1))]),
                Step(event: ask(.cancel, 7), effects: cancel(1) + [.answer(intent: 7, .cancelled(1))]),
            ]
        ),
    ]
}
