import ArgumentParser
import DictationHost
import DictationService
import DictationSettings
import DictationSpeech
import DictationSystem
import Foundation
import Glibc

/// Installs sherpa-onnx, the voice activity model, and a model if one is named.
struct InstallEnginesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install-engines",
        abstract: "Install sherpa-onnx and its voice activity detector, for your user only.",
        discussion: """
            Both come from PyPI, in fixed versions and checked by hash, into $XDG_DATA_HOME/voicedictation/engines \
            (VOICEDICTATION_ENGINES names another folder). Needs python3 with pip. Does nothing if everything is \
            installed. MODEL is a speech model to install as well: moonshine-tiny-en is a small one for English, far \
            more accurate than PocketSphinx (107 MB to fetch with all it needs, 44 MB on disk). host-agent uses it \
            from the next dictation on. “host-agent models list” shows all models. Exit codes: 0 done, 1 failed, 64 \
            wrong usage.
            """)

    @Argument(
        help: ArgumentHelp("A model to install as well: moonshine-tiny-en.", valueName: "model"),
        completion: .knownModels)
    var model: String?

    @Flag(help: "Show the models in packages, one JSON object per line.")
    var list = false

    func run() async throws {
        if list { return try showList() }
        try await ModelsCommand.run { store, source in
            let installer = ModelInstaller(source: source, trial: .byThisProgram)
            let bar = InstallationBar()
            defer { bar.end() }
            guard let model else {
                for try await progress in installer.installEngine() { bar.show(progress) }
                return
            }
            let wasThere = store.installed().contains { $0.name == model }
            do {
                for try await progress in installer.install(model) { bar.show(progress) }
            } catch let error as ModelError {
                guard case .unknown = error else { throw error }
                Complaint.say(error)
                throw ExitCode.validationFailure
            }
            bar.end()
            if !wasThere {
                Complaint.say(
                    "\(model) is installed. host-agent uses it from the next dictation on, unless the settings name "
                        + "another engine.")
            }
        }
    }

    /// Continues as the script, which handles this option.
    private func showList() throws {
        guard let script = EngineScript.path else {
            throw ModelError.scriptMissing(path: EngineScript.places[0])
        }
        var arguments = [strdup(script), strdup("--list"), nil]
        execv(script, &arguments)
        throw SystemError("start \(script)")
    }
}
