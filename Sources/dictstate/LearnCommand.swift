import ArgumentParser
import DictationService
import DictationSettings
import DictationSystem

struct LearnCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "learn",
        abstract: "Replace one word or phrase with another from now on.",
        discussion: """
            Adds a replacement to dictionary.toml beside the settings; the agent uses it immediately. Words in lower \
            case match any case; words with a capital match only that case. Quote phrases: dictstate learn "cooper \
            netties" Kubernetes
            """)

    @Argument(help: "The recognized word or phrase.")
    var wrong: String
    @Argument(help: "The replacement.")
    var right: String
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if !wrong.contains(where: { $0.isLetter || $0.isNumber || $0.isSymbol }) {
            throw ValidationError("WRONG has no word.")
        }
    }

    func run() throws {
        try SettingsCommand.run { file in
            let dictionary = DictionaryFile(beside: file)
            let heard = wrong.split(whereSeparator: \.isWhitespace).joined(separator: " ")
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

    private struct Learnt: Encodable {
        let heard: String
        let written: String
        let file: String
    }
}
