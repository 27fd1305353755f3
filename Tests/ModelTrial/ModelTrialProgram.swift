import DictationSpeech
import DictationSystem
import Foundation

/// The child process in which tests try models: `model-trial CONFIGURATION`.
@main
enum ModelTrialProgram {
    static func main() async {
        exitWhenInputEnds(code: 1)
        do {
            try await ModelTrial.runAsChild(CommandLine.arguments.last ?? "")
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }
}
