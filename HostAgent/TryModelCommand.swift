import ArgumentParser
import DictationService
import DictationSpeech
import DictationSystem
import Foundation

/// The child process of ``ModelTrial``.
struct TryModelCommand: AsyncParsableCommand {
    static let name = "try-model"
    static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Load a model of sherpa-onnx, which may crash; ends when standard input ends.",
        shouldDisplay: false)

    @Argument var model: String

    func run() async throws {
        exitWhenInputEnds(code: ExitStatus.failed.rawValue)
        do {
            try await ModelTrial.runAsChild(model)
        } catch {
            StandardStreams.complain("\(error)\n")
            throw ExitStatus.failed.exitCode
        }
    }
}

extension ModelTrial {
    /// In a separate process of the running program.
    package static let byThisProgram = ModelTrial(arguments: [TryModelCommand.name])
}
