import ArgumentParser
import Desktop
import DictationHost
import DictationOptions
import DictationService
import DictationShared

struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Run in the foreground until SIGTERM or SIGINT.")

    @OptionGroup var host: HostOptions
    @OptionGroup var agent: AgentOptions

    func run() async throws {
        await AgentProcess.run(
            role: .host, options: agent, prepareSettings: host.preparation, status: Self.status
        ) { context in
            let (agent, message) = try DictationAgent.make(context)
            return ([agent], message)
        }
    }

    static func status(_ error: any Error) -> ExitStatus? {
        error is DesktopError ? .unavailable : nil
    }
}
