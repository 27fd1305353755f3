import CleanupChoices
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
            expectation: "a word or several", isRequired: true, allowed: { !$0.isEmpty }),
        SettingKey(\Self.written, "written", help: "The replacement.", isRequired: true),
    ]

    public var heard = ""
    public var written = ""

    public init() {}
}

public struct DictionaryPattern: SettingsSection {
    public static let name = "pattern"
    public static let about = "A regular expression on each line, and its replacement."
    public static let keys = [
        SettingKey(
            \Self.match, "match", help: "Such as 'ticket (\\d+)', in single quotes.", isRequired: true),
        SettingKey(
            \Self.written, "written", help: "The replacement; $1 is the first group.", isRequired: true),
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
            isRequired: true, allowed: { !$0.isEmpty }),
        SettingKey(
            \Self.text, "text", help: "The text; it may have several lines.", isRequired: true),
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

/// The dictionary together with what of its file does nothing.
public struct LoadedDictionary: Equatable, Sendable {
    public let values: DictionarySettings
    /// Unknown keys and sections, by a typing error or of another version, in the order of the file: they are left out.
    public let warnings: [SettingsProblem]
    /// The file's path, whether it is there or not.
    public let file: String

    /// The warnings as they are shown: a line each.
    public var warningLines: [String] { warnings.map { $0.line(in: file) } }

    /// As the clean-up takes it.
    public var dictionary: TextDictionary { values.dictionary }
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

    /// Reads the dictionary as it is now; empty if there is none.
    ///
    /// - Throws: ``SettingsError``, with line and column of all that is wrong.
    public func load() throws(SettingsError) -> LoadedDictionary { try load(file.bytes()) }

    func load(_ bytes: [UInt8]?) throws(SettingsError) -> LoadedDictionary {
        let reading = bytes.map(DictionarySettings.reading) ?? .init(DictionarySettings())
        guard reading.problems.isEmpty else { throw .invalid(path: path, reading.problems) }
        return LoadedDictionary(values: reading.root, warnings: reading.warnings, file: path)
    }

    func bytes() throws(SettingsError) -> [UInt8]? { try file.bytes() }

    /// Adds a replacement at the end of the file, and makes the file where there is none. Its contents stay as
    /// they are; of two replacements of the same words the last one holds. One that holds already is not added again.
    ///
    /// - Throws: ``SettingsError`` for a file that has errors, which is not touched, or cannot be written.
    public func learn(heard: String, written: String) throws(SettingsError) {
        try file.change { old throws(SettingsError) in
            let known = try load(old).values.replacements.last { $0.heard == heard }
            guard known?.written != written else { return nil }
            return Array(Self.adding([.init(heard: heard, written: written)], to: Self.text(old)).utf8)
        }
    }

    /// The outcome of an import.
    public struct Import: Equatable, Sendable {
        /// Added to the names.
        public var terms = 0
        public var replacements = 0
        /// In the dictionary already.
        public var known = 0
    }

    /// Adds a list of words, all of it or, where anything is wrong, nothing. Its contents stay as they are.
    ///
    /// - Throws: ``SettingsError`` for a file that has errors, which is not touched, or cannot be written.
    public func add(_ list: WordList) throws(SettingsError) -> Import {
        var result = Import()
        try file.change { old throws(SettingsError) in
            let dictionary = try load(old).values
            let names = Set(dictionary.words.names)
            let written = Dictionary(dictionary.replacements.map { ($0.heard, $0.written) }) { $1 }
            let terms = list.terms.filter { !names.contains($0) }
            let replacements = list.replacements.filter { written[$0.heard] != $0.written }
            result = Import(
                terms: terms.count, replacements: replacements.count,
                known: list.terms.count + list.replacements.count - terms.count - replacements.count)
            guard result.terms + result.replacements > 0 else { return nil }
            let text = Self.adding(replacements, to: try naming(terms, in: Self.text(old)))
            let new = Array(text.utf8)
            // The new text must read as it is meant, in whatever form the file is written.
            let read = try load(new).values
            guard read.words.names == terms + dictionary.words.names, read.patterns == dictionary.patterns,
                read.snippets == dictionary.snippets,
                read.replacements.count == dictionary.replacements.count + replacements.count
            else { throw cannotAdd }
            return new
        }
        return result
    }

    private static func text(_ bytes: [UInt8]?) -> String {
        bytes.map { String(decoding: $0, as: UTF8.self) } ?? beginning
    }

    private static func adding(_ replacements: [WordList.Replacement], to text: String) -> String {
        let end = text.lineEnd
        var text = text
        if !text.isEmpty, text.unicodeScalars.last != "\n" { text += end }
        for new in replacements {
            let lines = ["", "[[replace]]", "heard = \(new.heard.toml)", "written = \(new.written.toml)"]
            text += lines.map { $0 + end }.joined()
        }
        return text
    }

    /// The text with more names: at the beginning of the list that there is, below its section, or in a new section.
    private func naming(_ terms: [String], in text: String) throws(SettingsError) -> String {
        guard !terms.isEmpty else { return text }
        let end = text.lineEnd
        let text = text.isEmpty || text.unicodeScalars.last == "\n" ? text : text + end
        let lines = terms.map { "    \($0.toml),\(end)" }.joined()
        let entries = (try? TOML.parse(Array(text.utf8))) ?? []
        guard let section = entries.first(where: { $0.key == DictionaryWords.name }) else {
            return text + "\(end)[\(DictionaryWords.name)]\(end)names = [\(end)\(lines)]\(end)"
        }
        guard case .table(let keys) = section.node.value else { throw cannotAdd }
        // By scalars: "\r\n" is one character. A row keeps its "\r".
        var rows = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
            .map { String($0) }
        if let names = keys.first(where: { $0.key == "names" }) {
            let (row, column) = (names.node.position.line - 1, names.node.position.column - 1)
            guard rows.indices.contains(row), rows[row].unicodeScalars.dropFirst(column).first == "[" else {
                throw cannotAdd
            }
            let before = String(rows[row].unicodeScalars.prefix(column + 1))
            rows[row] =
                before + end + lines + "    " + String(rows[row].unicodeScalars.dropFirst(column + 1))
        } else {
            let below = section.keyPosition.line
            guard rows.indices.contains(below) else { throw cannotAdd }
            rows[below] = "names = [\(end)\(lines)]\(end)" + rows[below]
        }
        return rows.joined(separator: "\n")
    }

    private var cannotAdd: SettingsError {
        .invalidOption(
            path, reason: "the names cannot be added without changing more of the file; add them yourself")
    }

    private static let beginning =
        "# Your own words for VoiceDictation; docs/clean-up.md explains the sections.\n"
}
