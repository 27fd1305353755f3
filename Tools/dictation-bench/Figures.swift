/// The summary of many measured times, in microseconds.
struct Figures: Encodable, Equatable {
    let p50: Double
    let p99: Double
    let max: Double
    /// Commits that the other process never saw; nil without a reader.
    let missed: Int?
    /// From the writer's first step, its own work included; nil without a reader.
    let total: Total?

    struct Total: Encodable, Equatable {
        let p50: Double
        let p99: Double
        let max: Double
    }

    /// - Parameters:
    ///   - nanoseconds: in any order.
    ///   - total: the same with the writer's work; empty without a reader.
    init(nanoseconds: [Int64], total: [Int64] = [], missed: Int? = nil) {
        p50 = Self.microseconds(nanoseconds, rank: 0.5)
        p99 = Self.microseconds(nanoseconds, rank: 0.99)
        max = Self.microseconds(nanoseconds, rank: 1)
        self.missed = missed
        self.total =
            total.isEmpty
            ? nil
            : Total(
                p50: Self.microseconds(total, rank: 0.5), p99: Self.microseconds(total, rank: 0.99),
                max: Self.microseconds(total, rank: 1))
    }

    /// Rounded to a tenth of a microsecond.
    private static func microseconds(_ nanoseconds: [Int64], rank: Double) -> Double {
        (Double(nanoseconds.nearest(toRank: rank) ?? 0) / 100).rounded() / 10
    }
}

extension Array where Element: Comparable {
    /// The nearest-rank percentile: one that was really measured; nil if none was.
    ///
    /// - Parameter rank: from 0 to 1; 0.5 is the median.
    func nearest(toRank rank: Double) -> Element? {
        isEmpty ? nil : sorted()[Swift.max(1, Int((rank * Double(count)).rounded(.up))) - 1]
    }
}

/// Times between two processes as they are collected, over all rounds; in nanoseconds.
struct HopSamples {
    private var times: [Int64] = []
    private var totals: [Int64] = []
    private var missed = 0

    /// - Parameters:
    ///   - begin: before the writer's first step.
    ///   - published: when it had done its work.
    ///   - seen: when the reader had decoded it.
    mutating func add(begin: Int64, published: Int64, seen: Int64) {
        times.append(seen - published)
        totals.append(seen - begin)
    }

    mutating func addMissed() { missed += 1 }

    var figures: Figures { Figures(nanoseconds: times, total: totals, missed: missed) }
}
