import Glibc

/// The time that all of the user's patterns together may take for one text.
///
/// Of the processor's time: a busy machine does not make patterns slower.
struct PatternBudget: Sendable {
    /// Short enough to go unnoticed between the last word and the text.
    static let whole = Duration.milliseconds(50)

    private let clock: @Sendable () -> Duration
    private var left: Duration
    private var began: Duration?

    /// - Parameter clock: the time that this thread has used.
    init(_ left: Duration = Self.whole, clock: @escaping @Sendable () -> Duration = Self.threadTime) {
        self.left = left
        self.clock = clock
    }

    /// Whether nothing is left, the running search included.
    var isSpent: Bool { left - (began.map { clock() - $0 } ?? .zero) <= .zero }

    mutating func begin() { began = clock() }

    mutating func end() {
        if let began { left -= clock() - began }
        began = nil
    }

    private static let threadTime: @Sendable () -> Duration = {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
