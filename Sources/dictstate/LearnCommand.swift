import ArgumentParser
import DictationProgram
import DictationSettings
import DictationSystem
import Foundation

struct LearnCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "learn",
        abstract: "Replace one word or phrase with another from now on.",
        discussion: """
            Adds a replacement to dictionary.toml next to the settings; the agent uses it immediately. Words \
            in lower case match any case; words with a capital match only that case. Quote phrases: \
            dictstate learn "cooper netties" Kubernetes

            With --import, adds a whole list. Text: a term on each line, or WRONG -> RIGHT; lines that begin \
            with # are ignored. CSV and TSV: a term in each row, or WRONG and RIGHT in two columns. Terms \
            become names: they are written as they are, and recognition is biased toward them. If a line is \
            invalid, nothing is added, and all such lines are listed.
            """)

    @Argument(help: "The recognized word or phrase.")
    var wrong: String?
    @Argument(help: "The replacement.")
    var right: String?
    @Option(
        name: .customLong("import"), help: "A list of terms and replacements to add: text, CSV or TSV.",
        completion: .file(extensions: ["csv", "tsv", "txt"]))
    var list: String?
    @OptionGroup var output: OutputOptions

    func validate() throws {
        switch (wrong, right, list) {
        case (nil, nil, .some("")): throw ValidationError("Name a file after --import.")
        case (nil, nil, .some): break
        case (let wrong?, let right?, nil):
            if Self.heard(wrong) == right {
                throw ValidationError("WRONG and RIGHT are the same. Nothing was added.")
            }
            if !wrong.contains(where: { $0.isLetter || $0.isNumber || $0.isSymbol }) {
                throw ValidationError("WRONG has no word.")
            }
        default: throw ValidationError("Give WRONG and RIGHT, or --import FILE.")
        }
    }

    func run() throws {
        try SettingsCommand.run { file in
            let dictionary = DictionaryFile(beside: file)
            guard let wrong, let right else { return try add(to: dictionary) }
            let heard = Self.heard(wrong)
            try dictionary.learn(heard: heard, written: right)
            if output.json {
                try JSONLine.print(Learnt(heard: heard, written: right, file: dictionary.path))
            } else if right.isEmpty {
                print("“\(heard)” is left out from now on (\(dictionary.path)).".displaySafe)
            } else {
                print(
                    "“\(heard)” is written “\(right)” from now on (\(dictionary.path)).".displaySafe)
            }
        }
    }

    private static func heard(_ wrong: String) -> String {
        wrong.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private func add(to dictionary: DictionaryFile) throws {
        let path = list ?? ""
        let words: WordList
        do { words = try WordList(file: URL(fileURLWithPath: path)) } catch {
            let lines = "\(error)".split(separator: "\n").map { "\(path): \($0)" }
            throw CommandProblem(
                status: .failed, message: (lines + ["Nothing was added."]).joined(separator: "\n"))
        }
        let added = try dictionary.add(words)
        if output.json {
            try JSONLine.print(
                Added(
                    terms: added.terms, replacements: added.replacements, known: added.known,
                    file: dictionary.path))
        } else {
            let known = added.known > 0 ? "; \(added.known) were there already" : ""
            print(
                "Added \(added.terms.counted("term")) and \(added.replacements.counted("replacement"))\(known) (\(dictionary.path))."
                    .displaySafe
            )
        }
    }

    private struct Added: Encodable {
        let terms, replacements, known: Int
        let file: String
    }

    private struct Learnt: Encodable {
        let heard: String
        let written: String
        let file: String
    }
}
