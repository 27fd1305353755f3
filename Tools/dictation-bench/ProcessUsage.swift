import DictationSystem
import Foundation
import Glibc

/// The kernel's counts for a process so far (/proc/PID/status and /proc/PID/task/TID/status, see proc(5)).
struct ProcessUsage {
    /// Of one thread.
    struct Switches {
        /// The thread went to sleep, to be woken by something.
        var voluntary = 0
        /// The kernel gave its core to another thread.
        var involuntary = 0
    }

    let name: String
    /// By thread.
    let switches: [Int32: Switches]
    /// VmRSS, in KiB.
    let resident: Int
    /// RssAnon, in KiB: without the pages of files.
    let privateMemory: Int
    /// How many files, sockets and the like are open.
    let descriptors: Int
    /// The time that all its threads, ended ones too, have had a core, in nanoseconds.
    let processorTime: Int64

    /// - Returns: nil if there is no such process.
    init?(of pid: Int32) {
        guard let status = Self.status("/proc/\(pid)/status") else { return nil }
        name = status["Name"] ?? "?"
        resident = Self.number(status["VmRSS"])
        privateMemory = Self.number(status["RssAnon"])
        descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd").count) ?? 0
        processorTime = Self.processorTime(of: pid)
        var switches: [Int32: Switches] = [:]
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
        for thread in threads.compactMap({ Int32($0) }) {
            // A thread may end while we look.
            guard let status = Self.status("/proc/\(pid)/task/\(thread)/status") else { continue }
            switches[thread] = Switches(
                voluntary: Self.number(status["voluntary_ctxt_switches"]),
                involuntary: Self.number(status["nonvoluntary_ctxt_switches"]))
        }
        self.switches = switches
    }

    /// The switches between an earlier look and this one. Those of a thread that ended in between are not known.
    func switches(since earlier: ProcessUsage) -> Switches {
        switches.reduce(into: Switches()) { sum, thread in
            let before = earlier.switches[thread.key] ?? Switches()
            sum.voluntary += thread.value.voluntary - before.voluntary
            sum.involuntary += thread.value.involuntary - before.involuntary
        }
    }

    /// The nanoseconds that a process's thread of this name has had a core (/proc/PID/task/TID/schedstat).
    ///
    /// - Returns: nil if there is no such thread.
    static func time(ofThread name: String, in pid: Int32) -> Int64? {
        let tasks = "/proc/\(pid)/task"
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
        func text(_ thread: String, _ file: String) -> String {
            (try? String(contentsOfFile: "\(tasks)/\(thread)/\(file)", encoding: .utf8)) ?? ""
        }
        return threads.first { text($0, "comm") == name + "\n" }
            .flatMap { text($0, "schedstat").split(separator: " ").first.flatMap { Int64($0) } }
    }

    /// clock_getcpuclockid(3); /proc counts in hundredths of a second, which is too coarse here.
    private static func processorTime(of pid: Int32) -> Int64 {
        var clock = clockid_t()
        var time = timespec()
        guard clock_getcpuclockid(pid, &clock) == 0, clock_gettime(clock, &time) == 0 else { return 0 }
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    private static func status(_ path: String) -> [String: String]? {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        let pairs = text.split(separator: "\n").compactMap { line -> (String, String)? in
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { return nil }
            return (String(parts[0]), parts[1].trimmingCharacters(in: .whitespaces))
        }
        return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }

    /// The number before a unit, as in `18900 kB`.
    private static func number(_ text: String?) -> Int {
        Int(text?.prefix(while: \.isNumber) ?? "") ?? 0
    }
}
