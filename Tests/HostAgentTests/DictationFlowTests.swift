import Desktop
import DictationShared
import DictationSystem
import Testing

@testable import DictationHost

@Suite("The flow of dictations")
struct DictationFlowTests {
    /// An event at a time, and what the host does about it.
    struct Step {
        let event: DictationFlow.Event
        let effects: [DictationFlow.Effect]
    }

    typealias Scenario = (name: String, steps: [Step])

    static let start = ContinuousClock.now
    static let window = WindowInfo(id: 1, windowClass: "XTerm", title: "letter", pid: 7)

    static let german = StartOptions(locale: "de-DE", style: "mail")

    static func press(_ milliseconds: Int) -> DictationFlow.Event {
        .hotkeyPressed(at: start + .milliseconds(milliseconds), focus: window)
    }
    static func release(_ milliseconds: Int) -> DictationFlow.Event {
        .hotkeyReleased(at: start + .milliseconds(milliseconds))
    }
    static func begin(_ number: Int) -> [DictationFlow.Effect] {
        [.begin(number, focus: window), .grabCancelKey(true)]
    }
    static func finish(_ number: Int) -> [DictationFlow.Effect] {
        [.finish(number)]
    }
    static func cancel(_ number: Int) -> [DictationFlow.Effect] {
        [.cancel(number)]
    }
    static func ask(_ request: Intent.RecordingRequest, _ intent: Int64) -> DictationFlow.Event {
        .asked(request, intent: intent, focus: window)
    }

    static func key(
        _ change: BoundKey.Change, _ intent: Int64, absence: String? = nil
    ) -> DictationFlow.Event {
        .boundKey(change, intent: intent, focus: window, absence: absence)
    }
    static func down(_ milliseconds: Int) -> BoundKey.Change {
        .pressed(at: start + .milliseconds(milliseconds))
    }
    static func up(_ milliseconds: Int) -> BoundKey.Change {
        .released(at: start + .milliseconds(milliseconds))
    }
    static func noted(_ intent: Int64) -> DictationFlow.Effect {
        .answer(intent: intent, .noted)
    }

