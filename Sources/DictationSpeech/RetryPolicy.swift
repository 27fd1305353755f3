import Glibc

/// When to try again, and how long to wait first.
///
/// Transient is what passes by itself: a device that another program is just closing (`EBUSY`), a sound server
/// that is not up yet (`ECONNREFUSED`), or one that says so (`EAGAIN`, `EINTR`). All else is told at once.
public struct RetryPolicy: Sendable, Equatable {
    /// How often to try again after the first failure.
    public var retries: Int
    /// The wait before the first retry; each further one waits twice as long.
    public var firstDelay: Duration

    /// Three retries after 50, 100 and 200 ms: a device that is still busy after 0.35 s is in use, and the user,
    /// who already speaks, must know.
    public static let openingDevice = RetryPolicy(retries: 3, firstDelay: .milliseconds(50))

    public init(retries: Int, firstDelay: Duration) {
        self.retries = retries
        self.firstDelay = firstDelay
    }

    /// The wait before the next try, or nil when it is time to give up.
    ///
    /// - Parameters:
    ///   - failures: how many tries have failed so far; at least 1.
    ///   - code: the errno value of the last failure (positive).
    public func delay(afterFailures failures: Int, code: Int32) -> Duration? {
        guard failures >= 1, failures <= retries, Self.isTransient(code) else { return nil }
        return firstDelay * (1 << (failures - 1))
    }

    public static func isTransient(_ code: Int32) -> Bool {
        [EBUSY, EAGAIN, EINTR, ECONNREFUSED].contains(code)
    }
}
