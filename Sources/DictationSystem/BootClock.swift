import Glibc

/// How long the machine runs.
public enum BootClock {
    /// Seconds since the kernel started, those of a suspended machine included (`CLOCK_BOOTTIME`).
    public static var seconds: Double {
        var time = timespec()
        // The kernel has had this clock since 2.6.39.
        clock_gettime(CLOCK_BOOTTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
