import ArgumentParser
import DesktopX11
import DictationService
import Foundation
import Glibc

struct OverlayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "overlay",
        abstract:
            "Measure how soon the overlay is seen after the hotkey, how steadily it moves, and what that costs.",
        discussion: """
            Works on a virtual display, with a virtual microphone, and in a folder of its own; your desktop is not \
            touched. Needs Xvfb, openbox and xprop, and the agents beside this program.
            """)

    @Option(help: "How often a recording is begun.")
    var trials = 30

    @Option(name: .shortAndLong, help: "How long a recording is watched, and how long the rest before it.")
    var seconds = 10.0

    @Option(
        help: "The speech: a WAV file, over and over again. Silence if there is none.", completion: .file())
    var recording: String?

    @Option(help: "Dots per inch of the desktop (Xft.dpi): 192 is a scale of 2.")
    var dpi = 96

    @Flag(help: "Print one JSON object.")
    var json = false

    func validate() throws {
        guard trials > 0 else { throw ValidationError("--trials takes a number above 0.") }
        guard seconds >= 1, seconds <= 600 else {
            throw ValidationError("--seconds takes a number from 1 to 600.")
        }
        guard (48...384).contains(dpi) else {
            throw ValidationError("--dpi takes a number from 48 to 384.")
        }
        if let recording, access(recording, R_OK) != 0 {
            throw ValidationError("\(recording) cannot be read.")
        }
    }

    func run() throws {
        try BenchCommand.run {
            let interruption = try Interruption()
            try Tool.require(["Xvfb", "openbox", "xprop"])
            let folder = try WorkFolder()
            defer { folder.remove() }
            let desk = try VirtualDesk(
                folder: folder.url, interruption: interruption, settings: "[sounds]\nplay = false\n",
                environment: try BenchMicrophone.environment(playing: recording, in: folder.url))
            defer { desk.end() }
            try desk.start()
            try desk.setResources("Xft.dpi:\t\(dpi)\n")
            let watch = try DrawingWatch(
                windowsOfClass: "voicedictation", display: desk.environment["DISPLAY"])
            let agents = try ["host-agent", "insert-agent"].map(desk.startAgent)
            let report = try OverlayBenchmark(
                trials: trials, seconds: seconds, desk: desk, agents: agents, watch: watch
            ).run()
            try json ? JSONOutput.print(report) : Self.printTable(report)
        }
    }

    private static func printTable(_ report: OverlayBenchmark.Report) {
        func line(_ name: String, _ times: OverlayBenchmark.Report.Milliseconds) {
            print(Columns.line([name] + [times.p50, times.p95, times.max].map(Columns.number), first: 32))
        }
        print("ms; \(report.trials) recordings, the last one watched for \(Columns.number(report.seconds)) s")
        print(Columns.line(["", "p50", "p95", "max"], first: 32))
        line("key pressed → seen", report.visible)
        line("from one picture to the next", report.interval)
        print("pictures a second: \(Columns.number(report.framesPerSecond))")
        print(
            "the thread that draws: \(report.recordingPercent) % of a core, at rest \(report.idlePercent) %")
        print("")
        print(Columns.line(["", "idle MiB", "recording MiB", "idle %", "recording %"], others: 15))
        for agent in report.agents {
            print(
                Columns.line(
                    [
                        agent.name, Columns.number(Double(agent.idleKiB) / 1024),
                        Columns.number(Double(agent.recordingKiB) / 1024), "\(agent.idlePercent)",
                        "\(agent.recordingPercent)",
                    ], others: 15))
        }
    }
}
