import ArgumentParser
import DictationService
import DictationSettings
import Foundation

struct SettingsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings", abstract: "Show the settings in effect, and where each comes from.",
        discussion: """
            What the agents were given on their command lines stands over these. To begin a file of your own: \
            dictstate settings --example > "$(dictstate settings --path)"
            """)

    @Flag(help: "Print a commented settings file with all there is and its default, and nothing else.")
    var example = false
    @Flag(help: "Print where the settings file is, and nothing else; its folder is made.")
    var path = false
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if example, path { throw ValidationError("Give --example or --path, not both.") }
    }

    func run() throws {
        let file = SettingsFile.standard()
        if example {
            print(SettingsExample.text, terminator: "")
            return
        }
        do {
            if path {
                // What is printed can be written to.
                try FileManager.default.createDirectory(
                    atPath: (file.path as NSString).deletingLastPathComponent,
                    withIntermediateDirectories: true)
                print(file.path)
                return
            }
            try show(file.load())
        } catch {
            Session.complain("\(error)")
            throw ExitStatus(shared: error).exitCode
        }
    }

    private func show(_ loaded: LoadedSettings) throws {
        if output.json {
            for entry in loaded.entries { try JSONLine.print(EntryJSON(entry, file: loaded.file)) }
            return
        }
        print("\(loaded.file)\(loaded.exists ? "" : " (there is none yet: all defaults)")\n")
        let entries = loaded.entries.map { entry in
            (
                setting: "\(entry.name) = \(entry.toml)",
                origin: entry.line.map { "line \($0)" } ?? "default"
            )
        }
        let width = entries.map(\.setting.count).max() ?? 0
        for entry in entries {
            print(entry.setting.padding(toLength: width + 2, withPad: " ", startingAt: 0) + entry.origin)
        }
    }

    private struct EntryJSON: Encodable {
        let key: String
        /// As written in the file: TOML.
        let value: String
        let isDefault: Bool
        let file: String?
        let line: Int?

        init(_ entry: LoadedSettings.Entry, file: String) {
            key = entry.name
            value = entry.toml
            line = entry.line
            isDefault = entry.line == nil
            self.file = entry.line == nil ? nil : file
        }
    }
}

extension LoadedSettings.Entry {
    /// Of the file; nil for a default.
    fileprivate var line: Int? {
        if case .file(let position) = origin { position.line } else { nil }
    }
}
