import DictationShared
import TestSupport
import Testing

@testable import DictationViews

@Suite("What the overlay shows")
struct OverlayFlowTests {
    private static let start = ContinuousClock.now
    private static let id = DictationID()

    /// An event at a time, and what is to be seen then.
    struct Step {
        let event: OverlayFlow.Event
        var at = 0
        let scene: OverlayScene
    }

    private static func changed(
        _ phase: DictationState.Phase, partial: String = "", text: String = "", typing: Int? = nil,
        of id: DictationID = id
    ) -> OverlayFlow.Event {
        .changed(
            States.state(phase, text: text, partial: partial, id: id, timings: Timings(typing: typing)))
    }

    static let scenarios: [(name: String, steps: [Step])] = [
        (
            "from the first word to the window, and away",
            [
                Step(event: .began(id), scene: .recording(text: "")),
                Step(event: changed(.starting), scene: .recording(text: "")),
                Step(event: changed(.recording, partial: "hello"), scene: .recording(text: "hello")),
                Step(event: .words(id, "hello you"), scene: .recording(text: "hello you")),
                Step(event: changed(.recording), scene: .recording(text: "hello you")),
                Step(event: changed(.processing, partial: "hello"), scene: .processing(text: "hello")),
                Step(event: .words(id, "too late"), scene: .processing(text: "hello")),
                Step(event: changed(.ready(.pending), text: "Hello."), scene: .processing(text: "Hello.")),
                Step(
                    event: changed(.ready(.inserted), text: "Hello.", typing: 3), at: 1_000,
                    scene: .inserted(text: "Hello.")),
                Step(event: .timePassed, at: 1_500, scene: .inserted(text: "Hello.")),
                Step(event: .timePassed, at: 1_900, scene: .hidden),
            ]
        ),
        (
            "an error leaves after five seconds",
            [
                Step(event: .began(id), scene: .recording(text: "")),
                Step(event: changed(.failed(.noSpeech)), scene: .error(message: "No speech detected")),
                Step(event: .timePassed, at: 4_999, scene: .error(message: "No speech detected")),
                Step(event: .timePassed, at: 5_000, scene: .hidden),
            ]
        ),
        (
            "or at a click, which does nothing elsewhere",
            [
                Step(event: .began(id), scene: .recording(text: "")),
                Step(event: .clicked, scene: .recording(text: "")),
                Step(event: changed(.failed(.noSpeech)), scene: .error(message: "No speech detected")),
                Step(event: .clicked, scene: .hidden),
            ]
        ),
        (
            "what is held says why, and what to do",
            [
                Step(event: .began(id), scene: .recording(text: "")),
                Step(
                    event: changed(.ready(.held(.focusMoved)), text: "Hello."),
                    scene: .held(
                        reason: HoldReason.focusMoved.explanation, advice: "Type it with: dictstate insert")),
                Step(event: .timePassed, at: 7_000, scene: .hidden),
            ]
        ),
        (
            "a text that nobody types is said to be safe",
            [
                Step(event: .began(id), scene: .recording(text: "")),
                Step(event: changed(.ready(.pending), text: "Hello."), scene: .processing(text: "Hello.")),
                Step(
                    event: .timePassed, at: 4_000,
                    scene: .held(
                        reason: "insert-agent does not run",
                        advice: "The text is safe: dictstate insert types it")),
            ]
        ),
        (
            "cancelled, or taken by a command: nothing more to see",
            [
                Step(event: .began(id), scene: .recording(text: "")),
                Step(event: changed(.cancelled), scene: .hidden),
                Step(event: .began(id), scene: .recording(text: "")),
                Step(event: changed(.ready(.held(.askedFor)), text: "Hello."), scene: .hidden),
                Step(event: changed(.ready(.inserted), text: "Hello."), scene: .hidden),
            ]
        ),
        (
            "nothing is seen over a screen locker",
            [
                Step(event: .began(id), scene: .recording(text: "")),
                Step(event: .userLeft, scene: .hidden),
                Step(event: changed(.processing, partial: "hello"), scene: .hidden),
                Step(event: changed(.ready(.held(.userAway)), text: "Hello."), scene: .hidden),
            ]
        ),
        (
            "an earlier dictation does not cover the one that is being recorded, nor does the past",
            [
                Step(event: changed(.failed(.noSpeech), of: DictationID()), scene: .hidden),
                Step(event: .began(id), scene: .recording(text: "")),
                Step(
                    event: changed(.ready(.inserted), text: "Before.", typing: 1, of: DictationID()),
                    scene: .recording(text: "")),
            ]
        ),
    ]

    @Test("each event has its scene", arguments: scenarios.indices)
    func scenario(index: Int) {
        var flow = OverlayFlow()
        for (number, step) in Self.scenarios[index].steps.enumerated() {
            let before = flow.scene
            let isNew = flow.handle(step.event, at: Self.start + .milliseconds(step.at))
            #expect(flow.scene == step.scene, "\(Self.scenarios[index].name), step \(number)")
            #expect(isNew == (before != flow.scene) || step.event == .began(Self.id))
        }
    }

    @Test("sound is a bar each 40 ms, and wakes nobody in between or after the end")
    func sound() {
        var flow = OverlayFlow()
        func isNew(_ decibels: Double, _ milliseconds: Int) -> Bool {
            flow.handle(.sound(decibels: decibels, milliseconds: milliseconds), at: Self.start)
        }
        #expect(!isNew(0, 20))
        _ = flow.handle(.began(Self.id), at: Self.start)
        var news = 0
        for time in stride(from: 20, through: 2_000, by: 20) {
            if isNew(-24, time) { news += 1 }
        }
        // The first one, and each that begins another 40 ms.
        #expect(news == 51)
        #expect(flow.sound.milliseconds == 2_000)
        #expect(flow.sound.levels == Array(repeating: 0.25, count: 51))
        _ = flow.handle(Self.changed(.processing), at: Self.start)
        #expect(!isNew(0, 2_100))
    }
}
