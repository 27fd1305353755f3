import ArgumentParser
import DictationDesktop
import DictationService
import DictationShared
import Foundation

@main
struct InsertAgentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "insert-agent",
        abstract: "Types dictated text into the window that has the focus. Runs until SIGTERM or SIGINT.",
        discussion: """
            Exit codes: 0 done, 1 failed, 64 wrong usage, 69 no display, 75 an insert-agent is already running, \
            77 the app group's folder is refused, 78 the settings have an error.
            """)

    @OptionGroup var agent: AgentOptions

    func run() async throws {
        try await AgentProcess.run(role: .inserter, options: agent, status: Self.status) { context in
            let service = InsertionAgent(
                context: context, typist: try Typist(owner: context.group.folder.path))
            try await service.holdWhatADeadOneClaimed()
            return (service, "It types into the window that has the focus.")
        }
    }

    static func status(_ error: any Error) -> ExitStatus? {
        error is DesktopError ? .unavailable : nil
    }
}
