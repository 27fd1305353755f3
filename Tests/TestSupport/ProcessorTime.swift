import Glibc

/// Seconds of processor time: unlike on a clock, the work of other programs does not count.
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
