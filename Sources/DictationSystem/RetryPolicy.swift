import Glibc

/// When to try again, and how long to wait first.
///
/// Transient errors pass by themselves: a device that another program is just closing (`EBUSY`), a sound
/// server that is not up yet (`ECONNREFUSED`), or one that says so (`EAGAIN`, `EINTR`). All other errors are
/// reported at once.
public struct RetryPolicy: Sendable, Equatable {
    /// How often to try again after the first failure.
    public var retries: Int
    /// The wait before the first retry; each further one waits twice as long.
    public var firstDelay: Duration
    /// No wait is longer.
    public var longestDelay: Duration

    /// One try.
    public static let never = RetryPolicy(retries: 0, firstDelay: .zero)

    /// Three retries after 50, 100 and 200 ms: a device that is still busy after 0.35 s is in use, and the user,
    /// who already speaks, must know.
    public static let openingDevice = RetryPolicy(retries: 3, firstDelay: .milliseconds(50))

    /// For what is kept in memory because the disk takes nothing: no event says when a disk has room again,
    /// so only time can tell. After 1, 2, 4 … and then each 30 s, for as long as there is something to lose;
    /// one try costs well under a millisecond.
    public static let savingWhatIsKept = RetryPolicy(
        retries: .max, firstDelay: .seconds(1), longestDelay: .seconds(30))

    /// Four retries after 50, 100, 200 and 400 ms: another agent that releases a key does so at once.
    public static let takingKey = RetryPolicy(retries: 4, firstDelay: .milliseconds(50))

    public init(retries: Int, firstDelay: Duration, longestDelay: Duration = .seconds(60)) {
        self.retries = retries
        self.firstDelay = firstDelay
        self.longestDelay = longestDelay
    }

    /// The wait before the next try, or nil when it is time to give up.
    ///
    /// - Parameter failures: how many tries have failed so far; at least 1.
    public func delay(afterFailures failures: Int) -> Duration? {
        guard failures >= 1, failures <= retries else { return nil }
        // Further doublings would leave the range of the type.
        let doublings = min(failures - 1, 30)
        return min(firstDelay * (1 << doublings), longestDelay)
    }

    /// Whether an errno value (positive) is a transient error.
    public static func isTransient(_ code: Int32) -> Bool {
        [EBUSY, EAGAIN, EINTR, ECONNREFUSED].contains(code)
    }
}

extension RetryPolicy {
    /// Calls `body`, and again after transient failures.
    ///
    /// - Parameters:
    ///   - deadline: no further try begins after it.
    ///   - isTransient: whether a failure is transient.
    ///   - hasProgressed: asked after a failure: one that came after something new counts as the first.
    /// - Throws: the last failure; `CancellationError` when the task is canceled while it waits.
    public func run<Result: Sendable>(
        until deadline: ContinuousClock.Instant? = nil, isTransient: (any Error) -> Bool,
        hasProgressed: () -> Bool = { false }, _ body: () async throws -> Result
    ) async throws -> Result {
        var failures = 0
        while true {
            do {
                return try await body()
            } catch  where isTransient(error) {
                failures = hasProgressed() ? 1 : failures + 1
                guard let delay = delay(afterFailures: failures) else { throw error }
                if let deadline, .now + delay >= deadline { throw error }
                // No event says when the obstacle is gone.
                try await pause(for: delay)
            }
        }
    }

    /// The same on a thread, with its own wait.
    ///
    /// - Parameter wait: returns whether to continue.
    /// - Returns: nil if the wait has ended the retries.
    public func run<Result>(
        isTransient: (any Error) -> Bool, wait: (Duration) throws -> Bool, _ body: () throws -> Result
    ) throws -> Result? {
        var failures = 0
        while true {
            do {
                return try body()
            } catch  where isTransient(error) {
                failures += 1
                guard let delay = delay(afterFailures: failures) else { throw error }
                guard try wait(delay) else { return nil }
            }
        }
    }
}
