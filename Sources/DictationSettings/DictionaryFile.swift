import DictationText
import Foundation

/// The user's own words: `dictionary.toml`, beside the settings and read like them.
public struct DictionarySettings: SettingsRoot {
    public var words = DictionaryWords()
    public var replacements: [DictionaryReplacement] = []
    public var patterns: [DictionaryPattern] = []
    public var snippets: [DictionarySnippet] = []

    public static let parts: [SettingsPart<DictionarySettings>] = [
        .section(\.words), .list(\.replacements), .list(\.patterns), .list(\.snippets),
    ]

    public static let listing = "docs/clean-up.md"

    public init() {}

    /// As the clean-up takes it.
    public var dictionary: TextDictionary {
        TextDictionary(
            replacements: replacements.map { .init(heard: $0.heard, written: $0.written) },
            patterns: patterns.compactMap { .init($0.match.text, template: $0.written) },
            names: words.names,
            snippets: Dictionary(snippets.map { ($0.phrase, $0.text) }) { _, last in last },
            untouchable: words.untouchable)
    }
}

public struct DictionaryWords: SettingsSection {
    public static let name = "words"
    public static let about = "Single words."
    public static let keys = [
        SettingKey(
            \Self.names, "names", help: "Names and other words with their capitals: [\"Alice\", \"GitHub\"]."),
        SettingKey(\Self.untouchable, "untouchable", help: "Words that no rule changes or removes."),
    ]

    public var names: [String] = []
    public var untouchable: [String] = []

    public init() {}
}

public struct DictionaryReplacement: SettingsSection {
    public static let name = "replace"
    public static let about = "Whole words that are replaced with others."
    public static let keys = [
        SettingKey(
            \Self.heard, "heard",
            help: "The recognized words. Lower case matches any case; capitals match only themselves.",
            expectation: "a word or several", allowed: { !$0.isEmpty }),
        SettingKey(\Self.written, "written", help: "The replacement."),
    ]

    public var heard = ""
    public var written = ""

    public init() {}
}

public struct DictionaryPattern: SettingsSection {
    public static let name = "pattern"
    public static let about = "A regular expression on each line, and its replacement."
    public static let keys = [
        SettingKey(\Self.match, "match", help: "Such as 'ticket (\\d+)', in single quotes."),
        SettingKey(
            \Self.written, "written", help: "The replacement; $1 is the first group."),
    ]

    public var match = RegularExpression()
    public var written = ""

    public init() {}
}

public struct DictionarySnippet: SettingsSection {
    public static let name = "snippet"
    public static let about = "A phrase that inserts a text: said alone, or after \"insert\"."
    public static let keys = [
        SettingKey(
            \Self.phrase, "phrase", help: "Such as \"my address\".", expectation: "a word or several",
            allowed: { !$0.isEmpty }),
        SettingKey(\Self.text, "text", help: "The text; it may have several lines."),
    ]

    public var phrase = ""
    public var text = ""

    public init() {}
}

/// A pattern that is known to be one.
public struct RegularExpression: SettingValue {
    public var text = ""

    public static var expectation: String { "a regular expression" }

    public init() {}

    public init?(toml: TOMLValue) {
        guard case .string(let text) = toml, TextDictionary.Pattern(text, template: "") != nil else {
            return nil
        }
        self.text = text
    }

    public var toml: String { text.toml }
}

/// Where the dictionary is, and how it is added to.
public struct DictionaryFile: Equatable, Sendable {
    public let path: String
    private var file: SettingsFile { SettingsFile(path: path) }

    public init(path: String) { self.path = path }

    /// `dictionary.toml` beside the settings.
    public init(beside settings: SettingsFile) {
        path = (settings.path as NSString).deletingLastPathComponent + "/dictionary.toml"
    }

    /// Reads the dictionary as it is now; empty where there is none.
    ///
    /// - Throws: ``SettingsError``, with line and column of all that is wrong.
    public func load() throws(SettingsError) -> DictionarySettings { try load(file.bytes()) }

    func load(_ bytes: [UInt8]?) throws(SettingsError) -> DictionarySettings {
        guard let bytes else { return DictionarySettings() }
        let reading = DictionarySettings.reading(bytes)
        // A name that nobody knows is an error here: the user's own words would silently not be used.
        let problems = (reading.problems + reading.warnings).sorted { $0.position < $1.position }
        guard problems.isEmpty else { throw .invalid(path: path, problems) }
        return reading.root
    }

    func bytes() throws(SettingsError) -> [UInt8]? { try file.bytes() }

    /// Adds a replacement at the end of the file, and makes the file where there is none. Its contents stay as
    /// they are; of two replacements of the same words the last one holds. One that holds already is not added again.
    ///
    /// - Throws: ``SettingsError`` for a file that has errors, which is not touched, or cannot be written.
    public func learn(heard: String, written: String) throws(SettingsError) {
        try file.change { old throws(SettingsError) in
            let known = try load(old).replacements.last { $0.heard == heard }
            guard known?.written != written else { return nil }
            var text = old.map { String(decoding: $0, as: UTF8.self) } ?? Self.beginning
            if !text.isEmpty, !text.hasSuffix("\n") { text += "\n" }
            text += "\n[[replace]]\nheard = \(heard.toml)\nwritten = \(written.toml)\n"
            return Array(text.utf8)
        }
    }

    private static let beginning =
        "# Your own words for VoiceDictation; docs/clean-up.md explains the sections.\n"
}
