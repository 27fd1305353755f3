import ArgumentParser
import DictationHost
import DictationService
import DictationSystem
import Foundation
import Glibc

/// Runs the script that installs sherpa-onnx and the model of voices, in the place of this process: its words and its
/// exit code are this command's.
struct InstallEnginesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install-engines",
        abstract: "Install sherpa-onnx and the model that tells voices from other sounds, for you alone.",
        discussion: """
            All come from PyPI, in fixed versions and by their hashes, into $XDG_DATA_HOME/voicedictation/engines \
            (VOICEDICTATION_ENGINES names another folder). Needs python3 with pip. Does nothing when all are there. \
            MODEL is a model of speech to install as well: moonshine-tiny-en is a small one of English, which hears \
            far better than PocketSphinx (85 MB to fetch, 44 MB on disk); host-agent uses it \
            from its next start on. Exit codes: 0 done, 1 failed, 64 wrong usage.
            """)

    private static let script = "install-engines"

    @Argument(help: ArgumentHelp("A model to install as well: moonshine-tiny-en.", valueName: "model"))
    var model: String?

    func run() throws { try Self.start([model].compactMap { $0 }) }

    /// Goes on as the script.
    static func start(_ arguments: [String]) throws -> Never {
        guard let script = found else {
            try fail("\(Self.script) is not there: it belongs into \(Self.places[0])")
        }
        var arguments = ([script] + arguments).map { strdup($0) } + [nil]
        execv(script, &arguments)
        try fail("\(SystemError("start \(script)"))")
    }

    private static func fail(_ reason: String) throws -> Never {
        Complaint.say(reason)
        throw ExitStatus.failed.exitCode
    }

    /// A model that the script can install.
    struct Model: Decodable {
        let name: String
        let languages: [String]
        let family: String
        let licence: String
        /// Bytes on disk.
        let size: Int
    }

    /// What models there are only the script knows; none where it is not there.
    static func models() async -> [Model] {
        guard let found else { return [] }
        let listing = ChildProcess(
            program: URL(filePath: found), arguments: ["--list"], limit: .seconds(60))
        guard let lines = try? await listing.run().split(separator: UInt8(ascii: "\n")) else { return [] }
        return lines.compactMap { try? JSONDecoder().decode(Model.self, from: $0) }
    }

    private static var found: String? { places.first { access($0, X_OK) == 0 } }

    /// Beside what is installed; in the folder of the sources, for a program that was built there.
    private static var places: [String] {
        let folder = ChildProcess.thisProgram.deletingLastPathComponent()
        let installed = folder.deletingLastPathComponent().appending(path: "libexec/voicedictation/\(script)")
        var above = folder
        var places = [installed.path]
        // .build/x86_64-unknown-linux-gnu/release/host-agent
        for _ in 0..<3 {
            above.deleteLastPathComponent()
            places.append(above.appending(path: "packaging/\(script)").path)
        }
        return places
    }
}
