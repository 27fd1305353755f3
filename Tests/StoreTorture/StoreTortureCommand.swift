import ArgumentParser
import DictationShared
import Foundation

/// A program only for tests: takes part in a store as a separate process, with the same library as the agents.
@main
struct StoreTortureCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store-torture",
        abstract:
            "For the tests under Tests/TortureTests: reads and writes a store as one process of several.",
        subcommands: [WriteCommand.self, ReadCommand.self, RecordCommand.self])
}

/// The signals that the processes of the stress test give each other through the store that they share.
enum Signpost {
    /// The engine of the dictation that lets all writers begin.
    static let start = "torture-start"
    /// The engine of the last dictation: a process that has seen it has seen everything.
    static let end = "torture-end"
}

struct StoreOptions: ParsableArguments {
    @Argument(help: "The app group's folder.")
    var folder: String

    @Option(help: "Where to write what happened, as JSON.")
    var report: String

    func open() throws -> StateStore {
        try StateStore(group: AppGroup(folder: URL(fileURLWithPath: folder, isDirectory: true)))
    }

    func write(_ value: some Encodable) throws {
        try JSONEncoder().encode(value).write(to: URL(fileURLWithPath: report))
    }
}

/// Says a word to the test, which waits for the line.
func say(_ word: String) {
    print(word)
    fflush(nil)
}
