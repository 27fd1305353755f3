import ArgumentParser
import DictationService
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

    func validate() throws {
        guard count > 0 else { throw ValidationError("--count takes a number above 0.") }
    }

    func run() throws {
        try BenchCommand.run {
            let interruption = try Interruption()
            let command = try program.isEmpty ? [Self.dictstate()] : program
            var times: [Int64] = []
            for run in 0..<Self.warmUp + count {
                let time = try ProgramTime.of(command, interruption)
                if run >= Self.warmUp { times.append(time) }
            }
            let figures = Figures(nanoseconds: times)
            if json { return try JSONOutput.print(figures) }
            print("\(command.joined(separator: " ")): \(count) runs, in µs from exec to exit")
            print(Columns.line(["", "p50", "p99", "max"]))
            print(Columns.line(["start"] + [figures.p50, figures.p99, figures.max].map(Columns.number)))
        }
    }

    static func dictstate() throws -> String {
        let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let path = own.deletingLastPathComponent().appendingPathComponent("dictstate").path
        guard access(path, X_OK) == 0 else {
            throw CommandProblem(
                status: .failed, message: "There is no \(path). Build it, or name a program to measure.")
        }
        return path
    }
}
