import Foundation
import TestSupport
import Testing

@Suite("An interrupted dictation-bench", .serialized, .timeLimit(.minutes(5)))
struct InterruptedBenchmarkTests {
    /// Reports that it runs, and then does its work.
    private static func program(saying news: String, _ then: String) -> String {
        "#!/bin/sh\necho \"${0##*/} $*\" >>'\(news)'\nexec \(then)\n"
    }

    @Test(
        "ends what it has started, and leaves no file",
        arguments: [
            (["insert", "--windows", "xterm", "--methods", "xdotool"], "xdotool type", SIGTERM),
            (["insert", "--windows", "xterm", "--methods", "xdotool"], "xdotool type", SIGINT),
            (["overlay"], "openbox --config", SIGTERM),
            (["start", "long"], "long", SIGTERM),
        ])
    func leavesNothing(arguments: [String], moment: String, signal: Int32) async throws {
        let folder = try TemporaryFolder("bench")
        let work = folder.file("work")
        try FileManager.default.createDirectory(atPath: work, withIntermediateDirectories: false)
        let news = try folder.write("", to: "news")
        let programs = [
            ("xdotool", "/usr/bin/xdotool \"$@\""), ("openbox", "/usr/bin/openbox \"$@\""),
            ("long", "sleep 1000"),
        ]
        for (name, then) in programs {
            let path = try folder.write(Self.program(saying: news, then), to: name)
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        }
        let arguments = arguments.map { $0 == "long" ? folder.file("long") : $0 }
        let path = "\(folder.path):\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")"
        let reader = try Program.start("tail", ["-f", news])
        let bench = try Program.start(
            BuildFolder.program("dictation-bench"), arguments, environment: ["PATH": path, "TMPDIR": work])
        try await reader.waitForLine(containing: moment)
        bench.signal(signal)
        #expect(try await bench.exitCode == 128 + signal, "\(bench.errors)")
        #expect(await LeftProcesses(withVariable: "TMPDIR", value: work).afterTheirEnd() == [])
        #expect(try FileManager.default.contentsOfDirectory(atPath: work) == [])
        await reader.end()
    }
}
