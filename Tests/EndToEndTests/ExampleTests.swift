import DictationSettings
import DictationText
import Foundation
import TestSupport
import Testing

/// Every example of the documents works.
@Suite("The examples of the documents", .timeLimit(.minutes(2)))
struct ExampleTests {
    /// A fenced block.
    struct Block {
        let document: String
        /// The number of its first line inside the fence, from 1.
        let line: Int
        let language: String
        let text: String

        var place: String { "\(document):\(line)" }
    }

    private static func text(_ document: String) throws -> String {
        try String(contentsOfFile: repositoryFile(document), encoding: .utf8)
    }

    static func blocks(_ language: String? = nil) throws -> [Block] {
        var found: [Block] = []
        for document in DocumentTests.documents {
            var open: (line: Int, language: String, lines: [Substring])?
            for (index, line) in try text(document).split(separator: "\n", omittingEmptySubsequences: false)
                .enumerated()
            {
                if line.hasPrefix("```"), let block = open {
                    found.append(
                        Block(
                            document: document, line: block.line, language: block.language,
                            text: block.lines.joined(separator: "\n") + "\n"))
                    open = nil
                } else if line.hasPrefix("```") {
                    open = (index + 2, String(line.dropFirst(3)), [])
                } else {
                    open?.lines.append(line)
                }
            }
            #expect(open == nil, "\(document): a block does not end")
        }
        return found.filter { language == nil || $0.language == language }
    }

    /// The sections of the dictionary, which the settings do not have.
    private static let dictionarySections = DictionarySettings.parts.map(\.name)

    private static func isDictionary(_ text: String) -> Bool {
        text.matches(of: /^\[+([a-z]+)\]/.anchorsMatchLineEndings())
            .contains { dictionarySections.contains(String($0.1)) }
    }

    @Test("each block of TOML is read whole, without a warning")
    func settings() throws {
        let blocks = try Self.blocks("toml")
        #expect(blocks.count >= 5)
        for block in blocks {
            let folder = try TemporaryFolder("example")
            let path = try folder.write(block.text, to: "example.toml")
            if Self.isDictionary(block.text) {
                let loaded = try DictionaryFile(path: path).load()
                #expect(loaded.warningLines.isEmpty, "\(block.place): \(loaded.warningLines)")
                #expect(loaded.values != DictionarySettings(), "\(block.place) sets nothing")
            } else {
                let loaded = try SettingsFile(path: path).load()
                #expect(loaded.warningLines.isEmpty, "\(block.place): \(loaded.warningLines)")
                #expect(loaded.values != Settings(), "\(block.place) sets nothing")
            }
        }
    }

    @Test("each setting in running text is one, with a value that it takes")
    func inlineSettings() throws {
        let sections = Settings.parts.map { ($0.name, $0.isList, Set($0.keys.map(\.name))) }
        var seen = 0
        for document in DocumentTests.documents {
            for use in try Self.text(document).matches(of: /`(?:([a-z]+)\.)?([a-z-]+) = ([^`…]+)`/) {
                let (section, key) = (use.1.map(String.init), String(use.2))
                // Other programs have settings, too.
                let holders = sections.filter { (section ?? $0.0) == $0.0 && $0.2.contains(key) }
                guard section != nil || !holders.isEmpty else { continue }
                let folder = try TemporaryFolder("example")
                let taken = try holders.contains { name, isList, _ in
                    let header = isList ? "[[\(name)]]" : "[\(name)]"
                    let path = try folder.write("\(header)\n\(key) = \(use.3)\n", to: "example.toml")
                    guard let loaded = try? SettingsFile(path: path).load() else { return false }
                    return loaded.warningLines.isEmpty
                }
                #expect(taken, "\(document): \(use.0)")
                seen += 1
            }
        }
        #expect(seen > 10)
    }

    @Test("each block of JSON is JSON")
    func json() throws {
        let blocks = try Self.blocks("json")
        #expect(blocks.count >= 2)
        for block in blocks {
            #expect(throws: Never.self, "\(block.place)") {
                try JSONSerialization.jsonObject(with: Data(block.text.utf8))
            }
        }
        for document in DocumentTests.documents {
            for use in try Self.text(document).matches(of: /`(\{"[^`…]*\})`/) {
                #expect(throws: Never.self, "\(document): \(use.1)") {
                    try JSONSerialization.jsonObject(with: Data(use.1.utf8))
                }
            }
        }
    }

    /// A cleaned text as the documents show it: they leave out the full stop.
    private static func isShown(_ cleaned: String, as shown: String) -> Bool {
        cleaned == shown || cleaned == shown + "."
    }

    @Test("each text of the clean-up's page becomes what the page says")
    func cleanUp() throws {
        let page = try Self.text("docs/clean-up.md")
        let block = try #require(
            try Self.blocks("toml").first { $0.document == "docs/clean-up.md" && Self.isDictionary($0.text) })
        let folder = try TemporaryFolder("example")
        let file = DictionaryFile(path: try folder.write(block.text, to: "dictionary.toml"))
        let plain = TextCleaner()
        let own = TextCleaner(options: .init(dictionary: try file.load().dictionary))
        let onScreen = TextCleaner(options: .init(likelyTerms: ["Zabrowski", "PyTorch", "Sara"]))
        func section(_ title: String) throws -> Range<String.Index> {
            let begin = try #require(page.firstRange(of: "\n## \(title)\n")?.upperBound)
            return begin..<(page[begin...].firstRange(of: "\n## ")?.lowerBound ?? page.endIndex)
        }
        let (words, names) = (try section("Your own words"), try section("Names on the screen"))
        let examples = page.matches(of: /“([^”]+)”\s→\s+`([^`]+)`/)
        #expect(examples.count >= 20)
        for example in examples {
            let place = example.range.lowerBound
            let cleaner = words.contains(place) ? own : names.contains(place) ? onScreen : plain
            let cleaned = cleaner.clean(String(example.1)).text
            #expect(Self.isShown(cleaned, as: String(example.2)), "\(example.0): \(cleaned)")
        }
        #expect(own.clean("my address").text == "1 Main Street\nSpringfield")
        // The first example of the page: the spoken words, and the typed text.
        let first = page.split(separator: "\n").filter { $0.hasPrefix("    ") }.prefix(2).map {
            $0.dropFirst(4)
        }
        #expect(first.count == 2 && plain.clean(String(first[0])).text == String(first[1]))
    }

    @Test("the lines of Swift compile")
    func swift() throws {
        // These are the lines of the document.
        var options = TextCleaner.Options.standard
        options.rules.remove(.fillerPhrases)
        let cleaner = TextCleaner(options: options)

        #expect(cleaner.clean("you know it works").text == "You know it works.")
        let here = try String(contentsOfFile: #filePath, encoding: .utf8)
            .split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        let blocks = try Self.blocks("swift")
        #expect(blocks.count == 1)
        for line in blocks.flatMap({ $0.text.split(separator: "\n") }) {
            #expect(here.contains(String(line)), "\(line)")
        }
    }
}
