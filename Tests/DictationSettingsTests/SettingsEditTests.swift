import Foundation
import TestSupport
import Testing

@testable import DictationSettings

@Suite("Changing one setting")
struct SettingsEditTests {
    static let changes: [(before: String, name: String, value: String, after: String)] = [
        ("", "host.hotkey", "F8", "[host]\nhotkey = \"F8\"\n"),
        ("# mine\n[log]\n", "host.hotkey", "F8", "# mine\n[log]\n\n[host]\nhotkey = \"F8\"\n"),
        (
            "[host]\nhotkey = \"F9\"  # the old one\n", "host.hotkey", "\"ctrl+alt+d\"",
            "[host]\nhotkey = \"ctrl+alt+d\"  # the old one\n"
        ),
        (
            "[host]\n\n# The key\n# hotkey = \"F9\"\n\n[log]\n", "host.hotkey", "F8",
            "[host]\n\n# The key\n# hotkey = \"F9\"\nhotkey = \"F8\"\n\n[log]\n"
        ),
        (
            "[audio]\ntail = 300\nkeep = \"never\"\n", "audio.tail", "200",
            "[audio]\ntail = 200\nkeep = \"never\"\n"
        ),
        (
            "[speech]\nwords = [\n  \"A = EY\", # one\n  \"B = B IY\",\n] # all\nlocale = \"en-US\"\n",
            "speech.words", "[]", "[speech]\nwords = []  # all\nlocale = \"en-US\"\n"
        ),
        ("[audio]\ndevice = \"a # b\"\n", "audio.device", "hw:1,0", "[audio]\ndevice = \"hw:1,0\"\n"),
        ("host = { hotkey = \"F9\" }", "host.hotkey", "F8", ""),
        // A file from Windows, or from an editor that keeps its line ends.
        (
            "# mine\r\n\r\n[host]\r\n# hotkey = \"F9\"\r\n\r\n[log]\r\n", "host.hotkey", "F8",
            "# mine\r\n\r\n[host]\r\n# hotkey = \"F9\"\r\nhotkey = \"F8\"\r\n\r\n[log]\r\n"
        ),
        ("[log]\r\n", "host.hotkey", "F8", "[log]\r\n\r\n[host]\r\nhotkey = \"F8\"\r\n"),
        ("# a\r\n[host]", "host.hotkey", "F8", "# a\r\n[host]\r\nhotkey = \"F8\"\r\n"),
        (
            "[host]\r\nhotkey = \"F9\"  # the old one\r\n[log]\nlevel = \"debug\"\r\n", "host.hotkey", "F8",
            "[host]\r\nhotkey = \"F8\"  # the old one\r\n[log]\nlevel = \"debug\"\r\n"
        ),
        (
            "[speech]\r\nwords = [\r\n  \"A = EY\",\r\n] # all\r\nlocale = \"en-US\"\r\n",
            "speech.words", "[]", "[speech]\r\nwords = []  # all\r\nlocale = \"en-US\"\r\n"
        ),
    ]

    @Test("leaves every other line as it is, or refuses", arguments: changes.indices)
    func changed(index: Int) throws {
        let row = Self.changes[index]
        let folder = try TemporaryFolder("settings")
        let path = try folder.write(row.before, to: "settings.toml")
        let file = SettingsFile(path: path)
        if row.after.isEmpty {
            #expect(throws: SettingsError.self) { try file.set(row.name, to: row.value) }
        } else {
            try file.set(row.name, to: row.value)
        }
        let after = try String(contentsOfFile: path, encoding: .utf8)
        #expect(after == (row.after.isEmpty ? row.before : row.after))
    }

    @Test("every setting of the example can be set to its own default")
    func all() throws {
        let folder = try TemporaryFolder("settings")
        let file = SettingsFile(path: folder.file("sub/settings.toml"))
        try file.beginWithExample()
        for entry in try file.load().entries {
            try file.set(entry.name, to: entry.toml)
            guard case .file = try file.load().origin(of: entry.name) else {
                Issue.record("\(entry.name) is not in the file")
                continue
            }
        }
        #expect(try file.load().values == Settings())
    }

