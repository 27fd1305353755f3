import DictationService
import DictationSpeech
import Testing

@testable import HostAgent

@Suite("The guided setup")
struct SetupFlowTests {
    typealias Flow = SetupFlow

    struct Row {
        let event: Flow.Event
        let effects: [Flow.Effect]
    }

    private static let keys = Flow.Question(
        text: "",
        choices: [Flow.Choice(value: "F9", label: "F9"), Flow.Choice(value: "F8", label: "F8")])
    private static let one = Flow.Question(
        text: "", choices: [Flow.Choice(value: "default", label: "default")])
    private static func skipped(_ step: SetupStep) -> Flow.Outcome {
        Flow.Outcome(kind: .skipped, text: "skipped", command: "dictstate setup \(step.rawValue)")
    }
    private static let done = Flow.Outcome(kind: .set, text: "done")
    private static let missing = Flow.Outcome(
        kind: .missing, text: "no microphone", command: "dictstate setup")

    static let walks: [(name: String, isUnattended: Bool, rows: [Row])] = [
        (
            "Enter takes the default of each step", false,
            [
                Row(event: .begun, effects: [.look(.microphone)]),
                Row(
                    event: .looked(.microphone, .question(one)),
                    effects: [.point(.microphone, value: "default")]),
                Row(
                    event: .key(.enter),
                    effects: [.leave(.microphone), .work(.microphone, value: "default")]),
                Row(
                    event: .worked(.microphone, done),
                    effects: [.tell(.microphone, done), .look(.hotkey)]),
                Row(event: .looked(.hotkey, .question(keys)), effects: [.point(.hotkey, value: "F9")]),
                Row(event: .key(.enter), effects: [.leave(.hotkey), .work(.hotkey, value: "F9")]),
                Row(event: .worked(.hotkey, done), effects: [.tell(.hotkey, done), .end]),
            ]
        ),
        (
            "the arrows choose, and stop at the ends", false,
            [
                Row(event: .begun, effects: [.look(.microphone)]),
                Row(
                    event: .looked(.microphone, .question(keys)),
                    effects: [.point(.microphone, value: "F9")]),
                Row(event: .key(.up), effects: []),
                Row(event: .key(.down), effects: [.point(.microphone, value: "F8")]),
                Row(event: .key(.down), effects: []),
                Row(event: .key(.enter), effects: [.leave(.microphone), .work(.microphone, value: "F8")]),
            ]
        ),
        (
            "a key that is pressed is chosen", false,
            [
                Row(event: .begun, effects: [.look(.microphone)]),
                Row(
                    event: .looked(.microphone, .question(keys)),
                    effects: [.point(.microphone, value: "F9")]),
                Row(event: .offered(.microphone, Flow.Choice(value: "F7", label: "F7")), effects: []),
                Row(event: .key(.enter), effects: [.leave(.microphone), .work(.microphone, value: "F7")]),
            ]
        ),
        (
            "a step is skipped and come back to; what is late of the one that was left counts nothing", false,
            [
                Row(event: .begun, effects: [.look(.microphone)]),
                Row(
                    event: .key(.skip),
                    effects: [
                        .leave(.microphone), .tell(.microphone, skipped(.microphone)), .look(.hotkey),
                    ]),
                Row(event: .looked(.microphone, .question(one)), effects: []),
                Row(event: .key(.back), effects: [.leave(.hotkey), .look(.microphone)]),
                Row(event: .key(.back), effects: []),
                Row(
                    event: .looked(.microphone, .question(one)),
                    effects: [.point(.microphone, value: "default")]),
                Row(event: .worked(.microphone, done), effects: []),
                Row(event: .key(.quit), effects: [.leave(.microphone), .end]),
                Row(event: .key(.enter), effects: []),
            ]
        ),
        (
            "a step that cannot work says so, and the next one follows; without a question if none is wanted",
            true,
            [
                Row(event: .begun, effects: [.look(.microphone)]),
                Row(
                    event: .looked(.microphone, .outcome(missing)),
                    effects: [.tell(.microphone, missing), .look(.hotkey)]),
                Row(event: .looked(.hotkey, .question(keys)), effects: [.work(.hotkey, value: "F9")]),
                Row(event: .worked(.hotkey, done), effects: [.tell(.hotkey, done), .end]),
            ]
        ),
        (
            "Enter ends what goes on until the user says so; Ctrl-C ends everything", false,
            [
                Row(event: .begun, effects: [.look(.microphone)]),
                Row(event: .key(.enter), effects: []),
                Row(
                    event: .looked(.microphone, .question(one)),
                    effects: [.point(.microphone, value: "default")]),
                Row(
                    event: .key(.enter),
                    effects: [.leave(.microphone), .work(.microphone, value: "default")]),
                Row(event: .key(.enter), effects: [.finish(.microphone)]),
                Row(event: .interrupted, effects: [.leave(.microphone), .end]),
            ]
        ),
    ]

    @Test("takes one step after another", arguments: walks.indices)
    func walk(index: Int) {
        let walk = Self.walks[index]
        var flow = Flow(steps: [.microphone, .hotkey], isUnattended: walk.isUnattended)
        for row in walk.rows { #expect(flow.handle(row.event) == row.effects, "\(walk.name): \(row.event)") }
    }

    @Test(
        "understands what a terminal sends for its keys",
        arguments: [
            ("\r", [.enter]), ("\u{1B}[A\u{1B}OB", [.up, .down]), ("sbq", [.skip, .back, .quit]),
            // F9, ctrl+right, and a letter without a meaning.
            ("\u{1B}[20~\u{1B}[1;5Cx", []),
        ] as [(String, [SetupFlow.Key])])
    func keys(bytes: String, keys: [SetupFlow.Key]) {
        #expect(SetupFlow.Key.all(in: bytes.utf8) == keys)
    }

    @Test(
        "tells a microphone that is silent, too quiet, fine and too loud",
        arguments: [
            (0, LevelMeter.Verdict.silent), (20, .quiet), (2_000, .fine), (32_767, .loud),
        ] as [(Int16, LevelMeter.Verdict)])
    func level(amplitude: Int16, verdict: LevelMeter.Verdict) {
        var meter = LevelMeter()
        #expect(meter.verdict == nil)
        let level = AudioLevel((0..<320).map { $0 % 2 == 0 ? amplitude : -amplitude })
        meter.add(level, lasting: .milliseconds(20))
        #expect(meter.verdict == verdict)
        meter.mixerProblem = "it is muted"
        #expect(meter.line.contains(meter.remark) && (meter.remark == "it is muted") == (verdict == .silent))
        // Words that were said in a pause are not forgotten at once, but in time.
        for _ in 0..<190 { meter.add(AudioLevel([0, 1]), lasting: .milliseconds(20)) }
        #expect(meter.verdict == verdict)
        for _ in 0..<20 { meter.add(AudioLevel([0, 0]), lasting: .milliseconds(20)) }
        if verdict != .silent { #expect(meter.peak < level.peak) }
    }
}
