import ArgumentParser
import DictationDesktop
import DictationService
import DictationShared
import Foundation
import ServiceLifecycle

@main
enum InsertAgent {
    @MainActor
    static func main() async { await AgentProgram.run(InsertAgentCommand.self) }
}

struct InsertAgentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "insert-agent",
        abstract: "Types dictated text into the window that has the focus. Runs until SIGTERM or SIGINT.",
        discussion: """
            Exit codes: 0 done, 1 failed, 64 wrong usage, 69 no display, 75 an insert-agent is already running, \
            77 the app group's folder is refused, 78 the settings have an error.
            """)

    @Flag(
        help: "Only put back what an insert-agent that was killed has left changed on the display, and end.")
    var restore = false

    @OptionGroup var agent: AgentOptions

    func run() async throws {
        try await AgentProcess.run(role: .inserter, options: agent, status: Self.status) { context in
            let service = InsertionAgent(
                context: context, typist: try Typist(owner: context.group.folder.path))
            try await service.holdWhatADeadOneClaimed()
            if restore { return (NothingMore(), "The display is as it was; nothing is typed.") }
            return (service, "It types into the window that has the focus.")
        }
    }

    /// What is left to do when all is done.
    private struct NothingMore: Service {
        func run() async {}
    }

    static func status(_ error: any Error) -> ExitStatus? {
        error is DesktopError ? .unavailable : nil
    }
}
