import Foundation
import SelfCorrection
import Testing

@testable import DictationText

@Suite("The files of the languages")
struct LanguageFileTests {
    @Test("each is read, and is in use")
    func read() throws {
        for (bytes, language) in [
            (PackageResources.en_json5, Language.english), (PackageResources.de_json5, .german),
            (PackageResources.es_json5, .spanish),
        ] {
            let file = try LanguageFile(bytes, small: GermanNumbers.small)
            #expect(file.identifier == language.identifier && !language.tables.kinds.isEmpty)
        }
    }

    @Test("a list that does not exist, or is no list, is an error")
    func broken() {
        for text in ["{negations: \"@none\"}", "{negations: 5}", "{fillers: {doubled: {in: 3}}}", "{"] {
            #expect(throws: DecodingError.self) { try LanguageFile(Array(text.utf8)) }
        }
    }

    @Test("a list that is left out is empty")
    func sparse() throws {
        let file = try LanguageFile(Array("{identifier: \"fr\"}".utf8))
        #expect(file.identifier == "fr" && file.numbers.whole.small.isEmpty && file.fillers.phrases.isEmpty)
    }

    @Test("each name in them is one that is looked for")
    func names() throws {
        let known = Self.names(in: LanguageFile()).union(["lists"])
        for bytes in [PackageResources.en_json5, PackageResources.de_json5, PackageResources.es_json5] {
            let decoder = JSONDecoder()
            decoder.allowsJSON5 = true
            let file = try decoder.decode(Names.self, from: Data(bytes))
            #expect(Self.paths(in: file).subtracting(known) == [])
            let kinds = try #require(file.children["kinds"]?.children.keys)
            #expect(Set(kinds).isSubset(of: WordKinds.named.keys))
            let restarts = try #require(file.children["restarts"]?.children["kinds"]?.children.keys)
            #expect(Set(restarts).isSubset(of: RestartKinds.named.keys))
        }
    }

    /// Parts whose names are documented by a type; others have words as names.
    private static let parts: Set<String> = [
        "fillers", "corrections", "corrections.verbs", "restarts", "questions", "numbers", "punctuation",
        "edits",
        "capitals",
        "numbers.whole", "numbers.signs", "numbers.ordinals", "numbers.fractions", "numbers.rows",
        "numbers.names", "numbers.abbreviations", "numbers.dates", "numbers.times", "numbers.times.relative",
        "numbers.times.cues", "numbers.times.others", "numbers.measures", "numbers.measures.money",
        "numbers.addresses", "punctuation.marks",
    ]

    /// The names in an object; a list has none.
    private struct Names: Decodable {
        let children: [String: Names]

        init(from decoder: any Decoder) throws { children = (try? [String: Names](from: decoder)) ?? [:] }
    }

    private static func paths(in object: Names, below path: String = "") -> Set<String> {
        object.children.reduce(into: []) { paths, child in
            paths.insert(path + child.key)
            if parts.contains(path + child.key) {
                paths.formUnion(Self.paths(in: child.value, below: path + child.key + "."))
            }
        }
    }

    private static func names(in value: Any, below path: String = "") -> Set<String> {
        Mirror(reflecting: value).children.reduce(into: []) { names, child in
            guard let label = child.label else { return }
            let name = path + (label.hasPrefix("_") ? String(label.dropFirst()) : label)
            names.insert(name)
            if parts.contains(name) { names.formUnion(Self.names(in: child.value, below: name + ".")) }
        }
    }
}
