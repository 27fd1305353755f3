import ArgumentParser
import DictationText
import Foundation

struct CleanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clean",
        abstract: "Turn lines of raw text on standard input into lines of clean text, one each, in order.")

    func run() throws {
        let cleaner = TextCleaner()
        while let line = readLine() {
            // A line in is a line out, even where nothing is left of it.
            print(cleaner.clean(line).text.replacing("\n", with: " "))
            fflush(nil)
        }
    }
}
