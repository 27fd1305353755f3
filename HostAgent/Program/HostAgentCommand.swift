import ArgumentParser
import DictationHost
import DictationService

@main
enum HostAgent {
    @MainActor
    static func main() async { await AgentProgram.run(HostAgentCommand.self) }
}

struct HostAgentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "host-agent",
        abstract: "Records, recognizes and cleans what you say, and hands the text to insert-agent.",
        discussion: """
            Exit codes: 0 done, 1 failed, 64 wrong usage, 69 no display or hotkey not to be had, 75 a host-agent is \
            already running, 77 the app group's folder is refused, 78 the settings have an error.
            """,
        version: Version.current,
        subcommands: [
            RunCommand.self, TranscribeCommand.self, CleanCommand.self, CheckCommand.self, ModelsCommand.self,
            InstallEnginesCommand.self, SetupCommand.self,
        ] + HostChildren.commands,
        defaultSubcommand: RunCommand.self)
}
