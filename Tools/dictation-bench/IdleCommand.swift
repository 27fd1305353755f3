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
            "Measure what the idle agents cost: how often they wake, and their memory.",
        discussion: """
            Without a PID, those agents that run for the app group are measured. With --partials, this process \
            acts as host-agent and commits partial results, and is measured as well; a canceled dictation stays in \
            the history.
            """)

    @Option(name: .shortAndLong, help: "How long to measure.")
    var seconds = 30.0

    @Flag(help: "Commit a partial result each 100 ms, as during a dictation.")
    var partials = false

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
            /// Of one core.
            let processorPercent: Double
            let residentKiB: Int
        }
        let seconds: Double
        /// Partial results that were committed during the measurement.
        let partials: Int
        let processes: [Process]
        /// Of one core, all processes together.
        let processorPercent: Double
    }

    func run() throws {
        try BenchCommand.run {
            let interruption = try Interruption()
            let named = pid.isEmpty ? try Self.agents() : pid
            let report = try measure(named + (partials ? [getpid()] : []), interruption)
            try json ? JSONOutput.print(report) : Self.printTable(report)
        }
    }

    /// The processes that hold the roles of the app group.
    private static func agents() throws -> [Int32] {
        let group = try AppGroup()
        let found = try AgentRole.allCases.compactMap { try RoleLock.holder(of: $0, in: group)?.pid }
        guard !found.isEmpty else {
            throw CommandProblem(
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
        let speaker = partials ? try Speaker() : nil
        let before = try pids.map(Self.usage)
        let begin = MonotonicTime.now()
        let end = begin + Int64((seconds * 1e9).rounded(.up))
        var spoken = 0
        var ended: [Int32] = []
        while ended.isEmpty, MonotonicTime.now() < end {
            try speaker?.speak(&spoken)
            let next = speaker == nil ? end : min(end, begin + Int64(spoken) * Speaker.interval)
            let left = max(0, next - MonotonicTime.now())
            do {
                ended = try interruption.wait(for: ends.map(\.raw), until: .now + .nanoseconds(left))
            } catch {
                try speaker?.finish()
                throw error
            }
        }
        let elapsed = Double(MonotonicTime.now() - begin) / 1e9
        let after = try pids.map(Self.usage)
        try speaker?.finish()
        for (pid, end) in zip(pids, ends) where ended.contains(end.raw) { throw Self.gone(pid) }
        let processes = zip(pids, zip(before, after)).map { pid, usage in
            let (before, after) = usage
            let switches = after.switches(since: before)
            return Report.Process(
                pid: pid, name: after.name, threads: after.switches.count,
                voluntaryPerSecond: Self.rate(switches.voluntary, elapsed),
                involuntaryPerSecond: Self.rate(switches.involuntary, elapsed),
                processorPercent: Self.percent(after.processorTime - before.processorTime, elapsed),
                residentKiB: after.resident)
        }
        let all = zip(before, after).reduce(0) { $0 + $1.1.processorTime - $1.0.processorTime }
        return Report(
            seconds: (elapsed * 1000).rounded() / 1000, partials: spoken, processes: processes,
            processorPercent: Self.percent(all, elapsed))
    }

    /// Does with the store what host-agent does while somebody speaks.
    private struct Speaker {
        /// Nanoseconds: a recognizer has news about ten times a second.
        static let interval: Int64 = 100_000_000

        private let keeper: DictationKeeper
        private let id = DictationID()

        init() throws {
            keeper = DictationKeeper(store: try StateStore(group: AppGroup()))
            try keeper.begin(id, target: nil, engine: "benchmark", locale: "en-US")
            try keeper.apply(.recordingStarted, to: id)
        }

        func speak(_ spoken: inout Int) throws {
            try keeper.apply(.partial(SpokenText.partial(spoken)), to: id)
            spoken += 1
        }

        func finish() throws { try keeper.apply(.cancelled, to: id) }
    }

    /// Of one core, with three decimal places.
    private static func percent(_ nanoseconds: Int64, _ seconds: Double) -> Double {
        (Double(nanoseconds) / seconds / 1e7 * 1000).rounded() / 1000
    }

    private static func usage(_ pid: Int32) throws -> ProcessUsage {
        guard let usage = ProcessUsage(of: pid) else { throw gone(pid) }
        return usage
    }

    private static func gone(_ pid: Int32) -> CommandProblem {
        CommandProblem(
            status: .nothingThere, message: "There is no process \(pid), or it ended; nothing was measured.")
    }

    /// A second, with three decimal places: one wake-up in half a minute is to be seen.
    private static func rate(_ count: Int, _ seconds: Double) -> Double {
        (Double(count) / seconds * 1000).rounded() / 1000
    }

    private static func printTable(_ report: Report) {
        let partials = report.partials == 0 ? "" : "; \(report.partials) partial results meanwhile"
        print("\(Columns.number(report.seconds)) s; context switches of all threads, a second\(partials)")
        print(
            Columns.line(
                ["", "pid", "threads", "voluntary", "involuntary", "% of a core", "RSS MiB"], others: 12))
        for process in report.processes {
            print(
                Columns.line(
                    [
                        process.name, "\(process.pid)", "\(process.threads)",
                        String(format: "%.3f", process.voluntaryPerSecond),
                        String(format: "%.3f", process.involuntaryPerSecond),
                        String(format: "%.3f", process.processorPercent),
                        Columns.number(Double(process.residentKiB) / 1024),
                    ], others: 12))
        }
        print("all together: \(String(format: "%.3f", report.processorPercent)) % of a core")
    }
}
