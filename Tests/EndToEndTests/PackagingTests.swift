import Foundation
import TestSupport
import Testing

/// The installed files, and their removal. Nothing outside of temporary folders is touched.
@Suite("Packaging", .serialized, .timeLimit(.minutes(10)))
struct PackagingTests {
    /// All files below a folder, by their paths in it.
    static func files(in folder: String) -> Set<String> {
        let found = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return Set(
            found.filter { path in
                var isFolder: ObjCBool = false
                let exists = FileManager.default.fileExists(
                    atPath: folder + "/" + path, isDirectory: &isFolder)
                return !(exists && isFolder.boolValue)
            })
    }

    private static func install(_ arguments: String...) async throws {
        // As for a user whose own files are closed to others.
        try await Program.run(
            "sh",
            ["-c", "umask 0077; exec \"$0\" \"$@\"", repositoryFile("packaging/install")]
                + ["--build", BuildFolder.path] + arguments,
            within: .seconds(300))
    }

    /// The files and folders below a folder that are closed to others.
    private static func closed(in folder: String) async throws -> String {
        try await Program.run(
            "find", [folder, "-type", "d", "!", "-perm", "-755", "-o", "-type", "f", "!", "-perm", "-444"])
    }

    @Test(
        "an installation has it all: programs that run, manuals, completions, units and desktop files that are right"
    )
    func installed() async throws {
        let folder = try TemporaryFolder("install")
        let root = folder.file("root")
        try await Self.install("--prefix", "/usr", "--destdir", root)
        let files = Self.files(in: root)
        for file in [
            "usr/bin/dictstate", "usr/share/man/man1/host-agent.1",
            "usr/lib/systemd/user/insert-agent.service",
            "usr/lib/systemd/user/graphical-session.target.wants/host-agent.service",
            "usr/share/applications/voicedictation.desktop",
            "usr/share/applications/voicedictation.VoiceDictation.desktop",
            "etc/xdg/autostart/voicedictation.desktop",
            "usr/share/icons/hicolor/scalable/apps/voicedictation.svg",
            "usr/share/icons/hicolor/scalable/apps/voicedictation-recording.svg",
            "usr/libexec/voicedictation/voicedictation-open",
            "usr/share/doc/voicedictation/docs/configuration.md",
        ] {
            #expect(files.contains(file), "\(file)")
        }
        let help = try await Program.run(root + "/usr/bin/dictstate", ["--help"])
        #expect(help.contains("doctor"))
        // The installed files contain no path of this folder.
        for file in files where !file.hasPrefix("usr/bin") {
            let text = try? String(contentsOfFile: root + "/" + file, encoding: .utf8)
            #expect(text?.contains(folder.path) != true && text?.contains("@bindir@") != true, "\(file)")
        }
        // Finds its script there: everything is installed on a test machine, and without pip it reports what
        // is missing.
        let agent = root + "/usr/bin/host-agent"
        let there = ["VOICEDICTATION_ENGINES": InstalledEngines.folder]
        #expect(try await Program.run(agent, ["install-engines"], environment: there).isEmpty)
        if InstalledEngines.hasModel {
            let again = ["install-engines", InstalledEngines.model]
            #expect(try await Program.run(agent, again, environment: there).isEmpty)
            let installed = try await Program.run(
                agent, ["models", "install", InstalledEngines.model], environment: there)
            #expect(installed.contains("is installed"))
        }
        #expect(try await Program.start(agent, ["install-engines", "nosuchmodel"]).exitCode == 64)
        let bare = try Program.start(
            agent, ["install-engines"],
            environment: ["VOICEDICTATION_ENGINES": folder.file("engines"), "PATH": folder.file("nothing")])
        #expect(try await bare.exitCode != 0 && !bare.errors.contains("is not there: it belongs"))
        for shell in ["bash", "zsh", "fish"] {
            #expect(files.contains { $0.contains(shell) && $0.contains("dictstate") })
        }
        try await Program.run("bash", ["-n", root + "/usr/share/bash-completion/completions/dictstate"])
        try await Program.run(
            "desktop-file-validate",
            [
                root + "/usr/share/applications/voicedictation.desktop",
                root + "/usr/share/applications/voicedictation.VoiceDictation.desktop",
                root + "/usr/share/applications/voicedictation-transcribe.desktop",
                root + "/etc/xdg/autostart/voicedictation.desktop",
            ])
        try await Program.run("sh", ["-n", root + "/usr/libexec/voicedictation/voicedictation-session"])
        try await Self.install("--uninstall", "--prefix", "/usr", "--destdir", root)
        #expect(Self.files(in: root).isEmpty, "\(Self.files(in: root))")
    }

