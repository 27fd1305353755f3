import ArgumentParser
import DictationService
import DictationShared
import DictationSystem
import Foundation
import Glibc

struct IdleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "idle",
        abstract:
            "Measure what the agents cost while nothing happens: how often they wake, and their memory.",
        discussion: "Without a PID, those agents that run for the app group are measured.")

    @Option(name: .shortAndLong, help: "How long to measure.")
    var seconds = 30.0

    @Flag(help: "Print one JSON object.")
    var json = false

    @Argument(help: "Processes to measure.")
    var pid: [Int32] = []

    func validate() throws {
        // A day; the wait is counted in 32 bits of milliseconds.
        guard seconds > 0, seconds <= 86_400 else {
            throw ValidationError("--seconds takes a number above 0, of at most 86400.")
        }
        guard pid.allSatisfy({ $0 > 0 }) else { throw ValidationError("A PID is a number above 0.") }
    }

    struct Report: Encodable {
        struct Process: Encodable {
            let pid: Int32
            let name: String
            let threads: Int
            let voluntaryPerSecond: Double
            let involuntaryPerSecond: Double
            let residentKiB: Int
        }
        let seconds: Double
        let processes: [Process]
    }

    func run() throws {
        try BenchCommand.run {
            let interruption = try Interruption()
            let report = try measure(pid.isEmpty ? Self.agents() : pid, interruption)
            try json ? JSONOutput.print(report) : Self.printTable(report)
        }
    }

    /// The processes that hold the roles of the app group.
    private static func agents() throws -> [Int32] {
        let group = try AppGroup()
        let found = try AgentRole.allCases.compactMap { try RoleLock.holder(of: $0, in: group)?.pid }
        guard !found.isEmpty else {
            throw Problem(
                status: .nothingThere,
                message: "No agent runs for \(group.folder.path). Start them, or name processes by their PID."
            )
        }
        return found
    }

    private func measure(_ pids: [Int32], _ interruption: Interruption) throws -> Report {
        let ends = try pids.map { pid in
            do { return try ProcessEnd(of: pid) } catch { throw Self.gone(pid) }
        }
        let before = try pids.map(Self.usage)
        let begin = MonotonicTime.now()
        let ended = try interruption.wait(for: ends.map(\.raw), timeout: Int32((seconds * 1000).rounded(.up)))
        let elapsed = Double(MonotonicTime.now() - begin) / 1e9
        for (pid, end) in zip(pids, ends) where ended.contains(end.raw) { throw Self.gone(pid) }
        let processes = try zip(pids, before).map { pid, before in
            let after = try Self.usage(pid)
            let switches = after.switches(since: before)
            return Report.Process(
                pid: pid, name: after.name, threads: after.switches.count,
                voluntaryPerSecond: Self.rate(switches.voluntary, elapsed),
                involuntaryPerSecond: Self.rate(switches.involuntary, elapsed), residentKiB: after.resident)
        }
        return Report(seconds: (elapsed * 1000).rounded() / 1000, processes: processes)
    }

    private static func usage(_ pid: Int32) throws -> ProcessUsage {
        guard let usage = ProcessUsage(of: pid) else { throw gone(pid) }
        return usage
    }

    private static func gone(_ pid: Int32) -> Problem {
        Problem(
            status: .nothingThere, message: "There is no process \(pid), or it ended; nothing was measured.")
    }

    /// A second, with three decimal places: one wake-up in half a minute is to be seen.
    private static func rate(_ count: Int, _ seconds: Double) -> Double {
        (Double(count) / seconds * 1000).rounded() / 1000
    }

    private static func printTable(_ report: Report) {
        print("\(Columns.number(report.seconds)) s; context switches of all threads, a second")
        print(Columns.line(["", "pid", "threads", "voluntary", "involuntary", "RSS MiB"], others: 12))
        for process in report.processes {
            print(
                Columns.line(
                    [
                        process.name, "\(process.pid)", "\(process.threads)",
                        String(format: "%.3f", process.voluntaryPerSecond),
                        String(format: "%.3f", process.involuntaryPerSecond),
                        Columns.number(Double(process.residentKiB) / 1024),
                    ], others: 12))
        }
    }
}
