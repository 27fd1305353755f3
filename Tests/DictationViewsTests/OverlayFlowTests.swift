import DictationShared
import TestSupport
import Testing

@testable import DictationViews

@Suite("The scenes of the overlay")
struct OverlayFlowTests {
    private static let start = ContinuousClock.now
    private static let id = DictationID()

    private static let loading = "Loading big. Keep speaking: the words appear when it is loaded."

    /// One event per step, and the expected scene.
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
            "which dictation it is, and the model that it waits for until there are words",
            [
                Step(event: .began(id, "de-DE"), scene: .recording(text: "", label: "de-DE")),
                Step(event: .loading(id, "big"), scene: .recording(text: loading, label: "de-DE")),
                Step(event: changed(.recording), scene: .recording(text: loading, label: "de-DE")),
                Step(event: .loading(DictationID(), nil), scene: .recording(text: loading, label: "de-DE")),
                Step(event: .loading(id, nil), scene: .recording(text: "", label: "de-DE")),
                Step(event: .loading(id, "big"), scene: .recording(text: loading, label: "de-DE")),
                Step(
                    event: .words(id, SpokenText(tentative: "hallo")),
                    scene: .recording(text: "hallo", label: "de-DE")),
                Step(event: .loading(id, nil), scene: .recording(text: "hallo", label: "de-DE")),
                Step(event: .began(DictationID()), scene: .recording(text: "")),
            ]
        ),
        (
            "from the first word to the window, and away",
            [
                Step(event: .began(id), scene: .recording(text: "")),
                Step(event: changed(.starting), scene: .recording(text: "")),
                Step(event: changed(.recording, partial: "hello"), scene: .recording(text: "hello")),
                Step(
                    event: .words(id, SpokenText(tentative: "hello you")),
                    scene: .recording(text: "hello you")),
                Step(event: changed(.recording), scene: .recording(text: "hello you")),
                Step(
                    event: .words(id, SpokenText(typed: "Hello", tentative: " you there")),
                    scene: .recording(text: "Hello you there", typed: 5)),
                Step(
                    event: .words(id, SpokenText(typed: "Hello", tentative: " you", held: .focusMoved)),
                    scene: .recording(
                        text:
                            "Held: the focus moved to another window. Type it with: dictstate insert --after 3"
                    )),
                Step(
                    event: .words(id, SpokenText(tentative: "hello you")),
                    scene: .recording(text: "hello you")),
                Step(event: changed(.processing, partial: "hello"), scene: .processing(text: "hello")),
                Step(event: .words(id, SpokenText(tentative: "too late")), scene: .processing(text: "hello")),
                Step(event: changed(.ready(.pending), text: "Hello."), scene: .processing(text: "Hello.")),
                Step(
                    event: changed(.ready(.inserted), text: "Hello.", typing: 3), at: 1_000,
                    scene: .inserted(text: "Hello.")),
                Step(event: .timePassed, at: 1_500, scene: .inserted(text: "Hello.")),
                Step(event: .timePassed, at: 1_900, scene: .hidden),
            ]
        ),
        (
            "a hint is shown with the next dictation until its words come, and once",
            [
                Step(event: .hint("Only X11 windows"), scene: .hidden),
                Step(event: .began(id), scene: .recording(text: "Only X11 windows")),
                Step(event: changed(.recording), scene: .recording(text: "Only X11 windows")),
                Step(event: .words(id, SpokenText(tentative: "hello")), scene: .recording(text: "hello")),
                Step(event: .began(DictationID()), scene: .recording(text: "")),
            ]
        ),
        (
            "the answer of a language model is shown as it comes, and not before it is asked",
            [
                Step(event: .began(id), scene: .recording(text: "")),
                Step(event: .answer(id, "too early"), scene: .recording(text: "")),
                Step(event: changed(.processing, partial: "shorter"), scene: .processing(text: "shorter")),
                Step(event: .answer(id, "See"), scene: .processing(text: "See")),
                Step(event: .answer(id, "See you."), scene: .processing(text: "See you.")),
                Step(event: .answer(DictationID(), "other"), scene: .processing(text: "See you.")),
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
            "a held text says why, and what to do",
            [
                Step(event: .began(id), scene: .recording(text: "")),
                Step(
                    event: changed(.ready(.held(.focusMoved)), text: "Hello."),
                    scene: .held(
                        reason: HoldReason.focusMoved.explanation,
                        advice: "Type it with: dictstate insert --after 3")),
                Step(event: .timePassed, at: 7_000, scene: .hidden),
            ]
        ),
        (
            "a text that is not typed is reported as safe",
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
            "canceled, or taken by a command: nothing more to see",
            [
                Step(event: .began(id), scene: .recording(text: "")),
                Step(event: changed(.cancelled), scene: .hidden),
                Step(event: .began(id), scene: .recording(text: "")),
                Step(event: changed(.ready(.held(.askedFor)), text: "Hello."), scene: .hidden),
                Step(event: changed(.ready(.inserted), text: "Hello."), scene: .hidden),
            ]
        ),
        (
            "canceled: gone at once, no matter what is still recognized",
            [
                Step(event: .began(id), scene: .recording(text: "")),
                Step(event: .cancelled(DictationID()), scene: .recording(text: "")),
                Step(event: .cancelled(id), scene: .hidden),
                Step(event: .words(id, SpokenText(tentative: "late")), scene: .hidden),
                Step(event: changed(.recording, partial: "late"), scene: .hidden),
                Step(event: changed(.processing, partial: "late"), scene: .hidden),
                Step(event: changed(.cancelled), scene: .hidden),
                Step(event: .began(id), scene: .recording(text: "")),
            ]
        ),
        (
            "Escape while the last words are recognized: held at once, and how to have it when it is there",
            [
                Step(event: .began(id), scene: .recording(text: "")),
                Step(event: changed(.processing, partial: "hello"), scene: .processing(text: "hello")),
                Step(
                    event: .kept(id),
                    scene: .held(
                        reason: HoldReason.escapePressed.explanation,
                        advice: "The text is kept, but not typed")),
                Step(
                    event: changed(.processing, partial: "hello you"), at: 60_000,
                    scene: .held(
                        reason: HoldReason.escapePressed.explanation,
                        advice: "The text is kept, but not typed")),
                Step(
                    event: changed(.ready(.held(.escapePressed)), text: "Hello you."), at: 60_000,
                    scene: .held(
                        reason: HoldReason.escapePressed.explanation,
                        advice: "Type it with: dictstate insert --after 3")),
                Step(event: .timePassed, at: 67_000, scene: .hidden),
            ]
        ),
        (
            "Escape too late: the text was there already",
            [
                Step(event: .began(id), scene: .recording(text: "")),
                Step(
                    event: .kept(id),
                    scene: .held(
                        reason: HoldReason.escapePressed.explanation,
                        advice: "The text is kept, but not typed")),
                Step(
                    event: changed(.ready(.inserted), text: "Hello.", typing: 3),
                    scene: .inserted(text: "Hello.")),
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
            "an earlier dictation does not cover the one that is being recorded, and neither does the past",
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

    @Test("a text that waits while an insert-agent runs is hidden, and seen again when it is typed")
    func waiting() {
        var flow = OverlayFlow()
        flow.hasInserter = true
        for (event, milliseconds, scene) in [
            (OverlayFlow.Event.began(Self.id), 0, OverlayScene.recording(text: "")),
            (Self.changed(.ready(.pending), text: "Hello."), 0, .processing(text: "Hello.")),
            (.timePassed, 4_000, .hidden),
            (
                Self.changed(.ready(.claimed(by: .current)), text: "Hello."), 60_000,
                .processing(text: "Hello.")
            ),
        ] {
            _ = flow.handle(event, at: Self.start + .milliseconds(milliseconds))
            #expect(flow.scene == scene)
        }
    }

    @Test(
        "sound is a bar each thirtieth of a second by the clock, however it comes, and wakes nobody in between"
    )
    func sound() {
        var flow = OverlayFlow()
        func sound(at milliseconds: Int) -> Bool {
            flow.handle(
                .sound(decibels: -24, milliseconds: milliseconds),
                at: Self.start + .milliseconds(milliseconds))
        }
        #expect(!sound(at: 0))
        _ = flow.handle(.began(Self.id), at: Self.start)
        #expect(flow.deadline == nil)
        // The first one is visible at once, and later ones with their frames.
        #expect(sound(at: 20))
        for time in stride(from: 40, through: 1_020, by: 20) {
            while let due = flow.deadline, due <= Self.start + .milliseconds(time) {
                let isNew = flow.handle(.timePassed, at: due + .milliseconds(1))
                #expect(isNew)
                // Words come in between, and change nothing about it.
                let next = flow.deadline
                #expect(next == due + OverlaySound.frame)
                _ = flow.handle(
                    .words(Self.id, SpokenText(tentative: "at \(time)")), at: due + .milliseconds(1))
                #expect(flow.deadline == next)
            }
            #expect(!sound(at: time))
        }
        #expect(flow.sound.milliseconds == 1_020)
        #expect(flow.sound.levels == Array(repeating: 0.25, count: 31))
        _ = flow.handle(Self.changed(.processing), at: Self.start)
        #expect(flow.deadline == nil)
        #expect(!sound(at: 2_100))
    }

    @Test(
        "a microphone that gives nothing but silence for three seconds is told until there is sound, or words"
    )
    func silence() {
        var flow = OverlayFlow()
        let silence = "Only silence comes from the microphone. Is it muted?"
        func hear(_ decibels: Double, at milliseconds: Int) -> OverlayFlow.Event {
            .sound(decibels: decibels, milliseconds: milliseconds)
        }
        let steps: [(OverlayFlow.Event, String)] = [
            (.began(Self.id), ""), (.loading(Self.id, "big"), Self.loading),
            (hear(-90, at: 3_000), Self.loading), (.loading(Self.id, nil), silence),
            (Self.changed(.recording), silence), (hear(-79, at: 3_010), ""), (hear(-90, at: 9_000), ""),
            (.began(Self.id), ""), (hear(-90, at: 2_990), ""), (hear(-90, at: 3_000), silence),
            (.words(Self.id, SpokenText(tentative: "yes")), "yes"), (hear(-90, at: 3_010), "yes"),
        ]
        for (event, text) in steps {
            let before = flow.scene
            let isNew = flow.handle(event, at: Self.start)
            #expect(flow.scene == .recording(text: text))
            #expect(isNew || flow.scene == before)
        }
    }

    @Test("frames rest while no sound comes, and one that is late is not made up for")
    func rests() {
        var flow = OverlayFlow()
        _ = flow.handle(.began(Self.id), at: Self.start)
        func sound(at milliseconds: Int) -> Bool {
            flow.handle(
                .sound(decibels: 0, milliseconds: milliseconds), at: Self.start + .milliseconds(milliseconds))
        }
        #expect(sound(at: 20))
        let isEarly = flow.handle(.timePassed, at: Self.start + .milliseconds(60))
        #expect(!isEarly)
        #expect(flow.deadline == nil)
        #expect(sound(at: 1_000))
        #expect(!sound(at: 1_020))
        let isNew = flow.handle(.timePassed, at: Self.start + .milliseconds(3_000))
        #expect(isNew)
        #expect(flow.deadline == Self.start + .milliseconds(3_000) + OverlaySound.frame)
    }

    @Test(
        "an error says first what happened, then what to do",
        arguments: [
            ("No speech detected", "No speech detected", ""),
            ("It is gone. Nothing was kept. Plug it in.", "It is gone.", "Nothing was kept. Plug it in."),
            ("config.toml:3:8: it is 1.5", "config.toml:3:8: it is 1.5", ""),
        ])
    func parts(message: String, head: String, rest: String) {
        #expect(OverlayPainter.parts(of: message) == (head, rest))
    }
}
