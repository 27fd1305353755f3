import DictationSettings
import DictationText
import Foundation
import Logging
import TestSupport
import Testing

@Suite("The user's dictionary as a file", .timeLimit(.minutes(2)))
struct DictionaryFileTests {
    private static let whole = """
        [words]
        names = ["Alice", "GitHub"]
        untouchable = ["um"]

        [[replace]]
        heard = "cooper netties"
        written = "Kubernetes"

        [[pattern]]
        match = 'ticket (\\d+)'
        written = "#$1"

        [[snippet]]
        phrase = "my address"
        text = "1 Main Street\\nSpringfield"
        """

    private static func with<T>(_ text: String?, _ body: (DictionaryFile) throws -> T) throws -> T {
        let folder = try TemporaryFolder("dictionary")
        let path = folder.file("dictionary.toml")
        if let text { _ = try folder.write(text, to: "dictionary.toml") }
        defer { folder.remove() }
        return try body(DictionaryFile(path: path))
    }

    @Test("is read like the settings, and is empty where there is none")
    func reading() throws {
        let dictionary = try Self.with(Self.whole) { try $0.load().dictionary }
        #expect(dictionary.names == ["Alice", "GitHub"] && dictionary.untouchable == ["um"])
        #expect(dictionary.replacements == [.init(heard: "cooper netties", written: "Kubernetes")])
        #expect(dictionary.snippets == ["my address": "1 Main Street\nSpringfield"])
        #expect(dictionary.patterns.map(\.template) == ["#$1"])
        #expect(try Self.with(nil) { try $0.load().dictionary }.isEmpty)
    }

    @Test(
        "says line and column of what is wrong",
        arguments: [
            ("[[replace]]\nwritten = \"\"\nheard = 5\n", 3, 9, "a word or several"),
            (
                "[words]\n[[replace]]\nheard = \"never\"\n", 2, 1,
                "[[replace]] needs “written”; for none, write written = \"\""
            ),
            ("[words]\n[[pattern]]\nmatch = \"never\"\n", 2, 1, "[[pattern]] needs “written”"),
            ("[[snippet]]\nphrase = \"surpassed\"\n", 1, 1, "[[snippet]] needs “text”"),
            ("[[snippet]]\ntext = \"surpassed\"\n", 1, 1, "[[snippet]] needs “phrase”"),
            ("[words]\n\n[[pattern]]\nmatch = \"(\"\nwritten = \"\"\n", 4, 9, "a regular expression"),
            ("[words]\nnames = 5\n", 2, 9, "a list"),
        ])
    func wrong(_ text: String, line: Int, column: Int, hint: String) throws {
        try Self.with(text) { file in
            let error = #expect(throws: SettingsError.self) { try file.load() }
            let message = error.map { "\($0)" } ?? ""
            #expect(message.contains(":\(line):\(column): ") && message.contains(hint), "\(message)")
        }
    }

    @Test("warns of a name that nothing has, and uses the rest, also while an agent runs")
    func unknown() async throws {
        let text =
            Self.whole
            + "\n[[replac]]\nheard = \"a\"\n[[replace]]\nhear = \"b\"\nheard = \"x\"\nwritten = \"y\"\n"
        let loaded = try Self.with(text) { try $0.load() }
        #expect(loaded.dictionary.names == ["Alice", "GitHub"])
        #expect(loaded.values.replacements.map(\.written) == ["Kubernetes", "y"])
        let places = loaded.warningLines.map { $0.dropFirst(loaded.file.count) }
        try #require(places.count == 2)
        #expect(places[0].hasPrefix(":16:3: [replac] has no effect") && places[0].contains("replace"))
        #expect(places[1].hasPrefix(":19:1: “hear” has no effect") && places[1].contains("heard"))
        let folder = try TemporaryFolder("dictionary")
        let path = try folder.write(text, to: "dictionary.toml")
        let log = RecordedLog()
        let live = LiveDictionary(file: DictionaryFile(path: path), logger: log.logger)
        #expect(live.current.names == ["Alice", "GitHub"])
        await log.wait(for: "[replac] has no effect")
        try DictionaryFile(path: path).learn(heard: "one", written: "two")
        #expect(try DictionaryFile(path: path).load().values.replacements.last?.written == "two")
    }

