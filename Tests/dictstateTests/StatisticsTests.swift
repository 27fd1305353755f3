import DictationShared
import Foundation
import TestSupport
import Testing

@testable import dictstate

@Suite("Statistics")
struct StatisticsTests {
    /// Ten words in six seconds are a hundred words a minute.
    private static func spoken(_ delay: Int, day: Double = 0) -> SpokenMeasure {
        SpokenMeasure(
            date: Date(timeIntervalSince1970: 1_790_000_000 + day * 86_400), words: 10, recording: 6_000,
            delay: delay, isTyped: true)
    }

    private static let noEnd = Date.distantFuture

    @Test("words, speed, delays and the time that typing would have taken more")
    func sums() throws {
        let delays = [100, 200, 300, 400, 1_000]
        let statistics = Statistics(of: delays.map { Self.spoken($0) }, typingSpeed: 50) { _ in
            .init(name: "day", end: Self.noEnd)
        }
        #expect(statistics.total.dictations == 5)
        #expect(statistics.total.words == 50)
        #expect(statistics.total.wordsPerMinute == 100)
        #expect(statistics.total.delay(percentile: 50) == 300)
        #expect(statistics.total.delay(percentile: 95) == 1_000)
        // Typed: 60 s. Spoken: 30 s. Waited: 2 s.
        #expect(abs(statistics.total.saved - 28) < 0.001)
        #expect(statistics.days.map(\.sum) == [statistics.total])
    }

    @Test("a dictation without words, speech or an insertion has no delay")
    func leftOut() throws {
        let folder = try TemporaryFolder("statistics")
        let store = try StateStore(group: AppGroup(folder: URL(fileURLWithPath: folder.file("group"))))
        func dictate(_ last: DictationTransition) throws {
            let id = try store.begin(target: nil, engine: "test", locale: "en-US").id
            try store.apply(.processingStarted(recording: 1_000), to: id)
            try store.apply(last, to: id)
        }
        let timings = Timings(recording: 1_000, recognition: 20, cleaning: 3)
        try dictate(.failed(.noSpeech))
        try dictate(.cancelled)
        try dictate(
            .recognized(.init(rawText: "", cleanedText: "held text", held: .recovered, timings: timings)))
        try dictate(.recognized(.init(rawText: "", cleanedText: "a b\u{A0}c\n", timings: timings)))
        let claimant = Claimant("boot/1/2")
        let typed = try #require(try store.claimNext(by: claimant, patience: 60))
        try store.apply(.inserted(milliseconds: 7), to: typed.id)
        _ = try store.add(text: "from a file", locale: "und")
        let written = try #require(try store.claimNext(by: claimant, patience: 60))
        try store.apply(.inserted(milliseconds: 7), to: written.id)
        let measures = try store.measures()
        #expect(measures.map(\.words) == [2, 3])
        #expect(measures.map(\.delay) == [23, 30])
        #expect(measures.map(\.isTyped) == [false, true])
        #expect(try store.measures(since: Date(timeIntervalSinceNow: 60)).isEmpty)
        let statistics = Statistics(of: measures, typingSpeed: 50) { _ in
            .init(name: "day", end: Self.noEnd)
        }
        #expect(statistics.total.dictations == 2)
        #expect(statistics.total.words == 5)
        #expect(statistics.total.delay(percentile: 50) == 30)
    }

    @Test("the table has a row a day, with a bar, and one for all")
    func table() {
        let spoken = [Self.spoken(100), Self.spoken(200), Self.spoken(300, day: 1)]
        let midnight = Date(timeIntervalSince1970: 1_790_050_000)
        let statistics = Statistics(of: spoken, typingSpeed: 50) {
            $0 < midnight ? .init(name: "d1", end: midnight) : .init(name: "d2", end: Self.noEnd)
        }
        let rows = StatsCommand.table(statistics).split(separator: "\n")
        #expect(rows.count == 4)
        #expect(rows[1].hasPrefix("d1") && rows[1].hasSuffix(String(repeating: "█", count: 20)))
        #expect(rows[2].hasPrefix("d2") && rows[2].hasSuffix(" " + String(repeating: "█", count: 10)))
        #expect(rows[3].hasPrefix("in all") && rows[3].hasSuffix("300"))
        // In a narrow terminal the bars are shorter, or left out, and no line is wrapped.
        for columns in [80, 70, 60] {
            let table = StatsCommand.table(statistics, columns: columns)
            #expect(table.split(separator: "\n").allSatisfy { $0.count <= columns })
            #expect(table.contains("█") == (columns > 60))
        }
    }

    @Test("a bar has eighths, and every value is visible")
    func bars() {
        #expect(Statistics.bar(0, of: 10, columns: 10).isEmpty)
        #expect(Statistics.bar(1, of: 10_000, columns: 10) == "▏")
        #expect(Statistics.bar(10, of: 10, columns: 3) == "███")
        #expect(Statistics.bar(3, of: 16, columns: 2) == "▍")
    }
}
