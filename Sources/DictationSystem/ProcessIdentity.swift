import Foundation
import Glibc

/// Identifies a process, even after its pid was reused or the machine was rebooted.
public struct ProcessIdentity: Equatable, Sendable, CustomStringConvertible {
    public let pid: Int32
    /// `/proc/sys/kernel/random/boot_id`.
    public let bootID: String
    /// ``ProcessStat/startTime``.
    public let startTime: UInt64

    /// The process that asks.
    public static let current = ProcessIdentity(of: getpid())

    /// Looks a process up; the start time is 0 if it is gone.
    public init(of pid: Int32) {
        self.pid = pid
        bootID =
            (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8))?
            .trimmingCharacters(in: .whitespacesAndNewlines) ?? "unknown"
        startTime = ProcessStat(of: pid)?.startTime ?? 0
    }

    /// When it started, in seconds on ``BootClock``, to within one of the kernel's ticks (10 ms).
    public var startedAfterBoot: Double { Double(startTime) / Double(sysconf(Int32(_SC_CLK_TCK))) }

    public var description: String { "\(bootID)/\(pid)/\(startTime)" }
}
