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

    @Argument(help: "What is recognised.")
    var wrong: String
    @Argument(help: "What is to be written instead.")
    var right: String
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if wrong.allSatisfy(\.isWhitespace) { throw ValidationError("WRONG has no word.") }
    }

    func run() throws {
        try SettingsCommand.run { file in
            let dictionary = DictionaryFile(beside: file)
            try dictionary.learn(heard: wrong, written: right)
            if output.json {
                try JSONLine.print(Learnt(heard: wrong, written: right, file: dictionary.path))
            } else {
                print("“\(wrong)” is written “\(right)” from now on (\(dictionary.path)).")
            }
        }
    }

    private struct Learnt: Encodable {
        let heard: String
        let written: String
        let file: String
    }
}
