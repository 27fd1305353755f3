import ArgumentParser
import DictationService
import DictationShared
import Foundation
import Glibc

/// `host-agent setup`, which this process becomes: it knows the microphone, the display and the models.
struct SetupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup", abstract: SetupOptions.abstract, discussion: SetupOptions.discussion)

    @OptionGroup var options: SetupOptions

    func run() throws {
        let program = InstalledProgram.path(AgentRole.host.rawValue)
        var words = [program, "setup"] + (options.yes ? ["--yes"] : [])
        words += (options.removeBindings ? ["--remove-bindings"] : []) + options.steps.map(\.rawValue)
        if !program.contains("/") { words[0] = AgentRole.host.rawValue }
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        execvp(program, &arguments)
        let reason = String(cString: strerror(errno))
        Session.complain(
            "\(program) cannot be started: \(reason). Install it beside dictstate, or put it in PATH.")
        throw ExitStatus.failed.exitCode
    }
}
