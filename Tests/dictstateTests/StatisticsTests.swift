import DictationShared
import Foundation
import TestSupport
import Testing

@testable import dictstate

@Suite("Statistics")
struct StatisticsTests {
    /// Ten words in six seconds are a hundred words a minute.
    private static func spoken(_ delay: Int, day: Double = 0) -> DictationState {
        States.state(
            .ready(.inserted), text: "one two three four five six seven eight nine ten", at: day * 86_400,
            timings: Timings(recording: 6_000, recognition: delay - 2, cleaning: 1, typing: 1))
    }

    @Test("words, speed, delays and the time that typing would have taken more")
    func sums() throws {
        let delays = [100, 200, 300, 400, 1_000]
        let statistics = Statistics(of: delays.map { Self.spoken($0) }, typingSpeed: 50) { _ in "day" }
        #expect(statistics.total.dictations == 5)
        #expect(statistics.total.words == 50)
        #expect(statistics.total.wordsPerMinute == 100)
        #expect(statistics.total.delay(percentile: 50) == 300)
        #expect(statistics.total.delay(percentile: 95) == 1_000)
        // Typed: 60 s. Spoken: 30 s. Waited: 2 s.
        #expect(abs(statistics.total.saved - 28) < 0.001)
        #expect(statistics.days.map(\.sum) == [statistics.total])
    }

    @Test("what has no words, was not spoken, or is not inserted has no delay of its own")
    func leftOut() {
        let states = [
            States.state(.failed(.noSpeech), timings: Timings(recording: 1_000)),
            States.state(.cancelled), States.state(.ready(.inserted), text: "from a file"),
            States.state(.ready(.held(.recovered)), text: "held", timings: Timings(recording: 1_000)),
        ]
        let statistics = Statistics(of: states, typingSpeed: 50) { _ in "day" }
        #expect(statistics.total.dictations == 1)
        #expect(statistics.total.words == 1)
        #expect(statistics.total.delay(percentile: 50) == nil)
    }

    @Test("the table has a row a day, with a bar, and one for all")
    func table() {
        let states = [Self.spoken(100), Self.spoken(200), Self.spoken(300, day: 1)]
        let statistics = Statistics(of: states, typingSpeed: 50) {
            $0 < .init(timeIntervalSince1970: 1_790_050_000) ? "d1" : "d2"
        }
        let rows = StatsCommand.table(statistics).split(separator: "\n")
        #expect(rows.count == 4)
        #expect(rows[1].hasPrefix("d1") && rows[1].hasSuffix(String(repeating: "█", count: 20)))
        #expect(rows[2].hasPrefix("d2") && rows[2].hasSuffix(" " + String(repeating: "█", count: 10)))
        #expect(rows[3].hasPrefix("in all") && rows[3].hasSuffix("300"))
    }

    @Test("a bar has eighths, and whatever is there can be seen")
    func bars() {
        #expect(Statistics.bar(0, of: 10, columns: 10).isEmpty)
        #expect(Statistics.bar(1, of: 10_000, columns: 10) == "▏")
        #expect(Statistics.bar(10, of: 10, columns: 3) == "███")
        #expect(Statistics.bar(3, of: 16, columns: 2) == "▍")
    }
}
