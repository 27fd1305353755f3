import Foundation
import TestSupport
import Testing

/// The package that `make deb` builds, in a separate root.
@Suite("Debian package", .timeLimit(.minutes(10)))
struct DebianPackageTests {
    @Test("the Debian package installs, upgrades, is removed, and leaves nothing when it is purged")
    func debian() async throws {
        let folder = try TemporaryFolder("debian")
        let root = folder.file("root")
        for part in ["var/lib/dpkg/info", "var/lib/dpkg/updates"] {
            try FileManager.default.createDirectory(
                atPath: root + "/" + part, withIntermediateDirectories: true)
        }
        try Data().write(to: URL(fileURLWithPath: root + "/var/lib/dpkg/status"))
        func make(_ options: String...) async throws -> String {
            try await Program.run(
                "sh",
                [
                    "-c", "umask 0077; exec \"$0\" \"$@\"", repositoryFile("packaging/make-deb"),
                ] + ["--build", BuildFolder.path, "--output", folder.path, "--draft"] + options,
                within: .seconds(300)
            ).trimmingCharacters(in: .whitespacesAndNewlines)
        }
        // The package has no scripts, so nothing of it runs: an empty root is clean enough, and needs no rights.
        func dpkg(_ arguments: String...) async throws {
            try await Program.run(
                "dpkg",
                [
                    "--root=\(root)", "--log=/dev/null", "--force-not-root", "--force-depends",
                    "--force-bad-path",
                ]
                    + arguments, within: .seconds(300))
        }
        let first = try await make()
        let fields = try await Program.run("dpkg-deb", ["--field", first])
        #expect(fields.contains("libsqlite3-0") && fields.contains("pocketsphinx-en-us"))
        #expect(fields.contains("libpangocairo-1.0-0") && fields.contains("libxcb"))
        // The package is of the programs that are in it.
        for program in ["host-agent", "insert-agent", "dictstate"] {
            let version = try await Program.run(BuildFolder.program(program), ["--version"])
                .trimmingCharacters(in: .whitespacesAndNewlines)
            #expect(!version.isEmpty && fields.contains("Version: \(version)."), "\(program)")
        }
        try await dpkg("--install", first)
        // Debian's name for the license; README.md links to it.
        let documents = root + "/usr/share/doc/voicedictation/"
        #expect(FileManager.default.fileExists(atPath: documents + "copyright"))
        #expect(try String(contentsOfFile: documents + "README.md", encoding: .utf8).contains("](copyright)"))
        let program = root + "/usr/bin/dictstate"
        #expect(FileManager.default.isExecutableFile(atPath: program))
        let autostart = root + "/etc/xdg/autostart/voicedictation.desktop"
        try Data("# mine\n".utf8).write(to: URL(fileURLWithPath: autostart))
        let second = try await make("--version", "1.1")
        try await dpkg("--force-confold", "--install", second)
        // The command of README.md names one package, the new one.
        let packages = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".deb") }
        #expect(packages.map(folder.file) == [second])
        #expect(try String(contentsOfFile: autostart, encoding: .utf8) == "# mine\n")
        try await dpkg("--remove", "voicedictation")
        #expect(!FileManager.default.fileExists(atPath: program))
        #expect(FileManager.default.fileExists(atPath: autostart))
        try await dpkg("--purge", "voicedictation")
        let left = PackagingTests.files(in: root).filter { !$0.hasPrefix("var/lib/dpkg") }
        #expect(left.isEmpty, "\(left)")
    }
}
