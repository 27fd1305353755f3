import Desktop
import Testing

@Suite("A key that programs report")
struct BoundKeyTests {
    private static let start = ContinuousClock.now
    private static func press(_ milliseconds: Int) -> BoundKey.Change {
        .pressed(at: start + .milliseconds(milliseconds))
    }
    private static func release(_ milliseconds: Int) -> BoundKey.Change {
        .released(at: start + .milliseconds(milliseconds))
    }

    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let steps: [(report: BoundKey.Change, changes: [BoundKey.Change])]

        init(_ name: String, _ steps: (report: BoundKey.Change, changes: [BoundKey.Change])...) {
            testDescription = name
            self.steps = steps
        }
    }

    static let rows = [
        Row("held", (press(0), [press(0)]), (release(900), [release(900)])),
        Row(
            "the release overtakes the press", (release(90), []), (press(0), [press(0), release(90)]),
            (press(500), [press(500)]), (release(600), [release(600)])),
        Row(
            "both within one tick of the kernel, in the wrong order", (release(0), []),
            (press(0), [press(0), release(0)])),
        Row(
            "the release overtakes the press, and its instant is told a little too early", (release(90), []),
            (press(100), [press(90), release(90)]), (press(500), [press(500)]), (release(600), [release(600)])
        ),
        Row(
            "a brief tap whose release is told a little too early", (press(95), [press(95)]),
            (release(90), [release(95)]), (press(500), [press(500)]), (release(600), [release(600)])),
        Row(
            "a brief tap whose press is told later than its release", (press(110), [press(110)]),
            (release(90), [release(110)]), (press(500), [press(500)]), (release(600), [release(600)])),
        Row(
            "a repetition whose instant is told a little too late", (press(0), [press(0)]),
            (release(900), [release(900)]), (press(910), []), (press(1_000), [press(1_000)])),
        Row(
            "the binding repeats", (press(0), [press(0)]), (press(660), []), (press(700), []),
            (release(900), [release(900)])),
        Row(
            "a repetition comes after the release", (press(0), [press(0)]), (release(900), [release(900)]),
            (press(880), []), (press(1_500), [press(1_500)])),
        Row(
            "the next press overtakes the release", (press(0), [press(0)]), (press(300), []),
            (release(90), [release(90), press(300)]), (release(400), [release(400)])),
        Row(
            "the next press overtakes the release after repetitions", (press(0), [press(0)]),
            (press(660), []),
            (press(1_300), []), (release(900), [release(900), press(1_300)]),
            (release(1_400), [release(1_400)])),
        Row("a release alone", (release(900), []), (press(1_000), [press(1_000)])),
        Row("two releases", (press(0), [press(0)]), (release(900), [release(900)]), (release(950), [])),
        Row(
            "a release that was never reported", (press(0), [press(0)]), (press(5_000), []),
            (release(5_100), [release(5_100)])),
        Row(
            "a release that is older than the press", (press(500), [press(500)]), (release(100), []),
            (release(900), [release(900)])),
    ]

    @Test("is pressed and released in the order of its instants, and each of it once", arguments: rows)
    func order(row: Row) {
        var key = BoundKey()
        for (number, step) in row.steps.enumerated() {
            #expect(key.handle(step.report) == step.changes, "step \(number)")
        }
    }
}