    @Test("learns at its end, keeps its content, and is made if there is none")
    func learning() throws {
        try Self.with(nil) { file throws in
            try file.learn(heard: "cooper netties", written: "Kubernetes")
            try file.learn(heard: "say \"so\"", written: "tab\tand \\ back")
            try file.learn(heard: "cooper netties", written: "K8s")
            #expect(
                try file.load().values.replacements.map(\.written) == [
                    "Kubernetes", "tab\tand \\ back", "K8s",
                ])
            let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            let cleaner = TextCleaner(options: .init(dictionary: try file.load().dictionary))
            #expect(cleaner.clean("cooper netties").text == "K8s.")
        }
        try Self.with("# mine\n[words]\nnames = [\"Bob\"]") { file throws in
            try file.learn(heard: "a", written: "b")
            let text = try String(contentsOfFile: file.path, encoding: .utf8)
            let names = try file.load().values.words.names
            #expect(text.hasPrefix("# mine\n[words]\n") && names == ["Bob"])
        }
    }

    @Test("words that are learnt at the same time are all there, and none is added twice")
    func together() async throws {
        let folder = try TemporaryFolder("dictionary")
        let file = DictionaryFile(path: folder.file("dictionary.toml"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask { try file.learn(heard: "word \(number)", written: "Word\(number)") }
            }
            try await group.waitForAll()
        }
        let learnt = try file.load().values.replacements
        #expect(Set(learnt.map(\.heard)) == Set((0..<40).map { "word \($0)" }))
        try file.learn(heard: "word 7", written: "Word7")
        #expect(try file.load().values.replacements.count == 40)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["dictionary.toml"])
    }

    @Test("a list of thousands of words is added; one that would make the file unreadable is refused")
    func long() throws {
        func list(_ count: Int) throws -> WordList {
            try WordList(
                (0..<count).map { "heard number \($0) -> Written\($0)\nName\($0)" }.joined(separator: "\n"),
                as: .text)
        }
        try Self.with(nil) { file throws in
            let added = try file.add(try list(5_000))
            #expect(added.terms == 5_000 && added.replacements == 5_000 && added.known == 0)
            let more = try file.add(try list(5_001))
            #expect(more.terms == 1 && more.replacements == 1 && more.known == 10_000)
            let before = try file.load().values
            #expect(before.replacements.count == 5_001 && before.words.names.count == 5_001)
            let error = #expect(throws: SettingsError.self) { try file.add(try list(15_000)) }
            #expect(
                error.map { "\($0)" }
                    == "\(file.path): cannot be written, and is unchanged: it would be larger than 1 MiB")
            #expect(try file.load().values.replacements.count == before.replacements.count)
        }
    }

    @Test("a broken file is not added to")
    func broken() throws {
        try Self.with("[words\n") { file throws in
            let error = #expect(throws: SettingsError.self) { try file.learn(heard: "a", written: "b") }
            #expect(error.map { "\($0)".hasSuffix("run the command again.") } == true)
            let text = try String(contentsOfFile: file.path, encoding: .utf8)
            #expect(text == "[words\n")
        }
    }

    @Test("changes are taken while an agent runs; a broken one leaves the last good one")
    func live() async throws {
        let folder = try TemporaryFolder("dictionary")
        let path = folder.file("dictionary.toml")
        let log = RecordedLog()
        let live = LiveDictionary(file: DictionaryFile(path: path), logger: log.logger)
        live.follow()
        defer { live.stop() }
        #expect(live.current.isEmpty)
        _ = try folder.write("[words]\nnames = [\"Alice\"]\n", to: "dictionary.toml")
        // A file may be seen before it has any content.
        repeat { await log.wait(for: "dictionary read") } while live.current.names.isEmpty
        #expect(live.current.names == ["Alice"])
        // Replaced at once: a file that is written in place is empty for a moment, which is a good dictionary, too.
        try LiveSettingsTests.Way.renamedOver.write("[words]\nnames = 5\n", to: path)
        await log.wait(for: ":2:9: ")
        #expect(live.current.names == ["Alice"])
    }
}
