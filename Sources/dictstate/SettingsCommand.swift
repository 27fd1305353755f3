import ArgumentParser
import DictationProgram
import DictationSettings
import DictationSystem
import Foundation
import Glibc

struct SettingsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings", abstract: "Show and change the settings.",
        discussion: """
            The agents read a changed file immediately. Their command-line options take precedence.

            To create a file of your own, with every setting explained: dictstate settings create. To print that text or the \
            path of the file: dictstate settings --example, dictstate settings --path.
            """,
        subcommands: [
            ShowSettingsCommand.self, GetSettingCommand.self, SetSettingCommand.self,
            CreateSettingsCommand.self, EditSettingsCommand.self,
        ],
        defaultSubcommand: ShowSettingsCommand.self)

    /// Says on standard error what of the file has no effect.
    static func warn(of loaded: LoadedSettings) {
        for line in loaded.warningLines { Complaint.say("warning: \(line)") }
    }

    /// Runs a command on the usual file, and turns what it throws into a message and an exit code.
    static func run(_ body: (SettingsFile) throws -> Void) throws {
        do {
            try body(.standard())
        } catch {
            throw Complaint.say(why: error)
        }
    }
}

struct ShowSettingsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the settings in effect, and where each comes from.",
        discussion: """
            To create a file of your own: dictstate settings create
            """)

    @Flag(help: "Print only a commented settings file with every setting and its default.")
    var example = false
    @Flag(help: "Print only the path of the settings file; its folder is created.")
    var path = false
    @Flag(help: ArgumentHelp("Print the tables of docs/configuration.md.", visibility: .hidden))
    var reference = false
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if example, path { throw ValidationError("Give --example or --path, not both.") }
    }

    func run() throws {
        if example || reference {
            print(example ? SettingsExample.text : SettingsReference.text, terminator: "")
            return
        }
        try SettingsCommand.run { file in
            if path {
                // A printed path can be written to.
                try file.makeFolder()
                print(file.path)
                return
            }
            try show(file.load())
        }
    }

    private func show(_ loaded: LoadedSettings) throws {
        SettingsCommand.warn(of: loaded)
        if output.json {
            for entry in loaded.entries { try JSONLine.print(EntryJSON(entry, file: loaded.file)) }
            return
        }
        print("\(loaded.file)\(loaded.exists ? "" : " (there is none yet: all defaults)")\n".displaySafe)
        let settings = loaded.entries.map { "\($0.name) = \($0.toml)" }
        let width = settings.map(\.count).max() ?? 0
        for (setting, entry) in zip(settings, loaded.entries) {
            print(
                (setting.padding(toLength: width + 2, withPad: " ", startingAt: 0) + entry.place).displaySafe)
        }
    }

    private struct EntryJSON: Encodable {
        let key: String
        /// As written in the file: TOML.
        let value: String
        let isDefault: Bool
        let file: String?
        let line: Int?
        let variable: String?

        init(_ entry: LoadedSettings.Entry, file: String) {
            key = entry.name
            value = entry.toml
            line = entry.line
            isDefault = entry.origin == .standard
            self.file = entry.line == nil ? nil : file
            variable = if case .environment(let variable) = entry.origin { variable } else { nil }
        }
    }
}

struct GetSettingCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Print the value of one setting, in TOML.")

    @Argument(help: "Its full name, such as host.hotkey.", completion: .settings)
    var name: String

    func run() throws {
        try SettingsCommand.run { file in
            let loaded = try file.load()
            guard let entry = loaded.entries.first(where: { $0.name == name }) else {
                throw SettingsError.unknown(name)
            }
            print(entry.toml)
        }
    }
}

struct SetSettingCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Set one setting in the file; the rest of the file stays as it is.",
        discussion: """
            A string needs no quotation marks: dictstate settings set host.hotkey ctrl+alt+d. Edit profiles in the \
            file: dictstate settings edit.
            """)

    @Argument(help: "Its full name, such as host.hotkey.", completion: .settings)
    var name: String
    @Argument(help: "The value, in TOML. Put -- before one that begins with a hyphen.")
    var value: String

    func run() throws {
        try SettingsCommand.run { file in
            if Self.hotkeys.contains(name) { try checkHotkey() }
            try file.set(name, to: value)
            let loaded = try file.load()
            if case .environment(let variable) = loaded.origin(of: name) {
                Complaint.say("It is set, but the environment variable \(variable) takes precedence.")
            }
            let keys = try loaded.checkKeys()
            if let problem = keys?.problem?.finding {
                Complaint.say(
                    "It is set, but running agents keep the last good settings until this is corrected: \(problem)"
                )
            } else if Self.hotkeys.contains(name), let warning = keys?.hotkeyWarning {
                Complaint.say("It is set, but \(warning.told)")
            }
        }
    }
}

extension SetSettingCommand {
    fileprivate static let hotkeys: Set = ["host.hotkey", "transform.hotkey", "insert.held-hotkey"]

    /// Which keys there are is known to host-agent alone; with one that there is not, or that is set twice, an agent
    /// would not start.
    private func checkHotkey() throws {
        let variable = SettingsEnvironment.variable(for: name)
        guard let problem = try HostCheck(["--settings"], with: [variable: value]).problem else { return }
        if !problem.finding.hasPrefix(variable) {
            // Of another setting, which this one makes wrong, unless it was wrong before.
            guard try HostCheck(["--settings"]).problem != problem else { return }
        }
        throw CommandProblem(
            status: .wrongUsage,
            message: problem.finding.replacing(variable, with: name) + ". Nothing was set.")
    }
}

struct CreateSettingsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create the file, with every setting explained and commented out; one that exists is kept.")

    func run() throws {
        try SettingsCommand.run { file in
            guard try file.beginWithExample() else {
                throw CommandProblem(
                    status: .failed,
                    message:
                        "\(file.path) exists already, and is unchanged. Change it: dictstate settings edit")
            }
            print("Created \(file.path). As it is, it changes nothing.".displaySafe)
        }
    }
}

struct EditSettingsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Open the file in your editor ($VISUAL, $EDITOR), and check it afterward.",
        discussion: """
            A new file starts with every setting explained and commented out. A file with an error does not affect \
            running agents.
            """)

    func run() throws {
        try SettingsCommand.run { file in
            try file.beginWithExample()
            setenv("VOICEDICTATION_EDITED", file.path, 1)
            // The shell knows what an editor with options in its variable means.
            let status = system(#"${VISUAL:-${EDITOR:-editor}} "$VOICEDICTATION_EDITED""#)
            guard status == 0 else {
                throw CommandProblem(
                    status: .failed,
                    message: "The editor failed. Name another one in EDITOR; the file is \(file.path).")
            }
            SettingsCommand.warn(of: try file.load())
            let keys = try HostCheck(["--settings"])
            if let problem = keys.problem {
                throw CommandProblem(status: .badSettings, message: problem.finding)
            }
            if let warning = keys.hotkeyWarning { Complaint.say("The file is saved, but \(warning.told)") }
        }
    }
}

extension CompletionKind {
    /// The full names of all settings.
    fileprivate static var settings: CompletionKind { .list(Settings.names) }
}

extension Finding {
    fileprivate var told: String { "\(finding).\(advice.map { " \($0)" } ?? "")" }
}

extension LoadedSettings.Entry {
    /// Of the file; nil for what does not come from there.
    fileprivate var line: Int? {
        if case .file(let position) = origin { position.line } else { nil }
    }

    fileprivate var place: String {
        switch origin {
        case .standard: "default"
        case .file(let position): "line \(position.line)"
        case .environment(let variable): variable
        case .option(let option): option
        }
    }
}
