import DictationShared
import Foundation

/// What dictating has brought: a pure value, made of the history.
struct Statistics: Equatable {
    /// Of one day, or of all.
    struct Sum: Equatable {
        var dictations = 0
        var words = 0
        /// Of sound whose text has words, in seconds.
        var spoken = 0.0
        /// Seconds that typing the words would have taken, without what dictating them took.
        var saved = 0.0
        /// From the end of the recording to the last key, in milliseconds.
        var delays: [Int] = []

        var wordsPerMinute: Double? { spoken > 0 ? Double(words) / spoken * 60 : nil }

        /// The smallest delay that at least so much of them does not exceed; nil without any.
        func delay(percentile: Double) -> Int? {
            let sorted = delays.sorted()
            guard !sorted.isEmpty else { return nil }
            let rank = Int((percentile / 100 * Double(sorted.count)).rounded(.up))
            return sorted[min(max(rank, 1), sorted.count) - 1]
        }
    }

    private(set) var total = Sum()
    /// By day (`2026-11-21`, in the user's time zone), the oldest first.
    private(set) var days: [(day: String, sum: Sum)] = []

    static func == (left: Statistics, right: Statistics) -> Bool {
        left.total == right.total && left.days.elementsEqual(right.days) { $0 == $1 }
    }

    /// - Parameters:
    ///   - states: in any order. Those without a text are left out, and so are texts that were not spoken.
    ///   - typingSpeed: words a minute.
    init(of states: [DictationState], typingSpeed: Double, day: (Date) -> String) {
        var sums: [String: Sum] = [:]
        for state in states {
            guard state.status == .ready, let recording = state.timings.recording else { continue }
            let words = state.cleanedText.split(whereSeparator: \.isWhitespace).count
            guard words > 0 else { continue }
            let delay = [state.timings.recognition, state.timings.cleaning, state.timings.typing]
                .compactMap { $0 }.reduce(0, +)
            let seconds = Double(recording) / 1_000
            let add = { (sum: inout Sum) in
                sum.dictations += 1
                sum.words += words
                sum.spoken += seconds
                sum.saved += Double(words) / typingSpeed * 60 - seconds - Double(delay) / 1_000
                if state.delivery == .inserted, state.timings.typing != nil { sum.delays.append(delay) }
            }
            add(&total)
            add(&sums[day(state.timestamp), default: Sum()])
        }
        days = sums.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// A bar of so many columns at most, in eighths of a column; the greatest value fills it.
    static func bar(_ value: Int, of greatest: Int, columns: Int) -> String {
        guard value > 0, greatest > 0 else { return "" }
        let eighths = max(1, value * columns * 8 / greatest)
        let rest = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
        return String(repeating: "█", count: eighths / 8) + rest
    }
}
