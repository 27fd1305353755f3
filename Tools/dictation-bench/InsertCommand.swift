import ArgumentParser
import DictationService
import DictationSettings
import Foundation
import Glibc

struct InsertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "insert",
        abstract: "Measure how exactly and how fast texts get into windows, beside xdotool and a paste.",
        discussion: """
            Works on a virtual display and in a folder of its own; your desktop is not touched. Needs Xvfb, \
            openbox, xdotool and xclip; of the windows (xterm, GTK 3, Qt 5, Chromium) those that are installed.
            """)

    @Option(help: "How often each text is inserted in each way.")
    var trials = 5

    @Option(help: "The windows: a list of xterm, gtk, qt, chromium.")
    var windows: String?

    @Option(help: "The ways: a list of ours, xdotool, xdotoolDelay0, paste.")
    var methods: String?

    @Option(help: "The setting of that name, for ours: texts so long may be pasted; 0 types all.")
    var pasteFrom = InsertSettings().pasteFrom

    @Flag(help: "Print one JSON object.")
    var json = false

    func validate() throws {
        guard trials > 0 else { throw ValidationError("--trials takes a number above 0.") }
        guard pasteFrom >= 0 else { throw ValidationError("--paste-from takes a number from 0 on.") }
        if let windows,
            windows.split(separator: ",").contains(where: { InsertSink(rawValue: String($0)) == nil })
        {
            throw ValidationError("--windows takes a list of xterm, gtk, qt, chromium.")
        }
        if wantedMethods == nil {
            throw ValidationError("--methods takes a list of ours, xdotool, xdotoolDelay0, paste.")
        }
    }

    /// Nil if the list has a name that is none.
    private var wantedMethods: [InsertBenchmark.Method]? {
        guard let methods else { return InsertBenchmark.Method.allCases }
        let names = methods.split(separator: ",").map(String.init)
        let known = names.compactMap(InsertBenchmark.Method.init)
        return known.count == names.count ? known : nil
    }

    func run() throws {
        try BenchCommand.run {
            let interruption = try Interruption()
            try Tool.require(["Xvfb", "openbox", "xdotool", "xclip"])
            let wanted = windows.map { list in
                list.split(separator: ",").compactMap { InsertSink(rawValue: String($0)) }
            }
            let sinks = (wanted ?? InsertSink.allCases).filter { $0.missing() == nil }
            let folder = try WorkFolder()
            defer { folder.remove() }
            let desk = try InsertDesk(folder: folder.url, interruption: interruption, pasteFrom: pasteFrom)
            defer { desk.end() }
            try desk.start()
            try desk.startAgent("insert-agent")
            let isTerminal = isatty(STDERR_FILENO) == 1
            let report = try InsertBenchmark(
                trials: trials, sinks: sinks, methods: wantedMethods ?? [], pasteFrom: pasteFrom, desk: desk,
                progress: { if isTerminal { StandardError.write("\r\u{1B}[K\($0)") } }
            ).run()
            if isTerminal { StandardError.write("\r\u{1B}[K") }
            try json ? JSONOutput.print(report) : printTable(report)
        }
    }

    private func printTable(_ report: InsertBenchmark.Report) {
        print(
            "exact trials; ms from the start to the last and first character in the window, from the bell to the key"
        )
        print(Columns.line(["window", "text", "method", "exact", "last ms", "first ms", "key ms", "char/s"]))
        for row in report.rows {
            print(
                Columns.line(
                    [
                        row.window, "\(row.text) \(row.characters)", row.method.rawValue,
                        "\(row.exact)/\(row.trials)", row.milliseconds.map(Columns.number) ?? "-",
                        row.firstMilliseconds.map(Columns.number) ?? "-",
                        row.bellToKeyMilliseconds.map(Columns.number) ?? "-",
                        row.charactersPerSecond.map { String(Int($0)) } ?? "-",
                    ], others: 14))
        }
        let key = report.bellToKey
        print("texts of ours that are typed everywhere, from the bell to the first key:")
        print("p50 \(key.p50) µs, p99 \(key.p99) µs, max \(key.max) µs")
        if !report.missing.isEmpty {
            print("not installed, or not wanted: \(report.missing.joined(separator: ", "))")
        }
    }
}
