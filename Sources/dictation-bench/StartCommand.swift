import ArgumentParser
import DictationService
import DictationSystem
import Foundation
import Glibc

/// How long a program takes that only starts, says something, and ends.
struct StartCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "start",
        abstract: "Measure how long dictstate takes to print the state, from exec to exit.",
        discussion: """
            Without a program, that is the dictstate beside this program, for the app group that the environment \
            names. The first runs, which fill the disk's cache, are not counted.
            """)

    @Option(name: .shortAndLong, help: "How many runs.")
    var count = 100

    @Flag(help: "Print one JSON object, in microseconds.")
    var json = false

    @Argument(parsing: .captureForPassthrough, help: "A program by its path, and its arguments.")
    var program: [String] = []

    private static let warmUp = 5
    /// Milliseconds; thousands of times what is usual.
    private static let patience: Int32 = 30_000

    func validate() throws {
        guard count > 0 else { throw ValidationError("--count takes a number above 0.") }
    }

    func run() throws {
        try BenchCommand.run {
            let interruption = try Interruption()
            let command = try program.isEmpty ? [Self.dictstate()] : program
            var times: [Int64] = []
            for run in 0..<Self.warmUp + count {
                let time = try Self.time(command, interruption)
                if run >= Self.warmUp { times.append(time) }
            }
            let figures = Figures(nanoseconds: times)
            if json { return try JSONOutput.print(figures) }
            print("\(command.joined(separator: " ")): \(count) runs, in µs from exec to exit")
            print(Columns.line(["", "p50", "p99", "max"]))
            print(Columns.line(["start"] + [figures.p50, figures.p99, figures.max].map(Columns.number)))
        }
    }

    private static func dictstate() throws -> String {
        let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let path = own.deletingLastPathComponent().appendingPathComponent("dictstate").path
        guard access(path, X_OK) == 0 else {
            throw Problem(
                status: .failed, message: "There is no \(path). Build it, or name a program to measure.")
        }
        return path
    }

    /// - Returns: nanoseconds.
    private static func time(_ command: [String], _ interruption: Interruption) throws -> Int64 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        var arguments = command.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var pid: pid_t = 0
        // Not by Foundation: starting a process takes it as long as such a program takes in all.
        let begin = MonotonicTime.now()
        let code = posix_spawn(&pid, command[0], &actions, nil, &arguments, environ)
        guard code == 0 else { throw SystemError("start \(command[0])", code: code) }
        let end = try ProcessEnd(of: pid)
        let ready = Result { try interruption.wait(for: [end.raw], timeout: patience) }
        let time = MonotonicTime.now() - begin
        // One that hangs, or this process is to end.
        if (try? ready.get())?.isEmpty ?? true { kill(pid, SIGKILL) }
        var status: Int32 = 0
        try retryingInterrupted("wait for \(command[0])") { waitpid(pid, &status, 0) }
        guard try !ready.get().isEmpty else {
            throw Problem(status: .failed, message: "\(command[0]) does not end.")
        }
        guard status == 0 else {
            throw Problem(
                status: .failed, message: "\(command[0]) failed (wait status \(status)); see what it says.")
        }
        return time
    }
}