    @Test(
        "an installation for good is known to the desktop by its URLs, shows its pictures, and goes without a trace"
    )
    func registered() async throws {
        let folder = try TemporaryFolder("registered")
        let prefix = folder.file("my own/usr")
        try await Self.install("--prefix", prefix)
        #expect(try await Self.closed(in: folder.file("my own")).isEmpty)
        #expect(try await Program.run(prefix + "/bin/dictstate", ["--version"]).isEmpty == false)
        // The file in which gio, and with it browsers, look up schemes.
        let known = try String(contentsOfFile: prefix + "/share/applications/mimeinfo.cache", encoding: .utf8)
        #expect(known.contains("x-scheme-handler/voicedictation=voicedictation.desktop;"))
        // The terminal that the file manager opens closes with the program: an error waits there for Enter.
        let transcribe = try Program.start(
            "sh",
            [
                "-c", "echo | \"$0\" /nosuch.wav",
                prefix + "/libexec/voicedictation/voicedictation-transcribe",
            ])
        #expect(try await transcribe.exitCode == 1)
        #expect(transcribe.errors.contains("/nosuch.wav cannot be read as audio"))
        #expect(transcribe.output.contains("Press Enter to close."))
        let documents = prefix + "/share/doc/voicedictation/"
        for document in Self.files(in: documents) where document.hasSuffix(".md") {
            let text = try String(contentsOfFile: documents + document, encoding: .utf8)
            let folder = URL(fileURLWithPath: documents + document).deletingLastPathComponent()
            for link in text.matches(of: /\]\(([^)#:\s]+)[)#]/) {
                let target = folder.appendingPathComponent(String(link.1)).standardized.path
                #expect(FileManager.default.fileExists(atPath: target), "\(document): \(link.1)")
            }
        }
        try await Self.install("--uninstall", "--prefix", prefix)
        #expect(Self.files(in: prefix).isEmpty, "\(Self.files(in: prefix))")
    }

    @Test(
        "the manual has every command and option, and reads without complaint",
        arguments: [
            ("dictstate", ["doctor", "settings set", "watch", "--typing-speed", "(values: plain, json"]),
            ("host-agent", ["transcribe", "--no-hotkey"]), ("insert-agent", ["--restore"]),
        ])
    func manual(program: String, words: [String]) async throws {
        let folder = try TemporaryFolder("manual")
        let page = try await Program.run(
            "sh",
            [
                "-c", "\"$0\" --experimental-dump-help | \"$1\"", BuildFolder.program(program),
                repositoryFile("packaging/make-manual"),
            ])
        // As mandoc wants it: its spaces after a sentence are those at the end of a line.
        #expect(page.firstMatch(of: /[a-z][.!?][”)]? +[A-Z“(]/) == nil)
        let file = try folder.write(page, to: program + ".1")
        let reader = try Program.start(
            "man", ["--warnings=w,mac", "-P", "cat", "-l", file],
            environment: ["LC_ALL": "C.UTF-8", "MANWIDTH": "100", "MAN_KEEP_FORMATTING": ""])
        #expect(try await reader.exitCode == 0)
        for word in words { #expect(reader.output.contains(word), "\(word)") }
        #expect(!reader.errors.contains("warning"), "\(reader.errors)")
    }

    @Test(
        "a prefix that the installed files could not name each other by is refused",
        arguments: ["", "~/.local", "here"])
    func prefix(_ prefix: String) async throws {
        let folder = try TemporaryFolder("prefix")
        let install = try Program.start(
            repositoryFile("packaging/install"),
            ["--build", BuildFolder.path, "--prefix", prefix, "--destdir", folder.file("root")])
        #expect(try await install.exitCode == 64)
        #expect(install.errors.contains("the prefix must be an absolute path"))
        #expect(Self.files(in: folder.path).isEmpty)
    }

    @Test("systemd takes the units, and finds them well shut in")
    func units() async throws {
        let folder = try TemporaryFolder("units")
        let root = folder.file("root")
        // A folder with a space in its name has to be quoted in a unit.
        try await Self.install("--prefix", folder.file("my own/usr"), "--destdir", root)
        let environment = ["XDG_RUNTIME_DIR": folder.path]
        for name in ["host-agent", "insert-agent"] {
            let unit = root + folder.file("my own/usr/lib/systemd/user/\(name).service")
            let text = try String(contentsOfFile: unit, encoding: .utf8)
            #expect(text.contains("Type=notify") && text.contains("Restart=on-failure"))
            // Both ask the kernel by it: for a server's address, and for what a compositor has not read yet.
            #expect(text.contains("\nRestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK\n"))
            // The program is where the unit says.
            let real = try folder.write(
                text.replacing(folder.file("my own/usr/bin"), with: root + folder.file("my own/usr/bin")),
                to: "\(name).service")
            let verify = try Program.start(
                "systemd-analyze", ["verify", "--user", "--man=no", real], environment: environment)
            #expect(try await verify.exitCode == 0)
            #expect(!verify.errors.contains("\(name).service:"), "\(verify.errors)")
            // In tenths; a service without any sandbox has 96. More needs the rights of the system's manager.
            try await Program.run(
                "systemd-analyze", ["security", "--offline=yes", "--threshold=65", "--no-pager", real],
                environment: environment)
        }
    }

    @Test("no program has modules inside that only others use")
    func modules() async throws {
        let clean = ["DictationText", "SelfCorrection"]
        let life = ["DictationService", "ServiceLifecycle", "AsyncAlgorithms"]
        let host = ["DictationSpeech", "DictationViews", "DictationDucking"]
        for (program, modules, isThere) in [
            ("host-agent", clean + life + host, true), ("insert-agent", clean + life, true),
            ("insert-agent", host, false), ("dictstate", clean + life + host, false),
        ] {
            // The names of Swift's symbols begin with their module's.
            let names = modules.map { "[$]s\($0.utf8.count)\($0)" }
            let found = try await Program.run(
                "sh",
                [
                    "-c", "nm --defined-only \"$0\" | grep -oE \"$1\" | sort -u",
                    BuildFolder.program(program), names.joined(separator: "|"),
                ])
            #expect(
                found.split(separator: "\n").count == (isThere ? modules.count : 0), "\(program): \(found)")
        }
    }

    @Test("an agent marks the levels of its messages for the journal, and nowhere else")
    func journal() async throws {
        let group = ["VOICEDICTATION_GROUP": "/proc/group"]
        let log = try Program.start(
            "sh",
            [
                "-c", "JOURNAL_STREAM=$(stat -L -c %d:%i /proc/self/fd/2) exec \"$0\"",
                BuildFolder.program("host-agent"),
            ], environment: group)
        #expect(try await log.exitCode == 77)
        #expect(log.errors.hasPrefix("<3>"), "\(log.errors)")
        // A terminal that runs as a service has its variable.
        let terminal = try Program.start(
            BuildFolder.program("host-agent"), [],
            environment: group.merging(["JOURNAL_STREAM": "8:9"]) { $1 })
        #expect(try await terminal.exitCode == 77)
        #expect(terminal.errors.hasPrefix("host-agent: error: "), "\(terminal.errors)")
    }

    @Test("an agent tells systemd when it is ready, and when it stops")
    func notified() async throws {
        let desk = try await Desk.set()
        let socket = desk.folder.file("notify")
        let manager = try Program.start(
            "python3",
            [
                "-c",
                """
                import socket, sys
                s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
                s.bind(sys.argv[1])
                print("listening", flush=True)
                while True: print(s.recv(4096).decode(), flush=True)
                """, socket,
            ])
        try await manager.waitForLine(containing: "listening")
        let host = try Program.start(
            BuildFolder.program("host-agent"), ["--no-hotkey"],
            environment: desk.environment.merging(["NOTIFY_SOCKET": socket]) { $1 })
        try await manager.waitForLine(containing: "READY=1")
        // After that notification it answers at once.
        #expect(try await desk.dictstate("start").contains("recording"))
        await host.end()
        try await manager.waitForLine(containing: "STOPPING=1")
        await manager.end()
        await desk.end()
    }
}
