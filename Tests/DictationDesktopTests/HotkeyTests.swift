import DictationDesktop
import Testing

@Suite("Hotkey texts")
struct HotkeyTests {
    @Test(
        "are understood in any order and case, and written in one way",
        arguments: [
            ("F9", "F9"), ("f9", "F9"), ("ctrl+alt+d", "ctrl+alt+d"), ("ALT+Control+D", "ctrl+alt+d"),
            ("super+space", "super+space"), ("Win+Space", "super+space"), ("mod4 + SPACE", "super+space"),
            ("Control+Shift+F12", "ctrl+shift+F12"), ("pause", "Pause"), ("Control_R", "Control_R"),
            ("shift+super+mod1+ctrl+x", "ctrl+alt+shift+super+x"), ("xf86audiorecord", "XF86AudioRecord"),
            ("ctrl+plus", "ctrl+plus"), ("esc", "Escape"), ("é", "eacute"),
        ])
    func parse(text: String, canonical: String) throws {
        let hotkey = try Hotkey(parsing: text)
        #expect(hotkey.description == canonical)
        #expect(try Hotkey(parsing: canonical) == hotkey)
    }

    @Test(
        "that mean nothing are refused with the reason and an example",
        arguments: [
            ("", Hotkey.ParseError.empty), ("  ", .empty), ("F99", .unknownKey("F99")),
            ("hyper+d", .unknownModifier("hyper")),
            ("ctrl+alt", .onlyModifiers("ctrl+alt")), ("ctrl+", .onlyModifiers("ctrl+")),
            ("ctrl+control+d", .repeatedModifier("control")), ("a+b", .unknownModifier("a")),
            ("+", .unknownModifier("")),
            ("\u{0}", .unknownKey("\u{0}")),
        ])
    func refuse(text: String, error: Hotkey.ParseError) {
        #expect(throws: error) { try Hotkey(parsing: text) }
        #expect(error.description.contains("ctrl+alt+d"))
    }
}

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
            "cancelled while held",
            [
                (0, .press, .start), (500, .cancel, .cancel), (600, .press, .nothing),
                (900, .release, .nothing),
                (1_000, .press, .start),
            ]
        ),
        (
            "cancelled after a tap",
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

    @Test("takes every press for a hold when the threshold is zero")
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
