import ArgumentParser
import DictationInsertion
import DictationOptions
import DictationService
import DictationShared
import DictationSystem
import Foundation

@main
enum InsertAgent {
    @MainActor
    static func main() async {
        ProgramStart.shareHeap()
        await AgentProgram.run(InsertAgentCommand.self)
    }
}

struct InsertAgentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "insert-agent",
        abstract: "Types dictated text into the focused window. Runs until SIGTERM or SIGINT.",
        usage: """
            insert-agent [--to <file>] [--log-level <log-level>]
            insert-agent --restore
            insert-agent --inline [--to <file>] [--hotkey <hotkey> | --no-hotkey] [--device <device>]
                         [--log-level <log-level>]
            """,
        discussion: """
            With --inline it becomes a host-agent that types as well: it records and recognizes, and no other \
            host-agent is needed; a running host-agent keeps its role. With --to no display is needed: texts are \
            appended to a file or a terminal. Exit codes: 0 done, 1 failed, 64 wrong usage, 69 no display, the file \
            cannot be written, or with --inline the hotkey is not available, 75 an insert-agent is already running, \
            77 the group folder is refused, 78 the settings have an error.
            """,
        version: Version.current)

    @Flag(
        help: "Undo changes that a killed insert-agent left, and exit.")
    var restore = false

    @OptionGroup var destination: DestinationOptions

    @Flag(help: "Record, recognize and clean in this process as well, if no host-agent runs.")
    var inline = false

    @OptionGroup(title: "Options for --inline") var host: HostOptions
    @OptionGroup var agent: AgentOptions

    func validate() throws {
        if destination.to != nil, restore { throw ValidationError("Give --to or --restore, not both.") }
        if inline, restore { throw ValidationError("Give --inline or --restore, not both.") }
        if !inline, !host.isEmpty {
            throw ValidationError("--hotkey, --no-hotkey and --device are for --inline, or for host-agent.")
        }
    }

    func run() async throws {
        if inline { try becomeHost() }
        await AgentProcess.run(
            role: .inserter, options: agent, prepareSettings: Insertion.preparation(destination),
            status: Insertion.status
        ) { context in
            let insertion = try await Insertion(
                destination, in: context, isAlone: true, restoresOnly: restore)
            return (insertion.services, insertion.summary)
        }
    }

    /// Sound, recognizers and drawing are host-agent's: a program that only types loads none of their libraries.
    private func becomeHost() throws -> Never {
        let options = CommandLine.arguments.dropFirst().filter { $0 != "--inline" }
        let failure = HostProgram.become([Insertion.inlineCommand] + options)
        StandardStreams.complain("insert-agent: \(failure)\n".displaySafe)
        throw ExitStatus.failed.exitCode
    }
}
