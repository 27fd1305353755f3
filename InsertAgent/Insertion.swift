import ArgumentParser
import Desktop
import DesktopFile
import DictationOptions
import DictationService
import DictationSettings
import DictationShared
import ServiceLifecycle

/// Where insert-agent's texts go: an option of each program that types.
package struct DestinationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Append texts to this file or terminal instead of typing them. A missing file is created.",
            valueName: "file"),
        completion: .file())
    package var to: String?

    package init() {}

    package func validate() throws {
        if to == "" { throw ValidationError("Name a file after --to.") }
    }
}

/// The part of a process that types, with the inserter's role.
package struct Insertion {
    package let services: [any Service]
    /// For a person at the terminal.
    package let summary: String

    /// The command of host-agent that `insert-agent --inline` turns into.
    package static let inlineCommand = "inline"

    /// Applies the options over the settings, and rejects an invalid key for held texts.
    package static func preparation(_ options: DestinationOptions) -> LiveSettings.Preparation {
        let prepare = options.destination.preparation
        return { loaded throws(SettingsError) in
            try prepare(&loaded)
            try loaded.checkHeldHotkey()
        }
    }

    /// - Parameters:
    ///   - isAlone: whether this process only types. If so, it logs the restrictions of this desktop itself.
    ///   - restoresOnly: only undoes the changes that a killed inserter has left.
    package init(
        _ options: DestinationOptions, in context: AgentContext, isAlone: Bool, restoresOnly: Bool = false
    ) async throws {
        let backend = try options.destination.backend(for: context, tellingRestrictions: isAlone)
        let inserter = try InsertionAgent(context: context, backend: backend)
        try await inserter.holdWhatADeadOneClaimed()
        if restoresOnly {
            services = [NothingMore()]
            summary = "The display is as it was; nothing is typed."
            return
        }
        var services: [any Service] = [inserter]
        if let hotkeys = backend.hotkeys {
            let key = HeldHotkey(context, on: hotkeys)
            await key.start()
            services.append(key)
        }
        if let preedit = backend.preedit {
            services.append(VolatileWords(context: context, backend: backend, preedit: preedit))
        }
        self.services = services
        summary = backend.summary
    }

    /// The exit code for errors of the display and of a file.
    package static func status(_ error: any Error) -> ExitStatus? {
        error is DesktopError || error is FileTargetError ? .unavailable : nil
    }

    /// The last step, when all is done.
    private struct NothingMore: Service {
        func run() async {}
    }
}

extension DestinationOptions {
    fileprivate var destination: Destination { to.map(Destination.file) ?? .focusedWindow }
}
