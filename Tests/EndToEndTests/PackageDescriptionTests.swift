import Foundation
import TestSupport
import Testing

/// The descriptions by which other systems build packages.
@Suite("Package descriptions")
struct PackageDescriptionTests {
    private struct Resolved: Decodable {
        struct Pin: Decodable {
            struct State: Decodable { let revision: String }
            let identity: String, location: String, state: State
        }
        let pins: [Pin]
    }

    private func text(_ path: String) throws -> String {
        try String(contentsOfFile: repositoryFile(path), encoding: .utf8)
    }

    @Test("Nix and Flatpak get the Swift packages of Package.resolved, at the same revisions")
    func pins() throws {
        let pins = try JSONDecoder().decode(Resolved.self, from: Data(text("Package.resolved").utf8)).pins
        let hashes = try JSONDecoder().decode(
            [String: String].self, from: Data(text("packaging/nix/hashes.json").utf8))
        #expect(Set(hashes.keys) == Set(pins.map(\.identity)))
        let manifest = try text("packaging/flatpak/org.voicedictation.VoiceDictation.yml")
        #expect(manifest.matches(of: /type: git/).count == pins.count)
        for pin in pins {
            #expect(
                manifest.contains(
                    """
                          - type: git
                            url: \(pin.location)
                            commit: \(pin.state.revision)
                            dest: packages/\(pin.identity)

                    """), "\(pin.identity)")
        }
    }

    @Test(
        "Debian, Fedora and Arch offer the same programs that are of use and not needed",
        arguments: ["alsa-utils", "ffmpeg", "wl-clipboard", "xdg-utils", "xdotool"])
    func optional(program: String) throws {
        let debian = try text("packaging/make-deb").matches(of: /(?:Recommends|Suggests): (.+)/).map(\.1)
        #expect(debian.contains { $0.split(separator: ", ").contains { $0 == program } })
        let fedora = try text("packaging/rpm/voicedictation.spec")
            .matches(of: /(?:Recommends|Suggests): +([a-z-]+)/).map(\.1)
        // Fedora's own ffmpeg has no patented formats.
        #expect(fedora.contains { $0 == program || $0 == program + "-free" })
        #expect(try text("packaging/arch/PKGBUILD").contains("\n    '\(program): "))
    }

    @Test("Fedora and Arch ask for the PocketSphinx whose interface is used")
    func pocketSphinx() throws {
        #expect(
            try text("packaging/rpm/voicedictation.spec").contains(
                "\nBuildRequires:  pocketsphinx-devel < 5.0\n"))
        #expect(try text("packaging/arch/PKGBUILD").contains("'pocketsphinx<5.0' "))
    }

    @Test("the hashes for Nix are those of what is checked out")
    func hashes() async throws {
        try await Program.run(repositoryFile("packaging/nix/make-hashes"), ["--check"])
    }

    @Test("without a network, Swift builds from packages that are there already")
    func offline() async throws {
        let folder = try TemporaryFolder("offline")
        for path in ["Package.swift", "Package.resolved"] {
            try FileManager.default.copyItem(atPath: repositoryFile(path), toPath: folder.file(path))
        }
        try FileManager.default.createDirectory(
            atPath: folder.file("packaging"), withIntermediateDirectories: false)
        try FileManager.default.copyItem(
            atPath: repositoryFile("packaging/use-packages"), toPath: folder.file("packaging/use-packages"))
        let pins = try JSONDecoder().decode(Resolved.self, from: Data(text("Package.resolved").utf8)).pins
        let packages = folder.file("packages")
        try FileManager.default.createDirectory(atPath: packages, withIntermediateDirectories: false)
        let use = folder.file("packaging/use-packages")
        let refused = try Program.start(use, [packages])
        #expect(try await refused.exitCode == 1)
        #expect(refused.errors.contains("\(packages)/grdb.swift is no Swift package"))
        for pin in pins {
            let name = URL(filePath: pin.location).lastPathComponent.replacing(/\.git$/, with: "")
            let checkout = repositoryFile(".build/checkouts/\(name)")
            // As in a distribution: without git's own folder.
            try await Program.run(
                "cp", ["-r", checkout, "\(packages)/\(pin.identity)"], within: .seconds(120))
            try FileManager.default.removeItem(atPath: "\(packages)/\(pin.identity)/.git")
        }
        try await Program.run(use, [packages])
        // git may reach no address, and SwiftPM's own store is empty. It leaves its locks in TMPDIR.
        try await Program.run(
            "swift",
            [
                "package", "--package-path", folder.path, "--cache-path", folder.file("cache"),
                "--disable-sandbox", "resolve",
            ], environment: ["GIT_ALLOW_PROTOCOL": "none", "TMPDIR": folder.path], within: .seconds(300))
        #expect(
            try String(contentsOfFile: folder.file("Package.resolved"), encoding: .utf8)
                == text("Package.resolved"))
    }
}
