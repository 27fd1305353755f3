import ArgumentParser

@main
struct DictstateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dictstate",
        abstract: "Shows and follows the state of dictation; starts, stops, cancels and inserts.",
        discussion: """
            Exit codes: 0 done, 1 failed or refused, 2 nothing there (no agent runs, no such dictation), 64 wrong \
            usage, 77 the app group's folder is refused, 78 the settings have an error.
            """,
        subcommands: [
            StatusCommand.self, WatchCommand.self, HistoryCommand.self, ShowCommand.self, StartCommand.self,
            StopCommand.self, ToggleCommand.self, CancelCommand.self, InsertCommand.self, UndoCommand.self,
            DiscardCommand.self, ForgetCommand.self, SettingsCommand.self,
        ],
        defaultSubcommand: StatusCommand.self)
}

struct OutputOptions: ParsableArguments {
    @Flag(help: "Print JSON: one object a line.")
    var json = false
}
