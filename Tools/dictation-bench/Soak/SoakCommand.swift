import ArgumentParser
import DictationService
import Foundation
import Glibc

/// Checks that the agents do not need more and more resources the longer they run.
struct SoakCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "soak",
        abstract:
            "Dictate once a second for minutes or hours, and check for leaks.",
        discussion: """
            Works on a virtual display, with a virtual microphone and PocketSphinx, and in a folder of its own; your \
            desktop is not touched. Now and then it pauses, and checks the memory, the descriptors, the threads and \
            the wake-ups of both agents, and at the text in the window. Ends with 1 if one of them is not as it should \
            be. Needs Xvfb, openbox, xdotool and xterm, and the agents next to this program.
            """)

    @Option(help: "How long to dictate; longer if a busy machine has dictated too little by then.")
    var minutes = 60.0

    @Option(help: "The speech: a WAV file.", completion: .file())
    var recording: String

    @Flag(help: "Print one JSON object.")
    var json = false

    func validate() throws {
        guard minutes > 0, minutes <= 10_080 else {
            throw ValidationError("--minutes takes a number above 0, of at most 10080.")
        }
        guard access(recording, R_OK) == 0 else {
            throw ValidationError("\(recording) cannot be read.")
        }
    }

    func run() throws {
        try BenchCommand.run {
            let interruption = try Interruption()
            try Tool.require(["Xvfb", "openbox", "xdotool", "xterm"])
            let folder = try WorkFolder()
            defer { folder.remove() }
            let desk = try InsertDesk(
                folder: folder.url, interruption: interruption, pasteFrom: 0,
                settings: Self.settings,
                environment: try BenchMicrophone.environment(playing: recording, in: folder.url))
            defer { desk.end() }
            try desk.start()
            let agents = try ["host-agent", "insert-agent"].map(desk.startAgent)
            try desk.open(.xterm)
            let report = try SoakBenchmark(
                length: .seconds(minutes * 60), desk: desk, agents: agents,
                looked: { [json] in if !json { Self.printLine($0) } }
            ).run(titled: { [json] in if !json { Self.printTitles($0) } })
            try json ? JSONOutput.print(report) : Self.printEnd(report)
            if !report.findings.isEmpty { throw ExitCode(1) }
        }
    }

    /// The history is full after some seconds: with each dictation the oldest one is removed.
    private static let settings = """
        [sounds]
        play = false
        [history]
        keep-count = 20

        """

    private static let titles = ["minute", "dictations", "MiB", "private", "files", "threads", "wake-ups"]

    private static func printTitles(_ agents: [String]) {
        let width = 10 * (titles.count - 2)
        print(Columns.line([String(repeating: " ", count: 18)] + agents, others: width))
        print(Columns.line(titles + titles.dropFirst(2), first: 8))
    }

    private static func printLine(_ look: SoakBenchmark.Report.Look) {
        let cells = look.agents.flatMap { agent in
            [
                Columns.number(Double(agent.residentKiB) / 1024),
                Columns.number(Double(agent.privateKiB) / 1024),
                "\(agent.descriptors)", "\(agent.threads)", "\(agent.wakeUps)",
            ]
        }
        print(Columns.line([Columns.number(look.minutes), "\(look.dictations)"] + cells, first: 8))
        // Show each line at once: the run may take hours.
        fflush(nil)
    }

    private static func printEnd(_ report: SoakBenchmark.Report) {
        let share = String(format: "%.2f", report.perSecond)
        print(
            """
            \(report.dictations) dictations in \(Columns.number(report.seconds / 60)) minutes, \(share) a second while \
            they lasted: \(report.inserted) inserted, \(report.withoutWords) without words, \(report.held) held
            """)
        for finding in report.findings { print("NOT AS IT SHOULD BE: \(finding)") }
        if report.findings.isEmpty {
            print(
                "memory within \(Int(SoakBenchmark.growthLimit)) %, files and threads constant, no wake-up at rest, each text in "
                    + "the window once")
        }
    }
}
