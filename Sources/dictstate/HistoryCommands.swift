import ArgumentParser
import DictationProgram
import DictationShared
import DictationSystem
import Foundation
import Glibc

/// A time on the command line.
struct MomentArgument {
    let date: Date

    init(_ argument: String) throws {
        guard let date = Moment.parse(argument, now: Date()) else {
            throw ValidationError("This is not a time. Write \(Moment.forms).")
        }
        self.date = date
    }
}

struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "List dictations, newest first; all, or those that contain certain words.",
        discussion: """
            Finds texts that contain all words; case and accents do not matter. meet* finds words with that beginning, \
            '"in this order"' a phrase; AND, OR, NOT and parentheses work as well. Anything else is taken as words. \
            Times: \(Moment.forms).
            """)

    @Argument(help: "The words to search for.")
    var words: [String] = []

    @Option(name: .shortAndLong, help: "The number of dictations.")
    var number = 20

    @Flag(help: "List all of them.")
    var all = false

    @Option(
        help: ArgumentHelp("Only those that started at that time or later.", valueName: "when"),
        transform: MomentArgument.init)
    var since: MomentArgument?

    @Option(
        help: ArgumentHelp("Only those that started earlier.", valueName: "when"),
        transform: MomentArgument.init)
    var before: MomentArgument?

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard number > 0 else { throw ValidationError("--number takes a number above 0.") }
    }

    func run() throws {
        try Session.run { session in
            let query = HistoryQuery(
                words: words.isEmpty ? nil : words.joined(separator: " "), since: since?.date,
                before: before?.date, limit: all ? .max : number)
            let isTerminal = isatty(STDOUT_FILENO) == 1
            let matches = try session.store.history(query)
            if matches.isEmpty {
                let isAll = words.isEmpty && since == nil && before == nil
                Complaint.say(isAll ? "Nothing was dictated yet." : "No dictation matches.")
            }
            for match in matches {
                if output.json {
                    try JSONLine.print(DictationJSON(state: match.dictation))
                } else {
                    print(
                        Description.line(
                            match.dictation, text: match.excerpt.map { show($0, highlighted: isTerminal) }))
                }
            }
        }
    }

    private func show(_ excerpt: HistoryMatch.Excerpt, highlighted: Bool) -> String {
        excerpt.pieces.enumerated().map { index, piece in
            highlighted && index % 2 == 1 ? "\u{1B}[1m\(piece.displaySafe)\u{1B}[0m" : piece.displaySafe
        }.joined()
    }
}

struct ForgetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Permanently delete dictations and their recordings.",
        discussion: """
            Held and waiting texts are deleted as well. Dictations that are being recorded, recognized or typed stay, \
            and are listed. Times: \(Moment.forms).
            """)

    @Argument(help: "The dictation's identifier, or the end of it.")
    var id: String?

    @Flag(help: "All dictations, and every recording.")
    var all = false

    @Option(
        help: ArgumentHelp("All that started earlier.", valueName: "when"), transform: MomentArgument.init)
    var before: MomentArgument?

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard [id != nil, all, before != nil].filter({ $0 }).count == 1 else {
            throw ValidationError("Give one of these: an identifier, --all, --before WHEN.")
        }
    }

    func run() throws {
        try Session.run { session in
            let what: StateStore.Forgetting =
                if let id {
                    .one(try session.dictation(named: id).id)
                } else if let before {
                    .before(before.date)
                } else {
                    .all
                }
            let forgotten = try session.store.forget(what)
            if output.json {
                try JSONLine.print(
                    ForgottenJSON(
                        forgotten: forgotten.ids.map(\.description),
                        refused: forgotten.refused.map(\.id.description)))
            } else {
                let held =
                    forgotten.undelivered == 0
                    ? "" : ", \(forgotten.undelivered) of them not typed to the end"
                print("forgot \(forgotten.ids.count.counted("dictation"))\(held)")
            }
            for store in DamagedStore.all(in: session.group) {
                Complaint.say(
                    "\(store.path) was moved aside (\(store.story)), and is not touched. It may hold texts too; "
                        + "remove it when you need it no longer.")
            }
            for refusal in forgotten.refused { Complaint.say("\(refusal)") }
            if !forgotten.refused.isEmpty { throw ExitStatus.failed.exitCode }
        }
    }

    private struct ForgottenJSON: Encodable {
        let forgotten: [String]
        let refused: [String]
    }
}
