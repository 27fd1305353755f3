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

    func run() throws {
        guard let script = Self.places.first(where: { access($0, X_OK) == 0 }) else {
            try fail("\(Self.script) is not there: it belongs into \(Self.places[0])")
        }
        // What models there are the script knows.
        var arguments = ([script] + [model].compactMap { $0 }).map { strdup($0) } + [nil]
        execv(script, &arguments)
        try fail("\(SystemError("start \(script)"))")
    }

    private func fail(_ reason: String) throws -> Never {
        Complaint.say(reason)
        throw ExitStatus.failed.exitCode
    }

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
