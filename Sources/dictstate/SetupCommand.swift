import ArgumentParser
import DictationProgram

/// `host-agent setup`, which this process becomes: it knows the microphone, the display and the models.
struct SetupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup", abstract: SetupOptions.abstract, discussion: SetupOptions.discussion)

    @OptionGroup var options: SetupOptions

    func run() throws {
        var words = ["setup"] + (options.yes ? ["--yes"] : [])
        words += (options.removeBindings ? ["--remove-bindings"] : []) + options.steps.map(\.rawValue)
        Complaint.say("\(HostProgram.become(words))")
        throw ExitStatus.failed.exitCode
    }
}
