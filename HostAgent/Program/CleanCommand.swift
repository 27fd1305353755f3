import ArgumentParser
import DictationHost
import DictationService
import DictationSettings
import DictationSystem
import DictationText
import Foundation

struct CleanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clean",
        abstract: "Clean each line of text on standard input.",
        discussion:
            """
            Uses the settings and the dictionary, as the agent does, and warns of unknown names in the dictionary. If \
            one of the files has an error, nothing is cleaned. Spoken new lines become spaces; a line of only new \
            lines becomes ⏎.
            """)

    func run() throws {
        let file = SettingsFile.standard()
        let (options, locale): (TextCleaner.Options, String)
        do {
            let settings = try file.load().values
            let dictionary = try DictionaryFile(beside: file).load()
            for line in dictionary.warningLines { Complaint.say("warning: \(line)") }
            options = .init(rules: settings.clean.rules, dictionary: dictionary.dictionary)
            locale = settings.speech.locale
        } catch {
            Complaint.say(error)
            throw ExitStatus(shared: error).exitCode
        }
        while let line = readLine() {
            // Each line in is a line out, even if the clean-up leaves nothing of it.
            let cleaner = TextCleaner(options: options, language: .matching(locale, of: line))
            let cleaned = cleaner.clean(line)
            StandardOutput.write(
                cleaned.isLayout
                    ? cleaned.text.map { _ in "⏎" }.joined()
                    : cleaned.text.split(separator: "\n").joined(separator: " "))
            try StandardStreams.flushOutput()
        }
    }
}
