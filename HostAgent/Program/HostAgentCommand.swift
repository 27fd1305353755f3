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
        abstract: "Records, recognizes and cleans what you say, and passes the text to insert-agent.",
        discussion: """
            Exit codes: 0 done, 1 failed, 2 no such model (models), 64 wrong usage, 69 the display or the hotkey is \
            not available, 75 a host-agent is already running, 77 the group folder is refused, 78 the settings have an error.
            """,
        version: Version.current,
        subcommands: [
            RunCommand.self, TranscribeCommand.self, CleanCommand.self, CheckCommand.self, ModelsCommand.self,
            InstallEnginesCommand.self, SetupCommand.self, InlineCommand.self,
        ] + HostChildren.commands,
        defaultSubcommand: RunCommand.self)
}
