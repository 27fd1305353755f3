import ArgumentParser
import DictationService
import DictationSystem
import Foundation
import Glibc

/// The cost of a long history.
struct ScaleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scale",
        abstract: "Measure what a long history costs: each command beside the same one with an empty store.",
        discussion: """
            Makes a store with many dictations in a folder of its own, starts the agents on a virtual display, and \
            prints a table. Your desktop and your history are not touched. Needs Xvfb, openbox, xdotool and xterm.
            """)

    @Option(help: "How many dictations the long history has.")
    var dictations = 100_000

    @Option(name: .shortAndLong, help: "How often each command is run.")
    var count = 20

    @Flag(help: "Print one JSON object.")
    var json = false

    func validate() throws {
        guard (1_001...10_000_000).contains(dictations) else {
            throw ValidationError("--dictations takes a number from 1001 to 10000000.")
        }
        guard count > 0 else { throw ValidationError("--count takes a number above 0.") }
    }

    func run() throws {
        try BenchCommand.run {
            let interruption = try Interruption()
            try Tool.require(["Xvfb", "openbox", "xdotool", "xterm"])
            let folder = try WorkFolder()
            defer { folder.remove() }
            let isTerminal = isatty(STDERR_FILENO) == 1
            let report = try ScaleBenchmark(
                dictations: dictations, count: count, folder: folder, interruption: interruption,
                progress: { if isTerminal { StandardStreams.complain("\r\u{1B}[K\($0)") } }
            ).run()
            if isTerminal { StandardStreams.complain("\r\u{1B}[K") }
            try json ? JSONOutput.print(report) : Self.printTable(report)
        }
    }

    private static func printTable(_ report: ScaleBenchmark.Report) {
        func line(_ cells: [String]) { print(Columns.line(cells, first: 28, others: 11)) }
        print(
            "\(report.dictations) dictations (\(report.megabytes) MB) beside an empty store; medians, in ms")
        line(["", "empty", "full", "ratio", "goal", ""])
        for row in report.rows {
            line(
                [
                    row.name, row.emptyMilliseconds.map(Columns.number) ?? "-",
                    Columns.number(row.fullMilliseconds),
                    row.ratio.map { String(format: "%.2f", $0) } ?? "-", row.goal ?? "-",
                    row.isReached.map { $0 ? "reached" : "MISSED" } ?? "",
                ])
        }
    }
}
