import ArgumentParser
import DictationProgram
import DictationShared
import Foundation
import Glibc

struct StatsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Show words, words per minute, time saved and delays, in total and by day.",
        discussion: """
            Counts the dictations in the history. The delay is from the end of the recording to the last key. The time \
            saved is the time to type the words, minus the time for speaking and waiting. Times: \(Moment.forms).
            """)

    @Option(
        help: ArgumentHelp("Only dictations since then.", valueName: "when"), transform: MomentArgument.init)
    var since: MomentArgument?

    @Option(help: ArgumentHelp("Your typing speed in words per minute.", valueName: "words"))
    // People who type every day: 52 words a minute on average (Dhakal et al. 2018, 168,000 people).
    var typingSpeed = 52.0

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (1...1_000).contains(typingSpeed) else {
            throw ValidationError("--typing-speed takes words per minute, from 1 to 1000.")
        }
    }

    func run() throws {
        try Session.run { session in
            let statistics = Statistics(
                of: try session.store.measures(since: since?.date), typingSpeed: typingSpeed
            ) {
                Statistics.Day(
                    name: String(Description.time($0).prefix(10)),
                    // If that cannot be known, the next dictation is asked after as well.
                    end: Moment.midnight($0, days: 1) ?? $0)
            }
            if output.json {
                try JSONLine.print(SumJSON(day: nil, statistics.total))
                for (day, sum) in statistics.days { try JSONLine.print(SumJSON(day: day, sum)) }
            } else {
                let isEmpty = statistics.total.dictations == 0
                if isEmpty, since != nil { return Complaint.say("Nothing was dictated since then.") }
                print(Self.table(statistics, columns: Self.columns))
            }
        }
    }

    /// Of a terminal; nil elsewhere.
    private static var columns: Int? { isatty(STDOUT_FILENO) == 1 ? TerminalScreen.size.width : nil }

    /// - Parameter columns: that the lines may have; nil: any number.
    static func table(_ statistics: Statistics, columns: Int? = nil) -> String {
        guard statistics.total.dictations > 0 else { return "Nothing was dictated yet." }
        let head = ["", "dictations", "words", "words/min", "saved", "p50 ms", "p95 ms"]
        let rows = (statistics.days + [("in all", statistics.total)]).map { day, sum in
            [
                day, "\(sum.dictations)", "\(sum.words)",
                sum.wordsPerMinute.map { "\(Int($0.rounded()))" } ?? "–", time(sum.saved),
                sum.delay(percentile: 50).map(String.init) ?? "–",
                sum.delay(percentile: 95).map(String.init) ?? "–",
            ]
        }
        let widths = head.indices.map { column in ([head] + rows).map { $0[column].count }.max() ?? 0 }
        // The bars take what is left.
        let room = columns.map { $0 - widths.reduce(0) { $0 + $1 + 2 } } ?? mostBars
        let greatest = statistics.days.map(\.sum.words).max() ?? 0
        let lines = ([head] + rows).enumerated().map { index, row -> String in
            let cells = row.indices.map { padded(row[$0], to: widths[$0], isLeading: $0 > 0) }
            let isDay = (1...statistics.days.count).contains(index)
            let words = isDay ? statistics.days[index - 1].sum.words : 0
            let line = (cells + [bar(words, of: greatest, room)]).joined(separator: "  ")
            return String(line.trimmingSuffix { $0 == " " })
        }
        return lines.joined(separator: "\n")
    }

    private static let mostBars = 20

    private static func bar(_ value: Int, of greatest: Int, _ room: Int) -> String {
        room > 0 ? Statistics.bar(value, of: greatest, columns: min(room, mostBars)) : ""
    }

    /// - Parameter isLeading: whether the spaces are before the text.
    private static func padded(_ text: String, to width: Int, isLeading: Bool) -> String {
        let padding = String(repeating: " ", count: width - text.count)
        return isLeading ? padding + text : text + padding
    }

    private static func time(_ seconds: Double) -> String {
        let whole = Int(abs(seconds).rounded())
        let text =
            switch whole {
            case ..<60: "\(whole) s"
            case ..<3_600: "\(whole / 60) min"
            default: "\(whole / 3_600) h \(whole % 3_600 / 60) min"
            }
        return seconds < 0 && whole > 0 ? "−" + text : text
    }

    private struct SumJSON: Encodable {
        /// Nil for all days together.
        let day: String?
        let dictations: Int
        let words: Int
        let spokenSeconds: Double
        let savedSeconds: Double
        let wordsPerMinute: Double?
        let delayP50: Int?
        let delayP95: Int?

        init(day: String?, _ sum: Statistics.Sum) {
            self.day = day
            dictations = sum.dictations
            words = sum.words
            spokenSeconds = sum.spoken
            savedSeconds = sum.saved
            wordsPerMinute = sum.wordsPerMinute
            delayP50 = sum.delay(percentile: 50)
            delayP95 = sum.delay(percentile: 95)
        }
    }
}

extension String {
    fileprivate func trimmingSuffix(while isTrimmed: (Character) -> Bool) -> String {
        String(prefix(upTo: lastIndex { !isTrimmed($0) }.map(index(after:)) ?? startIndex))
    }
}
