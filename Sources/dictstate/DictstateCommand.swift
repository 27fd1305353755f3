import ArgumentParser
import DictationProgram
import DictationSettings
import DictationSystem
import Foundation

@main
struct DictstateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dictstate",
        abstract: "Shows and controls dictation.",
        discussion: """
            Exit codes: 0 done, 1 failed or refused, 2 nothing there (no agent runs, no such dictation), 64 wrong \
            usage, 75 another process keeps the store locked, 77 the group folder is refused, 78 the settings have an \
            error, 130 interrupted by Ctrl-C.
            """,
        version: Version.current,
        subcommands: [
            StatusCommand.self, WatchCommand.self, HistoryCommand.self, ShowCommand.self, StartCommand.self,
            StopCommand.self, ToggleCommand.self, CancelCommand.self, PressCommand.self, ReleaseCommand.self,
            InsertCommand.self,
            RecognizeCommand.self, UndoCommand.self, EditCommand.self, TransformCommand.self,
            DiscardCommand.self, CopyCommand.self, ForgetCommand.self, OpenCommand.self, StatsCommand.self,
            DoctorCommand.self, SetupCommand.self, SettingsCommand.self, LearnCommand.self,
        ],
        defaultSubcommand: StatusCommand.self)

    static func main() {
        ProgramStart.prepare()
        // The command that is meant by default takes no words, and would say so of itself.
        if let word = CommandLine.arguments.dropFirst().first, !word.hasPrefix("-") {
            let names = configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
            if !names.contains(word) {
                Complaint.say(
                    "there is no command “\(word)”\(NearestName.hint(for: word, among: names, list: "dictstate --help"))"
                )
                exit(withError: ExitStatus.wrongUsage.exitCode)
            }
        }
        do {
            var command = try parseAsRoot()
            try command.run()
            end()
        } catch {
            end(with: error)
        }
    }
}

struct OutputOptions: ParsableArguments {
    @Flag(help: "Print one JSON object per line.")
    var json = false
}

/// How the state is printed.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
    case plain, json, waybar, polybar, i3status
}

/// For the commands that a status bar runs.
struct FormatOptions: ParsableArguments {
    @Option(
        help: """
            The output format: for people, for programs, or for a status bar: a custom module of Waybar (return-type \
            json), a script of polybar (tail), a block of the i3bar protocol.
            """)
    var format: OutputFormat?

    @Flag(help: "Print one JSON object per line. The same as --format json.")
    var json = false

    /// Nil when nothing was said.
    var chosen: OutputFormat? { format ?? (json ? .json : nil) }

    func validate() throws {
        if json, let format, format != .json {
            throw ValidationError("Give --json or --format \(format.rawValue), not both.")
        }
    }
}