    static let scenarios: [Scenario] = [
        (
            "hold to talk",
            [
                Step(event: press(0), effects: begin(1)),
                Step(event: release(1_000), effects: finish(1)),
                Step(event: .ended(1), effects: [.grabCancelKey(false)]),
            ]
        ),
        (
            "a bound key: hold to talk, with a repeating binding",
            [
                Step(event: key(down(0), 1), effects: begin(1) + [.answer(intent: 1, .started(1))]),
                Step(event: key(down(700), 2), effects: [noted(2)]),
                Step(event: key(up(1_000), 3), effects: finish(1) + [noted(3)]),
            ]
        ),
        (
            "a bound key: a tap whose release overtakes its press continues, and the next tap ends it",
            [
                Step(event: key(up(90), 1), effects: [noted(1)]),
                Step(event: key(down(0), 2), effects: begin(1) + [.answer(intent: 2, .started(1))]),
                Step(event: key(down(3_000), 3), effects: finish(1) + [noted(3)]),
                Step(event: key(up(3_090), 4), effects: [noted(4)]),
            ]
        ),
        (
            "a bound key of an absent user; its release means nothing",
            [
                Step(
                    event: key(down(0), 1, absence: "the session is locked"),
                    effects: [.answer(intent: 1, .refused("the session is locked; nothing is recorded"))]),
                Step(event: key(up(900), 2), effects: [noted(2)]),
            ]
        ),
        (
            "a bound key ends a dictation that a command began",
            [
                Step(event: ask(.start(), 1), effects: begin(1) + [.answer(intent: 1, .started(1))]),
                Step(event: key(down(900), 2), effects: finish(1) + [noted(2)]),
                Step(event: key(up(980), 3), effects: [noted(3)]),
            ]
        ),
        (
            "a key with options of its own; another key ends what it began",
            [
                Step(
                    event: .hotkeyPressed(at: start, focus: window, options: german),
                    effects: [.begin(1, focus: window, german), .grabCancelKey(true)]),
                Step(event: release(100), effects: []),
                Step(event: press(5_000), effects: finish(1)),
                Step(event: release(5_100), effects: []),
                Step(event: press(9_000), effects: begin(2)),
            ]
        ),
        (
            "a bound key with options of its own, whose release overtakes its press",
            [
                Step(event: key(up(90), 1), effects: [noted(1)]),
                Step(
                    event: .boundKey(down(0), intent: 2, focus: window, options: german),
                    effects: [.begin(1, focus: window, german), .grabCancelKey(true)]
                        + [.answer(intent: 2, .started(1))]),
                Step(event: key(down(3_000), 3), effects: finish(1) + [noted(3)]),
                Step(event: key(up(3_090), 4), effects: [noted(4)]),
                Step(
                    event: key(down(9_000), 5), effects: begin(2) + [.answer(intent: 5, .started(2))]),
            ]
        ),
        (
            "a command with options",
            [
                Step(
                    event: ask(.toggle(german), 1),
                    effects: [.begin(1, focus: window, german), .grabCancelKey(true)]
                        + [.answer(intent: 1, .started(1))]),
                Step(event: ask(.toggle(german), 2), effects: finish(1) + [.answer(intent: 2, .stopped(1))]),
            ]
        ),
        (
            "a key that was hardly touched",
            [
                Step(event: press(0), effects: begin(1)),
                Step(
                    event: release(350),
                    effects: [.finish(1, press: BriefPress(length: .milliseconds(350)))]),
                Step(event: press(1_000), effects: begin(2)),
                Step(event: release(1_080), effects: []),
                Step(event: press(1_200), effects: cancel(2)),
                Step(event: release(1_280), effects: []),
                Step(event: press(2_000), effects: begin(3)),
            ]
        ),
        (
            "tap to start, tap to stop",
            [
                Step(event: press(0), effects: begin(1)),
                Step(event: release(100), effects: []),
                Step(event: press(5_000), effects: finish(1)),
                Step(event: release(5_100), effects: []),
            ]
        ),
        (
            "the screen is locked: what was said is recognized, and the key's release is no second end",
            [
                Step(event: press(0), effects: begin(1)),
                Step(event: .userLeft, effects: finish(1)),
                Step(event: release(1_000), effects: []),
                Step(event: .userLeft, effects: []),
            ]
        ),
        (
            "a second dictation while the first is being recognized; the first one's end is not the second's",
            [
                Step(event: press(0), effects: begin(1)),
                Step(event: release(1_000), effects: finish(1)),
                Step(event: press(1_100), effects: begin(2)),
                Step(event: .ended(1), effects: []),
                Step(event: release(2_500), effects: finish(2)),
                Step(event: .ended(2), effects: [.grabCancelKey(false)]),
            ]
        ),
        (
            "Escape while the key is held: its release stops nothing",
            [
                Step(event: press(0), effects: begin(1)),
                Step(event: .cancelKeyPressed, effects: cancel(1)),
                Step(event: release(1_000), effects: []),
                Step(event: press(2_000), effects: begin(2)),
            ]
        ),
        (
            "Escape while a text is recognized or cleaned: it is held, and nothing of the next one is lost",
            [
                Step(event: press(0), effects: begin(1)),
                Step(event: release(1_000), effects: finish(1)),
                Step(event: .cancelKeyPressed, effects: [.hold(1)]),
                Step(event: press(1_100), effects: begin(2)),
                Step(event: .cancelKeyPressed, effects: cancel(2)),
                Step(event: release(2_000), effects: []),
                Step(event: .ended(1), effects: []),
                Step(event: .ended(2), effects: [.grabCancelKey(false)]),
                Step(event: .cancelKeyPressed, effects: []),
            ]
        ),
        (
            "Escape again and again: the recording is canceled, and those that are recognized are held, the newest first",
            [
                Step(event: press(0), effects: begin(1)),
                Step(event: release(1_000), effects: finish(1)),
                Step(event: press(1_100), effects: begin(2)),
                Step(event: release(2_000), effects: finish(2)),
                Step(event: press(2_100), effects: begin(3)),
                Step(event: .cancelKeyPressed, effects: cancel(3)),
                Step(event: .cancelKeyPressed, effects: [.hold(2)]),
                Step(event: .cancelKeyPressed, effects: [.hold(1)]),
                Step(event: .cancelKeyPressed, effects: []),
                Step(event: ask(.cancel, 7), effects: cancel(2) + [.answer(intent: 7, .cancelled(2))]),
                Step(event: ask(.cancel, 8), effects: cancel(1) + [.answer(intent: 8, .cancelled(1))]),
                Step(
                    event: ask(.cancel, 9),
                    effects: [.answer(intent: 9, .refused("nothing is being recorded"))]),
            ]
        ),
        (
            "a microphone that fails: the key works again",
            [
                Step(event: press(0), effects: begin(1)),
                Step(event: .ended(1), effects: [.grabCancelKey(false)]),
                Step(event: release(1_000), effects: []),
                Step(event: press(2_000), effects: begin(2)),
            ]
        ),
        (
            "a recording that ends by itself: the next press begins another one, also before the text is there",
            [
                Step(event: press(0), effects: begin(1)),
                Step(event: release(100), effects: []),
                Step(event: .recordingEnded(1), effects: finish(1)),
                Step(event: press(5_000), effects: begin(2)),
                Step(event: .ended(1), effects: []),
                Step(event: .recordingEnded(1), effects: []),
                Step(event: release(6_000), effects: finish(2)),
                Step(event: .recordingEnded(2), effects: []),
            ]
        ),
        (
            "a microphone that vanishes while the key is held: its release stops nothing",
            [
                Step(event: press(0), effects: begin(1)),
                Step(event: .recordingEnded(1), effects: finish(1)),
                Step(event: release(1_000), effects: []),
                Step(event: press(2_000), effects: begin(2)),
            ]
        ),
        (
            "“stop listening” gives up the recording, however it began, and not the one behind it",
            [
                Step(event: press(0), effects: begin(1)),
                Step(event: release(100), effects: []),
                Step(event: .stopHeard(1), effects: [.cancel(1)]),
                Step(event: .stopHeard(1), effects: []),
                Step(event: press(5_000), effects: begin(2)),
                Step(event: .stopHeard(1), effects: []),
                Step(event: .ended(1), effects: []),
                Step(event: .stopHeard(2), effects: [.cancel(2)]),
                Step(event: release(6_000), effects: []),
                Step(event: press(7_000), effects: begin(3)),
            ]
        ),
        (
            "a dictation started by a command is stopped by the key",
            [
                Step(event: ask(.start(), 9), effects: begin(1) + [.answer(intent: 9, .started(1))]),
                Step(event: press(3_000), effects: finish(1)),
                Step(event: release(3_100), effects: []),
                Step(event: press(4_000), effects: begin(2)),
            ]
        ),
        (
            "a dictation started by the key is stopped by a command",
            [
                Step(event: press(0), effects: begin(1)),
                Step(event: release(100), effects: []),
                Step(event: ask(.toggle(), 9), effects: finish(1) + [.answer(intent: 9, .stopped(1))]),
                Step(event: ask(.toggle(), 10), effects: begin(2) + [.answer(intent: 10, .started(2))]),
                Step(event: ask(.cancel, 11), effects: cancel(2) + [.answer(intent: 11, .cancelled(2))]),
            ]
        ),
        (
            "a request that cannot be carried out is refused, in words",
            [
                Step(
                    event: ask(.stop(), 1),
                    effects: [.answer(intent: 1, .refused("nothing is being recorded"))]
                ),
                Step(
                    event: ask(.cancel, 2),
                    effects: [.answer(intent: 2, .refused("nothing is being recorded"))]),
                Step(event: ask(.start(), 3), effects: begin(1) + [.answer(intent: 3, .started(1))]),
                Step(
                    event: ask(.start(), 4),
                    effects: [.answer(intent: 4, .refused("already recording; it ends with: dictstate stop"))]
                ),
            ]
        ),
        (
            "a dictation that is being recognized can still be canceled by a command",
            [
                Step(event: press(0), effects: begin(1)),
                Step(event: release(1_000), effects: finish(1)),
                Step(event: ask(.cancel, 5), effects: [.cancel(1), .answer(intent: 5, .cancelled(1))]),
            ]
        ),
        (
            "shutting down finishes what is being said, and begins nothing new",
            [
                Step(event: press(0), effects: begin(1)),
                Step(event: .shutDown, effects: finish(1)),
                Step(event: press(2_000), effects: []),
                Step(
                    event: ask(.start(), 6), effects: [.answer(intent: 6, .refused("host-agent is stopping"))]
                ),
            ]
        ),
    ]

    private static let all = scenarios + transformScenarios

    @Test("each event has its effects", arguments: all.map(\.name))
    func scenario(name: String) throws {
        let steps = try #require(Self.all.first { $0.name == name }).steps
        var flow = DictationFlow()
        for (index, step) in steps.enumerated() {
            #expect(flow.handle(step.event) == step.effects, "step \(index)")
        }
    }
}
