import CleanupChoices
import DictationSettings
import Foundation
import TestSupport
import Testing

@Suite("Styles of the user's own")
struct StyleSettingsTests {
    private static func load(_ text: String) throws -> LoadedSettings {
        let folder = try TemporaryFolder("styles")
        return try SettingsFile(path: folder.write(text, to: "config.toml"), environment: [:]).load()
    }

    private static let letter = "[[style]]\nname = \"letter\"\nprompt = \"It is a letter.\"\n"

    @Test("are found by their names, as those that are known")
    func named() throws {
        let loaded = try Self.load(
            Self.letter + "[polish]\nstyle = \"letter\"\n[[profile]]\nclass = \"Slack\"\nstyle = \"chat\"\n")
        #expect(loaded.values.style(named: "letter") == .own(prompt: "It is a letter."))
        #expect(loaded.values.style(named: "mail") == .known(.mail))
        #expect(loaded.values.style(named: "") == nil)
        #expect(loaded.values.polish.style.text == "letter")
    }

    @Test(
        "a name that nothing has, and a style that lacks a part, are errors with their lines",
        arguments: [
            (
                "[polish]\nstyle = \"baroque\"",
                ":2:1: there is no style “baroque”; there are plain, mail, chat, code, verbatim, letter"
            ),
            ("[polish]\nstyle = \"lettr\"", ":2:1: there is no style “lettr”; did you mean “letter”?"),
            ("[[profile]]\nclass = \"Slack\"\nstyle = \"baroque\"", ":3:1: there is no style “baroque”"),
            ("[[hotkey]]\nkey = \"F8\"\nstyle = \"baroque\"", ":3:1: there is no style “baroque”"),
            ("[[style]]\nname = \"letter\"\nprompt = \"x\"", ":5:1: there is a [[style]] “letter” already"),
            ("[[style]]\nname = \"mail\"\nprompt = \"x\"", ":2:8: “name” must be a word of letters"),
            ("[[style]]\nname = \"two words\"\nprompt = \"x\"", ":2:8: “name” must be a word of letters"),
            ("[[style]]\nname = \"x\"\nprompt = \" \"", ":3:10: “prompt” must be a text"),
            ("[[style]]\nname = \"x\"", ":1:1: each [[style]] needs a name and a prompt"),
            ("\n[[style]]\nprompt = \"x\"", ":2:1: each [[style]] needs a name and a prompt"),
        ])
    func wrong(text: String, message: String) throws {
        // After it, so that the lines are those of the text alone.
        let error = #expect(throws: SettingsError.self) { try Self.load("\(text)\n\(Self.letter)") }
        #expect(error.map { "\($0)" }?.contains(message) == true, "\(error.map { "\($0)" } ?? "")")
    }

    @Test("a style that nothing has is not set")
    func set() throws {
        let folder = try TemporaryFolder("styles")
        let file = SettingsFile(path: try folder.write(Self.letter, to: "config.toml"), environment: [:])
        try file.set("polish.style", to: "letter")
        let error = #expect(throws: SettingsError.self) { try file.set("polish.style", to: "baroque") }
        #expect(error.map { "\($0)" }?.contains("there is no style “baroque”") == true)
        #expect(try file.load().values.polish.style.text == "letter")
    }

    @Test(
        "another setting is not blamed for a style that was wrong before, and the setting itself can be corrected"
    )
    func wrongBefore() throws {
        let folder = try TemporaryFolder("styles")
        let file = SettingsFile(
            path: try folder.write("[polish]\nstyle = \"baroque\"\n", to: "config.toml"), environment: [:])
        let error = #expect(throws: SettingsError.self) { try file.set("audio.tail", to: "200") }
        let message = error.map { "\($0)" } ?? ""
        #expect(message.hasPrefix("\(file.path):2:1: there is no style “baroque”"), "\(message)")
        #expect(
            message.hasSuffix("Nothing was written: correct the file first, and then run the command again."))
        try file.set("polish.style", to: "mail")
        try file.set("audio.tail", to: "200")
        #expect(try file.load().values.audio.tail == 200)
    }
}
