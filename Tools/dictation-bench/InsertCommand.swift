import ArgumentParser
import DictationService
import DictationSettings
import DictationSystem
import Foundation
import Glibc

struct InsertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "insert",
        abstract: "Measure how exactly and how fast texts get into windows, beside other ways.",
        discussion: """
            Works on a virtual display and in a folder of its own; your desktop is not touched. On X11 it needs Xvfb, \
            openbox, xdotool and xclip; of the windows (xterm, GTK 3, Qt 5, Chromium) those that are installed. With \
            --wayland it needs sway, XWayland and wtype; the windows are foot, GTK 3, GTK 4, Qt 5 and Chromium as native \
            programs, and xterm in XWayland. With --gnome it needs mutter; the windows are GTK 3, GTK 4 and Qt 5.
            """)

    @Flag(help: "Measure in a Wayland session, beside wtype.")
    var wayland = false

    @Flag(help: "Measure in a session of GNOME's compositor, where nothing else can type.")
    var gnome = false

    @Option(help: "How often each text is inserted in each way.")
    var trials = 5

    @Option(
        help:
            "The windows: a list of xterm, gtk, qt, chromium; with --wayland also foot, gtk4; with --gnome gtk, gtk4, qt."
    )
    var windows: String?

    @Option(help: "The ways: a list of ours, xdotool, xdotoolDelay0, paste; with --wayland of ours, wtype.")
    var methods: String?

    @Option(help: "The setting of that name, for ours: texts so long may be pasted; 0 types all.")
    var pasteFrom = InsertSettings().pasteFrom

    @Flag(help: "Print one JSON object.")
    var json = false

    func validate() throws {
        if wayland && gnome { throw ValidationError("Choose one of --wayland and --gnome.") }
        guard trials > 0 else { throw ValidationError("--trials takes a number above 0.") }
        guard pasteFrom >= 0 else { throw ValidationError("--paste-from takes a number from 0 on.") }
        if let windows, windows.split(separator: ",").contains(where: { Self.sink($0, on: display) == nil }) {
            let names = InsertSink.all(on: display).map(\.rawValue).joined(separator: ", ")
            throw ValidationError("--windows takes a list of \(names).")
        }
        if wantedMethods == nil {
            let names = InsertBenchmark.Method.all(on: display).map(\.rawValue).joined(separator: ", ")
            throw ValidationError("--methods takes a list of \(names).")
        }
    }

    private var display: VirtualDesk.Display { gnome ? .gnome : wayland ? .wayland : .x11 }

    private static func sink(_ name: Substring, on display: VirtualDesk.Display) -> InsertSink? {
        InsertSink.all(on: display).first { $0.rawValue == name }
    }

    /// Nil if the list has a name that is none.
    private var wantedMethods: [InsertBenchmark.Method]? {
        let all = InsertBenchmark.Method.all(on: display)
        guard let methods else { return all }
        let names = methods.split(separator: ",").map(String.init)
        let known = names.compactMap { name in all.first { $0.rawValue == name } }
        return known.count == names.count ? known : nil
    }

    func run() throws {
        try BenchCommand.run {
            let interruption = try Interruption()
            try Tool.require(Self.programs(for: display))
            let wanted = windows.map { list in
                list.split(separator: ",").compactMap { Self.sink($0, on: display) }
            }
            let sinks = (wanted ?? InsertSink.all(on: display)).filter { $0.missing() == nil }
            let folder = try WorkFolder()
            defer { folder.remove() }
            let desk = try InsertDesk(
                folder: folder.url, interruption: interruption, pasteFrom: pasteFrom, display: display)
            defer { desk.end() }
            try desk.start()
            try desk.startAgent("insert-agent")
            let isTerminal = isatty(STDERR_FILENO) == 1
            let report = try InsertBenchmark(
                trials: trials, sinks: sinks, methods: wantedMethods ?? [], pasteFrom: pasteFrom, desk: desk,
                progress: { if isTerminal { StandardStreams.complain("\r\u{1B}[K\($0)") } }
            ).run()
            if isTerminal { StandardStreams.complain("\r\u{1B}[K") }
            try json ? JSONOutput.print(report) : printTable(report)
        }
    }

    private static func programs(for display: VirtualDesk.Display) -> [String] {
        switch display {
        case .x11: ["Xvfb", "openbox", "xdotool", "xclip"]
        case .wayland: ["sway", "Xwayland", "wtype"]
        case .gnome: ["dbus-daemon", "mutter"]
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
        print(
            display != .x11
                ? "texts of ours that are typed everywhere, from the bell to the first character in the window:"
                : "texts of ours that are typed everywhere, from the bell to the first key:")
        print("p50 \(key.p50) µs, p99 \(key.p99) µs, max \(key.max) µs")
        if !report.missing.isEmpty {
            print("not installed, or not wanted: \(report.missing.joined(separator: ", "))")
        }
    }
}
