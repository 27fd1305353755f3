import ArgumentParser
import DictationInsertion
import DictationOptions
import DictationService
import DictationSettings
import DictationShared

/// The program that `insert-agent --inline` turns into: one process that types and records.
struct InlineCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: Insertion.inlineCommand, abstract: "Record and type in one process.",
        shouldDisplay: false)

    @OptionGroup var destination: DestinationOptions
    @OptionGroup var host: HostOptions
    @OptionGroup var agent: AgentOptions

    func run() async throws {
        let prepareHost = host.preparation
        let prepareInsertion = Insertion.preparation(destination)
        let prepare: LiveSettings.Preparation = { loaded throws(SettingsError) in
            try prepareHost(&loaded)
            try prepareInsertion(&loaded)
        }
        await AgentProcess.run(
            role: .inserter, options: agent, prepareSettings: prepare, status: Insertion.status
        ) { context in
            let insertion = try await Insertion(destination, in: context, isAlone: false)
            let host = try await InlineHost(context)
            // The host ends first: the current speech is committed, and typed if there is still time.
            return (insertion.services + [host], host.readyMessage)
        }
    }
}
