import DictationSystem
import Testing

@Suite("Times in messages")
struct TimeTextTests {
    @Test(
        "a duration is written as it was set",
        arguments: [
            (Duration.seconds(3), "3 s"), (.seconds(1.5), "1.5 s"), (.seconds(2.3), "2.3 s"),
            (.milliseconds(250), "0.25 s"), (.seconds(600), "600 s"), (.milliseconds(2_299), "2.3 s"),
        ])
    func duration(_ duration: Duration, text: String) { #expect(duration.inSeconds == text) }

    @Test(
        "a clock shows hours when there are any; a place in a recording always does",
        arguments: [
            (0, "0:00", "0:00:00"), (65, "1:05", "0:01:05"), (3_599, "59:59", "0:59:59"),
            (3_600, "1:00:00", "1:00:00"), (36_061, "10:01:01", "10:01:01"),
        ])
    func clock(_ seconds: Int, running: String, place: String) {
        #expect(ClockText.running(seconds) == running && ClockText.place(seconds) == place)
    }

    @Test("a program that hangs is reported with its limit")
    func hung() {
        #expect("\(ChildProcess.Failure.hung(limit: .seconds(2.3)))" == "did not finish within 2.3 s")
    }
}
