import DictationSettings
import DictationShared
import DictationText
import Logging
import TestSupport
import Testing

@testable import DictationHost

@Suite("A command, or a text that is typed while it is spoken")
struct LiveCommandTests {
    /// The words that are heard, look by look, and at the end.
    private struct Row: CustomTestStringConvertible, Sendable {
        let looks: [String]
        let end: String
        /// Whether it is a command if it is recognized as a whole.
        var isCommand = true
        /// Words that are typed; none of a command.
        var typed: [String] = []
        var testDescription: String { looks.first ?? end }
    }

    private func service(_ settings: String = "") throws -> TextService {
        let folder = try TemporaryFolder("live-command")
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let file = SettingsFile(path: try folder.write(settings, to: "settings.toml"))
        let dictionary = DictionaryFile(path: folder.file("dictionary.toml"))
        return try TextService(
            settings: LiveSettings(file: file, logger: logger),
            dictionary: LiveDictionary(file: dictionary, logger: logger))
    }

    @Test(
        "a command loses no word to the window; after words that were released, everything is text",
        arguments: [
            Row(
                looks: [
                    "replace Monday", "replace Monday with", "replace Monday with Tuesday",
                    "replace Monday with Tuesday",
                ], end: "Replace Monday with Tuesday."),
            // Heard otherwise at first, it was none, and words of it are in the window.
            Row(
                looks: [
                    "replaces Monday next week and now we", "replaces Monday next week and now we see",
                    "replaces Monday next week and now we see it",
                    "replace Monday with Tuesday",
                ], end: "Replace Monday with Tuesday.", typed: ["Replaces", "Tuesday"]),
            Row(
                looks: [
                    "we scratch all of that and", "we scratch all of that and this",
                    "we scratch all of that and this now",
                ],
                end: "Delete last word.", typed: ["We", "Delete", "last", "word"]),
            Row(
                looks: [
                    "press enter to go on", "press enter to go on then", "press enter to go on then and",
                ],
                end: "Press enter to go on then and wait here.", isCommand: false,
                typed: ["Press", "enter", "go", "wait", "here"]),
        ])
    private func rows(row: Row) async throws {
        let service = try service()
        var live = try #require(
            LiveDictation(.words, mayRevise: false, origin: TextOrigin(), locale: "en-US"))
        var given = ""
        for look in row.looks {
            live.take(HeardText(tentative: look), service)
            given = live.giveOut() ?? given
        }
        #expect(given.isEmpty == row.typed.isEmpty)
        let outcome = SpeechService.Outcome(
            end: .complete, text: row.end, words: [], engine: "test", milliseconds: 0, finalMilliseconds: 0,
            locale: "en-US")
        #expect((await service.clean(outcome, for: TextOrigin()).edit != nil) == row.isCommand)
        let result = await service.clean(outcome, for: TextOrigin(), behind: given)
        #expect((result.edit != nil) == row.typed.isEmpty)
        // As the store joins them.
        let text = LiveJoin(given, result.text).text
        #expect(text.hasPrefix(given))
        for word in row.typed { #expect(text.contains(word), "\(text)") }
    }
}
