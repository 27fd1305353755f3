import Foundation
import TestSupport
import Testing

@testable import DictationSettings

@Suite("A list of words to be imported")
struct WordListTests {
    private static func list(_ text: String, as form: WordList.Form) throws -> ([String], [[String]]) {
        let list = try WordList(text, as: form)
        return (list.terms, list.replacements.map { [$0.heard, $0.written] })
    }

    @Test("of text has a term on each line, or what is heard and what is written")
    func text() throws {
        let (terms, replacements) = try Self.list(
            "\u{FEFF}# terms\nKubernetes\r\n\n  Jean  Luc \ncooper netties -> Kubernetes\nnix os → NixOS\nKubernetes\n",
            as: .text)
        #expect(terms == ["Kubernetes", "Jean Luc"])
        #expect(replacements == [["cooper netties", "Kubernetes"], ["nix os", "NixOS"]])
    }

    @Test(
        "of CSV has one column or two, with any of three separators, and quotation marks",
        arguments: [
            "heard,written\nKubernetes,\n\"says \"\"so\"\"\",so\n\"a, b\",ab\n",
            "heard;written\r\nKubernetes;\r\n\"says \"\"so\"\"\";so\r\n\"a, b\";ab",
            "heard\twritten\nKubernetes\t\n\"says \"\"so\"\"\"\tso\n\"a, b\"\tab\n\n",
        ])
    func csv(text: String) throws {
        let (terms, replacements) = try Self.list(text, as: .csv)
        #expect(terms == ["Kubernetes"])
        #expect(replacements == [["says \"so\"", "so"], ["a, b", "ab"]])
    }

    @Test("names each bad line by its number")
    func bad() throws {
        let long = String(repeating: "x", count: 201)
        let error = #expect(throws: WordList.Failure.self) {
            try WordList("good\na,b,c\n...\n,right\n\(long)\nfoo,bar\nfoo,baz\n\"open\nend", as: .csv)
        }
        guard case .badLines(let lines)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(lines.map(\.number) == [2, 3, 4, 5, 7, 8])
        #expect(
            zip(
                lines,
                [
                    "3 columns", "no word", "first column is empty", "201 characters", "“bar” already",
                    "not closed",
                ]
            )
            .allSatisfy { $0.reason.contains($1) }, "\(lines)")
    }

    @Test("of text with an arrow that leads to nothing does not become a term")
    func halfLine() {
        #expect(
            throws: WordList.Failure.badLines([.init(number: 2, reason: "nothing follows the arrow")])
        ) { try WordList("good\nlike ->\n", as: .text) }
    }

    @Test("without words is none; neither is what is no text")
    func none() throws {
        #expect(throws: WordList.Failure.empty) { try WordList("# nothing\n\n", as: .text) }
        #expect(throws: WordList.Failure.empty) { try WordList("heard,written\n", as: .csv) }
        let folder = try TemporaryFolder("words")
        let file = URL(filePath: folder.file("a.txt"))
        try Data([0xFF, 0xFE, 0x41]).write(to: file)
        #expect(throws: WordList.Failure.notUTF8) { try WordList(file: file) }
        try Data(count: 1 << 21).write(to: file)
        #expect(throws: WordList.Failure.tooLarge) { try WordList(file: file) }
        #expect(throws: WordList.Failure.self) { try WordList(file: URL(filePath: folder.file("none"))) }
    }

    @Test(
        "is added to any dictionary, whose other lines stay as they are",
        arguments: [
            nil, "", "# mine\n[words]\nuntouchable = [\"um\"] # stays\n",
            "[words]\nnames = [ # mine\n    \"Alice\", # first\n    \"Bob\" # no comma\n] # end\n[[snippet]]\nphrase = \"a\"\ntext = \"b\"\n",
            "[[replace]]\nheard = \"x\"\nwritten = \"y\"\n[words]\nnames = []",
            "# mine\r\n[words]\r\nuntouchable = [\"um\"]\r\n[[snippet]]\r\nphrase = \"a\"\r\ntext = \"b\"\r\n",
            "# mine\r\n[words]\r\nnames = [ # mine\r\n    \"Alice\",\r\n]\r\n", "# mine\r\n[words]",
        ])
    func added(text: String?) throws {
        let folder = try TemporaryFolder("words")
        if let text { try folder.write(text, to: "dictionary.toml") }
        let file = DictionaryFile(path: folder.file("dictionary.toml"))
        let before = try file.load().values
        let list = try WordList("Kubernetes\nAlice\nsays \"so\"\nnix os -> NixOS", as: .text)
        let added = try file.add(list)
        let after = try file.load().values
        let known = before.words.names.contains("Alice") ? 1 : 0
        #expect(added == .init(terms: 3 - known, replacements: 1, known: known))
        #expect(Set(after.words.names) == Set(before.words.names + ["Kubernetes", "Alice", "says \"so\""]))
        #expect(after.replacements.count == before.replacements.count + 1)
        #expect(after.words.untouchable == before.words.untouchable && after.snippets == before.snippets)
        let new = try String(contentsOfFile: file.path, encoding: .utf8)
        for line in (text ?? "").split(whereSeparator: \.isNewline)
        where line.contains("#") && !line.contains("[ #") {
            #expect(new.contains(line))
        }
        #expect(text?.contains("\r\n") != true || !new.contains("\n" as Character), "an end of another kind")
        #expect(try file.add(list) == .init(terms: 0, replacements: 0, known: 4))
        #expect(try String(contentsOfFile: file.path, encoding: .utf8) == new)
    }

    @Test("of 400 terms is added in one go, and the clean-up writes them")
    func many() throws {
        let folder = try TemporaryFolder("words")
        let file = DictionaryFile(path: folder.file("dictionary.toml"))
        let terms = (1...400).map { "McTerm\(String(UnicodeScalar(UInt8(97 + $0 % 26))))\($0)" }
        #expect(try file.add(WordList(terms.joined(separator: "\n"), as: .text)).terms == 400)
        #expect(try file.load().values.words.names == terms)
    }

    @Test("changes nothing if the dictionary has an error, or a form that it cannot be added to")
    func refused() throws {
        let folder = try TemporaryFolder("words")
        for text in ["[words]\nnames = 5\n", "words = { names = [\"Alice\"] }\n"] {
            try folder.write(text, to: "dictionary.toml")
            let file = DictionaryFile(path: folder.file("dictionary.toml"))
            let list = try WordList("Kubernetes", as: .text)
            do { _ = try file.add(list) } catch {
                #expect(try String(contentsOfFile: file.path, encoding: .utf8) == text)
                continue
            }
            // An inline table can be added to as well.
            #expect(try file.load().values.words.names == ["Kubernetes", "Alice"])
        }
    }
}
