import Glibc

/// How long the machine runs.
public enum BootClock {
    /// Seconds since the kernel started, those of a suspended machine included (`CLOCK_BOOTTIME`).
    public static var seconds: Double { seconds(of: CLOCK_BOOTTIME) }

    /// Seconds since the kernel started, without those of a suspended machine (`CLOCK_MONOTONIC`).
    fileprivate static var secondsAwake: Double { seconds(of: CLOCK_MONOTONIC) }

    private static func seconds(of clock: clockid_t) -> Double {
        var time = timespec()
        // The kernel has had these clocks since 2.6.39.
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// How long the machine was suspended until some instant, as exactly as a process can tell that may be
/// delayed between two readings of a clock.
public struct SuspendedTime: Equatable, Sendable {
    /// In seconds.
    public let bounds: ClosedRange<Double>

    /// - Parameters:
    ///   - awake: what the clock without suspended time showed before and after the other one was read, in seconds.
    ///   - elapsed: what the clock with suspended time showed, in seconds.
    public init(awake: ClosedRange<Double>, elapsed: Double) {
        bounds = (elapsed - awake.upperBound)...(elapsed - awake.lowerBound)
    }

    /// Until now.
    public static var now: SuspendedTime {
        let before = BootClock.secondsAwake
        let elapsed = BootClock.seconds
        return SuspendedTime(awake: before...max(before, BootClock.secondsAwake), elapsed: elapsed)
    }

    /// Whether the machine was suspended for longer than that after an earlier instant, for certain.
    public func hasGrown(since earlier: SuspendedTime, byMoreThan seconds: Double = 1) -> Bool {
        bounds.lowerBound - earlier.bounds.upperBound > seconds
    }
}
