import Desktop
import Testing

@Suite("Hotkey gesture")
struct HotkeyGestureTests {
    enum Step: Sendable {
        case press, release, cancel, startElsewhere, endElsewhere
    }
    typealias Row = (milliseconds: Int, step: Step, decision: HotkeyGesture.Decision)

    static let scenarios: [(name: String, rows: [Row])] = [
        (
            "held",
            [
                (0, .press, .start), (1_200, .release, .stop), (2_000, .press, .start),
                (2_400, .release, .stop),
            ]
        ),
        (
            "held for hardly as long as a word",
            [
                (0, .press, .start), (300, .release, .stopBrief(BriefPress(length: .milliseconds(300)))),
                (1_000, .press, .start),
                (1_399, .release, .stopBrief(BriefPress(length: .milliseconds(399)))),
                (2_000, .press, .start),
            ]
        ),
        (
            "tapped twice in a row",
            [
                (0, .press, .start), (80, .release, .nothing), (399, .press, .cancel),
                (450, .release, .nothing), (1_000, .press, .start), (1_080, .release, .nothing),
                (1_400, .press, .stop), (1_500, .release, .nothing), (1_600, .press, .start),
            ]
        ),
        (
            "tapped",
            [
                (0, .press, .start), (299, .release, .nothing), (5_000, .press, .stop),
                (5_900, .release, .nothing),
                (6_000, .press, .start),
            ]
        ),
        (
            "auto-repeat",
            [(0, .press, .start), (660, .press, .nothing), (700, .press, .nothing), (740, .release, .stop)]
        ),
        (
            "canceled while held",
            [
                (0, .press, .start), (500, .cancel, .cancel), (600, .press, .nothing),
                (900, .release, .nothing),
                (1_000, .press, .start),
            ]
        ),
        (
            "canceled after a tap",
            [
                (0, .press, .start), (100, .release, .nothing), (900, .cancel, .cancel),
                (950, .cancel, .nothing),
                (1_000, .press, .start),
            ]
        ),
        (
            "ended by silence while held",
            [
                (0, .press, .start), (900, .endElsewhere, .nothing), (1_500, .release, .nothing),
                (1_600, .press, .start),
            ]
        ),
        (
            "started by a command, stopped with the key",
            [
                (0, .startElsewhere, .nothing), (100, .press, .stop), (1_000, .release, .nothing),
                (1_100, .press, .start),
            ]
        ),
        ("a release out of nowhere", [(0, .release, .nothing), (1, .cancel, .nothing), (2, .press, .start)]),
    ]

    @Test("decides by what was pressed and when", arguments: scenarios.indices)
    func scenario(index: Int) {
        let origin = ContinuousClock.now
        var gesture = HotkeyGesture()
        for (number, row) in Self.scenarios[index].rows.enumerated() {
            let instant = origin + .milliseconds(row.milliseconds)
            let event: HotkeyGesture.Event =
                switch row.step {
                case .press: .pressed(at: instant)
                case .release: .released(at: instant)
                case .cancel: .cancelled
                case .startElsewhere: .startedElsewhere
                case .endElsewhere: .endedElsewhere
                }
            #expect(gesture.handle(event) == row.decision, "\(Self.scenarios[index].name), row \(number)")
        }
    }

    @Test("treats every press as a hold if the threshold is zero")
    func zeroThreshold() {
        var gesture = HotkeyGesture(holdThreshold: .zero)
        let now = ContinuousClock.now
        #expect(gesture.handle(.pressed(at: now)) == .start)
        #expect(gesture.handle(.released(at: now + .seconds(1))) == .stop)
    }

    @Test(
        "a brief press is a dictation if speech began while the key was down",
        arguments: [
            (nil, false), (0, false), (50, false), (60, true), (200, true), (349, true), (350, false),
        ] as [(Int?, Bool)])
    func brief(onset: Int?, isMeant: Bool) {
        let press = BriefPress(length: .milliseconds(350))
        #expect(press.isMeant(onset: onset.map { .milliseconds($0) }) == isMeant)
    }
}