    @Test("unknown keys and bad values are refused with a proposal, and nothing is written")
    func refused() throws {
        let folder = try TemporaryFolder("settings")
        let file = SettingsFile(path: folder.file("settings.toml"))
        for (name, value, word) in [
            ("host.hotky", "F8", "did you mean “host.hotkey”?"),
            ("theme", "light", "did you mean “overlay.theme”?"),
            ("host.frequency", "5", "to list them: dictstate settings --example"),
            ("audio.tail", "long", "milliseconds, 0 to 2000"),
            ("audio.tail", "300\nkeep = 1", "milliseconds"),
            ("profile.class", "x", "there is no such setting; edit a [[profile]] in the file"),
        ] {
            let error = #expect(throws: SettingsError.self) { try file.set(name, to: value) }
            let text = error.map { "\($0)" } ?? ""
            #expect(text.contains(word) && !text.contains("\n") && text.count < 120, "\(text)")
        }
        #expect(!FileManager.default.fileExists(atPath: file.path))
        try folder.write("[host]\nhotkey = 3\n", to: "settings.toml")
        let error = #expect(throws: SettingsError.self) { try file.set("audio.tail", to: "200") }
        let text = error.map { "\($0)" } ?? ""
        #expect(text.hasSuffix("run the command again."), "\(text)")
    }

    @Test("a symbolic link stays one")
    func link() throws {
        let folder = try TemporaryFolder("settings")
        let target = try folder.write("", to: "dotfiles.toml")
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("settings.toml"), withDestinationPath: target)
        try SettingsFile(path: folder.file("settings.toml")).set("log.level", to: "debug")
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "[log]\nlevel = \"debug\"\n")
    }
}

@Suite("Settings from the environment")
struct SettingsEnvironmentTests {
    private static func file(_ environment: [String: String]) throws -> (SettingsFile, TemporaryFolder) {
        let folder = try TemporaryFolder("settings")
        let path = try folder.write("[host]\nhotkey = \"F8\"\n", to: "settings.toml")
        return (SettingsFile(path: path, environment: environment), folder)
    }

    @Test("override the file, and are shown to")
    func over() throws {
        let (file, folder) = try Self.file([
            "VOICEDICTATION_HOST_HOTKEY": "ctrl+alt+d", "VOICEDICTATION_INSERT_PASTE_FROM": "7",
            "VOICEDICTATION_GROUP": "/elsewhere", "VOICEDICTATION_EDITED": "x", "HOME": "/",
        ])
        defer { folder.remove() }
        let loaded = try file.load()
        #expect(loaded.values.host.hotkey == "ctrl+alt+d")
        #expect(loaded.values.insert.pasteFrom == 7)
        #expect(loaded.origin(of: "host.hotkey") == .environment("VOICEDICTATION_HOST_HOTKEY"))
        #expect(loaded.origin(of: "insert.patience") == .standard)
        #expect(file.loadWhatCanBeRead()?.values == loaded.values)
    }

    @Test("are refused by name if they are wrong")
    func wrong() throws {
        for (variable, value, word) in [
            ("VOICEDICTATION_HOST_HOTKY", "F8", "did you mean “VOICEDICTATION_HOST_HOTKEY”?"),
            ("VOICEDICTATION_AUDIO_TAIL", "long", "milliseconds, 0 to 2000"),
        ] {
            let (file, folder) = try Self.file([variable: value])
            defer { folder.remove() }
            let error = #expect(throws: SettingsError.self) { try file.load() }
            let text = error.map { "\($0)" } ?? ""
            #expect(text.hasPrefix(variable) && text.contains(word), "\(text)")
            #expect(file.loadWhatCanBeRead()?.values.host.hotkey == "F8")
        }
    }
}

@Suite("The reference")
struct SettingsReferenceTests {
    @Test("in docs/configuration.md is the one that the code makes: run “make docs” if it is not")
    func document() throws {
        let document = try String(contentsOfFile: repositoryFile("docs/configuration.md"), encoding: .utf8)
        #expect(document.contains("-->\n\n" + SettingsReference.text + "\n<!--"))
    }
}
