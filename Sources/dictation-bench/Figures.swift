/// What many measured times come to, in microseconds.
struct Figures: Encodable, Equatable {
    let p50: Double
    let p99: Double
    let max: Double
    /// Commits that the other process never saw; nil where nobody looks.
    let missed: Int?

    /// - Parameter nanoseconds: in any order; a negative one means that the reader was there before the writer's
    ///   call had returned.
    init(nanoseconds: [Int64], missed: Int? = nil) {
        let sorted = nanoseconds.sorted()
        p50 = Self.microseconds(sorted, rank: 0.5)
        p99 = Self.microseconds(sorted, rank: 0.99)
        max = Self.microseconds(sorted, rank: 1)
        self.missed = missed
    }

    /// The nearest-rank percentile: a time that was really measured, rounded to a tenth of a microsecond.
    private static func microseconds(_ sorted: [Int64], rank: Double) -> Double {
        guard !sorted.isEmpty else { return 0 }
        let place = Swift.max(1, (rank * Double(sorted.count)).rounded(.up))
        return (Double(sorted[Int(place) - 1]) / 100).rounded() / 10
    }
}

/// Times as they are collected, over all rounds.
struct Samples {
    private var nanoseconds: [Int64] = []
    private(set) var missed = 0

    mutating func add(_ time: Int64) { nanoseconds.append(time) }
    mutating func addMissed() { missed += 1 }

    /// - Parameter counting: whether missed commits mean anything for these times.
    func figures(countingMissed counting: Bool) -> Figures {
        Figures(nanoseconds: nanoseconds, missed: counting ? missed : nil)
    }
}
