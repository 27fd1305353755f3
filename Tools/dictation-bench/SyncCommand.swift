import ArgumentParser
import DictationService
import DictationSystem
import Foundation
import Glibc

struct SyncCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract:
            "Measure how long after a commit another process has read it, beside other ways to tell it.",
        discussion: "Works in a folder of its own below TMPDIR; your dictations are not touched.")

    @Option(name: .shortAndLong, help: "How many commits of each kind.")
    var count = 10_000

    @Flag(help: "Print one JSON object, in microseconds.")
    var json = false

    func validate() throws {
        guard count > 0 else { throw ValidationError("--count takes a number above 0.") }
    }

    func run() throws {
        try BenchCommand.run {
            let interruption = try Interruption()
            let folder = try WorkFolder()
            defer { folder.remove() }
            let report = try SyncBenchmark(
                count: count, folder: folder, interruption: interruption, progress: Self.progress()
            ).run()
            try json ? JSONOutput.print(report) : printTable(report, folder: folder)
        }
    }

    /// A line on a terminal that is written over again and again; nothing elsewhere.
    private static func progress() -> (String) -> Void {
        guard isatty(STDERR_FILENO) == 1 else { return { _ in } }
        return { StandardStreams.complain("\r\u{1B}[K\($0)") }
    }

    private func printTable(_ report: SyncBenchmark.Report, folder: WorkFolder) {
        let rows: [(String, Figures, String)] = [
            ("wake", report.wake, "the store and its watcher"),
            ("floor", report.floor, "a Unix datagram, without a store"),
            ("poll1ms", report.poll1ms, "the store, asked each millisecond"),
            ("jsonRename", report.jsonRename, "a JSON file, renamed; inotify on its folder"),
            ("commitNormal", report.commitNormal, "duration of a partial result's commit"),
            ("commitFull", report.commitFull, "duration of a commit of ready or typed text"),
        ]
        print(
            "\(count) of each, in µs, on \(folder.fileSystem) (\(folder.url.deletingLastPathComponent().path))"
        )
        print("total: with the writer's own work, from its first step to the reader's last")
        print(Columns.line(["", "p50", "p99", "max", "missed", "total p50", "total p99"]))
        for (name, figures, explanation) in rows {
            let times = [figures.p50, figures.p99, figures.max].map(Columns.number)
            let total = [figures.total?.p50, figures.total?.p99].map { $0.map(Columns.number) ?? "" }
            let missed = figures.missed.map(String.init) ?? ""
            print(Columns.line([name] + times + [missed] + total) + "  " + explanation)
        }
    }
}

enum JSONOutput {
    static func print(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        Swift.print(String(decoding: try encoder.encode(value), as: UTF8.self))
    }
}

/// A table for people: the first column to the left, the others to the right.
enum Columns {
    static func line(_ cells: [String], first: Int = 14, others: Int = 10) -> String {
        cells.enumerated().map { index, cell in
            let padding = String(repeating: " ", count: max(0, (index == 0 ? first : others) - cell.count))
            return index == 0 ? cell + padding : padding + cell
        }.joined()
    }

    /// With one decimal place.
    static func number(_ value: Double) -> String { String(format: "%.1f", value) }
}
