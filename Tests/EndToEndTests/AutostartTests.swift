import Foundation
import TestSupport
import Testing

/// The script that desktops without systemd start, with two programs instead of the agents, which print their
/// arguments.
@Suite("Autostart", .timeLimit(.minutes(2)))
struct AutostartTests {
    private static let agent = """
        #!/bin/sh
        trap 'echo "${0##*/} ended"; exit 0' TERM
        echo "${0##*/} started"
        while :; do sleep 1 & wait; done

        """

    private static func ending(with code: Int) -> String {
        "#!/bin/sh\necho \"${0##*/} ends\"\necho started >>\"$0.starts\"\nexit \(code)\n"
    }

    private static func folder(host: String = agent, inserter: String = agent) throws -> TemporaryFolder {
        let folder = try TemporaryFolder("autostart")
        let script = try String(
            contentsOfFile: repositoryFile("packaging/desktop/voicedictation-session"), encoding: .utf8)
        try folder.write(script.replacing("@bindir@", with: folder.path), to: "session")
        for (name, text) in [("host-agent", host), ("insert-agent", inserter)] {
            let program = try folder.write(text, to: name)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        }
        // Without systemctl, which would start the agents of the current user.
        for tool in ["sleep", "sh"] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.file(tool), withDestinationPath: "/bin/\(tool)")
        }
        return folder
    }

    @Test(
        "has the service manager start the agents, also if they failed too often at the end of the last session"
    )
    func serviceManager() async throws {
        let folder = try Self.folder()
        // It refuses to start units that failed too often, until it is told to forget that.
        let manager = try folder.write(
            """
            #!/bin/sh
            case $2 in
            cat | import-environment) ;;
            reset-failed) : >"$0.reset" ;;
            start) [ -e "$0.reset" ] && echo "starts $3 $4" ;;
            esac

            """, to: "systemctl")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: manager)
        let session = try Program.start(
            "/bin/sh", [folder.file("session")], environment: ["PATH": folder.path])
        #expect(try await session.exitCode == 0)
        #expect(session.output == "starts host-agent.service insert-agent.service\n")
    }

    @Test(
        "starts the agents itself where the service manager does not know them, as in a folder of the user's own"
    )
    func unknownUnits() async throws {
        let folder = try Self.folder(host: Self.ending(with: 0), inserter: Self.ending(with: 0))
        let manager = try folder.write(
            "#!/bin/sh\n[ \"$2\" = show-environment ] || { echo 'no such unit' >&2; exit 5; }\n",
            to: "systemctl")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: manager)
        let session = try Program.start(
            "/bin/sh", [folder.file("session")], environment: ["PATH": folder.path])
        #expect(try await session.exitCode == 0)
        for name in ["host-agent", "insert-agent"] { #expect(session.output.contains("\(name) ends")) }
        #expect(session.errors.isEmpty, "\(session.errors)")
    }

    @Test("ends both agents when it is ended, and nothing else of the desktop's process group")
    func ended() async throws {
        let folder = try Self.folder()
        // Desktops start it in a group with other programs, and with themselves.
        let desktop = try Program.start(
            "/bin/sh",
            ["-c", "sh '\(folder.file("session"))' & echo \"session $!\"; wait; echo 'the desktop goes on'"],
            environment: ["PATH": folder.path])
        let line = try await desktop.waitForLine(containing: "session ")
        let session = try #require(line.text.split(separator: " ").last.flatMap { Int32($0) })
        for name in ["host-agent", "insert-agent"] {
            try await desktop.waitForLine(containing: "\(name) started")
        }
        #expect(kill(session, SIGTERM) == 0)
        try await desktop.waitForLine(containing: "the desktop goes on")
        #expect(try await desktop.exitCode == 0)
        for name in ["host-agent", "insert-agent"] { #expect(desktop.output.contains("\(name) ended")) }
    }

    @Test("loses no signal that comes while it starts the agents")
    func endedEarly() async throws {
        // It records itself, and becomes a process that a signal ends at once.
        let agent = "#!/bin/sh\necho $$ >>\"$0.starts\"\nexec sleep 600\n"
        let folder = try Self.folder(host: agent, inserter: agent)
        for milliseconds in Array(repeating: 0...30, count: 4).joined() {
            let session = try Program.start(
                "/bin/sh", [folder.file("session")], environment: ["PATH": folder.path])
            // The test varies the instant of the signal: both agents are being started within that time.
            try await Task.sleep(for: .milliseconds(milliseconds))
            session.signal(SIGTERM)
            _ = try await session.waitForExit()
        }
        for name in ["host-agent", "insert-agent"] {
            let starts = try String(contentsOfFile: folder.file("\(name).starts"), encoding: .utf8)
            let processes = starts.split(separator: "\n").compactMap { Int32($0) }
            #expect(processes.count > 10)
            for process in processes { #expect(kill(process, 0) == -1, "\(name) \(process) still runs") }
        }
    }

    @Test("starts an agent again that failed")
    func again() async throws {
        let folder = try Self.folder(host: Self.ending(with: 69))
        let session = try Program.start(
            "/bin/sh", [folder.file("session")], environment: ["PATH": folder.path])
        try await session.waitForOutput("a second start") {
            $0.components(separatedBy: "host-agent ends").count > 2
        }
        await session.end()
    }

    @Test(
        "ends with its agents, which it does not restart if another start would not help",
        arguments: [0, 75, 78])
    func once(code: Int) async throws {
        let program = Self.ending(with: code)
        let folder = try Self.folder(host: program, inserter: program)
        let session = try Program.start(
            "/bin/sh", [folder.file("session")], environment: ["PATH": folder.path])
        #expect(try await session.exitCode == 0)
        for name in ["host-agent", "insert-agent"] {
            let starts = try String(contentsOfFile: folder.file("\(name).starts"), encoding: .utf8)
            #expect(starts == "started\n", "\(name)")
        }
    }
}
