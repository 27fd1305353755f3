import Glibc

/// Nanoseconds of `CLOCK_MONOTONIC`, which all processes of a machine share: stamps taken in two of them may be
/// subtracted (clock_gettime(2)).
enum MonotonicTime {
    static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Sleeps on purpose: a pause of the measurement, not a wait for an event.
    static func pause(nanoseconds: Int) {
        var time = timespec(tv_sec: nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
        // A signal that shortens the pause does no harm.
        nanosleep(&time, nil)
    }
}
