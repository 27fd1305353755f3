import ArgumentParser
import Desktop
import DesktopFile
import DictationHost
import DictationService
import DictationSettings
import DictationShared
import Foundation
import Logging
import ServiceLifecycle

@main
enum InsertAgent {
    @MainActor
    static func main() async { await AgentProgram.run(InsertAgentCommand.self) }
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
            With --inline it records and recognizes as well, and no host-agent is needed; a running host-agent keeps \
            its role. With --to no display is needed: texts are appended to a file or a terminal. Exit codes: 0 done, \
            1 failed, 64 wrong usage, 69 no display, the file cannot be written, or with --inline the hotkey is not \
            available, 75 an insert-agent is already running, 77 the group folder is refused, 78 the settings have an \
            error.
            """,
        version: Version.current,
        subcommands: HostChildren.commands)

    @Flag(
        help: "Only restore what a killed insert-agent left changed on the display, and end.")
    var restore = false

    @Option(
        help: ArgumentHelp(
            "Append texts to this file or terminal instead of typing them. A missing file is created.",
            valueName: "file"),
        completion: .file())
    var to: String?

    @Flag(help: "Record, recognize and clean in this process too, as long as no host-agent runs.")
    var inline = false

    @OptionGroup(title: "Options for --inline") var host: HostOptions
    @OptionGroup var agent: AgentOptions

    func validate() throws {
        if to == "" { throw ValidationError("Name a file behind --to.") }
        if to != nil, restore { throw ValidationError("Give --to or --restore, not both.") }
        if inline, restore { throw ValidationError("Give --inline or --restore, not both.") }
        if !inline, !host.isEmpty {
            throw ValidationError("--hotkey, --no-hotkey and --device are for --inline, or for host-agent.")
        }
    }

    func run() async throws {
        let destination = to.map(Destination.file) ?? .focusedWindow
        let prepareInsertion = destination.preparation
        let prepareHost: LiveSettings.Preparation = if inline { host.preparation } else { { _ in } }
        let prepare: LiveSettings.Preparation = { loaded throws(SettingsError) in
            try prepareHost(&loaded)
            try prepareInsertion(&loaded)
            try loaded.checkHeldHotkey()
        }
        await AgentProcess.run(
            role: .inserter, options: agent, prepareSettings: prepare, status: Self.status
        ) { context in
            // With a host, that one says what is restricted.
            let backend = try destination.backend(for: context, tellingRestrictions: !inline)
            let inserter = InsertionAgent(context: context, backend: backend)
            try await inserter.holdWhatADeadOneClaimed()
            if restore { return ([NothingMore()], "The display is as it was; nothing is typed.") }
            var services: [any Service] = [inserter]
            if let hotkeys = backend.hotkeys {
                let key = HeldHotkey(context, on: hotkeys)
                await key.start()
                services.append(key)
            }
            guard inline else { return (services, backend.summary) }
            let host = try InlineHost(context)
            // The host ends first: what is being said is committed, and typed if there is still time.
            return (services + [host], host.readyMessage)
        }
    }

    /// The last step, when all is done.
    private struct NothingMore: Service {
        func run() async {}
    }

    static func status(_ error: any Error) -> ExitStatus? {
        error is DesktopError || error is FileTargetError ? .unavailable : nil
    }
}
