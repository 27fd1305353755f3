import Glibc

/// Seconds that were computed: what other programs do meanwhile does not count, unlike on a clock.
public enum ProcessorTime {
    /// Of this thread.
    public static var thread: Double { seconds(CLOCK_THREAD_CPUTIME_ID) }
    /// Of all threads of this process.
    public static var process: Double { seconds(CLOCK_PROCESS_CPUTIME_ID) }

    private static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
