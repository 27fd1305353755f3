import CleanupSets
import DictationText
import Foundation
import TestSupport
import Testing

@Suite("Fluent texts")
struct FluentTextTests {
    /// Only what removes words.
    private let cleaner = TextCleaner(
        options: .init(rules: [
            .selfCorrections, .hesitations, .fillerPhrases, .stutters, .repetitions, .restarts,
        ]))

    /// Texts that begin like a false start or have the words of an edit term, and in which each word is
    /// meant.
    static let orders = [
        "can you tell me the current stock price", "could you please tell me what time it is in Rome",
        "can someone tell me why the light is on", "check how much I owe", "let me see the price today",
        "let's see last month's bill", "let's see what is on my list", "tell me how many days are left",
        "he got an A on his exam", "an all white panel", "how long is the wait at noon",
        "why is there a hold on my account", "why did my bank put a hold on my card",
        "how long do I have to wait for it",
        "add bread to my to do list", "add what I listen to to my list", "who or what is behind it",
        "I would rather wait I hope that is okay", "should we wait or should we go",
        "what's the funniest joke you know",
        "find out what wait times are like", "give me all my reminders", "come said he I will tell you",
        "fine what about two rooms", "what is their number oh and is it open today",
        "thanks a lot that would be all for now", "can you first tell me how much it costs",
        "what about other rooms maybe one with a view", "that is what I want I want to hear it now",
        "it is in an in between state", "put it on the on call schedule", "we sell it on an on demand basis",
        "we began with a from scratch approach", "this is for a for profit company",
        "which song is it is it an old one", "what time is it what is the weather like",
    ]

    private func words(_ text: String) -> [String] {
        text.lowercased().split(separator: " ").map { $0.filter { $0.isLetter || $0.isNumber || $0 == "'" } }
    }

    @Test("keep what an order or a question begins with", arguments: orders)
    func keptWhole(_ text: String) { #expect(words(cleaner.clean(text).text) == words(text)) }

    @Test("none counts as a command that edits, in any language")
    func noAlarms() throws {
        let sets = try CleanupSet.find(
            in: URL(filePath: repositoryFile("Tests/Cleanup"), directoryHint: .isDirectory))
        var generator = SeededGenerator(seed: 17)
        let source = FluentTexts()
        let texts =
            Self.orders + (0..<3_000).map { _ in source.text(using: &generator) }
            + sets.flatMap { $0.pairs.map(\.spoken) + $0.pairs.map(\.written) }
        #expect(texts.count > 3_500)
        for language in Language.all {
            let commands = EditCommands(language: language)
            let edit = TextEdit(language: language)
            // Each right after the one before it, which it would edit. "Change X to Y" is a command only if there is an X.
            let alarms = zip(texts, texts.dropFirst()).filter { before, text in
                switch commands.reading(of: text) {
                case .text: false
                case .literal: true
                case .command(let command, _):
                    !command.hasFreeWords || (try? edit.apply(command, to: before)) != nil
                }
            }.map(\.1)
            #expect(alarms == [])
        }
    }

    @Test("lose a word in fewer than one of a thousand")
    func harm() {
        var generator = SeededGenerator(seed: 11)
        let source = FluentTexts()
        let changed = (0..<3_000).compactMap { _ -> String? in
            let text = source.text(using: &generator)
            return words(cleaner.clean(text).text) == words(text) ? nil : text
        }
        #expect(changed.count < 3, "\(changed)")
    }
}
