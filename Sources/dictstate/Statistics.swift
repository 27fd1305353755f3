import DictationShared
import Foundation

/// The benefit of dictating: a pure value, computed from the history.
struct Statistics: Equatable {
    /// Of one day, or of all.
    struct Sum: Equatable {
        var dictations = 0
        var words = 0
        /// Of sound whose text has words, in seconds.
        var spoken = 0.0
        /// Seconds that typing the words would have taken, minus the time of dictating them.
        var saved = 0.0
        /// From the end of the recording to the last key, in milliseconds; the shortest first.
        fileprivate(set) var delays: [Int] = []

        fileprivate mutating func add(_ measure: SpokenMeasure, seconds: Double, saved: Double) {
            dictations += 1
            words += measure.words
            spoken += seconds
            self.saved += saved
            if measure.isTyped { delays.append(measure.delay) }
        }

        var wordsPerMinute: Double? { spoken > 0 ? Double(words) / spoken * 60 : nil }

        /// The smallest delay that at least this share of them does not exceed; nil without any.
        func delay(percentile: Double) -> Int? {
            guard !delays.isEmpty else { return nil }
            let rank = Int((percentile / 100 * Double(delays.count)).rounded(.up))
            return delays[min(max(rank, 1), delays.count) - 1]
        }
    }

    private(set) var total = Sum()
    /// By day (`2026-11-21`, in the user's time zone), the oldest first.
    private(set) var days: [(day: String, sum: Sum)] = []

    static func == (left: Statistics, right: Statistics) -> Bool {
        left.total == right.total && left.days.elementsEqual(right.days) { $0 == $1 }
    }

    /// A day of the user's, from midnight to midnight.
    struct Day: Equatable {
        let name: String
        /// When the next one begins.
        let end: Date
    }

    /// - Parameters:
    ///   - measures: the oldest first.
    ///   - typingSpeed: words a minute.
    init(of measures: [SpokenMeasure], typingSpeed: Double, day: (Date) -> Day) {
        var current: Day?
        for measure in measures {
            let seconds = Double(measure.recording) / 1_000
            let saved = Double(measure.words) / typingSpeed * 60 - seconds - Double(measure.delay) / 1_000
            // Finding the day takes longer than everything else.
            if current.map({ measure.date >= $0.end }) ?? true {
                let next = day(measure.date)
                if next.name != days.last?.day { days.append((next.name, Sum())) }
                current = next
            }
            total.add(measure, seconds: seconds, saved: saved)
            days[days.count - 1].sum.add(measure, seconds: seconds, saved: saved)
        }
        total.delays.sort()
        for index in days.indices { days[index].sum.delays.sort() }
    }

    /// A bar of at most `columns`, in eighths of a column; the greatest value fills it.
    static func bar(_ value: Int, of greatest: Int, columns: Int) -> String {
        guard value > 0, greatest > 0 else { return "" }
        let eighths = max(1, value * columns * 8 / greatest)
        let rest = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
        return String(repeating: "█", count: eighths / 8) + rest
    }
}
