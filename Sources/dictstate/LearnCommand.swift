import ArgumentParser
import DictationService
import DictationSettings

struct LearnCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "learn",
        abstract: "Write one word or phrase instead of another from now on.",
        discussion: """
            Adds a replacement to dictionary.toml, which lies beside the settings; the agent takes it at once. Words in \
            lower case are found in any case, with a capital in exactly this one. Quote what has several words: \
            dictstate learn "cooper netties" Kubernetes
            """)

    @Argument(help: "What is recognized.")
    var wrong: String
    @Argument(help: "What is to be written instead.")
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
                print("“\(heard)” is left out from now on (\(dictionary.path)).")
            } else {
                print("“\(heard)” is written “\(right)” from now on (\(dictionary.path)).")
            }
        }
    }

    private struct Learnt: Encodable {
        let heard: String
        let written: String
        let file: String
    }
}
